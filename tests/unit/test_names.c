/* SPDX-License-Identifier: BSD-2-Clause */
#include "check.h"
#include "probes/names.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct good {
    const char *symbol;
    enum sdt_use use;
    const char *provider, *module, *function, *name;
};

static const struct good good[] = {
    {"__dtrace_sdt_p___n", SDT_USE_CALL, "p", "", "", "n"},
    {"__dtrace_sdtasm_p___n", SDT_USE_INLINE, "p", "", "", "n"},
    {"__dtrace_sdtenabled_p___n", SDT_USE_ENABLED, "p", "", "", "n"},
    {"__dtrace_sdt_my_app___query__start", SDT_USE_CALL, "my_app", "", "", "query__start"},
    {"__dtrace_sdt_a__b___c", SDT_USE_CALL, "a__b", "", "", "c"},
    /* Four underscores: the provider cannot end in one, so the name begins with it. */
    {"__dtrace_sdt_p____n", SDT_USE_CALL, "p", "", "", "_n"},
    {"__dtrace_sdt_p_____n", SDT_USE_CALL, "p", "", "", "__n"},
    {"__dtrace_sdt__p___n_", SDT_USE_CALL, "_p", "", "", "n_"},
    {"__dtrace_sdt_p1___n2", SDT_USE_CALL, "p1", "", "", "n2"},
    {"__dtrace_sdt_vfs___mod___fn___entry", SDT_USE_CALL, "vfs", "mod", "fn", "entry"},
    {"__dtrace_sdt_vfs_________entry", SDT_USE_CALL, "vfs", "", "", "entry"},
    {"__dtrace_sdt_vfs______fn___entry", SDT_USE_CALL, "vfs", "", "fn", "entry"},
    {"__dtrace_sdt_vfs___mod______entry", SDT_USE_CALL, "vfs", "mod", "", "entry"},
    /* Words for people. */
    {"__dtrace_sdt_run_sdtlink___p___n", SDT_USE_CALL, "p", "", "", "n"},
    {"__dtrace_sdtasm_run_sdtlink___p___n", SDT_USE_INLINE, "p", "", "", "n"},
    {"__dtrace_sdtenabled_run_sdtlink___p___n", SDT_USE_ENABLED, "p", "", "", "n"},
    {"__dtrace_sdt_run_sdtlink___vfs______fn___entry", SDT_USE_CALL, "vfs", "", "fn", "entry"},
    {"__dtrace_sdt_run_sdtlink___run_sdtlink___n", SDT_USE_CALL, "run_sdtlink", "", "", "n"},
    {"__dtrace_sdt_run_sdtlink____p___n", SDT_USE_CALL, "_p", "", "", "n"},
    /* A provider that is called so. */
    {"__dtrace_sdt_run_sdtlink___n", SDT_USE_CALL, "run_sdtlink", "", "", "n"},
    {"__dtrace_sdt_run_sdtlink__2___n", SDT_USE_CALL, "run_sdtlink__2", "", "", "n"},
};

/* A probe's prefix, but no probe; and what the reason speaks of. */
struct bad {
    const char *symbol, *why;
};
static const struct bad bad[] = {
    {"__dtrace_sdt_", "no \"___\""},
    {"__dtrace_sdt_p", "no \"___\""},
    {"__dtrace_sdt_p__n", "no \"___\""},
    {"__dtrace_sdt_p___", "name is not"},
    {"__dtrace_sdt____n", "provider is not"},
    {"__dtrace_sdt_1p___n", "provider is not"},
    {"__dtrace_sdt_p___1n", "name is not"},
    {"__dtrace_sdt_p-q___n", "provider is not"},
    {"__dtrace_sdt_p___n@v1", "name is not"},
    {"__dtrace_sdt_p___n.x", "name is not"},
    {"__dtrace_sdt_p___a___b", "three parts"},
    {"__dtrace_sdt_p___a___b___c___d", "more than four"},
    {"__dtrace_sdt_p___m.___f___n", "module or function"},
    {"__dtrace_sdt_p___m___f.___n", "module or function"},
    {"__dtrace_sdtasm_p", "no \"___\""},
    {"__dtrace_sdtenabled_p__n", "no \"___\""},
    {"__dtrace_sdt_\xc3\xa4___n", "provider is not"},
    {"__dtrace_sdt_p______n", "three parts"},
    {"__dtrace_sdt_run_sdtlink___p___a___b", "three parts"},
    {"__dtrace_sdt_run_sdtlink___1p___n", "provider is not"},
    {"__dtrace_sdt_run_sdtlink___", "name is not"},
};

