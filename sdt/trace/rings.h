/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The rings that a killed program has left (ring/storage.h): what is in them and not in the streams
 * yet. They are only read; `sdt recover` writes them to the recording, and frees the memory.
 */
#ifndef SDT_RINGS_H
#define SDT_RINGS_H

#include <ring/storage.h>
#include <stdbool.h>

struct recording;
struct trace;

struct rings {
    bool are_there;
    int error; /* why they are not read; -EBUSY: a process records, or writes them to the files */
    struct storage storage;
    int lock;
};

/* The rings of the trace at PATH. Open them before its streams: that stops draining. */
void rings_open(struct rings *rings, const char *path);
/* Let the streams of TRACE go on with what is in RINGS, and warn of what is not shown. */
void rings_read(const struct rings *rings, struct recording *recording, struct trace *trace);
void rings_close(struct rings *rings);

#endif
