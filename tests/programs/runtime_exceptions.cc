// SPDX-License-Identifier: BSD-2-Clause
// C++ exceptions: of the program, past frames with enabled probes; of a handler, inside it; and one
// that leaves a handler, which must end in std::terminate.
#include "runtime_fixture.h"

#include <exception>
#include <stdexcept>
#include <unistd.h>

static int destroyed, handled;

struct Guard {
    ~Guard()
    {
        destroyed++;
    }
};

static void probe_then_throw(int depth)
{
    Guard guard;
    fx_call(0, 0, 0, 0, 0, 0);
    if (depth == 0)
        throw std::runtime_error("of the program");
    probe_then_throw(depth - 1);
    fx_tail(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11);
}

static void catch_inside(const struct sdt_event *, void *)
{
    try {
        Guard guard;
        throw 42;
    } catch (int) {
        handled++;
    }
}

static void throw_out(const struct sdt_event *, void *)
{
    Guard guard;
    throw std::logic_error("of the handler");
}

static void on_terminate()
{
    // The stack is whole: nothing was unwound, and the exception is known.
    try {
        throw;
    } catch (const std::logic_error &error) {
        if (strcmp(error.what(), "of the handler") == 0 && destroyed == 0)
            write(1, "terminated\n", 11);
    }
    _exit(3);
}

int main(int argc, char **)
{
    if (argc > 1) {
        std::set_terminate(on_terminate);
        sdt_enable("fixture:call,fixture:tail", throw_out, nullptr);
        try {
            if (argc > 2)
                fx_tail(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11);
            else
                fx_call(0, 0, 0, 0, 0, 0);
        } catch (...) {
            puts("caught what must not leave a handler");
        }
        return 4;
    }
    int id = sdt_enable("fixture", catch_inside, nullptr);
    CHECK(id > 0);
    for (int i = 0; i < 100; i++) {
        bool caught = false;
        try {
            probe_then_throw(3);
        } catch (const std::runtime_error &) {
            caught = true;
        }
        CHECK(caught);
    }
    CHECK_EQUAL(handled, 400);
    CHECK_EQUAL(destroyed, 800);
    CHECK_EQUAL(sdt_disable(id), 0);
    return fixture_done();
}
