/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Sites in the middle of live code (../asm/runtime_inline.S): what a hit leaves as it was, which is
 * everything, and what a handler finds there: the arguments, and a stack for compiled code.
 *
 *   runtime_inline           the checks
 *   runtime_inline wide      those of mask and zmm registers alone
 *   runtime_inline other     the ways that other CPUs take
 *   runtime_inline general   a handler that leaves vector registers alone
 *   runtime_inline late      hits that find other subscriptions than those by which they came
 *   runtime_inline record    hits that are recorded, into "rec"; packets begin and end among them
 *   runtime_inline unwind    a handler that walks the stack
 */
#define _GNU_SOURCE
#include "late.h"
#include "runtime_fixture.h"

#include "../../runtime/arch/x86_64/vector.h"

#include <cpuid.h>
#include <execinfo.h>
#include <sdt/record.h>
#include <stdbool.h>

struct state {
    word general[16];
    word zone[16];
    word flags;
    uint8_t *area;
    word mask;
};

void in_registers(struct state *state);
void in_flags(struct state *state);
long in_leaf(long a);
long in_leaf_unaligned(long a);
void in_six(word a);

enum { AREA = 16384, HEADER = 512, MXCSR = 24, XMM3 = 160 + 48, CARRY_TO_SIGN = 0xd5 };
/* Carry, parity, auxiliary, zero and sign, overflow. */
#define STATUS_FLAGS (CARRY_TO_SIGN | 0x800)

static _Alignas(64) uint8_t before[AREA], after[AREA];
static word vector_mask; /* the parts that there are */
static word in_use;      /* those that are not as in a new process */

/* What x87 may be doing; its numbers are in use as the tags say, one bit a register. */
struct x87 {
    uint16_t control, status;
    uint8_t tags;
};

static const struct x87 x87_states[] = {
    {0x0f7f, 3 << 11, 0xff},          /* eight numbers; rounds to zero */
    {0x037f, 7 << 11, 0x80},          /* one number */
    {0x037f, 0x20, 0},                /* none; there was an inexact result */
    {0x0f7f, 5 << 11 | 0x473d, 0},    /* none; the top elsewhere, conditions set */
    {0x0360, 0, 0},                   /* what is invalid, denormal, … would trap */
    {0x035f, 0x80a0, 0},              /* an inexact result will, at the next instruction */
    {0x035f, 5 << 11 | 0x80a0, 0xe0}, /* and there are three numbers */
};
static const struct x87 *x87 = x87_states;

enum { TOP = 0x3800, CONDITIONS = 0x4700 };

/* Where part PART of the vector state lies in an XSAVE area. */
static void place_of(unsigned part, unsigned *offset, unsigned *size)
{
    unsigned c, d;
    *size = *offset = 0;
    if (part >= 2)
        __cpuid_count(0xd, part, *size, *offset, c, d);
}

static void find_vectors(void)
{
    unsigned a, b, c, d, low, high;
    __cpuid(1, a, b, c, d);
    if (!(c & bit_OSXSAVE))
        return;
    __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    vector_mask = low & 0xe7; /* x87, SSE, AVX, AVX-512 */
}

/* What a register has that is not in use. */
static void clear_unused(void)
{
    if (!(in_use & 1)) {
        memset(before, 0, 5);
        memcpy(before, "\x7f\x03", 2);
        memset(before + 32, 0, 128);
    }
    for (unsigned part = 2; part < 8; part++) {
        unsigned offset, size;
        place_of(part, &offset, &size);
        if (vector_mask >> part & 1 && !(in_use >> part & 1))
            memset(before + offset, 0, size);
    }
}

/* A different byte everywhere that a register is, as far as it is in use. */
static void poison_vectors(void)
{
    unsigned low = (unsigned)vector_mask;
    memset(before, 0, sizeof before);
    __asm__ volatile("xsave64 (%0)" ::"r"(before), "a"(low), "d"(0) : "memory");
    for (unsigned i = 160; i < 416; i++)
        before[i] = (uint8_t)(i * 7 + 1);
    for (unsigned i = 0; i < 8; i++) {
        memcpy(before + 32 + (size_t)16 * i, "\x00\x00\x00\x00\x00\x00\x00\x80\xff\x3f", 10);
        before[32 + 16 * i] = (uint8_t)(i + 1);
    }
    memcpy(before, x87, 5); /* in the same order */
    const uint32_t mxcsr = 0x1f80 | 0x6000;
    memcpy(before + MXCSR, &mxcsr, sizeof mxcsr);
    for (unsigned part = 2; part < 8; part++) {
        unsigned offset, size;
        place_of(part, &offset, &size);
        for (unsigned i = 0; vector_mask >> part & 1 && i < size; i++)
            before[offset + i] = (uint8_t)(i * 3 + part);
    }
    const double argument = 2.5;
    memcpy(before + XMM3, &argument, sizeof argument);
    memcpy(before + HEADER, &in_use, sizeof in_use);
    clear_unused();
}

