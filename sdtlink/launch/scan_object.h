/* SPDX-License-Identifier: BSD-2-Clause */
/* What a file of a link may hold, and which of it an object holds, by its symbols and sections. */
#ifndef SDTLINK_LAUNCH_SCAN_OBJECT_H
#define SDTLINK_LAUNCH_SCAN_OBJECT_H

#include "base/elf_view.h"
#include "pieces.h"

enum scan {
    SCAN_PROBES = 1,      /* symbols __dtrace_sdt...: to be processed */
    SCAN_PROCESSED = 2,   /* sites that sdtlink has processed */
    SCAN_LTO_PROBES = 4,  /* intermediate code that will make probe calls */
    SCAN_ARCHIVE = 8,     /* what the other bits say holds for members of an archive */
    SCAN_THIN = 16,       /* a thin archive: its members are files */
    SCAN_SHARED = 32,     /* a shared library */
    SCAN_RUNTIME = 64,    /* libsdt itself */
    SCAN_LTO = 128,       /* intermediate code, whatever it will make */
    SCAN_SLIM = 256,      /* gcc's intermediate code, and no machine code */
    SCAN_BITCODE = 512,   /* LLVM's, in a file of its own */
    SCAN_NOTES = 1024,    /* notes of <sys/sdt.h> that are no sites yet; where they are wanted,
                             SCAN_PROBES as well */
    SCAN_SCRIPT = 2048,   /* a linker script that may name inputs, or discard sections */
    SCAN_API = 4096,      /* uses of the runtime's functions: sdt_enable() … */
    SCAN_OWN_API = 8192,  /* functions of these names that are not the runtime's */
    SCAN_FOREIGN = 16384, /* an object for another machine: the link is none for us */
    SCAN_DISCARDS = 32768 /* a linker script that discards the notes of probes */
};

struct tool_arch;

/*
 * Whose notes are to become sites. The system's libraries are left alone unless requested: to see
 * "malloc" is not what a program is linked for.
 */
enum scan_notes { NOTES_OF_PROJECT, NOTES_OF_ALL, NOTES_OF_NONE };

/* What counts, in a link. */
struct scan_rules {
    enum scan_notes notes;
    /*
     * Objects of gcc with both machine code and intermediate code count as the latter only: the
     * link takes no notice of their machine code, and so should we.
     */
    bool ignores_fat;
    const char *functions; /* what compilers call at these counts as a probe; NULL: nothing */
    const struct tool_arch *arch; /* objects for others are foreign; NULL: for none that we know */
};

/* The scan of a file, or of one object after the other of an archive. */
struct look {
    struct pieces pieces;
    struct elf_view elf;    /* of the object */
    uint64_t strings_index; /* the section of the string table that was read last; 0: none */
    struct bytes strings, symbols;
    bool ignores_fat;             /* of the rules */
    bool has_functions;           /* so do calls at functions */
    const struct tool_arch *arch; /* likewise */
    bool wants_image;             /* the question can only be answered with all of it in memory */
    bool is_by_symbols;           /* only what its symbols say is of interest */
};

/* The bits for one object, of SIZE bytes at IMAGE, of unknown origin: no notes are wanted. */
unsigned scan_object(const struct scan_rules *rules, const uint8_t *image, size_t size);
/* The bits of the object with header ELF that LOOK's pieces are at. */
unsigned look_at_elf(struct look *look, const Elf64_Ehdr *elf);
/* Whether TEXT is in the SIZE bytes at STRINGS. */
bool look_for_text(const uint8_t *strings, uint64_t size, const char *text);

#endif
