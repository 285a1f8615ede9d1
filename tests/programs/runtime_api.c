/* SPDX-License-Identifier: BSD-2-Clause */
/* The contract of <sdt/runtime.h>: ids, errors, order, patterns, hits, foreach. */
#include "runtime_fixture.h"

#include <sdt/format.h>

static char order[32];

static void note(const struct sdt_event *event, void *data)
{
    (void)event;
    strcat(order, data);
}

static void nothing(const struct sdt_event *event, void *data)
{
    (void)event;
    (void)data;
}

static void hit(void)
{
    fx_call(0, 0, 0, 0, 0, 0);
}

static void check_errors(void)
{
    CHECK_EQUAL(sdt_enable(NULL, nothing, NULL), -EINVAL);
    CHECK_EQUAL(sdt_enable("fixture", NULL, NULL), -EINVAL);
    CHECK_EQUAL(sdt_enable("", nothing, NULL), -EINVAL);
    CHECK_EQUAL(sdt_enable("a:b:c", nothing, NULL), -EINVAL);
    CHECK_EQUAL(sdt_enable("a:b:c:d:e", nothing, NULL), -EINVAL);
    CHECK_EQUAL(sdt_enable("fixture,", nothing, NULL), -EINVAL);
    CHECK_EQUAL(sdt_enable("fix[ture", nothing, NULL), -EINVAL);
    CHECK_EQUAL(sdt_enable("nobody:home", nothing, NULL), -ENOENT);
    CHECK_EQUAL(sdt_enable_mode("fixture", nothing, NULL, SDT_MODE_OFF), -EINVAL);
    CHECK_EQUAL(sdt_enable_mode("fixture", nothing, NULL, -1), -EINVAL);
    CHECK_EQUAL(sdt_disable(12345), -ENOENT);
    CHECK_EQUAL(sdt_disable(0), -ENOENT);
    CHECK_EQUAL(sdt_foreach(NULL, NULL, NULL), -EINVAL);
    CHECK_EQUAL(sdt_hits(NULL), 0);
    CHECK_EQUAL(sdt_hits("a:b:c"), 0);
    CHECK(strlen(sdt_strerror(-ENOENT)) > 0 && strlen(sdt_strerror(99999)) > 0);
    CHECK(strchr(sdt_version(), '.') != NULL);
}

static void check_order(void)
{
    int a = sdt_enable("fixture:call", note, "a");
    int b = sdt_enable("*:call", note, "b");
    int c = sdt_enable("fixture", note, "c");
    hit();
    CHECK(strcmp(order, "abc") == 0);
    CHECK_EQUAL(sdt_disable(b), 0);
    CHECK_EQUAL(sdt_disable(b), -ENOENT);
    hit();
    CHECK(strcmp(order, "abcac") == 0);
    b = sdt_enable("fixture:call", note, "b");
    hit();
    CHECK(strcmp(order, "abcacacb") == 0);
    CHECK_EQUAL(sdt_disable(a), 0);
    CHECK_EQUAL(sdt_disable(c), 0);
    CHECK_EQUAL(sdt_disable(b), 0);
    hit();
    CHECK(strcmp(order, "abcacacb") == 0);
}

static void check_counts(void)
{
    int id = sdt_enable("fixture:call", SDT_COUNT, NULL);
    int twice = sdt_enable("fixture:call", SDT_COUNT, NULL);
    for (int i = 0; i < 10; i++)
        hit();
    fx_call_again(0, 0, 0, 0, 0, 0);
    CHECK_EQUAL(sdt_hits("fixture:call"), 11);
    CHECK_EQUAL(sdt_disable(id), 0);
    CHECK_EQUAL(sdt_disable(twice), 0);
    hit();
    CHECK_EQUAL(sdt_hits("fixture:call"), 11);

    /* Only one of the two functions: the hit of the other is not counted. */
    id = sdt_enable("fixture::fx_call_again:call", SDT_COUNT, NULL);
    CHECK(id > 0);
    hit();
    fx_call_again(0, 0, 0, 0, 0, 0);
    CHECK_EQUAL(sdt_hits("fixture:call"), 12);
    CHECK_EQUAL(sdt_disable(id), 0);
}

