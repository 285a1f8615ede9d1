/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * record_context RUNS WHAT DIRECTORY: recording hits with an integer. WHAT: plain, without ids;
 * none, with the ids of a thread that has none; ids, with those of one that has a context. It is
 * packed, so its place is that of the stack's bytes; the variable is this program's own.
 */
#include "loop.h"

#include <sdt/probe.h>
#include <sdt/record.h>
#include <sdt/runtime.h>
#include <string.h>

static __thread const struct sdt_trace_context *volatile current;

LOOP(loop_one, SDT_PROBE(record, one, i))

int main(int argc, char **argv)
{
    struct sdt_trace_context ids = {.valid = 1};
    struct sdt_record_options options = {
        .size = sizeof options, .flags = SDT_RECORD_FLIGHT, .ring_size = 1u << 20};
    struct sdt_recorder *recorder;
    if (argc != 4)
        return 2;
    memset(ids.trace_id, 0x11, sizeof ids.trace_id);
    memset(ids.span_id, 0x22, sizeof ids.span_id);
    if (strcmp(argv[2], "plain") != 0)
        options.flags |= SDT_RECORD_CONTEXT;
    int error = sdt_context((const struct sdt_trace_context *const *)&current);
    if (!error)
        error = sdt_record_create(argv[3], &options, &recorder);
    if (!error)
        error = sdt_record_add(recorder, "record:*");
    if (error) {
        fprintf(stderr, "record_context: %s\n", sdt_strerror(error));
        return 1;
    }
    current = strcmp(argv[2], "ids") == 0 ? &ids : NULL;
    loop_one(atol(argv[1]));
    sdt_record_stop(recorder);
    return 0;
}
