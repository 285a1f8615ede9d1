/* SPDX-License-Identifier: BSD-2-Clause */
#include "kvd.h"

#include <stdio.h>

static int get(const char *key)
{
    struct entry *found = kvd_find(key);
    if (found)
        puts(found->value);
    return found != NULL;
}

int kvd_command(const char *line, ConnectionId id)
{
    char key[KEY] = "", value[VALUE] = "";
    int length = (int)strlen(line), ok = 0;
    TRACE_KVD_COMMAND_START(line, length, id);
    if (sscanf(line, "set %15s %31s", key, value) == 2)
        ok = kvd_store(key, value);
    else if (sscanf(line, "get %15s", key) == 1)
        ok = get(key);
    else if (sscanf(line, "evict %15s", key) == 1)
        ok = kvd_evict(key);
    else if (strcmp(line, "dump") == 0)
        ok = kvd_dump(length);
    if (TRACE_KVD_COMMAND_DONE_ENABLED())
        TRACE_KVD_COMMAND_DONE(line, length, id, (unsigned char)ok);
    return ok;
}
