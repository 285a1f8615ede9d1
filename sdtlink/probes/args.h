/* SPDX-License-Identifier: BSD-2-Clause */
/* The arguments of sites: read from the object, and as text. */
#ifndef SDTLINK_PROBES_ARGS_H
#define SDTLINK_PROBES_ARGS_H

#include "functions.h"
#include "sites.h"

/* args.c */

/* Append to PLACES what functions_find() will be asked about entries of .sdt_args. */
void args_collect_places(const struct object *object, struct bytes *places);
/* Attach the entries of .sdt_args to the sites they describe. */
int args_read(struct sites *sites, const struct object *object, struct functions *functions);
/* args_enums.c: have the sites of probes that sites->enums speaks of know it; warns. */
void args_attach_enums(struct sites *sites, const struct object *object);
/* What the values of the argument of this KIND and NAME are called; NULL: just numbers. */
struct enum_names *args_enum_of(const struct descriptor *descriptor, char kind, const char *name);
/* args_text.c */

/*
 * Append the descriptor of SITE and a NUL, "-4@%rdi 8p@%rsi", and what follows it if the arguments
 * have names (<sdt/format.h>). Returns how many arguments it has.
 */
unsigned args_append_text(struct bytes *text, const struct tool_arch *arch,
                          const struct site *site);
/* Have ARGS, as the note of a site has them, as DESCRIPTOR says: their types and names. */
void args_tell_note(struct stapsdt_args *args, const struct descriptor *descriptor);
/* Append COUNT arguments of SITE in the words of tracers: "-4@%rdi 8@%rsi". */
void args_append_note(struct bytes *text, const struct tool_arch *arch, const struct site *site,
                      unsigned count);

#endif
