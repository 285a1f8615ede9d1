/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Archives (ar): reading them, and writing one in which some members have other contents.
 *
 * For each member: a header of 60 bytes of text, the contents, and a byte of padding up to an even
 * offset. Three members are not files: the symbol table that a linker reads to know which members
 * it needs ("/", "/SYM64/", or BSD's "__.SYMDEF"), and a table of long names ("//"). In a *thin*
 * archive only these have contents, and the name of a member is a path, relative to the archive's
 * directory.
 */
#ifndef SDTLINK_LAUNCH_ARCHIVE_H
#define SDTLINK_LAUNCH_ARCHIVE_H

#include "base/memory.h"
#include "base/slice.h"

#include <ar.h>

enum archive_kind {
    MEMBER_FILE,
    MEMBER_NAMES,     /* the table of long names */
    MEMBER_SYMBOLS,   /* a symbol table with 32-bit offsets, big-endian */
    MEMBER_SYMBOLS64, /* the same with 64 bits */
    MEMBER_SYMDEF     /* BSD's: 32 bits, little-endian */
};

struct archive {
    const uint8_t *image;
    size_t size, next; /* where the next member begins */
    bool is_thin;
    struct slice names; /* the table of long names, once its member has been read */
};

struct archive_member {
    enum archive_kind kind;
    size_t header;       /* its offset */
    const uint8_t *data; /* NULL: a member of a thin archive */
    size_t size;         /* of data; in a thin archive what the header says of the file */
    struct slice name;
    size_t stored;  /* bytes of a BSD name between header and data */
    bool is_nested; /* a member of an archive inside this thin archive */
};

bool archive_is(const uint8_t *image, size_t size);
bool archive_is_thin(const uint8_t *image, size_t size);

/* What a member's header alone says of it. */
struct archive_extent {
    size_t size;   /* of what is after the header; in a thin archive, of the file */
    size_t stored; /* of a BSD name there, before the contents */
    bool is_file;  /* unless a BSD name says otherwise: then its contents are no object */
};

/* False: damaged. A thin archive has no stored names. */
bool archive_measure(const struct ar_hdr *header, struct archive_extent *extent);
/* The archive must stay in memory, at IMAGE. */
void archive_open(struct archive *archive, const uint8_t *image, size_t size);
/* 1: MEMBER is the next one; 0: the end; -1: damaged. */
int archive_next(struct archive *archive, struct archive_member *member);
/* The file that MEMBER of the thin archive PATH is. To be freed. */
char *archive_member_path(const char *path, const struct archive_member *member);

/*
 * Write the archive at PATH anew, to OUTPUT: the same members in the same order, and a symbol table
 * that says the same of them. MEMBERS has an entry for each member that is a file: in an ordinary
 * archive NULL, or a file with its new contents; in a thin archive always the file's new name.
 */
int archive_write(const char *path, const char *const *members, const char *output);

#endif
