/* SPDX-License-Identifier: BSD-2-Clause */
/* A coroutine: a function that makes a frame, and one that is resumed. Says `NAME COUNT`. */
#include <coroutine>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <initializer_list>

struct generator {
    struct promise_type {
        int value = 0;
        generator get_return_object()
        {
            return {std::coroutine_handle<promise_type>::from_promise(*this)};
        }
        std::suspend_always initial_suspend()
        {
            return {};
        }
        std::suspend_always final_suspend() noexcept
        {
            return {};
        }
        std::suspend_always yield_value(int x)
        {
            value = x;
            return {};
        }
        void return_void() {}
        void unhandled_exception()
        {
            std::terminate();
        }
    };
    std::coroutine_handle<promise_type> handle;
};

static long made, resumed;

__attribute__((noinline)) generator counting(int limit)
{
    for (int i = 0; i < limit; i++)
        co_yield i;
}

int main(int argc, char **argv)
{
    int count = argc > 1 ? std::atoi(argv[1]) : 5;
    long sum = 0;
    for (int i = 0; i < count; i++) {
        /* Two of them, which are resumed by turns. */
        generator a = counting(i), b = counting(i + 1);
        made += 2;
        while (!a.handle.done() || !b.handle.done())
            for (generator *each : {&a, &b})
                if (!each->handle.done()) {
                    each->handle.resume();
                    resumed++;
                    sum += each->handle.promise().value;
                }
        a.handle.destroy();
        b.handle.destroy();
    }
    std::printf("sum %ld\nmade %ld\nresumed %ld\n", sum, made, resumed);
    return 0;
}
