/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a site changes on i386, off and armed: tests/asm/i386_registers.S, test_i386_runtime.py.
 * A site that is off changes nothing at all. Armed, it changes what a call may: not the registers
 * that calls preserve, nor the control words of x87 and SSE, nor the direction flag; and the stack
 * of x87 is empty, as it was. The handler changes all that a function may. `MODE` is jump, trap, or
 * storm: then another thread enables and disables meanwhile, by both.
 */
#include <sdt/runtime.h>

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { ROUNDS = 500, TOGGLES = 200, DIRECTION = 0x400, ARITHMETIC = 0x8d5 };

struct state {
    uint32_t scratch[3], kept[4]; /* eax ecx edx, ebx ebp esi edi */
    uint32_t flags;
    struct { /* FXSAVE */
        uint16_t control, status;
        uint8_t tags, zero; /* registers of x87 in use */
        uint16_t opcode;
        uint32_t place[4];
        uint32_t mxcsr, mask;
        uint8_t x87[8][16], xmm[8][16], rest[224];
    } fx;
} __attribute__((aligned(16)));

void visit(const struct state *set, struct state *found, unsigned how);

static atomic_ulong hits, wrong;
static atomic_bool is_over;

static void handler(const struct sdt_event *event, void *data)
{
    double number = (double)(long)sdt_arg(event, 0);
    (void)data;
    /* All registers of vectors, and both results of x87; a control word is put back. */
    __asm__ volatile("fninit; fldpi; fldpi; fmulp; fstp %%st(0)\n"
                     "pxor %%xmm0,%%xmm0; pcmpeqd %%xmm7,%%xmm7; movaps %%xmm7,%%xmm3"
                     :
                     :
                     : "st", "st(1)", "cc"); /* the compiler uses no SSE, and so need not know */
    static const uint16_t control = 0x27f;
    __asm__ volatile("fldcw %0" : : "m"(control));
    atomic_fetch_add(&hits, 1);
    if (number != (double)0x5d7a || ((uintptr_t)__builtin_frame_address(0) + 8) % 16)
        atomic_fetch_add(&wrong, 1);
}

static struct state state_of(unsigned seed, int is_off)
{
    struct state state;
    memset(&state, 0, sizeof state);
    for (unsigned i = 0; i < 3; i++)
        state.scratch[i] = 0x51000000 + 0x10101 * (seed + i);
    for (unsigned i = 0; i < 4; i++)
        state.kept[i] = 0x9a000000 + 0x10101 * (seed + i);
    state.flags = 0x202 | (seed * 0x55u & ARITHMETIC);
    state.fx.control = 0x27f; /* 53 bits of precision, as the handler leaves it */
    state.fx.mxcsr = 0x3f80;  /* round up … */
    for (unsigned i = 0; is_off && i < 8; i++) {
        state.fx.tags |= (uint8_t)(1u << i);
        memset(state.fx.x87[i], (int)(seed + i), 10);
        memset(state.fx.xmm[i], (int)(0x80 + seed + i), 16);
    }
    return state;
}

static unsigned long compare(const struct state *set, const struct state *found, int is_off)
{
    unsigned long bad = 0;
    bad += memcmp(set->kept, found->kept, sizeof set->kept) != 0;
    bad += (found->flags & DIRECTION) != 0;
    bad += set->fx.control != found->fx.control || found->fx.tags != set->fx.tags;
    bad += (set->fx.mxcsr ^ found->fx.mxcsr) > 0x3f; /* but for the exceptions that there were */
    if (!is_off)
        return bad;
    bad += memcmp(set->scratch, found->scratch, sizeof set->scratch) != 0;
    bad += ((set->flags ^ found->flags) & ARITHMETIC) != 0;
    return bad + (memcmp(set->fx.x87, found->fx.x87, sizeof set->fx.x87) != 0) +
           (memcmp(set->fx.xmm, found->fx.xmm, sizeof set->fx.xmm) != 0);
}

static void visits(int is_off, unsigned rounds)
{
    for (unsigned i = 0; i < rounds; i++) {
        struct state set = state_of(i, is_off), found;
        memset(&found, 0xee, sizeof found);
        visit(&set, &found, i & 1);
        atomic_fetch_add(&wrong, compare(&set, &found, is_off));
    }
}

/* On until there was a hit, however busy the machine is; then off. */
static void *toggle(void *data)
{
    (void)data;
    for (int i = 0; i < TOGGLES; i++) {
        unsigned long before = atomic_load(&hits);
        int id = sdt_enable_mode("regs:*", handler, NULL, i & 1 ? SDT_MODE_JUMP : SDT_MODE_TRAP);
        while (id > 0 && atomic_load(&hits) == before)
            sched_yield();
        if (id < 0 || sdt_disable(id) != 0)
            atomic_fetch_add(&wrong, 1);
    }
    atomic_store(&is_over, 1);
    return NULL;
}

int main(int argc, char **argv)
{
    const char *mode = argc > 1 ? argv[1] : "";
    if (strcmp(mode, "storm") == 0) {
        pthread_t thread;
        pthread_create(&thread, NULL, toggle, NULL);
        while (!atomic_load(&is_over))
            visits(0, ROUNDS);
        pthread_join(thread, NULL);
        printf("hits %s, wrong %lu\n", atomic_load(&hits) >= TOGGLES ? "enough" : "few",
               atomic_load(&wrong));
        return 0;
    }
    visits(1, ROUNDS);
    int id = sdt_enable_mode("regs:*", handler, NULL,
                             strcmp(mode, "jump") == 0 ? SDT_MODE_JUMP : SDT_MODE_TRAP);
    visits(0, ROUNDS);
    sdt_disable(id);
    visits(1, ROUNDS);
    printf("hits %lu, wrong %lu\n", atomic_load(&hits), atomic_load(&wrong));
    return 0;
}
