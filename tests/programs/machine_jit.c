/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A hit below code that has no unwind tables, since the program has written it, and below a frame
 * that is larger than 32 KiB; see test_machine_record.py. Prints the addresses to be found.
 */
#include <sdt/probe.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

static const uint32_t code[] = {
#ifdef __riscv
    0xfb010113, /* addi sp, sp, -80 */
    0x04113423, /* sd ra, 72(sp) */
    0x04813023, /* sd s0, 64(sp) */
    0x05010413, /* addi s0, sp, 80 */
    0x000500e7, /* jalr a0 */
    0x04813083, /* ld ra, 72(sp) */
    0x04013403, /* ld s0, 64(sp) */
    0x05010113, /* addi sp, sp, 80 */
    0x00008067, /* ret */
#else
    0xd10143ff, /* sub sp, sp, #80 */
    0xa9007bfd, /* stp x29, x30, [sp]: the frame does not end after that */
    0x910003fd, /* mov x29, sp */
    0xd63f0000, /* blr x0 */
    0xa9407bfd, /* ldp x29, x30, [sp] */
    0x910143ff, /* add sp, sp, #80 */
    0xd65f03c0, /* ret */
#endif
};
enum { CALL = sizeof code == 36 ? 4 : 3 }; /* the instruction that calls */

__attribute__((noinline)) void hit(void)
{
    SDT_PROBE(jit, hit);
    __asm__ volatile("");
}

__attribute__((noinline)) int large(void)
{
    volatile char room[100000];
    room[5] = 1;
    hit();
    return room[5];
}

static int caller(int (*made)(int (*)(void)))
{
    return made(large) + 1;
}

int main(void)
{
    void *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    memcpy(page, code, sizeof code);
    mprotect(page, 4096, PROT_READ | PROT_EXEC);
    __builtin___clear_cache(page, (char *)page + sizeof code);
    printf("%p\n", (void *)((char *)page + 4 * (CALL + 1)));
    return caller((int (*)(int (*)(void)))(uintptr_t)page) - 2;
}