static const char *const other[] = {
    "",
    "_",
    "__dtrace_sd",
    "__dtrace_sdt",
    "_dtrace_sdt_p___n",
    "__dtrace_probe___p",
    "main",
    "__dtrace_sdtfoo_p___n",
    "x__dtrace_sdt_p___n",
    "__sdt_stub_p___n",
};

static void test_good(const struct good *expected)
{
    struct probe_name name;
    const char *why;
    CHECK(names_parse(expected->symbol, &name, &why) == NAMES_PROBE);
    CHECK(name.use == expected->use);
    CHECK(slice_is(name.provider, expected->provider));
    CHECK(slice_is(name.module, expected->module));
    CHECK(slice_is(name.function, expected->function));
    CHECK(slice_is(name.name, expected->name));
}

/* No input makes it read past its end or return parts outside of it: all strings over 3 letters. */
static void test_all_short_names(void)
{
    char symbol[32] = "__dtrace_sdt_";
    char *tail = symbol + strlen(symbol);
    for (unsigned i = 0; i < 59049; i++) { /* 3^10 */
        unsigned digits = i;
        for (int at = 0; at < 10; at++, digits /= 3)
            tail[at] = "_a."[digits % 3];
        tail[10] = '\0';
        struct probe_name name;
        const char *why = NULL;
        enum names_result result = names_parse(symbol, &name, &why);
        CHECK(result != NAMES_OTHER);
        CHECK((result == NAMES_BAD) == (why != NULL));
        if (result != NAMES_PROBE)
            continue;
        CHECK(strchr(tail, '.') == NULL);
        CHECK(name.provider.text == tail && name.name.text + name.name.length == tail + 10);
        CHECK(name.provider.text[name.provider.length - 1] != '_');
    }
}

/* Any byte at a place of each kind. A name or provider does not begin with a digit. */
static void test_every_byte(void)
{
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    static const struct {
        const char *before, *behind;
        bool begins;
    } places[] = {
        {"", "p___n", true},          {"p", "q___n", false},         {"p___", "n", true},
        {"p___n", "", false},         {"p___", "m___f___n", false},  {"p___m", "___f___n", false},
        {"p___m___", "f___n", false}, {"p___m___f", "g___n", false},
    };
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        for (int c = 1; c < 256; c++) {
            char symbol[40];
            snprintf(symbol, sizeof symbol, "__dtrace_sdt_%s%c%s", places[i].before, c,
                     places[i].behind);
            bool may_begin = strchr(letters, c) || c == '_';
            bool expected = may_begin || (!places[i].begins && c >= '0' && c <= '9');
            struct probe_name name;
            const char *why = NULL;
            CHECK((names_parse(symbol, &name, &why) == NAMES_PROBE) == expected);
        }
    }
}

/* A symbol of 4095 bytes is the longest. */
static void test_length(void)
{
    for (size_t length = MAX_NAME_BYTES - 2; length < MAX_NAME_BYTES + 3; length++) {
        char *symbol = malloc(length + 1);
        memset(symbol, 'n', length);
        memcpy(symbol, "__dtrace_sdt_p___", strlen("__dtrace_sdt_p___"));
        symbol[length] = '\0';
        struct probe_name name;
        const char *why = NULL;
        enum names_result result = names_parse(symbol, &name, &why);
        CHECK(result == (length <= 4095 ? NAMES_PROBE : NAMES_BAD));
        CHECK(length <= 4095 || strstr(why, "4095"));
        free(symbol);
    }
}

static void test_compare(void)
{
    struct slice a = {"abc", 2}, b = {"abd", 3}, empty = {"", 0};
    CHECK(slice_compare(a, b) < 0 && slice_compare(b, a) > 0 && slice_compare(a, a) == 0);
    CHECK(slice_compare(empty, a) < 0 && slice_is(a, "ab") && !slice_is(a, "abc"));
}

int main(void)
{
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++)
        test_good(&good[i]);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct probe_name name;
        const char *why = NULL;
        CHECK(names_parse(bad[i].symbol, &name, &why) == NAMES_BAD);
        CHECK(why && strstr(why, bad[i].why));
    }
    for (size_t i = 0; i < sizeof other / sizeof other[0]; i++) {
        struct probe_name name;
        const char *why;
        CHECK(names_parse(other[i], &name, &why) == NAMES_OTHER);
    }
    test_all_short_names();
    test_every_byte();
    test_length();
    test_compare();
    return check_failures != 0;
}
