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
    register uint64_t result __asm__("a3") = 0;
    register const uint64_t *words __asm__("a4") = request;
    /* Shifts of the register that is always zero; four bytes each. */
    __asm__ volatile(".option push; .option norvc\n\t"
                     "srli zero, zero, 3; srli zero, zero, 13\n\t"
                     "srli zero, zero, 51; srli zero, zero, 61\n\t"
                     "or a0, a0, a0\n\t"
                     ".option pop"
                     : "+r"(result)
                     : "r"(words)
                     : "memory");
    return result;
}

#endif
