/* SPDX-License-Identifier: BSD-2-Clause */
/* Every process that has a control page, or a reason why it has none: the numbers in /proc. */
#include "attach.h"

#include <dirent.h>
#include <stdlib.h>

int attach_each(int (*visit)(struct attached *process, int result, void *data), void *data)
{
    DIR *entries = opendir("/proc");
    int result = 0;
    if (!entries)
        return -1;
    for (struct dirent *entry; result == 0 && (entry = readdir(entries));) {
        struct attached process;
        char *end;
        long pid = strtol(entry->d_name, &end, 10);
        if (pid <= 0 || *end)
            continue;
        int opened = attach_open(&process, (pid_t)pid);
        result = visit(&process, opened, data);
        attach_close(&process);
    }
    closedir(entries);
    return result;
}
