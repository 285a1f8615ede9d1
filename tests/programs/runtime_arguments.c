/* SPDX-License-Identifier: BSD-2-Clause */
/* Arguments 0 to 11 of every type reach the handler; names, counts and flags are right. */
#include "runtime_fixture.h"

static int calls;

static void on_call(const struct sdt_event *event, void *data)
{
    calls++;
    CHECK(data == &calls);
    CHECK_EQUAL(sdt_nargs(event), 6);
    CHECK_EQUAL((int64_t)sdt_arg(event, 0), -7);
    CHECK_EQUAL(sdt_arg(event, 1), UINT64_C(0x8000000000000001));
    CHECK_EQUAL(sdt_arg(event, 2), (uintptr_t)&calls);
    CHECK(sdt_arg_double(event, 3) == 2.5);
    CHECK_EQUAL((int64_t)sdt_arg(event, 4), -128);
    CHECK(sdt_arg_double(event, 5) == -0.125);
    CHECK(sdt_arg(event, 3) == fixture_bits(2.5));
    CHECK(sdt_arg_double(event, 0) == -7.0);
    CHECK(sdt_arg_double(event, 1) == 9223372036854775809.0);
    CHECK_EQUAL(sdt_arg(event, 6), 0);
    CHECK(sdt_arg_double(event, 6) == 0);
    CHECK(strcmp(sdt_provider(event), "fixture") == 0);
    CHECK(strcmp(sdt_name(event), "call") == 0);
    CHECK(strcmp(sdt_module(event), "a.out") == 0);
    CHECK((const char *)sdt_pc(event) - (const char *)(strcmp(sdt_function(event), "fx_call") == 0
                                                           ? (void *)fx_call
                                                           : (void *)fx_call_again) ==
          4);
}

static void on_many(const struct sdt_event *event, void *data)
{
    int *seen = data;
    CHECK_EQUAL(sdt_nargs(event), 12);
    for (unsigned i = 0; i < 12; i++)
        if (i != 9)
            CHECK_EQUAL((int64_t)sdt_arg(event, i), i == 6 || i == 7 ? -(int64_t)i : 100 + i);
    CHECK_EQUAL(sdt_arg(event, 12), 0);
    word words[13];
    CHECK_EQUAL(sdt_args(event, words, 8), 8);
    CHECK_EQUAL(sdt_args(event, words, 13), 12);
    for (unsigned i = 0; i < 12; i++)
        CHECK_EQUAL(words[i], sdt_arg(event, i));
    ++*seen;
}

static void on_twelve(const struct sdt_event *event, void *data)
{
    on_many(event, data);
    CHECK(sdt_arg_double(event, 9) == 1e300);
    CHECK(sdt_arg_double(event, 6) == -6.0);
    CHECK(sdt_arg_double(event, 7) == -7.0);
}

static void on_untyped(const struct sdt_event *event, void *data)
{
    CHECK_EQUAL(sdt_nargs(event), 6);
    for (unsigned i = 0; i < 6; i++)
        CHECK_EQUAL(sdt_arg(event, i), UINT64_MAX - i);
    ++*(int *)data;
}

static void call_all(void)
{
    word n = UINT64_MAX;
    fx_call((word)-7, UINT64_C(0x8000000000000001), (uintptr_t)&calls, fixture_bits(2.5),
            (word)-128, fixture_bits(-0.125));
    fx_call_again((word)-7, UINT64_C(0x8000000000000001), (uintptr_t)&calls, fixture_bits(2.5),
                  (word)-128, fixture_bits(-0.125));
    fx_twelve(100, 101, 102, 103, 104, 105, (word)-6, (word)-7, 108, fixture_bits(1e300), 110, 111);
    fx_tail(100, 101, 102, 103, 104, 105, (word)-6, (word)-7, 108, 0, 110, 111);
    fx_untyped(n, n - 1, n - 2, n - 3, n - 4, n - 5);
}

static void run(int mode)
{
    int twelve = 0, tail = 0, untyped = 0;
    calls = 0;
    call_all();
    int ids[4] = {
        sdt_enable_mode("fixture:call", on_call, &calls, mode),
        sdt_enable_mode("fixture:twelve", on_twelve, &twelve, mode),
        sdt_enable_mode("fixture:tail", on_many, &tail, mode),
        sdt_enable_mode("fixture:untyped", on_untyped, &untyped, mode),
    };
    for (int i = 0; i < 4; i++)
        CHECK(ids[i] > 0);
    call_all();
    call_all();
    CHECK_EQUAL(calls, 4);
    CHECK_EQUAL(twelve, 2);
    CHECK_EQUAL(tail, 2);
    CHECK_EQUAL(untyped, 2);
    for (int i = 0; i < 4; i++)
        CHECK_EQUAL(sdt_disable(ids[i]), 0);
    call_all();
    CHECK_EQUAL(calls, 4);
    CHECK_EQUAL(tail, 2);
}

int main(void)
{
    run(SDT_MODE_AUTO);
    run(SDT_MODE_TRAP);
    return fixture_done();
}
