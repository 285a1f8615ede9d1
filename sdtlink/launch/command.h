/* SPDX-License-Identifier: BSD-2-Clause */
/* What kind of command is it? Decided by the names of programs and by options, without running it.
 */
#ifndef SDTLINK_LAUNCH_COMMAND_H
#define SDTLINK_LAUNCH_COMMAND_H

#include "base/words.h"

enum command_kind {
    COMMAND_OTHER,   /* not ours: run it as it is */
    COMMAND_LINKER,  /* ld and its like, as first word */
    COMMAND_COMPILE, /* a compiler driver that will not link */
    COMMAND_LINK     /* a compiler driver that may link */
};

struct command {
    enum command_kind kind;
    size_t driver;         /* the compiler driver's place in argv: after ccache and its like */
    bool writes_objects;   /* -c, and nothing that stops earlier */
    const char *output;    /* of -o; NULL: none */
    struct words operands; /* neither options nor values of options */
};

/* ARGV as given, NULL-terminated. Response files are read, to see what they say. */
void command_read(struct command *command, char **argv);
void command_free(struct command *command);

/* Has PROGRAM the name of a compiler driver or a linker? */
bool command_is_known(const char *program);

/* Does an argument of the driver that begins with `-` take the next one as its value? */
bool command_takes_value(const char *option);

#endif
