// SPDX-License-Identifier: BSD-2-Clause
// Two probes in functions of C++, one of which has the symbol SYMBOL.
#include <sdt/probe.h>
#include <string>

namespace shop
{
namespace
{
template <typename T> struct Cart {
    __attribute__((noinline)) int operator<<(const T &what) const
    {
        SDT_PROBE(shop, add, what.size());
        return 1;
    }
};
} // namespace
} // namespace shop

void deep() __asm__(SYMBOL);

__attribute__((noinline)) void deep()
{
    SDT_PROBE(shop, deep);
}

int main()
{
    deep();
    return shop::Cart<std::string>() << std::string("x") ? 0 : 1;
}
