/* SPDX-License-Identifier: BSD-2-Clause */
/* Functions of C++ whose names people write in several ways. Each counts its calls, and main()
 * prints `NAME COUNT`, where NAME is what c++filt says. */
#include <cstdio>
#include <cstdlib>

#define APART __attribute__((noinline))

static long counts[12];

namespace shop
{
template <class T> struct order {
    APART long pay(T x)
    {
        counts[0 + (sizeof(T) == 8)]++;
        return (long)x + 1;
    }
};
struct cart {
    APART long pay(int x)
    {
        counts[2]++;
        return x + 2;
    }
    APART long pay(int x, char y)
    {
        counts[3]++;
        return x + y;
    }
    APART bool operator<(const cart &other) const
    {
        counts[4]++;
        return this < &other;
    }
};
APART long pay_all(int x)
{
    counts[5]++;
    return x;
}
} /* namespace shop */

namespace
{
APART long hidden(int x)
{
    counts[6]++;
    return x;
}
} /* namespace */

template <class A, class B> APART long pick(A a, B b)
{
    counts[7]++;
    return (long)a + (long)b;
}

extern "C" APART long pay(int x)
{
    counts[8]++;
    return x;
}

int main(int argc, char **argv)
{
    int rounds = argc > 1 ? std::atoi(argv[1]) : 1;
    long total = 0;
    shop::order<int> one;
    shop::order<long> two;
    shop::cart carts[2];
    auto lambda = [](int x) APART {
        counts[9]++;
        return x + 1;
    };
    for (int i = 0; i < rounds; i++) {
        total += one.pay(i) + two.pay(i) + two.pay(i) + carts[0].pay(i) + carts[0].pay(i, 'x');
        total += (carts[0] < carts[1]) + shop::pay_all(i) + hidden(i) + pick<int, char>(i, 'y');
        total += pay(i) + lambda(i);
    }
    static const char *const names[] = {"shop::order<int>::pay(int)",
                                        "shop::order<long>::pay(long)",
                                        "shop::cart::pay(int)",
                                        "shop::cart::pay(int, char)",
                                        "shop::cart::operator<(shop::cart const&) const",
                                        "shop::pay_all(int)",
                                        "(anonymous namespace)::hidden(int)",
                                        "long pick<int, char>(int, char)",
                                        "pay"};
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
        std::printf("%s %ld\n", names[i], counts[i]);
    std::printf("lambda %ld\n", counts[9]);
    return total == 0;
}
