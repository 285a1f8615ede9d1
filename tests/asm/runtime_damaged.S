/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Records that lie, each in another way, and sites whose bytes were changed, between sites that
 * are right. Also two right records at one address, as linkers leave when they fold functions.
 */
#include "runtime_site.inc"

        PROBE   damaged, good
        PROBE   damaged, bytes
        PROBE   damaged, kind
        PROBE   damaged, file
        PROBE   damaged, nargs
        PROBE   damaged, loader
        PROBE   damaged, moved
        PROBE   damaged, twice

        FUNCTION dm_good
        sub     $8, %rsp
        SITE_CALL good, dm_good
        add     $8, %rsp
        ret
        END     dm_good

/* Five other bytes were put there. */
        FUNCTION dm_bytes
1:      .byte   0x0f, 0x1f, 0x44, 0x00, 0x00
        RECORD  1b, bytes, dm_bytes, "", KIND_CALL, 0
        ret
        END     dm_bytes

        FUNCTION dm_kind
1:      .byte   0x90, 0x66, 0x0f, 0x1f, 0xc0
        RECORD  1b, kind, dm_kind, "", 99, 0
        ret
        END     dm_kind

/* The name of the source leads out of the object. */
        FUNCTION dm_file
1:      .byte   0x90, 0x66, 0x0f, 0x1f, 0xc0
        .pushsection sdt_sites, "a", @progbits
        .long   1b - ., P_file - ., S_file - ., .Lname_file - ., 0, 0, 0, 0x40000000, 1
        .byte   KIND_CALL, 0
        .short  0
        .popsection
        ret
        END     dm_file

        FUNCTION dm_nargs
1:      .byte   0x90, 0x66, 0x0f, 0x1f, 0xc0
        RECORD  1b, nargs, dm_nargs, "-4@%rdi", KIND_CALL, 2
        ret
        END     dm_nargs

/* A tail site whose displacement leads elsewhere. */
        FUNCTION dm_loader
1:      .byte   0xc3
        .long   dm_good - . - 4
        RECORD  1b, loader, dm_loader, "", KIND_TAIL, 0
        END     dm_loader

/* The probe of another name. */
        FUNCTION dm_other
1:      .byte   0x90, 0x66, 0x0f, 0x1f, 0xc0
        .pushsection sdt_sites, "a", @progbits
        .long   1b - ., P_good - ., S_good - ., .Lname_file - ., 0, 0, 0, 0, 0
        .byte   KIND_CALL, 0
        .short  0
        .popsection
        ret
        END     dm_other

/* An inline site, with an entry that is right, of a probe to which others come by calls. */
        FUNCTION dm_access
.Laccess:
        .byte   0x90, 0x66, 0x0f, 0x1f, 0x84, 0xe9
        .long   .Laccess_entry - . - 4
.Laccess_end:
        ENTRY   .Laccess_entry, .Laccess_end, .Laccess_record, P_good
        RECORD  .Laccess, good, dm_access, "", KIND_INLINE, 0, 0, .Laccess_entry, \
                .Laccess_record, P_good
        ret
        END     dm_access

/* Distances that lead out of the object, in every field. */
        .pushsection sdt_sites, "a", @progbits
        .long   0x40000000, 0x40000000, 0x40000000, 0x40000000, 0x40000000, 0, 0, 0, 0
        .byte   KIND_CALL, 0
        .short  0
        .long   0x40000000, P_moved - ., S_moved - ., .Lname_moved - ., 0, 0, 0, 0, 0
        .byte   KIND_CALL, 0
        .short  0
        .long   0, 0, 0, 0, 0, 0, 0, 0, 0
        .byte   0, 0
        .short  0
        .popsection

        FUNCTION dm_twice
        sub     $8, %rsp
1:      .byte   0x90, 0x66, 0x0f, 0x1f, 0xc0
        RECORD  1b, twice, dm_twice, "", KIND_CALL, 0
        RECORD  1b, twice, dm_folded, "", KIND_CALL, 0
        RECORD  1b, moved, dm_liar, "", KIND_CALL, 0
        add     $8, %rsp
        ret
        END     dm_twice

        DSO
