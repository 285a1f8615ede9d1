// SPDX-License-Identifier: BSD-2-Clause
// Exceptions on i386: one that is caught inside a handler, and one that would leave it, which ends
// the program. See test_i386_runtime.py.
#include <sdt/runtime.h>

#include <cstdio>
#include <cstdlib>
#include <exception>

extern "C" void __dtrace_sdt_shop___here(int n);

static void handler(const sdt_event *event, void *leaves)
{
    try {
        throw static_cast<int>(sdt_arg(event, 0));
    } catch (int n) {
        std::printf("caught %d\n", n);
        std::fflush(stdout);
        if (leaves)
            throw;
    }
}

int main(int argc, char **argv)
{
    std::set_terminate([] {
        std::puts("terminate");
        std::fflush(stdout);
        std::_Exit(3);
    });
    int id = sdt_enable("shop:here", handler, argc > 1 ? argv[1] : nullptr);
    try {
        __dtrace_sdt_shop___here(7);
    } catch (...) {
        std::puts("left the handler");
    }
    return sdt_disable(id) != 0;
}
