/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What other objects of the same link say of probes. With link-time optimisation a compiler divides
 * a program into several objects. Then the data of a source file is in one of them, and code that
 * was made of it is in others: gcc divides a large program, ThinLTO copies functions into other
 * modules and leaves their strings where they were. So SDT_ENUM_NAMES, the lines of provider files,
 * and how arguments are spelled are looked for in all objects.
 *
 * To read all for each would take too long. One run collects what there is into a file
 * (elf/collect.h), which is made and read by the same version of sdtlink within one link:
 *
 *     BESIDE_MAGIC, then parts:  kind, size (4 bytes each), contents, zeros up to 8 bytes
 */
#ifndef SDTLINK_ELF_BESIDE_H
#define SDTLINK_ELF_BESIDE_H

#include "base/mapping.h"

#include <stddef.h>
#include <stdint.h>

#define BESIDE_MAGIC "sdtlink names 1\n" /* 16 bytes, without its end */

enum beside_kind {
    BESIDE_ENUMS = 1,     /* a section .sdt_enums */
    BESIDE_DESCRIBED = 2, /* a section .sdt_described */
    BESIDE_STRING = 3     /* the name of a symbol, and the string that is there: both with NUL */
};

/* All zero: nothing. */
struct beside {
    struct mapping file;
};

/* 0, or -1 after saying why. */
int beside_open(struct beside *beside, const char *path);
void beside_close(struct beside *beside);

/* Call VISIT for each part of KIND; BESIDE may be NULL. */
typedef void beside_visit(void *data, const uint8_t *part, size_t size);
void beside_each(const struct beside *beside, enum beside_kind kind, beside_visit *visit,
                 void *data);
/* The string at SYMBOL; NULL: it is not known. */
const char *beside_string(const struct beside *beside, const char *symbol);

#endif
