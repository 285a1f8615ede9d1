/* SPDX-License-Identifier: BSD-2-Clause */
#include "beside.h"

#include "base/diag.h"

#include <stdbool.h>
#include <string.h>

enum { MAGIC = sizeof BESIDE_MAGIC - 1, HEAD = 8 };

int beside_open(struct beside *beside, const char *path)
{
    if (!mapping_open(&beside->file, path))
        return diag_errno("cannot read %s", path);
    if (beside->file.size < MAGIC || memcmp(beside->file.data, BESIDE_MAGIC, MAGIC) != 0)
        return diag_error("%s: --names-from takes a file of --collect-names", path);
    return 0;
}

void beside_close(struct beside *beside)
{
    mapping_close(&beside->file);
}

void beside_each(const struct beside *beside, enum beside_kind kind, beside_visit *visit,
                 void *data)
{
    size_t size = beside ? beside->file.size : 0;
    for (size_t at = MAGIC; size > HEAD && at < size - HEAD;) {
        uint32_t head[2];
        memcpy(head, beside->file.data + at, sizeof head);
        at += HEAD;
        if (head[1] > size - at)
            return;
        if (head[0] == kind)
            visit(data, beside->file.data + at, head[1]);
        at += ((size_t)head[1] + 7) & ~(size_t)7;
    }
}

struct search {
    const char *symbol, *found;
};

static void compare(void *data, const uint8_t *part, size_t size)
{
    struct search *search = data;
    const char *symbol = (const char *)part;
    size_t length = strnlen(symbol, size);
    bool is_whole = length < size && part[size - 1] == '\0';
    if (!search->found && is_whole && strcmp(symbol, search->symbol) == 0 && length + 1 < size)
        search->found = symbol + length + 1;
}

const char *beside_string(const struct beside *beside, const char *symbol)
{
    struct search search = {symbol, NULL};
    beside_each(beside, BESIDE_STRING, compare, &search);
    return search.found;
}
