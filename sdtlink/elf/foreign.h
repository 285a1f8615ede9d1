/* SPDX-License-Identifier: BSD-2-Clause */
/* Objects for machines that have no probes. */
#ifndef SDTLINK_ELF_FOREIGN_H
#define SDTLINK_ELF_FOREIGN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Does a relocatable object for a machine without probes begin with these SIZE bytes? */
bool foreign_begins(const uint8_t *head, size_t size);
/* Is FILE such an object, and does it mention no probe? */
bool foreign_has_no_probes(const char *file);

#endif
