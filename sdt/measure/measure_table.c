/* SPDX-License-Identifier: BSD-2-Clause */
/* See measure_table.h. */
#include "measure_table.h"

#include "base/diag.h"
#include "base/memory.h"
#include "print/label.h"
#include "target/numbers.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static int map_table(struct measure_part *part, int file)
{
    struct stat status;
    void *memory = MAP_FAILED;
    int seals = fcntl(file, F_GET_SEALS); /* or the process could take the memory away */
    if (seals < 0 || !(seals & F_SEAL_SHRINK))
        return diag_error("the process's table has a format that this sdt does not know");
    if (fstat(file, &status) == 0 && status.st_size > 0 &&
        (uint64_t)status.st_size <= LIVE_MAX_TABLE)
        memory = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_SHARED, file, 0);
    if (memory == MAP_FAILED)
        return diag_errno("cannot map a table of the process");
    if (!live_table_open(&part->view, memory, (size_t)status.st_size)) {
        munmap(memory, (size_t)status.st_size);
        return diag_error("the process's table has a format that this sdt does not know");
    }
    part->size = (size_t)status.st_size;
    return 0;
}

/* Whether what the process has made is what it was asked for: it may have made anything, such as
 * room for so many keys that to read them takes all memory. It rounds up to a power of two. */
static bool is_as_asked(const struct live_table_spec *made, const struct live_table_spec *asked)
{
    struct live_table_spec rounded = *asked;
    rounded.keys = made->keys;
    rounded.exemplars = made->exemplars;
    rounded.flights = made->flights;
    bool is_rounded = made->keys >= asked->keys && made->keys <= 2 * (uint64_t)asked->keys &&
                      made->exemplars >= asked->exemplars &&
                      made->exemplars <= 2 * asked->exemplars;
    return memcmp(made, &rounded, sizeof rounded) == 0 && is_rounded;
}

int measure_part_make(struct measure_part *part, struct attached *process,
                      const struct live_table_spec *spec)
{
    struct attach_request request = {
        .op = LIVE_TABLE, .program = spec, .program_size = sizeof *spec, .file = -1};
    *part = (struct measure_part){.process = process};
    numbers_note(process->pid);
    if (attach_send(process, &request) != 0)
        return -1;
    if (request.result <= 0 || request.file < 0)
        return diag_error("process %d (%s) makes no table: %s", (int)process->pid, process->name,
                          request.message);
    part->number = (uint64_t)request.result;
    int result = map_table(part, request.file);
    close(request.file);
    if (result == 0 && !is_as_asked(&part->view.layout.spec, spec)) {
        measure_part_end(part);
        return diag_error("the process's table has a format that this sdt does not know");
    }
    return result;
}

void measure_part_end(struct measure_part *part)
{
    munmap((void *)(uintptr_t)part->view.memory, part->size);
    free(part->exemplar_tags);
}

/* What is to be added must be of one form. */
static bool is_alike(const struct measure_table *table, const struct measure_part *part)
{
    return table->part_count == 0 ||
           memcmp(&table->parts[0].view.layout.spec, &part->view.layout.spec,
                  sizeof part->view.layout.spec) == 0;
}

struct measure_part *measure_part_for(struct measure_table *table, struct attached *process)
{
    struct measure_part part;
    for (size_t i = 0; i < table->part_count; i++)
        if (table->parts[i].process == process)
            return &table->parts[i];
    if (measure_part_make(&part, process, &table->spec) != 0)
        return NULL;
    if (!is_alike(table, &part)) {
        measure_part_end(&part);
        char *probe = label_of(table->provider, table->name);
        diag_error("%s of process %d (%s) cannot be added to that of others", probe,
                   (int)process->pid, process->name);
        free(probe);
        return NULL;
    }
    table->parts = memory_resize(table->parts, table->part_count + 1, sizeof part);
    table->parts[table->part_count] = part;
    return &table->parts[table->part_count++];
}

static uint64_t beyond(uint64_t number, uint64_t base)
{
    return number > base ? number - base : 0;
}

/*
 * A process or thread has for the reader the number that it has for us. One of another namespace
 * that has ended before it was seen is called by what it was inside.
 */
static void name_number(struct live_key *key, unsigned i, bool is_thread)
{
    uint64_t inside = key->number[i], outside = numbers_outside(inside, is_thread);
    key->number[i] = outside;
    if (outside)
        return;
    key->type[i] = LIVE_STRING;
    key->length[i] =
        (uint32_t)snprintf(key->text[i], sizeof key->text[i], "%" PRIu32 " in pid:[%" PRIu64 "]",
                           (uint32_t)inside, inside >> 32);
}

/* Processes and threads of KEY, of a row of TABLE. */
static void name_numbers(const struct measure_table *table, struct live_key *key)
{
    for (unsigned k = 0; k < 2; k++)
        if ((table->look[k].is_process || table->look[k].is_thread) &&
            key->type[k] == LIVE_UNSIGNED)
            name_number(key, k, table->look[k].is_thread);
}

void measure_read(struct aggregate *aggregate, const struct measure_table *table)
{
    const struct live_view **views = memory_zeroed(table->part_count + 1, sizeof *views);
    for (size_t i = 0; i < table->part_count; i++)
        views[i] = &table->parts[i].view;
    aggregate_read_all(aggregate, views, table->part_count);
    for (size_t i = 0; i < aggregate->count; i++)
        name_numbers(table, &aggregate->rows[i].key);
    aggregate->unmatched = beyond(aggregate->unmatched, table->unmatched);
    aggregate->restarted = beyond(aggregate->restarted, table->restarted);
    free(views);
}

/* What is new in PART. */
static void read_part(struct measure_table *table, struct measure_part *part,
                      const struct outlier_probe *probes, size_t probe_count)
{
    uint32_t places = part->view.layout.spec.exemplars;
    if (!part->exemplar_tags)
        part->exemplar_tags = memory_zeroed(places + 1, sizeof *part->exemplar_tags);
    for (uint32_t i = 0; i < places; i++) {
        struct live_exemplar kept;
        struct live_key key;
        if (!live_exemplar_read(&part->view, i, &kept) || kept.tag == part->exemplar_tags[i] ||
            kept.row > UINT32_MAX || !live_row_key(&part->view, (uint32_t)kept.row, &key))
            continue;
        part->exemplar_tags[i] = kept.tag;
        struct exemplar one = exemplar_make(&part->view, &kept, probes, probe_count);
        name_numbers(table, &key);
        one.key = key;
        exemplars_add(&table->exemplars, &one);
    }
}

void measure_read_exemplars(struct measure_table *table, const struct outlier_probe *probes,
                            size_t probe_count)
{
    for (size_t i = 0; i < table->part_count; i++)
        read_part(table, &table->parts[i], probes, probe_count);
}
