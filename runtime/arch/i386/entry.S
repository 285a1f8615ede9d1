/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What sdt_probe.way can be for entries, and for a recorder (registry/way.h). This machine has none
 * of them yet: no record that has an entry is accepted (machine_form()), and no recorder can be
 * made (start/no_tools.c). So no thread comes here.
 */
#include "macros.inc"

        .text
        FUNCTION entry_nothing
        ud2
        END     entry_nothing

        .irp    name, entry_nothing_flags, entry_count, entry_count_flags, entry_save, \
                entry_save_flags, entry_general, entry_general_flags, entry_record, \
                entry_record_flags, trampoline_record
        .globl  \name
        .hidden \name
        .set    \name, entry_nothing
        .endr

        END_OF_FILE
