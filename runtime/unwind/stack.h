/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The callers of a probe, as a hit finds them.
 *
 * Everything needed is read from the modules beforehand (stack_rows.h), into a table that never
 * changes once it is published. So a hit takes no lock, allocates nothing, does not call the
 * loader, and reads the stack as it reads texts: in a way that survives invalid addresses. It may
 * be in malloc, or in a signal handler that has interrupted dlopen.
 *
 * In code without unwind tables, the frame pointer register is used if its value could be a frame
 * pointer.
 */
#ifndef SDT_UNWIND_STACK_H
#define SDT_UNWIND_STACK_H

#include "process/pages.h"

#include <stdio.h>

enum { STACK_DEFAULT = 16, MAX_STACK = 64 }; /* callers */

/* Where a walk has got to. */
struct stack_walk {
    const struct stack_table *table;
    struct pages_way way;
    uintptr_t pc, sp, bp;
    uintptr_t link; /* the return address, where no function has stored it yet */
    bool has_link;
    bool is_sp_least; /* sp may be further up: a frame was left by its frame pointer alone */
    bool is_exact;    /* pc is the next instruction, and not a return address */
};

/* In a reader section, as hits are: begin, where the caller then says (pc, sp, bp, link). False:
 * nothing is known of the modules. */
bool stack_begin(struct stack_walk *walk, struct pages_way way);
/* Go to the caller; false: there is none, or it is unknown. */
bool stack_next(struct stack_walk *walk);
/* *TO: the word of the stack at FROM; false: it cannot be read. */
bool stack_load(const struct stack_walk *walk, uintptr_t from, uintptr_t *to);

/* A module of the process, for the names of callers. */
struct stack_file {
    uint64_t start, end; /* of its code */
    uint64_t base;       /* what addresses in its file are counted from */
    const uint8_t *id;   /* build ID */
    size_t id_length;
    const char *path;
};

/*
 * Whether modules have come or gone since the last stack_refresh(), which reads them and calls
 * PRINT with OUT for each: 0 or -ENOMEM. Both take the loader's lock: never with ours held, since
 * constructors, which hold the loader's, wait for that. If another thread is doing that, nothing is
 * done. *OLD is what was known before, or NULL: to be freed once no hit walks by it.
 */
bool stack_is_new(void);
int stack_refresh(void (*print)(FILE *out, const struct stack_file *file), FILE *out,
                  struct stack_table **old);
void stack_free(struct stack_table *table);

#endif
