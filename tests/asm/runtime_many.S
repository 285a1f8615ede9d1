/* SPDX-License-Identifier: BSD-2-Clause */
/* 600 sites of three probes in one function, on several pages, in every place of a cache line. */
#include "runtime_site.inc"

        PROBE   many, one
        PROBE   many, two
        PROBE   many, three

        FUNCTION mn_run
        sub     $8, %rsp
        .cfi_adjust_cfa_offset 8
        .rept   200
        SITE_CALL one, mn_run, 0
        .nops   13, 9
        SITE_CALL6 two, mn_run, 0
        .nops   13, 9
        SITE_INLINE three, mn_run, 0
        .nops   2, 9
        .endr
        add     $8, %rsp
        .cfi_adjust_cfa_offset -8
        ret
        END     mn_run

        DSO