/* The numbers on the x87 stack, from the top down. */
static void compare_numbers(void)
{
    uint16_t status;
    memcpy(&status, before + 2, sizeof status);
    for (unsigned i = 0; i < 8; i++)
        if (before[4] >> ((status / (TOP & -TOP) + i) % 8) & 1)
            CHECK(memcmp(before + 32 + (size_t)16 * i, after + 32 + (size_t)16 * i, 10) == 0);
}

/* Compares what the instructions say is there, not what lies in the areas' gaps. */
static void compare_vectors(bool live_flags)
{
    uint16_t changed[2];
    for (unsigned i = 0; i < 2; i++)
        changed[i] = (uint16_t)((before[2 * i] ^ after[2 * i]) |
                                (before[2 * i + 1] ^ after[2 * i + 1]) << 8);
    CHECK_EQUAL(changed[0], 0);
    CHECK_EQUAL(changed[1] & ~(live_flags ? 0 : CONDITIONS), 0);
    CHECK_EQUAL(before[4], after[4]);
    compare_numbers();
    CHECK(memcmp(before + MXCSR, after + MXCSR, 4) == 0);
    CHECK(memcmp(before + 160, after + 160, 256) == 0);
    for (unsigned part = 2; part < 8; part++) {
        unsigned offset, size;
        place_of(part, &offset, &size);
        if (vector_mask >> part & 1)
            CHECK(memcmp(before + offset, after + offset, size) == 0);
    }
}

static int calls;

static void check_arguments(const struct sdt_event *event)
{
    CHECK_EQUAL(sdt_nargs(event), 6);
    CHECK_EQUAL(sdt_arg(event, 0), 0x100 + 3);
    CHECK_EQUAL(sdt_arg(event, 1), 0x100 + 6);
    CHECK_EQUAL(sdt_arg(event, 2), 0x200 + 14);
    CHECK_EQUAL(sdt_arg(event, 3), 77);
    CHECK(sdt_arg_double(event, 4) == 2.5);
    CHECK_EQUAL(sdt_arg(event, 5), 9);
}

/* Ruins every register that compiled code may ruin, and some state that it may not. */
static void ruin(const struct sdt_event *event, void *data)
{
    uint32_t mxcsr = 0x1fbf;
    char text[32];
    (void)data;
    calls++;
    check_arguments(event);
    CHECK_EQUAL((uintptr_t)__builtin_frame_address(0) % 16, 0);
    snprintf(text, sizeof text, "%.3f", sdt_arg_double(event, 4));
    CHECK(strcmp(text, "2.500") == 0);
    __asm__ volatile("ldmxcsr %0" ::"m"(mxcsr));
    if (calls & 1)
        __asm__ volatile("fldcw %0" ::"m"((const uint16_t){0x0a7f}));
    else
        __asm__ volatile("fninit; fldz; fldz");
    if (vector_mask & 4)
        __asm__ volatile("vzeroall");
    __asm__ volatile("pcmpeqd %%xmm0, %%xmm0; movaps %%xmm0, %%xmm7; movaps %%xmm0, %%xmm15" ::
                         : "xmm0", "xmm7", "xmm15");
    if (vector_mask & 4) /* and leave upper halves in use */
        __asm__ volatile("vinsertf128 $1, %xmm15, %ymm15, %ymm3");
    if (vector_mask & 0x20)
        __asm__ volatile("kxorq %k1, %k1, %k1; kxnorq %k7, %k7, %k7; "
                         "vpxorq %zmm16, %zmm16, %zmm16; vpxorq %zmm31, %zmm31, %zmm31");
    __asm__ volatile("mov $-1, %%rax; mov %%rax, %%rcx; mov %%rax, %%rdx; mov %%rax, %%rsi\n"
                     "mov %%rax, %%rdi; mov %%rax, %%r8; mov %%rax, %%r9; mov %%rax, %%r10\n"
                     "mov %%rax, %%r11; add %%rax, %%rax" ::
                         : "rax", "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11", "cc");
}

