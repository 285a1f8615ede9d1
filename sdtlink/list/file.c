/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * One file, read by each reader: our records, notes, markers, and probes that are not processed
 * yet.
 */
#include "file.h"

#include <sdt/format.h>
#include <string.h>

/* Whether an object still holds symbols that sources leave undefined for the tool. */
static bool is_unprocessed(const struct list_elf *elf)
{
    static const char *const prefixes[] = {SDT_SYMBOL_CALL, SDT_SYMBOL_INLINE, SDT_SYMBOL_ENABLED};
    if (elf->type != ET_REL || !list_elf_is_ours(elf))
        return false;
    for (size_t i = 0; i < sizeof prefixes / sizeof prefixes[0]; i++)
        if (list_elf_has_undefined(elf, prefixes[i]))
            return true;
    return false;
}

int list_read_file(struct list_elf *elf, struct list *list)
{
    size_t before = list->count;
    int result = list_read_set(elf, list);
    if (result == 0)
        list_read_notes(elf, list);
    if (result != 0 || list_read_markers(elf, list) != 0 ||
        (is_unprocessed(elf) && list_read_calls(elf->path, list) != 0)) {
        list->count = before;
        result = -1;
    }
    list_strings_forget(&list->strings);
    list_merge(list, before);
    return result;
}
