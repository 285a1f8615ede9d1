/* SPDX-License-Identifier: BSD-2-Clause */
/* The C++ part. One probe: concord:report(words), before the words are sorted. */
#include "report.h"

#include "table.h"

#include <algorithm>
#include <cstdio>
#include <sdt/probe.h>
#include <string>
#include <utility>
#include <vector>

using words = std::vector<std::pair<std::string, unsigned>>;

static void collect(const char *word, unsigned count, void *data)
{
    static_cast<words *>(data)->emplace_back(word, count);
}

void report(unsigned limit)
{
    words all;
    table_visit(collect, &all);
    SDT_PROBE(concord, report, all.size());
    std::sort(all.begin(), all.end(), [](const auto &a, const auto &b) {
        return a.second != b.second ? a.second > b.second : a.first < b.first;
    });
    for (unsigned i = 0; i < limit && i < all.size(); i++)
        std::printf("%u %s\n", all[i].second, all[i].first.c_str());
}
