/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See tables.h. A table is a memfd: this process adds to it, the tool maps it through /proc/PID/fd
 * and reads. It is sealed against shrinking, so that neither can take the memory away under the
 * other.
 */
#define _GNU_SOURCE
#include "tables.h"

#include "bytecode/calls.h"
#include "bytecode/specialize.h"
#include "hit/sync.h"
#include "process/file.h"
#include "process/lock.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

/* One session cannot take more than these. */
enum { MAX_TABLES = 64 };

/* No session: a parent's, which is not followed. */
#define NO_SESSION UINT64_MAX

struct table {
    struct table *next;
    uint64_t session, number;
    struct live_layout layout;
    void *memory;
    struct calls *calls; /* that are open; NULL: it is no table of calls */
    struct handle file;
};

static struct table *tables;
static uint64_t last_number;

/* Make *AT point to TABLE, under the lock: a fork in another thread finds the list whole. */
static void change(struct table **at, struct table *table)
{
    bool is_locked = lock_acquire() == 0;
    *at = table;
    if (is_locked)
        lock_release();
}

static size_t count_of(uint64_t session)
{
    size_t n = 0;
    for (const struct table *table = tables; table; table = table->next)
        n += table->session == session;
    return n;
}

static int plan(struct live_layout *layout, const void *bytes, size_t size)
{
    struct live_table_spec spec;
    if (size != sizeof spec)
        return -EINVAL;
    memcpy(&spec, bytes, sizeof spec);
    int error = lock_acquire();
    if (error)
        return error;
    uint32_t cpus = live_cpus();
    lock_release();
    return live_table_plan(layout, &spec, cpus) ? 0 : -EINVAL;
}

/* Memory of SIZE bytes, mapped, of which only what is used is there. */
static int map(size_t size, int *fd, void **memory)
{
    int file = file_in_memory(LIVE_TABLES, size);
    if (file < 0)
        return file;
    *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (*memory == MAP_FAILED) {
        int error = errno;
        close(file);
        return -error;
    }
    *fd = file;
    return 0;
}

/* So that moments of the table have a date, whatever time namespace its reader is in. */
static void note_time(struct live_table *table)
{
    struct timespec real, since;
    clock_gettime(CLOCK_REALTIME, &real);
    clock_gettime(CLOCK_MONOTONIC, &since);
    table->realtime =
        (real.tv_sec - since.tv_sec) * INT64_C(1000000000) + real.tv_nsec - since.tv_nsec;
}

int tables_make(uint64_t session, const void *spec, size_t size, struct handle *file,
                const char **why)
{
    int fd = -1, error;
    struct table made = {.session = session};
    if (count_of(session) == MAX_TABLES) {
        *why = "a session has at most 64 tables";
        return -ENOSPC;
    }
    error = plan(&made.layout, spec, size);
    if (error == -EINVAL)
        *why = "there is no such table, or it would be too large";
    if (!error)
        error = map(made.layout.size, &fd, &made.memory);
    if (error)
        return error;
    bool has_calls = made.layout.spec.value == LIVE_CALLS;
    struct table *table = malloc(sizeof *table);
    made.calls = has_calls ? calloc(1, calls_size()) : NULL;
    if (!table || (has_calls && !made.calls)) {
        free(table);
        free(made.calls);
        munmap(made.memory, made.layout.size);
        close(fd);
        return -ENOMEM;
    }
    live_table_make(made.memory, &made.layout);
    note_time(made.memory);
    made.file = *file = handle_keep(fd);
    made.number = ++last_number;
    made.next = tables;
    *table = made;
    change(&tables, table);
    return (int)(made.number & INT32_MAX);
}

static const struct table *find(uint64_t session, uint64_t number)
{
    const struct table *table = tables;
    while (table && (table->session != session || table->number != number))
        table = table->next;
    return table;
}

/* With TABLE, or none. */
static int aggregate(const struct table *table, const void *program, size_t size,
                     struct live_aggregation **aggregation, const char **why)
{
    int error = lock_acquire();
    if (error)
        return error;
    const char *wrong = live_aggregation_make(
        aggregation, program, size, table ? table->memory : NULL, table ? &table->layout : NULL);
    lock_release();
    if (wrong)
        *why = wrong;
    else if (table)
        live_aggregation_share_calls(*aggregation, table->calls);
    return wrong ? -EINVAL : 0;
}

int tables_aggregate(uint64_t session, uint64_t number, const void *program, size_t size,
                     struct live_aggregation **aggregation, const char **why)
{
    const struct table *table = find(session, number);
    if (table)
        return aggregate(table, program, size, aggregation, why);
    *why = "no such table";
    return -ENOENT;
}

int tables_condition(uint64_t session, uint64_t number, const void *program, size_t size,
                     struct live_aggregation **condition, const char **why)
{
    return number ? tables_aggregate(session, number, program, size, condition, why)
                  : aggregate(NULL, program, size, condition, why);
}

void tables_end(uint64_t session)
{
    for (struct table **at = &tables; *at;) {
        struct table *table = *at;
        if (session != 0 && table->session != session) {
            at = &table->next;
            continue;
        }
        change(at, table->next);
        munmap(table->memory, table->layout.size);
        free(table->calls);
        handle_close(&table->file);
        free(table);
    }
}

void tables_after_fork_child(bool (*is_kept)(uint64_t session))
{
    for (struct table *table = tables; table; table = table->next) {
        handle_close(&table->file); /* tools map the parent's; this is the same memory */
        if (!is_kept(table->session))
            table->session = NO_SESSION;
    }
}

bool tables_any(void)
{
    return tables;
}

void tables_end_orphans(void)
{
    if (count_of(NO_SESSION) == 0)
        return;
    sync_wait();
    tables_end(NO_SESSION);
}
