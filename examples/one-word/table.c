/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A hash table with linear probing. Probes of provider `table`:
 *
 *   insert(word)           a new word
 *   grow(from, to)         so many places, because three quarters were taken
 */
#include "table.h"

#include <sdt/probe.h>
#include <stdlib.h>
#include <string.h>

struct slot {
    char *word;
    unsigned count;
};

static struct slot *slots;
static size_t size, used;

static struct slot *find(struct slot *in, size_t places, const char *word)
{
    size_t hash = 5381;
    for (const char *c = word; *c; c++)
        hash = hash * 33 + (unsigned char)*c;
    size_t i = hash % places;
    while (in[i].word && strcmp(in[i].word, word) != 0)
        i = (i + 1) % places;
    return &in[i];
}

static int grow(void)
{
    size_t new_size = size ? size * 2 : 8;
    struct slot *new_slots = calloc(new_size, sizeof *new_slots);
    if (!new_slots)
        return -1;
    SDT_PROBE(table, grow, size, new_size);
    for (size_t i = 0; i < size; i++)
        if (slots[i].word)
            *find(new_slots, new_size, slots[i].word) = slots[i];
    free(slots);
    slots = new_slots;
    size = new_size;
    return 0;
}

int table_add(const char *word)
{
    if (used * 4 >= size * 3 && grow() != 0)
        return -1;
    struct slot *slot = find(slots, size, word);
    if (!slot->word) {
        slot->word = strdup(word);
        if (!slot->word)
            return -1;
        used++;
        SDT_PROBE(table, insert, slot->word);
    }
    slot->count++;
    return 0;
}

void table_visit(void (*visit)(const char *word, unsigned count, void *data), void *data)
{
    for (size_t i = 0; i < size; i++)
        if (slots[i].word)
            visit(slots[i].word, slots[i].count, data);
}
