/* SPDX-License-Identifier: BSD-2-Clause */
#include "kvd.h"

#include <stdexcept>

namespace
{
template <typename Function> int each(Function function)
{
    int n = 0;
    for (const entry *first : slots)
        for (const entry *e = first; e; e = e->next, n++)
            function(*e);
    return n;
}
} // namespace

extern "C" int kvd_dump(int64_t time)
{
    double sum = 0;
    try {
        int n = each([&](const entry &e) { sum += static_cast<double>(strlen(e.value)); });
        if (TRACE_KVD_STATS_DUMP_ENABLED()) {
            unsigned slot = 0;
            each([&](const entry &e) {
                TRACE_KVD_STATS_DUMP(n, slot++, static_cast<short>(-n), time, e.key, e.key[0], sum,
                                     &e, static_cast<uint8_t>(n), static_cast<uint16_t>(n));
            });
        }
        if (!n)
            throw std::runtime_error("empty");
    } catch (const std::runtime_error &) {
        TRACE_KVD_CATCH();
        return 0;
    }
    return 1;
}
