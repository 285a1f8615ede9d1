// SPDX-License-Identifier: BSD-2-Clause
/* Hits of record_condition.c whose argument is a view of text: also of none, and of text that
 * cannot be read. */
#include <sdt/probe.h>
#include <string_view>

extern "C" void more_hits(void);

extern "C" void more_hits(void)
{
    const char *unreadable = reinterpret_cast<const char *>(64000);
    const std::string_view views[] = {
        {"/index.html", 6}, {"/in", 3}, {}, {static_cast<const char *>(nullptr), 4},
        {unreadable, 4},
    };
    for (std::string_view path : views)
        SDT_PROBE(web, third, path);
}
