/* SPDX-License-Identifier: BSD-2-Clause */
/* Is this a file that sdtlink processes? What its first bytes say. */
#ifndef SDTLINK_ELF_KIND_H
#define SDTLINK_ELF_KIND_H

#include <arch/tool_arch.h>
#include <stddef.h>
#include <stdint.h>

/* Judge the first SIZE bytes of file PATH; libelf is not asked yet, it would only say "invalid". 0,
 * or -1 after a message. */
int kind_check_magic(const char *path, const uint8_t *head, size_t size);

/* The same of a whole ELF header: for which machine, and which type of file. */
int kind_check_header(const char *path, const uint8_t *head, const struct tool_arch **arch);

#endif
