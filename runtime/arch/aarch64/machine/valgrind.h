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
    register uint64_t result __asm__("x3") = 0;
    register const uint64_t *words __asm__("x4") = request;
    /* All 128 bits of rotation: x12 is what it was. */
    __asm__ volatile("ror x12, x12, #3; ror x12, x12, #13; ror x12, x12, #51; ror x12, x12, #61\n\t"
                     "orr x10, x10, x10"
                     : "+r"(result)
                     : "r"(words)
                     : "memory");
    return result;
}

#endif
