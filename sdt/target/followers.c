/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See followers.h. Who has forked whom does not tell: of a parent that has ended, nothing does. But
 * a child that follows keeps the page mapped in which its tool's session is (live/inherit.h). Tools
 * have it mapped as well; they have no page that is their own.
 */
#include "followers.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct count {
    struct target *target;
    size_t found;
};

static bool is_page_of(struct target *target, uint64_t inode)
{
    for (size_t i = 0; i < target_count(target); i++)
        if (target_at(target, i)->page && target_at(target, i)->inode == inode)
            return true;
    return false;
}

/* The fifth word of LINE of a file `maps`; 0: it has none. */
static uint64_t inode_of(const char *line)
{
    for (int words = 0; words < 4; words++) {
        line += strcspn(line, " ");
        line += strspn(line, " ");
    }
    return strtoull(line, NULL, 10);
}

/* Whether LINE of a file `maps` is about one of the pages. */
static bool is_about(struct target *target, const char *line)
{
    return strstr(line, " /memfd:" LIVE_PAGE_NAME " (deleted)") &&
           is_page_of(target, inode_of(line));
}

static int visit(struct attached *process, int result, void *data)
{
    struct count *count = data;
    char path[64], line[512];
    bool is_found = false;
    snprintf(path, sizeof path, "/proc/%d/maps", (int)process->pid);
    FILE *maps = result == 0 ? fopen(path, "re") : NULL;
    while (maps && !is_found && fgets(line, sizeof line, maps))
        is_found = is_about(count->target, line);
    if (maps)
        fclose(maps);
    count->found += is_found;
    return 0;
}

size_t followers_count(struct target *target)
{
    struct count count = {target, 0};
    attach_each(visit, &count);
    return count.found;
}
