/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What the C API of LLVM 14 does not provide: section types, flags, links and groups, the symbols'
 * bindings, and the addends of relocations. This is the smallest reader that supplies them, from
 * the bytes of the file, with every offset, count and index checked.
 */
#ifndef SDT_VERIFY_HEADERS_H
#define SDT_VERIFY_HEADERS_H

#include "image.h"

/* Whether these bytes are a little-endian 64-bit ELF file of a known machine (image->arch), with
 * sane section headers, every section inside the file; fills image->sections but for names and
 * data. -1: reported. */
int headers_read_sections(struct image *image);
/* After the section data are known: symbols, groups and the order of memory. -1: reported. */
int headers_read_symbols(struct image *image);
int headers_read_groups(struct image *image);

#endif
