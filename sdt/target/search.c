/* SPDX-License-Identifier: BSD-2-Clause */
/* See search.h. Names are compared first: to open each process would take a hundred times as long.
 */
#include "search.h"

#include "attach.h"
#include "base/diag.h"
#include "base/memory.h"

#include <dirent.h>
#include <stdlib.h>

void search_all(const char *name, struct search *search)
{
    *search = (struct search){NULL, 0};
    DIR *entries = opendir("/proc");
    for (struct dirent *entry; entries && (entry = readdir(entries));) {
        char *end;
        long pid = strtol(entry->d_name, &end, 10);
        if (pid > 0 && !*end && process_is_called((pid_t)pid, name)) {
            if ((search->count & (search->count - 1)) == 0)
                search->found = memory_resize(search->found, search->count ? 2 * search->count : 1,
                                              sizeof *search->found);
            search->found[search->count++] = (pid_t)pid;
        }
    }
    if (entries)
        closedir(entries);
}

void search_free(struct search *search)
{
    free(search->found);
    *search = (struct search){NULL, 0};
}

/* Leave those of SEARCH that are attachable; *REFUSED is one that is not, and WHY. */
static void keep_attachable(struct search *search, pid_t *refused, int *why)
{
    size_t kept = 0;
    *refused = 0;
    for (size_t i = 0; i < search->count; i++) {
        struct attached process;
        int result = attach_open(&process, search->found[i]);
        if (result == 0) {
            search->found[kept++] = search->found[i];
        } else if (result != ATTACH_GONE && result != ATTACH_VERSION && !*refused) {
            *refused = search->found[i];
            *why = result;
        }
        attach_close(&process);
    }
    search->count = kept;
}

static char *numbers_of(const struct search *search)
{
    char *numbers = memory_format("%s", "");
    for (size_t i = 0; i < search->count; i++) {
        char *more = memory_format("%s %d", numbers, (int)search->found[i]);
        free(numbers);
        numbers = more;
    }
    return numbers;
}

bool search_attachable(const char *name, enum search_wanted wanted, struct search *search)
{
    pid_t refused;
    int why;
    search_all(name, search);
    keep_attachable(search, &refused, &why);
    /* Who waits for one also waits for one that has only just begun, and has no page yet. */
    if (search->count == 0 && refused && (wanted != SEARCH_ANY || why == ATTACH_DENIED)) {
        attach_explain(refused, why, NULL, 0);
        return false;
    }
    if (search->count == 0 && wanted != SEARCH_ANY) {
        diag_error("no process '%s' is attachable; 'sdt ps' shows which are", name);
        return false;
    }
    if (search->count > 1 && wanted == SEARCH_ONE) {
        char *numbers = numbers_of(search);
        diag_error("%zu processes have the name '%s': take -p with one of%s", search->count, name,
                   numbers);
        free(numbers);
        return false;
    }
    return true;
}
