/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The probes of <sys/sdt.h> in an object: its notes, as far as they can become sites (kinds nop1
 * and nop11).
 */
#ifndef SDTLINK_PROBES_STAPSDT_H
#define SDTLINK_PROBES_STAPSDT_H

#include "base/slice.h"
#include "elf/object.h"

#include <sdt/format.h>

/*
 * A place that a symbol of the object names. One that another file may define is found through the
 * GOT, as the program's own code finds it; and so is one that perhaps nothing defines, whose word
 * of the GOT is 0 then.
 */
struct stapsdt_target {
    uint32_t symbol; /* its index; 0: none */
    int64_t addend;
};
bool stapsdt_is_indirect(const struct object *object, const struct stapsdt_target *target);

/* One note, with its NOP found and checked. Names and arguments lie in the file. */
struct stapsdt_note {
    struct slice provider, name, args;
    struct place place; /* of the NOP, in a text section */
    unsigned kind;      /* of site that it is */
    struct stapsdt_target semaphore;
};

struct stapsdt {
    struct stapsdt_note *notes;
    uint32_t count;
};

/*
 * Find the notes whose NOP can be a site and is none yet, and whose arguments can all be read. One
 * that cannot is left to tracers, with a warning that says why.
 */
void stapsdt_read(struct stapsdt *stapsdt, const struct object *object);
void stapsdt_free(struct stapsdt *stapsdt);

/* The arguments of a note as the record has them. */
struct stapsdt_args {
    char *text;  /* to be freed */
    size_t size; /* of it, with its NUL and what may follow: a place, and names */
    uint8_t count;
    uint8_t target_count;
    struct stapsdt_target targets[SDT_MAX_ARGS]; /* of the operands `name(%rip)`, in order */
};

/* The object's symbols by name, made when the first operand asks for one. All zero: not yet. */
struct stapsdt_names {
    uint32_t *symbols;
};
void stapsdt_free_names(struct stapsdt_names *names);

/* Read TEXT, the arguments of a note. NULL, or why they cannot be read, to be freed. */
char *stapsdt_read_args(struct stapsdt_args *args, const struct object *object,
                        struct stapsdt_names *names, struct slice text);

/* What headers of sdt-dtrace in OBJECT say of probes; NULL: nothing. For describe_free(). */
struct description *stapsdt_read_description(const struct object *object);
/* Have ARGS as PROBE (or NULL) says. */
struct describe_probe;
void stapsdt_name_args(struct stapsdt_args *args, const struct describe_probe *probe);

#endif
