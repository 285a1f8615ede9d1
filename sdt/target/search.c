/* SPDX-License-Identifier: BSD-2-Clause */
/* See search.h. */
#include "search.h"

#include "attach.h"
#include "base/diag.h"
#include "base/memory.h"

#include <stdlib.h>

static int consider(struct attached *process, int result, void *data)
{
    struct search *search = data;
    if (!process_is_called(process->pid, search->name))
        return 0;
    if (result == 0 && search->count < SEARCH_MOST) {
        search->found[search->count++] = process->pid;
    } else if (result != 0 && result != ATTACH_GONE && !search->refused) {
        search->refused = process->pid;
        search->result = result;
    }
    return 0;
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

/* A process of that name may be there and have no page: then the reason is what matters. */
static void tell_none(const struct search *search)
{
    if (search->refused && search->result != ATTACH_VERSION)
        attach_explain(search->refused, search->result, NULL, 0);
    else
        diag_error("no process '%s' is attachable; 'sdt ps' shows which are", search->name);
}

bool search_name(const char *name, bool takes_all, struct search *search)
{
    *search = (struct search){.name = name};
    attach_each(consider, search);
    if (search->count == 0) {
        tell_none(search);
    } else if (search->count > 1 && !takes_all) {
        char *numbers = numbers_of(search);
        diag_error("%zu processes have the name '%s': take -p with one of%s", search->count, name,
                   numbers);
        free(numbers);
        return false;
    }
    return search->count > 0;
}
