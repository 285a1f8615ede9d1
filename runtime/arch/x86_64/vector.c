/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * How vector.S saves the vector registers, and how much room that takes: determined once, before
 * the first site with an entry is armed. CPUID tells what there is. What it does not tell is
 * measured: whether XGETBV is faster than FXAM (8 against 239 cycles on an Intel Xeon of the Ice
 * Lake kind, 35 against 15 on an AMD EPYC of the Zen 4 kind).
 *
 * Source: Intel SDM vol. 1, chapter 13 (XSAVE; CPUID leaf 0DH gives size and place of each part).
 */
#define _GNU_SOURCE
#include "vector.h"

#include <cpuid.h>
#include <time.h>

enum {
    FXSAVE_SIZE = 512,
    XSAVE_SIZE = 576, /* with its header */
    X87 = 1,
    COMMON = 7,    /* x87, SSE, AVX */
    AVX512 = 0xe0, /* masks, upper halves of zmm0-15, zmm16-31 */
    APX = 0x80000, /* r16-r31: nothing here moves those */
    AMX = 0x60000, /* the form of tiles, and what they hold: 8 KiB */
    HAND_COMMON = 64 + 16 * 32,
    HAND_AVX512 = 64 + 32 * 64 + 8 * 8,
    HAS_XSAVEC = 2, /* of leaf 0DH, 1 */
    HAS_XGETBV_1 = 4,
    IN_USE = 1 /* XGETBV(1) */
};

/* For vector.S. Until the CPU has been examined: by FXSAVE, which every x86-64 has. */
uint32_t entry_way, entry_parts, entry_xsave_parts, entry_rare_parts;
uint64_t entry_hand_size, entry_xsave_size = FXSAVE_SIZE, entry_rare_size;
/* An XSAVE area that says of each part that it is as in a new process. */
_Alignas(64) const uint8_t vector_initial[XSAVE_SIZE];

static uint32_t xgetbv(uint32_t which)
{
    uint32_t low, high;
    __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(which));
    return low;
}

/* ---- Time. ---- */

enum { REPEAT = 64, TRIES = 5 };

static void ask_xgetbv(void)
{
    for (int i = 0; i < REPEAT; i++)
        xgetbv(IN_USE);
}

/* The x87 stack is empty here, as in every function. */
static void ask_fxam(void)
{
    for (int i = 0; i < REPEAT; i++)
        __asm__ volatile("fxam\n\tfnstsw %%ax" : : : "ax");
}

static int64_t now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

/* The least time of some tries: whatever else the machine does only adds to it. */
static int64_t time_of(void (*ask)(void))
{
    int64_t least = INT64_MAX;
    for (int i = 0; i < TRIES; i++) {
        int64_t begin = now();
        ask();
        int64_t took = now() - begin;
        if (took < least)
            least = took;
    }
    return least;
}

/* FXAM marks x87 as in use, for this thread and those that it will start, which makes all their
 * hits slower: not if it was not. */
static bool is_xgetbv_quicker(void)
{
    bool was_in_use = xgetbv(IN_USE) & X87;
    bool is_quicker = time_of(ask_xgetbv) < time_of(ask_fxam);
    if (!was_in_use)
        __asm__ volatile("xrstor64 %0" : : "m"(vector_initial), "a"(X87), "d"(0));
    return is_quicker;
}

/* ---- What there is. ---- */

/*
 * Each CPUID of a virtual machine is an exit to its hypervisor, 1 to 70 us. So none is asked twice,
 * as __get_cpuid() would, which first asks for the highest leaf: OSXSAVE says that leaf 0DH is
 * there, and AVX-512 that leaf 7 is.
 */
struct answer {
    unsigned a, b, c, d;
};

static struct answer ask(unsigned leaf, unsigned subleaf)
{
    struct answer answer;
    __cpuid_count(leaf, subleaf, answer.a, answer.b, answer.c, answer.d);
    return answer;
}

/* What XSAVE writes for PARTS, and with AMX. */
static void find_sizes(struct vector_features *features, uint32_t parts)
{
    features->xsave_size = features->rare_size = XSAVE_SIZE;
    for (unsigned part = 2; part < 32; part++) {
        if (!((parts | AMX) & features->parts & 1u << part))
            continue;
        struct answer of_part = ask(0xd, part);
        uint32_t end = of_part.b + of_part.a; /* its place, its size */
        if (parts & 1u << part && end > features->xsave_size)
            features->xsave_size = end;
        if (end > features->rare_size)
            features->rare_size = end;
    }
}

struct vector_features vector_look(void)
{
    struct vector_features features = {0};
    if (!(ask(1, 0).c & bit_OSXSAVE))
        return features;
    features.parts = xgetbv(0);
    find_sizes(&features, COMMON | AVX512 | APX);
    struct answer ways = ask(0xd, 1);
    features.has_xsavec = ways.a & HAS_XSAVEC;
    features.has_xgetbv_1 = ways.a & HAS_XGETBV_1;
    if (features.parts & AVX512)
        features.has_wide_masks = ask(7, 0).b & bit_AVX512BW;
    if (features.has_xgetbv_1)
        features.is_xgetbv_quick = is_xgetbv_quicker();
    return features;
}

/* ---- What to do. ---- */

struct vector_choice vector_choose(const struct vector_features *features)
{
    struct vector_choice choice = {.xsave_size = FXSAVE_SIZE};
    uint32_t parts = features->parts & (COMMON | AVX512 | APX);
    if (!parts)
        return choice;
    choice.xsave_parts = parts;
    choice.xsave_size = features->xsave_size;
    choice.rare_parts = features->has_xgetbv_1 ? features->parts & AMX : 0;
    choice.rare_size = choice.rare_parts ? features->rare_size : 0;
    choice.way = features->has_xsavec ? WAY_COMPACT : 0;
    bool has_all = (parts & AVX512) == AVX512 && features->has_wide_masks;
    if ((parts & COMMON) != COMMON || (parts & APX) || (parts & AVX512 && !has_all))
        return choice;
    choice.way |= WAY_HAND;
    if (features->has_xgetbv_1 && (features->is_xgetbv_quick || choice.rare_parts))
        choice.way |= WAY_TELLS;
    choice.parts = parts;
    choice.hand_size = parts & AVX512 ? HAND_AVX512 : HAND_COMMON;
    return choice;
}

void vector_use(const struct vector_choice *choice)
{
    entry_parts = choice->parts;
    entry_hand_size = choice->hand_size;
    entry_xsave_parts = choice->xsave_parts;
    entry_xsave_size = choice->xsave_size;
    entry_rare_parts = choice->rare_parts;
    entry_rare_size = choice->rare_size;
    entry_way = choice->way;
}

void vector_prepare(void)
{
    static bool is_done;
    if (is_done)
        return;
    is_done = true;
    struct vector_features features = vector_look();
    struct vector_choice choice = vector_choose(&features);
    vector_use(&choice);
}
