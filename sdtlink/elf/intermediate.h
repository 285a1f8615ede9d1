/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a compiler's link-time optimisation leaves in files, recognised without any compiler's
 * library: whatever version of LLVM or GCC wrote it, and from bytes alone, so that the linker
 * plugin can use this file as well as the tool.
 */
#ifndef SDTLINK_ELF_INTERMEDIATE_H
#define SDTLINK_ELF_INTERMEDIATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum intermediate {
    INTERMEDIATE_NONE,        /* machine code, or no object at all */
    INTERMEDIATE_BITCODE,     /* LLVM bitcode, bare or wrapped */
    INTERMEDIATE_GIMPLE,      /* gcc -flto: an ELF object without machine code */
    INTERMEDIATE_GIMPLE_FAT,  /* gcc -flto -ffat-lto-objects: machine code as well */
    INTERMEDIATE_BITCODE_FAT, /* clang -flto -ffat-lto-objects (17 and later), the same */
};

/* What the SIZE bytes at FILE hold, the first bytes of a file at least as far as it is an ELF. */
enum intermediate intermediate_kind(const uint8_t *file, size_t size);

/* Do they begin as LLVM bitcode, bare or wrapped? */
bool intermediate_is_bitcode(const uint8_t *file, size_t size);
/* Does a section of this name hold intermediate code, or go with it? */
bool intermediate_is_section(const char *name);
/* Is it GCC's section that says what the object holds? Its contents say whether that is all. */
bool intermediate_is_slim(const char *name, const uint8_t *data, size_t size);

/*
 * Can the file make machine code that calls a probe? Asked for objects of all kinds. True in case
 * of doubt: bitcode from before LLVM 5 has no names that can be read without LLVM.
 */
bool intermediate_may_hold_probes(const uint8_t *file, size_t size);

#endif
