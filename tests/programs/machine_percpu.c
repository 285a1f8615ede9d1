/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What the pieces for words of a CPU add, where nothing interrupts them: qemu's user mode has no
 * rseq(2), so the area of the kernel's is made up here.
 */
#include <machine/percpu.h>
#include <stdio.h>

enum { CPUS = 2, ROW = 8, WORDS = 4 };
static struct {
    uint32_t start, cpu_id;
    uint64_t piece, rest[2];
} area __attribute__((aligned(32)));
static uint64_t rows[CPUS + 1][ROW];

int main(void)
{
    struct percpu percpu = {CPUS, sizeof rows[0],
                            (char *)&area - (char *)__builtin_thread_pointer()};
    uint8_t *row = (uint8_t *)rows[0], *word = (uint8_t *)&rows[0][3];
    static const uint64_t values[] = {7, 3, UINT64_MAX, 12};
    for (uint32_t cpu = 0; cpu < CPUS + 2; cpu++) {
        area.cpu_id = cpu <= CPUS ? cpu : UINT32_MAX; /* the last two have no row */
        area.piece = 0;
        printf("%d", percpu_add(&percpu, row, 40 + cpu));
        for (size_t i = 0; i <= cpu; i++)
            printf("%d", percpu_observe(&percpu, row, word, values[i]));
        puts(area.piece ? " named" : " not named");
    }
    for (size_t cpu = 0; cpu <= CPUS; cpu++)
        for (size_t i = 0; i < WORDS; i++)
            printf("%llx%c", (unsigned long long)rows[cpu][i], i + 1 < WORDS ? ' ' : '\n');
    return 0;
}
