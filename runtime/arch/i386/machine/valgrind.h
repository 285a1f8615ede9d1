/* SPDX-License-Identifier: BSD-2-Clause */
/* A request to valgrind, as on x86-64; its words are those of the machine. */
#ifndef SDT_MACHINE_VALGRIND_H
#define SDT_MACHINE_VALGRIND_H

#include <stdint.h>

/* REQUEST: its number, and five arguments. Returns the answer; 0: there is no valgrind. */
static inline uint64_t valgrind_request(const uint64_t request[6])
{
    uint32_t words[6], result = 0;
    for (unsigned i = 0; i < 6; i++)
        words[i] = (uint32_t)request[i];
    /* All 64 bits of rotation: %edi is what it was. */
    __asm__ volatile("roll $3, %%edi; roll $13, %%edi; roll $29, %%edi; roll $19, %%edi\n\t"
                     "xchgl %%ebx, %%ebx"
                     : "+d"(result)
                     : "a"(words)
                     : "cc", "memory");
    return result;
}

#endif
