/* SPDX-License-Identifier: BSD-2-Clause */
/* The handlers that unwind_step.c and unwind_async.c enable, and functions that are known by their
 * section. */
#ifndef UNWIND_HANDLERS_H
#define UNWIND_HANDLERS_H

#include <sdt/record.h>
#include <sdt/runtime.h>
#include <string.h>

#define IN(name) __attribute__((noinline, section(name)))
extern char __start_fn_probed[], __stop_fn_probed[], __start_fn_caller[], __stop_fn_caller[];

static volatile long calls;

static void on_hit(const struct sdt_event *event, void *data)
{
    (void)data;
    calls += (long)sdt_arg(event, 0);
}

SDT_GENERAL_REGS_HANDLER(on_hit_generally)
{
    (void)data;
    calls += (long)sdt_arg(event, 0);
}

/* Small packets: a hit in some hundred begins or ends one. */
static inline int record(const char *pattern)
{
    const struct sdt_record_options options = {
        .size = sizeof options, .flags = SDT_RECORD_FLIGHT, .packet_size = 4096, .ring_size = 8192};
    struct sdt_recorder *recorder;
    int error = sdt_record_create("recording", &options, &recorder);
    error = error ? error : sdt_record_add(recorder, pattern);
    return error ? error : 1;
}

/* WHAT: off, count, handle, general (a handler that changes no vector register), both (a handler
 * and counting), record, record-text. > 0, or what failed. */
static int enable(const char *pattern, const char *what, const char *how)
{
    int id = 1, mode = strcmp(how, "trap") == 0 ? SDT_MODE_TRAP : SDT_MODE_JUMP;
    if (strcmp(what, "count") == 0 || strcmp(what, "both") == 0)
        id = sdt_enable_mode(pattern, SDT_COUNT, NULL, mode);
    if (id > 0 && (strcmp(what, "handle") == 0 || strcmp(what, "both") == 0))
        id = sdt_enable_mode(pattern, on_hit, NULL, mode);
    if (id > 0 && strcmp(what, "general") == 0)
        id = sdt_enable_mode(pattern, on_hit_generally, NULL, mode | SDT_GENERAL_REGS);
    if (strncmp(what, "record", 6) == 0)
        id = record(pattern);
    return id;
}

#endif
