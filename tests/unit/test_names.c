/* SPDX-License-Identifier: BSD-2-Clause */
#include "check.h"
#include "names.h"

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
};

/* A probe's prefix, but no probe. */
static const char *const bad[] = {
    "__dtrace_sdt_",
    "__dtrace_sdt_p",
    "__dtrace_sdt_p__n",
    "__dtrace_sdt_p___",
    "__dtrace_sdt____n",
    "__dtrace_sdt_1p___n",
    "__dtrace_sdt_p___1n",
    "__dtrace_sdt_p-q___n",
    "__dtrace_sdt_p___n@v1",
    "__dtrace_sdt_p___n.x",
    "__dtrace_sdt_p___a___b",
    "__dtrace_sdt_p___a___b___c___d",
    "__dtrace_sdt_p___m.___f___n",
    "__dtrace_sdtasm_p",
    "__dtrace_sdtenabled_p__n",
    "__dtrace_sdt_\xc3\xa4___n",
    "__dtrace_sdt_p______n",
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
        CHECK(names_parse(bad[i], &name, &why) == NAMES_BAD && why);
    }
    for (size_t i = 0; i < sizeof other / sizeof other[0]; i++) {
        struct probe_name name;
        const char *why;
        CHECK(names_parse(other[i], &name, &why) == NAMES_OTHER);
    }
    test_all_short_names();
    test_compare();
    return check_failures != 0;
}
