/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A probe whose arguments are in registers of which only a part is theirs, the rest being full of
 * other bits. Prints what all registers are at each hit.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/sdt.h>

enum { REGISTERS = 15, HITS = 200 };

/* clang-format off */
#define LOAD(n, register) "mov " #n "*8(%rdi), %" #register "\n"

void hit(const uint64_t values[REGISTERS]);
__asm__(".text\n"
        ".type hit, @function\n"
        "hit: push %rbx; push %rbp; push %r12; push %r13; push %r14; push %r15\n"
        LOAD(0, rax) LOAD(1, rbx) LOAD(2, rcx) LOAD(3, rdx) LOAD(4, rsi) LOAD(6, rbp) LOAD(7, r8)
        LOAD(8, r9) LOAD(9, r10) LOAD(10, r11) LOAD(11, r12) LOAD(12, r13) LOAD(13, r14)
        LOAD(14, r15) LOAD(5, rdi)
        STAP_PROBE_ASM(registers, parts, 1@%ah -1@%bl 2@%cx -4@%edx 8@%rsi -1@%ch -8@%rdi 1@%bpl
                       -2@%r8w 4@%r9d 1@%dh -1@%r15b)
        STAP_PROBE_ASM(registers, last, -2@%r14w 8@%r13 1@%r12b)
        STAP_PROBE_ASM(registers, mixed, 1@%al 8@$-7 2@%bx)
        "pop %r15; pop %r14; pop %r13; pop %r12; pop %rbp; pop %rbx\n"
        "ret\n"
        ".size hit, . - hit\n");
/* clang-format on */

int main(void)
{
    srand(1);
    for (int i = 0; i < HITS; i++) {
        uint64_t values[REGISTERS];
        for (int r = 0; r < REGISTERS; r++) {
            values[r] = (uint64_t)rand() << 42 ^ (uint64_t)rand() << 21 ^ (uint64_t)rand();
            printf("%llx ", (unsigned long long)values[r]);
        }
        puts("");
        hit(values);
    }
    return 0;
}
