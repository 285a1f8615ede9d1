/* SPDX-License-Identifier: BSD-2-Clause */
/* The whole way: probes written with <sdt/probe.h>, processed by sdtlink, watched by the runtime.
 */
#include "runtime_fixture.h"

#include <sdt/probe.h>

enum colour { RED = -1, GREEN = 1 };

static int calls;

void run(int round);
void last(int round);

__attribute__((noinline)) void run(int round)
{
    int8_t tiny = (int8_t)-round;
    uint16_t small = (uint16_t)(65535 - round);
    enum colour colour = round % 2 ? RED : GREEN;
    unsigned large = UINT32_MAX - (unsigned)round;
    int64_t huge = INT64_MIN + round;
    const char *text = "text";
    float number = 0.5f * (float)round;
    double precise = 1e100 * round;
    _Bool truth = round % 2 == 0;
    SDT_PROBE(app, none);
    SDT_PROBE(app, all, tiny, small, colour, large, huge, text, number, precise, truth, round,
              &calls, (unsigned char)200);
    if (SDT_PROBE_ENABLED(app, guarded))
        SDT_PROBE(app, guarded, round);
}

__attribute__((noinline)) void last(int round)
{
    SDT_PROBE(app, last__thing, round);
}

static void on_none(const struct sdt_event *event, void *data)
{
    CHECK_EQUAL(sdt_nargs(event), 0);
    ++*(int *)data;
}

static void on_all(const struct sdt_event *event, void *data)
{
    int round = (*(int *)data)++;
    CHECK(strcmp(sdt_provider(event), "app") == 0 && strcmp(sdt_name(event), "all") == 0);
    CHECK(strcmp(sdt_function(event), "run") == 0);
    CHECK_EQUAL(sdt_nargs(event), 12);
    CHECK_EQUAL((int64_t)sdt_arg(event, 0), -round);
    CHECK_EQUAL(sdt_arg(event, 1), 65535 - round);
    CHECK_EQUAL((int64_t)sdt_arg(event, 2), round % 2 ? -1 : 1);
    CHECK_EQUAL(sdt_arg(event, 3), UINT32_MAX - (unsigned)round);
    CHECK_EQUAL((int64_t)sdt_arg(event, 4), INT64_MIN + round);
    CHECK(strcmp((const char *)(uintptr_t)sdt_arg(event, 5), "text") == 0);
    CHECK(sdt_arg_double(event, 6) == 0.5 * round);
    CHECK(sdt_arg_double(event, 7) == 1e100 * round);
    CHECK_EQUAL(sdt_arg(event, 8), round % 2 == 0);
    CHECK_EQUAL((int64_t)sdt_arg(event, 9), round);
    CHECK(sdt_arg(event, 10) == (uintptr_t)&calls);
    CHECK_EQUAL(sdt_arg(event, 11), 200);
    CHECK(sdt_arg_double(event, 0) == -round);
}

static void on_one(const struct sdt_event *event, void *data)
{
    CHECK_EQUAL(sdt_nargs(event), 1);
    CHECK_EQUAL((int64_t)sdt_arg(event, 0), (*(int *)data)++);
}

int main(void)
{
    int none = 0, all = 0, guarded = 0, thing = 0;
    int ids[] = {sdt_enable("app:none", on_none, &none), sdt_enable("app:all", on_all, &all),
                 sdt_enable("app:guarded", on_one, &guarded),
                 sdt_enable("app:last-thing", on_one, &thing)};
    for (int i = 0; i < 5; i++) {
        run(i);
        last(i);
    }
    for (int i = 0; i < 4; i++) {
        CHECK(ids[i] > 0);
        CHECK_EQUAL(sdt_disable(ids[i]), 0);
    }
    run(77);
    last(77);
    CHECK_EQUAL(none, 5);
    CHECK_EQUAL(all, 5);
    CHECK_EQUAL(guarded, 5);
    CHECK_EQUAL(thing, 5);
    return fixture_done();
}
