/* SPDX-License-Identifier: BSD-2-Clause */
/* See mapped.h. */
#include "mapped.h"

#include <control/page.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The fifth word of LINE of a file `maps`; 0: it has none. */
static uint64_t inode_of(const char *line)
{
    for (int words = 0; words < 4; words++) {
        line += strcspn(line, " ");
        line += strspn(line, " ");
    }
    return strtoull(line, NULL, 10);
}

bool mapped_page(pid_t pid, bool (*is_wanted)(uint64_t inode, void *data), void *data)
{
    char path[64], line[512];
    bool is_found = false;
    snprintf(path, sizeof path, "/proc/%d/maps", (int)pid);
    FILE *maps = fopen(path, "re");
    while (maps && !is_found && fgets(line, sizeof line, maps))
        is_found =
            strstr(line, " /memfd:" LIVE_PAGE_NAME " (deleted)") && is_wanted(inode_of(line), data);
    if (maps)
        fclose(maps);
    return is_found;
}
