/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The debug information of a program or library (DWARF), read by libdw of elfutils; where that was
 * not there at build time (missing.c), no file has any.
 *
 * It is in the file itself, or in the one that distributions install for its build ID:
 * /usr/lib/debug/.build-id/xx/….debug. What that shares with other files (dwz) is searched there as
 * well, and only there: files named by the debug information itself are not opened.
 *
 * Nothing is trusted: damaged information counts as missing.
 */
#ifndef SDTLINK_DWARF_DWARF_H
#define SDTLINK_DWARF_DWARF_H

#include <stdint.h>

struct Dwarf; /* libdw's */
struct Dwfl;
struct Elf;

/* A file that was opened. */
struct dwarf_file {
    int fd; /* -1: none */
    struct Elf *elf;
    struct Dwarf *information;
};

struct dwarf {
    struct dwarf_file file, separate, shared;
    struct Dwfl *objects;      /* of an object that is not linked; NULL: none */
    struct Dwarf *information; /* of `file`, of `separate` or of `objects`; NULL: there is none */
    char build_id[41];         /* in hexadecimal; "": it has none */
};

/* What the program or library PATH has; nothing, if it cannot be read or understood. */
void dwarf_open(struct dwarf *dwarf, const char *path);
/* The same of an object that is not linked, whose relocations are applied. */
void dwarf_open_object(struct dwarf *dwarf, const char *path);
/* More entries than the files that dwarf_open() has opened can have: where references are followed,
 * some of damaged information could be met again and again. */
uint64_t dwarf_most_entries(const struct dwarf *dwarf);
/* Why something is missing of what was asked of DWARF until now, such as no memory; NULL: nothing
 * is known to be. The text lives on. */
const char *dwarf_problem(const struct dwarf *dwarf);
void dwarf_close(struct dwarf *dwarf);

#endif
