/* SPDX-License-Identifier: BSD-2-Clause */
/* What relocations of objects of any machine mean, as far as `list` must know. */
#ifndef SDTLINK_LIST_MACHINES_RELOCATION_H
#define SDTLINK_LIST_MACHINES_RELOCATION_H

#include <stdbool.h>
#include <stdint.h>

/* INFO as r_info is laid out in 64-bit files of all other machines. */
uint64_t relocation_info(uint16_t machine, bool is_big, uint64_t info);
/* Whether TYPE adds a label to a 32-bit word (*IS_ADDED), or subtracts one from it. */
bool relocation_is_distance(uint16_t machine, uint32_t type, bool *is_added);

#endif
