/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A probe of <sys/sdt.h> in the middle of code that keeps something everywhere: in all registers,
 * in the flags, below the stack pointer. A handler that changes all it may must change none of it.
 */
#include <execinfo.h>
#include <sdt/runtime.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct state {
    uint64_t general[15]; /* all but rsp */
    uint64_t flags;
    uint64_t below[16]; /* the red zone */
    uint8_t vector[16][32];
    uint64_t x87;
};

/* nop1_registers_asm.S: load all of it, run into the probe, store all of it. */
void through_the_probe(const struct state *before, struct state *after, int has_avx);

static volatile unsigned hits, depth, errors;
static const struct state *volatile expected;

static void spoil(void)
{
    __asm__ volatile("xor %%eax, %%eax\n vpxor %%xmm0, %%xmm0, %%xmm0\n" ::: "rax", "xmm0", "cc");
    __asm__ volatile("pcmpeqd %%xmm1, %%xmm1\n pcmpeqd %%xmm15, %%xmm15\n pxor %%xmm7, %%xmm7\n"
                     "fld1\n fldpi\n faddp\n fstp %%st(0)\n"
                     "mov $-1, %%r8\n mov %%r8, %%r9\n mov %%r8, %%r10\n mov %%r8, %%r11\n"
                     "mov %%r8, %%rsi\n mov %%r8, %%rdi\n mov %%r8, %%rcx\n mov %%r8, %%rdx\n" ::
                         : "xmm1", "xmm7", "xmm15", "r8", "r9", "r10", "r11", "rsi", "rdi", "rcx",
                           "rdx", "cc", "memory");
}

static void spoil_wide(void)
{
    if (__builtin_cpu_supports("avx"))
        __asm__ volatile("vzeroall" ::
                             : "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7",
                               "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14",
                               "xmm15");
}

static void on_hit(const struct sdt_event *event, void *data)
{
    void *frames[32];
    char big[4096];
    (void)data;
    hits = hits + 1;
    /* Operands of the note: %rbx, the second byte of %rcx, %xmm5, memory below %rsp. */
    if (sdt_nargs(event) != 5 || sdt_arg(event, 0) != expected->general[1] ||
        sdt_arg(event, 1) != (expected->general[2] >> 8 & 0xff) ||
        memcmp(&(uint64_t){sdt_arg(event, 2)}, expected->vector[5], 8) != 0 ||
        sdt_arg(event, 3) != expected->below[15] ||
        sdt_arg(event, 4) != (uint64_t)(int64_t)(int32_t)expected->general[14])
        errors = errors + 1;
    depth = (unsigned)backtrace(frames, 32);
    memset(big, 0xee, sizeof big);
    __asm__ volatile("" ::"r"(big) : "memory");
    free(malloc(100));
    spoil_wide();
    spoil();
}

static void fill(struct state *state, unsigned seed)
{
    uint8_t *bytes = (uint8_t *)state;
    for (size_t i = 0; i < sizeof *state; i++)
        bytes[i] = (uint8_t)(seed = seed * 1103515245 + 12345, seed >> 16);
    state->flags = (seed & 0x8d5) | 0x202 | (seed & 0x400); /* arithmetic ones and direction */
    double number = 1.0 / (1 + (seed & 0xff));
    memcpy(&state->x87, &number, sizeof number);
}

int main(void)
{
    struct state before, after;
    int has_avx = __builtin_cpu_supports("avx") != 0;
    int id = sdt_enable("asm:middle", on_hit, NULL);
    if (id < 0) {
        printf("%s\n", sdt_strerror(id));
        return 1;
    }
    for (unsigned i = 0; i < 200; i++) {
        fill(&before, i);
        memset(&after, 0, sizeof after);
        expected = &before;
        through_the_probe(&before, &after, has_avx);
        if (!has_avx)
            for (int k = 0; k < 16; k++)
                memcpy(after.vector[k] + 16, before.vector[k] + 16, 16);
        if (memcmp(&before, &after, sizeof before) != 0)
            errors = errors + 1;
    }
    for (size_t i = 0; i < sizeof before; i++)
        if (((uint8_t *)&before)[i] != ((uint8_t *)&after)[i]) {
            printf("byte %zu\n", i);
            break;
        }
    printf("%u hits, %u errors, %s\n", hits, errors, depth >= 4 ? "walked" : "not walked");
    return sdt_disable(id);
}
