/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The probes of <sys/sdt.h> in an object: its notes, as far as they can become sites (kind nop1).
 */
#ifndef SDTLINK_STAPSDT_H
#define SDTLINK_STAPSDT_H

#include "names.h"
#include "object.h"

/* One note, with its NOP found and checked. Names and arguments lie in the file. */
struct stapsdt_note {
    struct slice provider, name, args;
    uint32_t section; /* the text section … */
    uint64_t offset;  /* … and where in it the NOP is */
    uint32_t semaphore; /* symbol index; 0: none */
    int64_t semaphore_addend;
};

struct stapsdt {
    struct stapsdt_note *notes; /* by section, offset */
    uint32_t count;
};

/*
 * Find the notes whose NOP can be a site and is none yet. A note that cannot is left to tracers,
 * with a warning unless there is nothing that it could be about.
 */
void stapsdt_read(struct stapsdt *stapsdt, const struct object *object);
void stapsdt_free(struct stapsdt *stapsdt);

/* NOTE's arguments as the record has them, to be freed; *NARGS is how many. */
char *stapsdt_args_text(const struct stapsdt_note *note, unsigned *nargs);

/*
 * What `name(%rip)`, argument INDEX of NOTE, means: the symbol's index and what is to be added to
 * its address. False if INDEX has no such operand, or the object does not say whose name it is.
 */
bool stapsdt_args_symbol(const struct object *object, struct slice operand, uint32_t *symbol,
                         int64_t *addend);

#endif
