/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See followers.h. Who has forked whom does not tell: of a parent that has ended, nothing does. But
 * a child that follows keeps the page mapped in which its tool's session is (control/inherit.h).
 * Tools have it mapped as well; they have no page that is their own.
 */
#include "followers.h"

#include "mapped.h"

struct count {
    struct target *target;
    size_t found;
};

static bool is_page_of(uint64_t inode, void *data)
{
    struct target *target = data;
    for (size_t i = 0; i < target_count(target); i++)
        if (target_at(target, i)->page && target_at(target, i)->inode == inode)
            return true;
    return false;
}

static int visit(struct attached *process, int result, void *data)
{
    struct count *count = data;
    count->found += result == 0 && mapped_page(process->pid, is_page_of, count->target);
    return 0;
}

size_t followers_count(struct target *target)
{
    struct count count = {target, 0};
    attach_each(visit, &count);
    return count.found;
}
