/* SPDX-License-Identifier: BSD-2-Clause */
/* How vector registers are kept, by what a CPU can do: the choice for CPUs of every kind. */
#include "check.h"

#include <arch/x86_64/vector.h>

enum { X87_SSE = 3, AVX = 7, AVX512 = 0xe7, AMX = 0x60000, APX = 0x80000 };

static struct vector_choice choose(uint32_t parts, uint32_t size, bool has_xgetbv_1, bool is_quick)
{
    const struct vector_features features = {.parts = parts,
                                             .xsave_size = size,
                                             .rare_size = 11008,
                                             .has_xsavec = true,
                                             .has_xgetbv_1 = has_xgetbv_1,
                                             .has_wide_masks = true,
                                             .is_xgetbv_quick = is_quick};
    return vector_choose(&features);
}

/* Without AVX there is nothing that moves are written for; without XSAVE, FXSAVE is left. */
static void test_old(void)
{
    struct vector_choice none = choose(0, 0, false, false);
    CHECK(none.way == 0 && none.xsave_parts == 0 && none.xsave_size == 512);
    struct vector_choice sse = choose(X87_SSE, 576, false, false);
    CHECK(sse.way == WAY_COMPACT && sse.xsave_parts == X87_SSE && sse.xsave_size == 576);
}

static void test_by_hand(void)
{
    struct vector_choice avx = choose(AVX, 832, false, false);
    CHECK(avx.way == (WAY_COMPACT | WAY_HAND) && avx.parts == AVX);
    CHECK(avx.hand_size >= 64 + 16 * 32 && avx.hand_size < 1024);
    struct vector_choice wide = choose(AVX512, 2432, true, false);
    CHECK(wide.way == (WAY_COMPACT | WAY_HAND) && wide.parts == AVX512);
    CHECK(wide.hand_size >= 64 + 32 * 64 + 8 * 8 && wide.hand_size <= 2432);
    CHECK(choose(AVX512 | AMX, 2432, true, false).parts == AVX512);
}

/* It is asked what is in use where that is quick, and where the CPU can say so. */
static void test_asking(void)
{
    CHECK(choose(AVX512, 2432, true, true).way & WAY_TELLS);
    CHECK(choose(AVX, 832, true, true).way & WAY_TELLS);
    CHECK(!(choose(AVX512, 2432, false, true).way & WAY_TELLS));
}

/* Tiles are saved if they are in use, so it is asked; where it cannot be asked there are none. */
static void test_tiles(void)
{
    for (int is_quick = 0; is_quick < 2; is_quick++) {
        struct vector_choice tiles = choose(AVX512 | AMX, 2432, true, is_quick);
        CHECK(tiles.way == (WAY_COMPACT | WAY_HAND | WAY_TELLS));
        CHECK(tiles.rare_parts == AMX && tiles.rare_size == 11008);
        CHECK(tiles.xsave_parts == AVX512 && tiles.xsave_size == 2432);
    }
    struct vector_choice with_apx = choose(AVX512 | AMX | APX, 2560, true, true);
    CHECK(with_apx.rare_parts == AMX && !(with_apx.way & WAY_HAND));
    CHECK(choose(AVX512, 2432, true, true).rare_parts == 0);
}

/* What no move here saves: mask registers of 64 bits with AVX512F alone, and r16-r31. */
static void test_by_xsave(void)
{
    struct vector_features few = {.parts = AVX512, .xsave_size = 2432, .has_xgetbv_1 = true};
    CHECK(vector_choose(&few).way == 0 && vector_choose(&few).xsave_parts == AVX512);
    struct vector_choice apx = choose(AVX512 | APX, 2560, true, true);
    CHECK(apx.way == WAY_COMPACT && apx.xsave_parts == (AVX512 | APX) && apx.xsave_size == 2560);
    CHECK(!(choose(AVX | 0x20, 1088, true, true).way & WAY_HAND)); /* masks without zmm */
}

/* Of the machine at hand only what must hold on every one. */
static void test_look(void)
{
    struct vector_features own = vector_look();
    CHECK(own.parts == 0 || ((own.parts & X87_SSE) == X87_SSE && own.xsave_size >= 576));
    CHECK(own.has_xgetbv_1 || !own.is_xgetbv_quick);
}

int main(void)
{
    test_old();
    test_by_hand();
    test_asking();
    test_by_xsave();
    test_tiles();
    test_look();
    return check_failures != 0;
}
