/* SPDX-License-Identifier: BSD-2-Clause */
/* What entries and stubs of a freestanding set lead to (freestanding/by_word.c). */
#define PERSONALITY

#include "macros.inc"
#include "event.inc"
#include "save.inc"

        .cfi_sections .debug_frame /* for debuggers: kernels have no .eh_frame */
        .text
        FUNCTION entry_nothing
        ret
        END     entry_nothing

        SAVE    entry_save, 0, 0, enter_dispatch
        MAKE_EVENT trampoline_dispatch, dispatch_event

        END_OF_FILE
