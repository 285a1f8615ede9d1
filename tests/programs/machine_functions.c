/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Watches the functions of the program that it is linked with, and says at the end how often each
 * was entered and left, "entry NAME COUNT" and "return NAME COUNT". Where hits have the stack
 * pointer
 * (`frame`), it also pairs them, in each thread: "mixed COUNT" are returns that are not of the call
 * that was entered last, of those that last.
 */
#include <sdt/runtime.h>

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FUNCTIONS = 256, DEPTH = 1024 };

static struct row {
    const char *name;
    long entries, returns;
} rows[FUNCTIONS];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long mixed, paired;

struct call {
    uint64_t frame;
    const struct row *row;
};
static _Thread_local struct call calls[DEPTH];
static _Thread_local int depth;

static struct row *row_of(const char *name)
{
    struct row *row = rows;
    while (row->name && strcmp(row->name, name) != 0)
        row++;
    if (row == &rows[FUNCTIONS - 1])
        abort();
    row->name = name;
    return row;
}

/* A call that is left otherwise has its frame below that of its caller, which returns later. */
static void pair(bool is_entry, uint64_t frame, const struct row *row)
{
    while (depth > 0 && calls[depth - 1].frame < frame)
        depth--;
    if (is_entry) {
        while (depth > 0 && calls[depth - 1].frame == frame)
            depth--; /* left otherwise as well */
        if (depth == DEPTH)
            abort();
        calls[depth++] = (struct call){frame, row};
        return;
    }
    bool is_right = depth > 0 && calls[depth - 1].frame == frame && calls[depth - 1].row == row;
    paired += is_right;
    mixed += !is_right;
    depth -= is_right;
}

static void handler(const struct sdt_event *event, void *data)
{
    (void)data;
    const char *function = sdt_function(event);
    bool is_entry = strcmp(sdt_name(event), "entry") == 0;
    pthread_mutex_lock(&lock);
    struct row *row = row_of(function ? function : "?");
    row->entries += is_entry;
    row->returns += !is_entry;
    if (sdt_nargs(event) == 1 && strcmp(sdt_arg_name(event, 0), "frame") == 0)
        pair(is_entry, sdt_arg(event, 0), row);
    pthread_mutex_unlock(&lock);
}

static int id;

__attribute__((constructor)) static void begin(void)
{
    const char *mode = getenv("WATCH");
    id = sdt_enable_mode("fn", handler, NULL,
                         mode && strcmp(mode, "trap") == 0 ? SDT_MODE_TRAP : SDT_MODE_JUMP);
    if (id <= 0)
        printf("cannot watch: %s\n", sdt_strerror(id));
}

__attribute__((destructor)) static void end(void)
{
    sdt_disable(id);
    for (struct row *row = rows; row->name; row++)
        printf("entry %s %ld\nreturn %s %ld\n", row->name, row->entries, row->name, row->returns);
    printf("paired %ld\nmixed %ld\n", paired, mixed);
}
