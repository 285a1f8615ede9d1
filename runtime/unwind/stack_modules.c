/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See stack.h: the modules of the process, in normal context. They are read while
 * dl_iterate_phdr(3) holds the loader's lock, so none can be unloaded meanwhile.
 */
#define _GNU_SOURCE
#include "stack.h"
#include "stack_table.h"

#include "process/loaded.h"
#include "shared/build_id.h"

#include <elf.h>
#include <errno.h>
#include <limits.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

struct reading {
    struct stack_table *table;
    void (*print)(FILE *out, const struct stack_file *file);
    FILE *out;
    bool has_failed;
};

/* ---- One module. ---- */

/* The bytes of the segment of INFO that ADDRESS is in. */
static struct stack_memory segment_of(const struct dl_phdr_info *info, uintptr_t address)
{
    const ElfW(Phdr) *segment = loaded_segment(info, address, 1, PF_R);
    uintptr_t start = segment ? info->dlpi_addr + segment->p_vaddr : 0;
    if (!segment || address - start >= segment->p_filesz)
        return (struct stack_memory){NULL, NULL};
    return (struct stack_memory){(const uint8_t *)start,
                                 (const uint8_t *)start + segment->p_filesz};
}

static void read_rows(const struct dl_phdr_info *info, struct stack_module *module)
{
    for (unsigned i = 0; i < info->dlpi_phnum; i++) {
        uintptr_t header = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
        struct stack_memory memory = segment_of(info, header);
        if (info->dlpi_phdr[i].p_type == PT_GNU_EH_FRAME && memory.start)
            stack_rows_add(&module->rows, module->base, (const uint8_t *)header, memory);
    }
}

static size_t build_id(const struct dl_phdr_info *info, const uint8_t **id)
{
    for (unsigned i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
        uintptr_t start = info->dlpi_addr + segment->p_vaddr;
        struct stack_memory memory = segment_of(info, start);
        size_t length = 0;
        if (segment->p_type == PT_NOTE && memory.start &&
            segment->p_memsz <= (uintptr_t)memory.end - start)
            length = build_id_find((const uint8_t *)start, segment->p_memsz, id);
        if (length && length <= 64)
            return length;
    }
    return 0;
}

/* The file of a module; the program itself has no name there. Without /proc, as in a chroot, it has
 * the one by which it was executed. */
static const char *path_of(const struct dl_phdr_info *info, char room[PATH_MAX])
{
    ssize_t length;
    if (info->dlpi_name && *info->dlpi_name)
        return info->dlpi_name;
    length = readlink("/proc/self/exe", room, PATH_MAX - 1);
    room[length > 0 ? length : 0] = '\0';
    const char *name = (const char *)getauxval(AT_EXECFN);
    return *room || !name || *name != '/' ? room : name;
}

static void tell(const struct reading *reading, const struct dl_phdr_info *info,
                 const struct stack_module *module)
{
    char room[PATH_MAX];
    const uint8_t *id = NULL;
    size_t length = build_id(info, &id);
    reading->print(reading->out, &(struct stack_file){module->start, module->end, module->base, id,
                                                      length, path_of(info, room)});
}

/* ---- All. ---- */

static bool add(struct stack_table *table, const struct stack_module *module)
{
    if (table->count == table->capacity) {
        size_t capacity = table->capacity ? 2 * table->capacity : 64;
        struct stack_module *more = realloc(table->module, capacity * sizeof *more);
        if (!more)
            return false;
        table->module = more;
        table->capacity = capacity;
    }
    table->module[table->count++] = *module;
    return true;
}

static int read_module(struct dl_phdr_info *info, size_t size, void *data)
{
    struct reading *reading = data;
    struct stack_module module = {0};
    (void)size;
    module.base = info->dlpi_addr;
    loaded_extent(info, PF_X, &module.start, &module.end);
    if (module.start > module.end)
        return 0;
    read_rows(info, &module);
    reading->table->adds = info->dlpi_adds;
    reading->table->subs = info->dlpi_subs;
    if (module.rows.is_incomplete || !add(reading->table, &module)) {
        free(module.rows.row);
        reading->has_failed = true;
        return -1;
    }
    tell(reading, info, &module);
    return 0;
}

static int compare(const void *a, const void *b)
{
    uintptr_t one = ((const struct stack_module *)a)->start;
    uintptr_t other = ((const struct stack_module *)b)->start;
    return (one > other) - (one < other);
}

void stack_free(struct stack_table *table)
{
    for (size_t i = 0; table && i < table->count; i++)
        free(table->module[i].rows.row);
    if (table)
        free(table->module);
    free(table);
}

/* Whether the loader has loaded or unloaded nothing since then. */
static int is_unchanged(struct dl_phdr_info *info, size_t size, void *data)
{
    const struct stack_table *table = data;
    (void)size;
    return info->dlpi_adds == table->adds && info->dlpi_subs == table->subs ? 1 : 2;
}

/* The process that is at work here; of a thread that forked meanwhile, its parent. */
static _Atomic int worker;

static bool begin_work(void)
{
    int self = (int)getpid(), other = atomic_load(&worker);
    return other != self && atomic_compare_exchange_strong(&worker, &other, self);
}

static void end_work(void)
{
    atomic_store(&worker, 0);
}

static int refresh(struct reading reading, struct stack_table **old)
{
    reading.table = calloc(1, sizeof *reading.table);
    if (!reading.table)
        return -ENOMEM;
    dl_iterate_phdr(read_module, &reading);
    if (reading.has_failed) {
        stack_free(reading.table);
        return -ENOMEM;
    }
    if (reading.table->count)
        qsort(reading.table->module, reading.table->count, sizeof *reading.table->module, compare);
    *old = atomic_exchange(&stack_table, reading.table);
    return 0;
}

int stack_refresh(void (*print)(FILE *out, const struct stack_file *file), FILE *out,
                  struct stack_table **old)
{
    *old = NULL;
    if (!begin_work())
        return 0;
    int error = refresh((struct reading){.print = print, .out = out}, old);
    end_work();
    return error;
}

bool stack_is_new(void)
{
    if (!begin_work())
        return false;
    struct stack_table *table = atomic_load(&stack_table);
    bool is_new = !table || dl_iterate_phdr(is_unchanged, table) == 2;
    end_work();
    return is_new;
}