/* One run of FUNCTION with poison everywhere; WHICH flags must survive. */
static void run(void (*function)(struct state *), word flags, word which)
{
    struct state state = {.flags = flags | 2, .area = before, .mask = vector_mask}, was;
    for (unsigned i = 0; i < 16; i++) {
        state.general[i] = 0x100 + i;
        state.zone[i] = 0x200 + i;
    }
    poison_vectors();
    memcpy(after, before, sizeof after);
    state.area = after;
    was = state;
    function(&state);
    __asm__ volatile("fninit; ldmxcsr %0" ::"m"((const uint32_t){0x1f80}));
    for (unsigned i = 0; i < 16; i++) {
        if (i != 4)
            CHECK_EQUAL(state.general[i], was.general[i]);
        CHECK_EQUAL(state.zone[i], was.zone[i]);
    }
    CHECK_EQUAL(state.flags & which, was.flags & which);
    compare_vectors(which != 0);
}

static void run_all(void)
{
    run(in_registers, 0, 0);
    for (word flags = 0; flags < 0x1000; flags++)
        if ((flags & ~(word)STATUS_FLAGS) == 0)
            run(in_flags, flags, STATUS_FLAGS);
}

static int find_mode(const struct sdt_probe_info *site, void *data)
{
    *(int *)data = site->mode;
    return 1;
}

static void check_registers(void)
{
    int expected = fixture_mode() == SDT_MODE_TRAP ? SDT_MODE_TRAP : SDT_MODE_JUMP, mode = 0;
    word hits = sdt_hits("inline");
    calls = 0;
    run_all(); /* off */
    int id = sdt_enable("inline:registers,inline:flags", ruin, NULL);
    CHECK(id > 0);
    sdt_foreach("inline:registers", find_mode, &mode);
    CHECK_EQUAL(mode, expected);
    run_all();
    CHECK_EQUAL(calls, 65);
    int count = sdt_enable("inline:registers,inline:flags", SDT_COUNT, NULL);
    run_all(); /* both */
    CHECK_EQUAL(sdt_disable(id), 0);
    CHECK_EQUAL(calls, 130);
    run_all(); /* count */
    CHECK_EQUAL(sdt_hits("inline") - hits, 130);
    CHECK_EQUAL(sdt_disable(count), 0);
    run_all();
    CHECK_EQUAL(sdt_hits("inline") - hits, 130);
}

/* What lies on the stack below is not what an earlier hit has left there. */
__attribute__((noinline)) static void poison_stack(void)
{
    volatile char below[16384];
    for (size_t i = 0; i < sizeof below; i++)
        below[i] = 0x5a;
}

static word seen[6], seen_alone[6];

SDT_GENERAL_REGS_HANDLER(on_hit_generally)
{
    (void)data;
    calls++;
    sdt_args(event, seen, 6);
    for (unsigned i = 0; i < sdt_nargs(event); i++)
        seen_alone[i] = sdt_arg(event, i);
}

static void check_general(void)
{
    const double number = 2.5;
    word expected[6] = {0x100 + 3, 0x100 + 6, 0x200 + 14, 77, 0, 9};
    memcpy(&expected[4], &number, sizeof number);
    int id = sdt_enable_mode("inline:registers,inline:flags", on_hit_generally, NULL,
                             fixture_mode() | SDT_GENERAL_REGS);
    CHECK(id > 0);
    calls = 0;
    for (int i = 0; i < 3; i++) { /* the thread's first hit saves all the same */
        memset(seen, 0, sizeof seen);
        memset(seen_alone, 0, sizeof seen_alone);
        poison_stack();
        run(in_registers, 0, 0);
        CHECK(memcmp(seen, expected, sizeof seen) == 0);
        CHECK(memcmp(seen_alone, expected, sizeof seen) == 0);
        memset(seen, 0, sizeof seen);
        poison_stack();
        run(in_flags, STATUS_FLAGS, STATUS_FLAGS);
        CHECK(memcmp(seen, expected, sizeof seen) == 0);
    }
    CHECK_EQUAL(calls, 6);
    CHECK_EQUAL(sdt_disable(id), 0);
}

