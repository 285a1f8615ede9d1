/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Where a stub jumps to when its probe is on. On entry, at any site that is a call or a tail call:
 *
 *     %eax  address of the site's patch byte    (%esp)   return address
 *     %ecx  struct sdt_probe                    4(%esp)  the arguments
 *     %edx  where we are
 *
 * Every register that calls may change is dead there: these three, those of vectors, and the stack
 * of x87, which is empty at a call. So nothing is saved for the site's sake.
 *
 * The frame has full CFI, and a personality routine of our own, as on x86-64.
 */
#include "macros.inc"

        .hidden dispatch_event, unwind_personality

        .text
        FUNCTION trampoline_dispatch
        .cfi_personality 0x1b, unwind_personality
        push    %ebp
        .cfi_def_cfa_offset 8
        .cfi_offset %ebp, -8
        mov     %esp, %ebp
        .cfi_def_cfa_register %ebp
        cld     /* at a call it is clear; a handler may rely on that even where it is not */
        and     $-16, %esp
        sub     $EVENT_SIZE + 16, %esp
        lea     8(%ebp), %edx
        mov     %edx, 16 + EVENT_STACK(%esp)
        mov     %eax, 16 + EVENT_PATCH(%esp)
        mov     %ecx, 16 + EVENT_PROBE(%esp)
        movl    $0, 16 + EVENT_SITE(%esp)
        movl    $0, 16 + EVENT_REGISTERS(%esp)
        lea     16(%esp), %eax
        mov     %eax, (%esp)
        call    dispatch_event
        leave
        .cfi_def_cfa %esp, 4
        .cfi_same_value %ebp
        ret
        END     trampoline_dispatch

/*
 * To count a hit. There is one count of 64 bits for each probe, in its struct hit_state: a word of
 * each CPU, as on x86-64, would need one instruction that adds to 64 bits. What is compared first
 * is only read, in halves: if others add meanwhile, it is tried again. ADDRESS is a register that
 * has that struct; the three others that calls may change, change.
 */
        .macro  ADD_ONE address
        push    %ebx
        .cfi_adjust_cfa_offset 4
        .cfi_rel_offset %ebx, 0
        mov     STATE_HITS(\address), %eax
        mov     STATE_HITS + 4(\address), %edx
1:      mov     %eax, %ebx
        mov     %edx, %ecx
        add     $1, %ebx
        adc     $0, %ecx
        lock cmpxchg8b STATE_HITS(\address)
        jne     1b
        pop     %ebx
        .cfi_adjust_cfa_offset -4
        .cfi_same_value %ebx
        .endm

        .macro  BEGIN_COUNT name
        FUNCTION \name
        push    %esi
        .cfi_adjust_cfa_offset 4
        .cfi_rel_offset %esi, 0
        .endm

        .macro  END_COUNT name
        ADD_ONE %esi
        pop     %esi
        .cfi_adjust_cfa_offset -4
        .cfi_same_value %esi
        ret
        END     \name
        .endm

        BEGIN_COUNT trampoline_count
        mov     PROBE_RUNTIME(%ecx), %esi /* there: it was stored before the way to here */
        END_COUNT trampoline_count

/* The same for C: counters_add(), whose second argument is not needed here. */
        BEGIN_COUNT counters_add
        mov     8(%esp), %esi
        END_COUNT counters_add

        END_OF_FILE
