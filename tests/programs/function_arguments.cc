/* SPDX-License-Identifier: BSD-2-Clause */
/* As function_arguments.c, in C++: `this` is an argument, and so is a reference, a pointer. */
#include <cstdio>
#include <cstdlib>
#include <string>

#ifdef __clang__
#define APART __attribute__((noinline))
#else
#define APART __attribute__((noinline, noclone))
#endif

namespace shop
{
enum class Kind : short { Old = -1, New = 1 };
struct Point {
    double x, y;
};
struct Order {
    int id;
    std::string name;
};

struct Server {
    int port;
    APART int serve(const Order &order, Kind kind, unsigned n);
    APART std::string label(int n) const;
    APART static long scaled(Point p, float by);
    APART bool owns(std::string text, int after);
    template <class T> APART T twice(T value);
};

int Server::serve(const Order &order, Kind kind, unsigned n)
{
    std::printf("shop::Server::serve(this=%p, order=%p, kind=%s, n=%u)\n", (void *)this,
                (const void *)&order, kind == Kind::Old ? "Old" : "New", n);
    std::printf("shop::Server::serve = %d\n", order.id + port);
    return order.id + port;
}
std::string Server::label(int n) const
{
    std::printf("shop::Server::label[abi:cxx11](this=%p, n=%d)\n", (const void *)this, n);
    std::printf("shop::Server::label[abi:cxx11] returns\n");
    return std::string(20, 'x');
}
long Server::scaled(Point p, float by)
{
    std::printf("shop::Server::scaled(by=%g)\nshop::Server::scaled = %ld\n", (double)by,
                (long)(p.x * by));
    return (long)(p.x * by);
}
/* What is copied by a function is passed by its address. */
bool Server::owns(std::string text, int after)
{
    std::printf("shop::Server::owns(this=%p, text=%p, after=%d)\n", (void *)this, (void *)&text,
                after);
    std::printf("shop::Server::owns = true\n");
    return true;
}
} // namespace shop

int main(int argc, char **argv)
{
    int count = argc > 1 ? std::atoi(argv[1]) : 3;
    if (argc > 2 && !std::freopen(argv[2], "w", stdout))
        return 1;
    for (int i = 0; i < count; i++) {
        shop::Server server{8000 + i};
        shop::Order order{i, "tea"};
        server.serve(order, i % 2 ? shop::Kind::Old : shop::Kind::New, (unsigned)-i);
        server.label(i);
        shop::Server::scaled({1.0 * i, 2}, 2.5F);
        server.owns("text", i);
    }
    return 0;
}