/* Every register of a kind in use, and none of it. */
static void check_general_parts(void)
{
    const word parts[] = {vector_mask, 2, 2 | 4, 2 | 1, 2 | 4 | 1};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        in_use = vector_mask & parts[i];
        check_general();
    }
}

static void run_registers(void)
{
    run(in_registers, 0, 0);
}

static void run_flags(void)
{
    run(in_flags, STATUS_FLAGS, STATUS_FLAGS);
}

extern struct sdt_probe E_registers, F_flags;

static void check_late(void)
{
    const word parts[] = {vector_mask, 2, 2 | 1};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        in_use = vector_mask & parts[i];
        CHECK_EQUAL(
            late_check(&E_registers, "inline:registers", fixture_mode(), ruin, NULL, run_registers),
            12);
        CHECK_EQUAL(late_check(&F_flags, "inline:flags", fixture_mode(), ruin, NULL, run_flags),
                    12);
    }
}

static void on_leaf(const struct sdt_event *event, void *data)
{
    volatile char below[512]; /* where the red zone would be */
    memset((char *)(uintptr_t)below, 0x55, sizeof below);
    CHECK_EQUAL(sdt_arg(event, 0), *(long *)data);
    CHECK_EQUAL((uintptr_t)__builtin_frame_address(0) % 16, 0);
    calls++;
}

static void check_leaf(void)
{
    long argument = 0;
    int id = sdt_enable("inline:leaf,inline:six", on_leaf, &argument);
    calls = 0;
    for (argument = 1; argument < 1000; argument++) {
        CHECK_EQUAL(in_leaf(argument), argument);
        CHECK_EQUAL(in_leaf_unaligned(argument), argument);
        in_six((word)argument);
    }
    CHECK_EQUAL(calls, 3 * 999);
    CHECK_EQUAL(sdt_disable(id), 0);
    CHECK_EQUAL(in_leaf(77), 77);
    CHECK_EQUAL(calls, 3 * 999);
}

/* As no function may: it leaves all x87 registers marked as in use. */
static void on_mmx(const struct sdt_event *event, void *data)
{
    (void)event;
    (void)data;
    __asm__ volatile("pxor %%mm3, %%mm3" : : : "memory");
    calls++;
}

/* The probed function finds the x87 stack empty, as it left it. */
static void check_mmx(void)
{
    uint16_t environment[14];
    int id = sdt_enable("inline:leaf", on_mmx, NULL);
    calls = 0;
    for (int i = 0; i < 3; i++) {
        CHECK_EQUAL(in_leaf(5), 5);
        __asm__ volatile("fnstenv %0\n\tfldenv %0" : "+m"(environment));
        CHECK_EQUAL(environment[4], 0xffff); /* the tags */
    }
    CHECK_EQUAL(calls, 3);
    CHECK_EQUAL(sdt_disable(id), 0);
}

__attribute__((noinline)) static void handler_at_work(void)
{
    void *frames[32];
    int n = backtrace(frames, 32);
    char **names = backtrace_symbols(frames, n);
    for (int i = 0; i < n; i++)
        printf("frame %s\n", names[i]);
    fflush(stdout);
    free(names);
}

static void walk(const struct sdt_event *event, void *data)
{
    (void)event;
    (void)data;
    handler_at_work();
    __asm__ volatile("");
}

__attribute__((noinline)) static void caller_of_leaf(void)
{
    CHECK_EQUAL(in_leaf(5), 5);
    __asm__ volatile("");
}

/* With PARTS in use; of x87, in each of its ways. */
static void check_parts(word parts)
{
    size_t ways = parts & 1 ? sizeof x87_states / sizeof *x87_states : 1;
    in_use = vector_mask & parts;
    for (size_t i = 0; i < ways; i++) {
        x87 = &x87_states[i];
        check_registers();
    }
}

/* x87, SSE, AVX: each way that entry_save can take; SSE always, it has an argument. */
static void check_all_parts(void)
{
    const word parts[] = {vector_mask, 2, 2 | 4, 2 | 1, 2 | 4 | 1};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        check_parts(parts[i]);
}

