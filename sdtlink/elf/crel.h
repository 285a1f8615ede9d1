/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef SDTLINK_ELF_CREL_H
#define SDTLINK_ELF_CREL_H

#include "object.h"

/*
 * Turn sections of compressed relocations (base/crel.h) into SHT_RELA, in the object's image: it
 * grows, and is no longer mapped. So nothing after this knows of them, and the output, which needs
 * longer relocations anyway, is one for every linker. Those without addends stay as they are.
 */
int crel_expand(struct object *object);

#endif
