// SPDX-License-Identifier: BSD-2-Clause
// Typed events in C++: a namespace, a template, exceptions, destructors.
#include "record_event.h"

#include <cstdio>
#include <cstring>
#include <stdexcept>
#include <string>

namespace shop
{
enum class state : short { open = -2, closed = 300 };
SDT_EVENT(ev, order, SDT_FIELD(int, number), SDT_FIELD(state, what), SDT_FIELD_TEXT(who, 24),
          SDT_FIELD_ARRAY(double, prices, 4), SDT_FIELD(const char *, city));

template <typename T> void order(int number, T price, const std::string &city)
{
    SDT_RESERVE(ev, order, e);
    if (!e)
        return;
    e->number = number;
    e->what = number % 2 ? state::open : state::closed;
    std::snprintf(e->who, sizeof e->who, "customer %d", number);
    while (e->prices_length < static_cast<size_t>(number % 4))
        e->prices[e->prices_length++] = static_cast<double>(price);
    e->city = city.c_str();
    SDT_COMMIT(ev, order, e);
}
} // namespace shop

namespace
{
SDT_EVENT(ev, hidden, SDT_FIELD(int, number));

struct Guard {
    int number;
    ~Guard()
    {
        SDT_RESERVE(ev, hidden, e);
        if (e)
            e->number = number;
        SDT_COMMIT(ev, hidden, e);
    }
};

// An exception between reservation and commit: only the guard's event happens.
void fails(int number)
{
    Guard guard = {number};
    SDT_RESERVE(ev, outer, e);
    if (e) {
        e->number = number;
        e->same = ~e->number;
    }
    if (number % 2)
        throw std::runtime_error("no commit");
    SDT_COMMIT(ev, outer, e);
}
} // namespace

int main()
{
    shop::order(1, 2, "Bremen");
    shop::order(2, 2.5, std::string(30, 'x'));
    shop::order(3, 1.25f, "");
    for (int i = 0; i < 10; i++)
        try {
            fails(i);
        } catch (const std::exception &) {
        }
    return 0;
}
