/* SPDX-License-Identifier: BSD-2-Clause */
/* What does a file of the link hold? Asked for every file of every link, so it has to be cheap. */
#ifndef SDTLINK_LAUNCH_SCAN_H
#define SDTLINK_LAUNCH_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tool_arch;

enum scan {
    SCAN_PROBES = 1,         /* symbols __dtrace_sdt...: to be processed */
    SCAN_PROCESSED = 2,      /* sites that sdtlink has processed */
    SCAN_LTO = 4,            /* intermediate code that will make probe calls */
    SCAN_ARCHIVE = 8,        /* what the other bits say holds for members of an archive */
    SCAN_THIN = 16,          /* a thin archive: its members are files */
    SCAN_SHARED = 32,        /* a shared library */
    SCAN_RUNTIME = 64,       /* libsdt itself */
    SCAN_INTERMEDIATE = 128, /* intermediate code, whatever it will make */
    SCAN_SLIM = 256,         /* gcc's intermediate code, and no machine code */
    SCAN_BITCODE = 512,      /* LLVM's, in a file of its own */
    SCAN_NOTES = 1024,       /* notes of <sys/sdt.h> that are no sites yet; where they are wanted,
                                SCAN_PROBES as well */
    SCAN_SCRIPT = 2048,      /* a linker script that may name inputs */
    SCAN_API = 4096,         /* uses of the runtime's functions: sdt_enable() … */
    SCAN_OWN_API = 8192,     /* functions of these names that are not the runtime's */
    SCAN_FOREIGN = 16384     /* an object for another machine: the link is none for us */
};

/*
 * Whose notes are to become sites. The system's libraries are left alone unless somebody asks: to
 * see "malloc" is not what a program is linked for.
 */
enum scan_notes { NOTES_OF_PROJECT, NOTES_OF_ALL, NOTES_OF_NONE };
void scan_want_notes(enum scan_notes wanted);
bool scan_wants_notes(void);

/*
 * From here on objects of gcc with both machine code and intermediate code count as the latter
 * only: the link takes no notice of their machine code, and so should we.
 */
void scan_ignore_fat(bool ignore);
/* From here on objects for other machines are foreign; before, those for others than the usual. */
void scan_for(const struct tool_arch *arch);
/*
 * The bits for file PATH; 0: none of it, or a file that the linker will refuse. Returns 0, or the
 * errno that kept us from reading what the linker may be able to read. Says nothing; may be called
 * by several threads.
 */
int scan_file(const char *path, unsigned *found);
/* The bits for one object, of SIZE bytes at IMAGE, a member of the archive ARCHIVE. */
unsigned scan_member(const char *archive, const uint8_t *image, size_t size);
/* The same for a file of unknown origin: no notes are wanted. */
unsigned scan_object(const uint8_t *image, size_t size);
/* A relocatable object, an archive or bitcode? */
bool scan_is_input(const char *path);
/* Does shared library PATH need libsdt.so? Returns 0 or an errno, as scan_file(). */
int scan_needs_runtime(const char *path, bool *answer);
/* A file in a directory of the system's, or a library that every compiler brings along? */
bool scan_is_systems(const char *path);
/* An ELF file for a machine that this version does not know? */
bool scan_is_foreign(const char *path);

#endif
