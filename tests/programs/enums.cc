/* SPDX-License-Identifier: BSD-2-Clause */
/* Enumerations of C++; test_enum_dwarf.py knows. */
#include <sdt/probe.h>

enum class State : unsigned char { idle, busy, gone = 200 };
enum Level { low = -5, high = 7 };

namespace net
{
class Conn
{
  public:
    Conn(State state, Level level) : state_(state), level_(level) {}
    Level level() const
    {
        return level_;
    }
    __attribute__((noinline)) void work(int n) const
    {
        SDT_PROBE(enums, method, state_, this->level_, level(), n);
    }

  private:
    State state_;
    Level level_;
};
} // namespace net

template <typename T> __attribute__((noinline)) void templated(const T &kind, int n)
{
    SDT_PROBE(enums, templated, kind, n);
}

int main(int argc, char **)
{
    const net::Conn conn(State::busy, low);
    conn.work(argc);
    templated(State::gone, argc);
    return 0;
}