static void check_patterns(void)
{
    static const char *const right[] = {"fixture:call",
                                        "fix*:c?ll",
                                        ":call",
                                        "fixture:a.out:fx_call:call",
                                        ":::call",
                                        "fixture:[b]ogus,fixture:call",
                                        "fixture::fx_[a-z]*:",
                                        "*"};
    for (size_t i = 0; i < sizeof right / sizeof *right; i++) {
        order[0] = '\0';
        int id = sdt_enable(right[i], note, "x");
        hit();
        CHECK(id > 0 && strcmp(order, "x") == 0);
        CHECK_EQUAL(sdt_disable(id), 0);
    }
    static const char *const dashes[] = {"other:dash-name", "other:dash__name", "*:*-*"};
    for (size_t i = 0; i < sizeof dashes / sizeof *dashes; i++) {
        order[0] = '\0';
        int id = sdt_enable(dashes[i], note, "x");
        fx_dash(1);
        CHECK(id > 0 && strcmp(order, "x") == 0);
        CHECK_EQUAL(sdt_disable(id), 0);
    }
}

struct list {
    int n, traps, jumps, off, stop_at;
};

static int visit(const struct sdt_probe_info *site, void *data)
{
    struct list *list = data;
    CHECK_EQUAL(site->size, sizeof *site);
    CHECK_EQUAL(site->error, 0);
    CHECK(site->function && strncmp(site->function, "fx_", 3) == 0);
    CHECK(strcmp(site->module, "a.out") == 0);
    CHECK(site->nargs == 0 || site->args[0] != '\0' || strcmp(site->name, "untyped") == 0);
    list->traps += site->mode == SDT_MODE_TRAP;
    list->jumps += site->mode == SDT_MODE_JUMP;
    list->off += site->mode == SDT_MODE_OFF;
    return ++list->n == list->stop_at ? 77 : 0;
}

static void check_foreach(void)
{
    struct list list = {0, 0, 0, 0, 0};
    CHECK_EQUAL(sdt_foreach("*", visit, &list), 0);
    CHECK_EQUAL(list.n, 9);
    CHECK_EQUAL(list.off, 9);
    int id = (sdt_enable)("fixture", nothing, NULL);
    list = (struct list){0, 0, 0, 0, 0};
    CHECK_EQUAL(sdt_foreach("fixture", visit, &list), 0);
    CHECK_EQUAL(list.n, 8);
    CHECK_EQUAL(list.jumps, 8);
    CHECK_EQUAL(sdt_disable(id), 0);
    id = sdt_enable_mode("fixture", nothing, NULL, SDT_MODE_JUMP);
    list = (struct list){0, 0, 0, 0, 0};
    CHECK_EQUAL(sdt_foreach("fixture", visit, &list), 0);
    CHECK_EQUAL(list.jumps, 8);
    CHECK_EQUAL(sdt_disable(id), 0);
    id = sdt_enable_mode("fixture", nothing, NULL, SDT_MODE_TRAP);
    list = (struct list){0, 0, 0, 0, 0};
    CHECK_EQUAL(sdt_foreach("fixture", visit, &list), 0);
    CHECK_EQUAL(list.traps, 6);
    CHECK_EQUAL(list.jumps, 2); /* the two is-enabled sites, which have no other form */
    CHECK_EQUAL(sdt_disable(id), 0);
    list = (struct list){0, 0, 0, 0, 2};
    CHECK_EQUAL(sdt_foreach("*", visit, &list), 77);
    CHECK_EQUAL(sdt_foreach("nobody", visit, &list), 0);
}

static void check_flags(void)
{
    CHECK_EQUAL(fx_is_enabled(), 0);
    CHECK_EQUAL(fx_is_enabled_tail(), 0);
    int one = sdt_enable("fixture:guarded", SDT_COUNT, NULL);
    int two = sdt_enable("fixture", SDT_COUNT, NULL);
    CHECK_EQUAL(fx_is_enabled(), 1);
    CHECK_EQUAL(fx_is_enabled_tail(), 1);
    fx_guarded();
    CHECK_EQUAL(sdt_hits("fixture:guarded"), 1);
    CHECK_EQUAL(sdt_disable(one), 0);
    CHECK_EQUAL(fx_is_enabled(), 1);
    CHECK_EQUAL(sdt_disable(two), 0);
    CHECK_EQUAL(fx_is_enabled(), 0);
    CHECK_EQUAL(fx_is_enabled_tail(), 0);
}

static int nested_result;

static int visit_and_enable(const struct sdt_probe_info *site, void *data)
{
    (void)site;
    (void)data;
    nested_result = sdt_enable("fixture", nothing, NULL);
    return 1;
}

int main(void)
{
    check_errors();
    check_order();
    check_counts();
    check_patterns();
    check_foreach();
    check_flags();
    sdt_foreach("*", visit_and_enable, NULL);
    CHECK_EQUAL(nested_result, -EDEADLK);
    return fixture_done();
}
