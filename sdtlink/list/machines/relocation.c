/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See relocation.h. On some machines a linker may shorten code, and so assemblers leave even the
 * distance of two labels to it: one relocation adds the first, another one subtracts the second.
 */
#include "relocation.h"

#include <elf.h>
#include <stddef.h>

#ifndef EM_LOONGARCH /* before glibc 2.36 */
#define EM_LOONGARCH 258
#define R_LARCH_ADD32 50
#define R_LARCH_SUB32 55
#endif

static const struct distance {
    uint16_t machine;
    uint32_t add, subtract;
} distances[] = {
    {EM_RISCV, R_RISCV_ADD32, R_RISCV_SUB32},
    {EM_LOONGARCH, R_LARCH_ADD32, R_LARCH_SUB32},
};

bool relocation_is_distance(uint16_t machine, uint32_t type, bool *is_added)
{
    for (size_t i = 0; i < sizeof distances / sizeof *distances; i++)
        if (distances[i].machine == machine) {
            *is_added = type == distances[i].add;
            return *is_added || type == distances[i].subtract;
        }
    return false;
}

uint64_t relocation_info(uint16_t machine, bool is_big, uint64_t info)
{
    /* A word for the symbol, then single bytes: in this byte order, the word is the low one. */
    return machine == EM_MIPS && !is_big ? info << 32 | info >> 56 : info;
}
