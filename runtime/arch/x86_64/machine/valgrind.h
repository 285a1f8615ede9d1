/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A request to valgrind, which translates a program's code and so must be told of what the program
 * does with it. These instructions change nothing, and valgrind knows them by their order
 * (its manual, "The Client Request mechanism").
 */
#ifndef SDT_MACHINE_VALGRIND_H
#define SDT_MACHINE_VALGRIND_H

#include <stdint.h>

/* REQUEST: its number, and five arguments. Returns the answer; 0: there is no valgrind. */
static inline uint64_t valgrind_request(const uint64_t request[6])
{
    uint64_t result = 0;
    /* All 128 bits of rotation: %rdi is what it was. */
    __asm__ volatile("rolq $3, %%rdi; rolq $13, %%rdi; rolq $61, %%rdi; rolq $51, %%rdi\n\t"
                     "xchgq %%rbx, %%rbx"
                     : "+d"(result)
                     : "a"(request)
                     : "cc", "memory");
    return result;
}

#endif
