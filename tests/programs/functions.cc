/* SPDX-License-Identifier: BSD-2-Clause */
/* The same in C++: exceptions through functions, templates, lambdas, members. Says `NAME COUNT`. */
#include <cstdio>
#include <cstdlib>
#include <stdexcept>

#define APART __attribute__((noinline))

static long thrown, returned, caught, twice_int;

struct guard {
    long &count;
    ~guard()
    {
        count++;
    }
};

namespace web
{
class server
{
  public:
    APART int serve(int n);
};

/* Throws from the depth for each third request. */
APART int handle(int n, int depth)
{
    if (depth == 0) {
        if (n % 3 == 0) {
            thrown++;
            throw std::runtime_error("third");
        }
        return n;
    }
    int result = handle(n, depth - 1) + 1;
    returned++;
    return result;
}

int server::serve(int n)
{
    guard g{caught};
    try {
        return handle(n, 3);
    } catch (const std::exception &) {
        return -1;
    }
}
} /* namespace web */

template <typename T> APART T twice(T x)
{
    twice_int++;
    return x + x;
}

int main(int argc, char **argv)
{
    int count = argc > 1 ? std::atoi(argv[1]) : 9;
    web::server server;
    long total = 0;
    for (int i = 0; i < count; i++) {
        total += server.serve(i);
        total += twice<int>(i);
    }
    std::printf("total %ld\nthrown %ld\nreturned %ld\ncaught %ld\ntwice %ld\n", total, thrown,
                returned, caught, twice_int);
    return 0;
}
