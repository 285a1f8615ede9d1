/* SPDX-License-Identifier: BSD-2-Clause */
/* One copy of each of these survives the link, with its entry. */
#include <sdt/marker.h>

template <typename T> struct stack {
    __attribute__((noinline)) void push(T)
    {
        MARKER(push);
    }
};
inline __attribute__((noinline)) void shared()
{
    MARKER(shared);
}
