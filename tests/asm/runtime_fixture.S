/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Functions with one probe site each; see runtime_fixture.h for what C sees of them. FX_KIND is the
 * kind of those sites that call: SDT_KIND_CALL, _CALL6 or _INLINE.
 */
#include "runtime_site.inc"

#if FX_KIND == 3
#define SITE_HERE SITE_INLINE
#define FX_PROBE E_call
#elif FX_KIND == 2
#define SITE_HERE SITE_CALL6
#else
#define SITE_HERE SITE_CALL
#endif
#ifndef FX_PROBE
#define FX_PROBE P_call
#endif

        PROBE   fixture, call
        PROBE   fixture, twelve
        PROBE   fixture, tail
        PROBE   fixture, guarded
        PROBE   fixture, untyped
        PROBE   other, dash__name

/* For programs that look at what the runtime has counted. */
        .globl  fx_probe
        .hidden fx_probe
        .set    fx_probe, FX_PROBE

/* The arguments are already where the site wants them. */
        FUNCTION fx_call
        sub     $8, %rsp
        .cfi_adjust_cfa_offset 8
        SITE_HERE call, fx_call, 6, "-4@%rdi 8@%rsi 8p@%rdx 8f@%rcx -1@%r8 4f@%r9"
        add     $8, %rsp
        .cfi_adjust_cfa_offset -8
        ret
        END     fx_call

        FUNCTION fx_call_again
        sub     $8, %rsp
        .cfi_adjust_cfa_offset 8
        SITE_HERE call, fx_call_again, 6, "-4@%rdi 8@%rsi 8p@%rdx 8f@%rcx -1@%r8 4f@%r9"
        add     $8, %rsp
        .cfi_adjust_cfa_offset -8
        ret
        END     fx_call_again

/* Arguments 6 to 11 are copied to where a call would push them. */
        FUNCTION fx_twelve
        sub     $8, %rsp
        .cfi_adjust_cfa_offset 8
        .rept   6
        push    56(%rsp)
        .cfi_adjust_cfa_offset 8
        .endr
        SITE_HERE twelve, fx_twelve, 12, "8@%rdi 8@%rsi 8@%rdx 8@%rcx 8@%r8 8@%r9 \
-8@0(%rsp) -4@8(%rsp) 2@16(%rsp) 8f@24(%rsp) 8p@32(%rsp) 1@40(%rsp)"
        add     $56, %rsp
        .cfi_adjust_cfa_offset -56
        ret
        END     fx_twelve

/* 12 arguments, passed on as they came: 6 to 11 lie after the return address. */
        FUNCTION fx_tail
        SITE_TAIL tail, fx_tail, 12, "8@%rdi 8@%rsi 8@%rdx 8@%rcx 8@%r8 8@%r9 \
8@8(%rsp) 8@16(%rsp) 8@24(%rsp) 8@32(%rsp) 8@40(%rsp) 8@48(%rsp)"
        END     fx_tail

        FUNCTION fx_is_enabled
        SITE_ENABLED guarded, fx_is_enabled
        ret
        END     fx_is_enabled

        FUNCTION fx_is_enabled_tail
        SITE_ENABLED_TAIL guarded, fx_is_enabled_tail
        END     fx_is_enabled_tail

        FUNCTION fx_guarded
        sub     $8, %rsp
        .cfi_adjust_cfa_offset 8
        SITE_HERE guarded, fx_guarded
        add     $8, %rsp
        .cfi_adjust_cfa_offset -8
        ret
        END     fx_guarded

        FUNCTION fx_untyped
        sub     $8, %rsp
        .cfi_adjust_cfa_offset 8
        SITE_HERE untyped, fx_untyped, 6, "", 1
        add     $8, %rsp
        .cfi_adjust_cfa_offset -8
        ret
        END     fx_untyped

        FUNCTION fx_dash
        sub     $8, %rsp
        .cfi_adjust_cfa_offset 8
        SITE_HERE dash__name, fx_dash, 1, "-8@%rdi"
        add     $8, %rsp
        .cfi_adjust_cfa_offset -8
        ret
        END     fx_dash

        DSO
