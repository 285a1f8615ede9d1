/* SPDX-License-Identifier: BSD-2-Clause */
/* Live aggregations in unit tests: an invented hit, and a table of memory of our own. */
#ifndef UNIT_LIVE_H
#define UNIT_LIVE_H

#include <bytecode/hit.h>
#include <bytecode/specialize.h>
#include <exchange/validate.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

struct table {
    struct live_layout layout;
    void *memory;
    struct live_view view;
};

/* A table that threads and children share. CPUS: UINT32_MAX as this machine has them. */
static inline struct table table_new(struct live_table_spec spec, uint32_t cpus)
{
    struct table table = {.memory = MAP_FAILED};
    if (!live_table_plan(&table.layout, &spec, cpus == UINT32_MAX ? live_cpus() : cpus))
        abort();
    table.memory = mmap(NULL, table.layout.size, PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (table.memory == MAP_FAILED)
        abort();
    live_table_make(table.memory, &table.layout);
    if (!live_table_open(&table.view, table.memory, table.layout.size))
        abort();
    return table;
}

static inline void table_free(struct table *table)
{
    munmap(table->memory, table->layout.size);
}

static inline const struct live_table *table_header(const struct table *table)
{
    return table->memory;
}

/* A hit at a call site with COUNT arguments (up to 6). */
void hit(struct live_aggregation *aggregation, const uint64_t *arguments, unsigned count);

/* A program of steps, numbers and texts. */
static inline size_t assemble(struct live_program *to, const struct live_step *steps, size_t count,
                              const uint64_t *numbers, size_t number_count, const char *texts,
                              size_t text_bytes)
{
    to->magic = LIVE_PROGRAM_MAGIC;
    to->abi = LIVE_PROGRAM_ABI;
    to->steps = (uint8_t)count;
    to->numbers = (uint8_t)number_count;
    to->texts = (uint16_t)text_bytes;
    to->kept = 0;
    char *at = (char *)to->step;
    if (count)
        memcpy(at, steps, count * sizeof *steps);
    at += count * sizeof *steps;
    if (number_count)
        memcpy(at, numbers, number_count * sizeof *numbers);
    at += number_count * sizeof *numbers;
    if (text_bytes)
        memcpy(at, texts, text_bytes);
    to->size = (uint16_t)(at + text_bytes - (char *)to);
    return to->size;
}

#endif