/* Mask registers, upper halves of zmm registers, zmm16 and on: alone and together. */
static void check_wide(void)
{
    const word parts[] = {0x20, 0x40, 0x80, 0xe0, 0xe4, 0xe7};
    if ((vector_mask & 0xe0) != 0xe0) {
        puts("absent: the CPU has no mask and zmm registers, or the system does not keep them");
        return;
    }
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        check_parts(2 | parts[i]);
}

/* Of what is seldom in use, as tiles are: zmm16 to zmm31 stand for them, which more CPUs have. */
static void check_rare(struct vector_features own)
{
    if ((vector_mask & 0xe0) != 0xe0 || !own.has_xgetbv_1)
        return;
    own.is_xgetbv_quick = true;
    struct vector_choice choice = vector_choose(&own);
    choice.xsave_parts &= ~UINT32_C(0x80);
    choice.parts &= ~UINT32_C(0x80);
    choice.rare_parts = 0x80;
    choice.rare_size = own.xsave_size;
    vector_use(&choice);
    check_all_parts();
    check_wide();
}

/*
 * As on other CPUs: with fewer registers, as far as this one lets its registers be looked at that
 * way, without the instructions that tell what is in use or write only that, and the other way of
 * those two that are chosen by measuring.
 */
static void check_other(void)
{
    CHECK_EQUAL(sdt_disable(sdt_enable("inline", SDT_COUNT, NULL)), 0); /* it has looked */
    const struct vector_features own = vector_look();
    struct vector_features others[] = {own, own, own, own, own, own};
    if (!own.parts) {
        puts("absent: the CPU has no XSAVE");
        return;
    }
    others[0].is_xgetbv_quick = own.has_xgetbv_1;
    others[1].is_xgetbv_quick = false;
    others[2].has_xgetbv_1 = others[2].is_xgetbv_quick = false;
    others[3].has_wide_masks = false; /* XSAVEC for all, where there are mask registers */
    others[4].has_wide_masks = others[4].has_xsavec = false;
    others[5].parts = 3; /* no AVX: XSAVE */
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        const struct vector_choice choice = vector_choose(&others[i]);
        if (others[i].parts != own.parts && in_use & ~(word)others[i].parts)
            continue;
        vector_use(&choice);
        check_all_parts();
        check_mmx();
        if ((vector_mask & 0xe0) == 0xe0)
            check_wide();
    }
    check_rare(own);
}

/* Alone, as most are; beside a counter; and beside a handler. */
static void check_recorded(void)
{
    const struct sdt_record_options options = {.size = sizeof options, .packet_size = 4096};
    struct sdt_recorder *recorder;
    CHECK_EQUAL(sdt_record_create("rec", &options, &recorder), 0);
    CHECK_EQUAL(sdt_record_add(recorder, "inline:registers,inline:flags"), 0);
    for (int i = 0; i < 40; i++) {
        in_use = i % 2 ? vector_mask : vector_mask & 2;
        x87 = &x87_states[(size_t)i % (sizeof x87_states / sizeof *x87_states)];
        run_all();
    }
    int count = sdt_enable("inline:registers,inline:flags", SDT_COUNT, NULL);
    run_all();
    int id = sdt_enable("inline:registers,inline:flags", ruin, NULL);
    run_all();
    CHECK_EQUAL(sdt_disable(count), 0);
    CHECK_EQUAL(sdt_disable(id), 0);
    CHECK_EQUAL(sdt_record_destroy(recorder), 0);
}

int main(int argc, char **argv)
{
    find_vectors();
    if (argc > 1 && strcmp(argv[1], "unwind") == 0) {
        int id = sdt_enable("inline:leaf", walk, NULL);
        caller_of_leaf();
        CHECK_EQUAL(sdt_disable(id), 0);
    } else if (argc > 1 && strcmp(argv[1], "record") == 0) {
        check_recorded();
    } else if (argc > 1 && strcmp(argv[1], "wide") == 0) {
        check_wide();
    } else if (argc > 1 && strcmp(argv[1], "general") == 0) {
        check_general_parts();
    } else if (argc > 1 && strcmp(argv[1], "late") == 0) {
        check_late();
    } else if (argc > 1) {
        check_other();
    } else {
        check_all_parts();
        in_use = vector_mask;
        check_leaf();
        check_mmx();
    }
    return fixture_done();
}
