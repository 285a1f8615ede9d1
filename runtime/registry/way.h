/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a hit does first, which is in assembly: sdt_probe.way.
 */
#ifndef SDT_WAY_H
#define SDT_WAY_H

#include <arch/arch.h>

enum way {
    WAY_NOTHING, /* no handler is there */
    WAY_COUNT,   /* only SDT_COUNT */
    WAY_ALL,     /* keep every register, then dispatch_event() */
    WAY_GENERAL, /* no handler changes vector registers: dispatch_general() */
    WAY_RECORD   /* only the recorder */
};

/* The function to which entries or stubs lead then; NULL: stubs need none. */
void *way_function(enum way way, enum sdt_access access);

/* In the machine's trampoline.S: what sdt_probe.way can be for calls. */
void trampoline_dispatch(void); /* call dispatch_event */
void trampoline_record(void);   /* call recorder_dispatch_call (ring/hit.h) */
void trampoline_count(void);    /* count the hit, and nothing else */
/* In its entry.S: what it can be for entries; the second of each is for live flags. */
void entry_nothing(void);
void entry_nothing_flags(void);
void entry_count(void);
void entry_count_flags(void);
void entry_save(void); /* save vector registers, then call dispatch_event */
void entry_save_flags(void);
void entry_general(void); /* call dispatch_general */
void entry_general_flags(void);
void entry_record(void); /* call recorder_dispatch (ring/hit.h) */
void entry_record_flags(void);

#endif
