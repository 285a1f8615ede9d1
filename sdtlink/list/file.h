/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef SDTLINK_LIST_FILE_H
#define SDTLINK_LIST_FILE_H

#include "elf_file.h"
#include "site.h"

/* Everything that is known of one file, sorted by place. 0, or -1 after a message. */
int list_read_file(struct list_elf *elf, struct list *list);

#endif
