/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef SDTLINK_OPTIONS_H
#define SDTLINK_OPTIONS_H

#include <stdbool.h>

/* The command line of `sdtlink -o OUT IN` and of its companion form. */
struct options {
    const char *output; /* NULL with dry_run only */
    const char *input;
    bool companion, dry_run, json, require_probes, no_notes;
    bool is_text;           /* the companion is C, by its name */
    bool notes;             /* with freestanding: have notes */
    bool freestanding;      /* for a kernel: <sdt/format.h> */
    bool ignore_stapsdt;    /* no sites are made of the notes of <sys/sdt.h> */
    const char *functions;  /* of which functions entry and end are sites; NULL: of none */
    const char *names_from; /* of the linker plugin and the launcher: elf/beside.h; NULL: none */
    const char *name; /* of the input in messages, if it is a copy; set by the launcher only */
    struct unmatched *unmatched; /* set by the launcher only: probes/chosen.h */
    bool is_private;             /* set by the launcher only: output_open_private() */
    bool bounded;                /* set by the launcher only: bounds.h */
    bool late_notes;             /* set by the launcher only: NOTES_LATE_SECTION of notes.h */
};

/* What the caller does next. */
enum options_result { OPTIONS_RUN, OPTIONS_DONE, OPTIONS_WRONG };

/* Parses; --help and --version are answered here (OPTIONS_DONE). */
enum options_result options_parse(struct options *options, int argc, char **argv);

/*
 * Whether the names of all options are printable ASCII; if not, said so. getopt would print others
 * as they are, and a * of the shell may have put any file's name there, with control characters.
 */
bool options_are_printable(char **argv);

#endif
