/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Unwind information for the code that the tool adds, so that at every instruction of a hit
 * debuggers, profilers and exceptions find the whole stack, also in a core dump.
 *
 * The CIEs and their FDEs are appended to the object's own .eh_frame. A second section of that name
 * would be simpler, but ld.bfd's garbage collector remembers only one .eh_frame per object when it
 * looks for the exception tables of live functions, and then throws those of all others away.
 *
 * An entry is no function: the thread came by a jump, and the frame above is that of the probed
 * function as it was at the site. So its rules are expressions. All entries of a section have the
 * same bytes at the same place of 32, hence one FDE tells about all of them from the low bits of
 * the program counter, as linkers do for a PLT; and where the thread goes on is read from the jump
 * at the entry's end. Source: DWARF 5, sections 2.5 (operators) and 6.4.2; x86-64 psABI, table 3.36
 * (16 is the column of the return address, hence of rip).
 */
#include "set.h"

#include <string.h>

/* CFA is rsp + 8, the return address at CFA - 8. */
static const uint8_t plain_cie[] = {
    20,   0,    0, 0, /* length */
    0,    0,    0, 0, /* a CIE */
    1,                /* version */
    'z',  'R',  0,    /* augmentation */
    1,                /* code alignment */
    0x78,             /* data alignment -8 */
    16,               /* return address column: rip */
    1,    0x1b,       /* FDE pointers are pcrel | sdata4 */
    0x0c, 7,    8,    /* DW_CFA_def_cfa rsp, 8 */
    0x90, 1,          /* DW_CFA_offset rip, CFA-8 */
    0,    0,          /* DW_CFA_nop */
};

_Static_assert(sizeof plain_cie % 8 == 0, "see above");

/* Where all entries begin and end to have the red zone above the stack pointer. */
enum { MOVED = 5, BACK = 19 };
_Static_assert(BACK == SDT_ENTRY_RETURN + 8 && SDT_ENTRY_SIZE == 32, "as written below");

/* clang-format off */
static const uint8_t entry_cie[] = {
    60,   0,    0,    0,            /* length */
    0,    0,    0,    0,            /* a CIE */
    1,                              /* version */
    'z',  'R',  0,                  /* augmentation */
    1,                              /* code alignment */
    0x78,                           /* data alignment -8 */
    16,                             /* return address column: rip */
    1,    0x1b,                     /* FDE pointers are pcrel | sdata4 */
    0x0f, 16,                       /* DW_CFA_def_cfa_expression: rsp + 128 if MOVED <= at < BACK */
    0x77, 0,                        /*   breg7 0: rsp */
    0x80, 0,    0x4f, 0x1a,         /*   breg16 0, lit31, and: at */
    0x12, 0x35, 0x2a,               /*   dup, lit5, ge */
    0x16, 0x43, 0x2d,               /*   swap, lit19, lt */
    0x1a, 0x37, 0x24, 0x22,         /*   and, lit7, shl, plus */
    0x16, 16,   19,                 /* DW_CFA_val_expression of rip: where the jump leads */
    0x80, 0,    0x4f, 0x20, 0x1a,   /*   breg16 0, lit31, not, and: the entry */
    0x12, 0x23, SDT_ENTRY_JUMP,     /*   dup, plus_uconst */
    0x94, 4,                        /*   deref_size 4 */
    0x08, 32,   0x24,               /*   const1u 32, shl, … */
    0x08, 32,   0x26,               /*   const1u 32, shra: its sign */
    0x22, 0x23, SDT_ENTRY_JUMP + 4, /*   plus, plus_uconst */
    0,    0,    0,    0,            /* DW_CFA_nop */
    0,    0,    0,
};
/* clang-format on */
_Static_assert(sizeof entry_cie % 8 == 0, "see above");

/* Whether more can be appended: a zero length ends the section for every reader. */
static bool is_open(const struct section *s)
{
    uint32_t length;
    size_t at = 0;
    while (s->size - at >= sizeof length) {
        memcpy(&length, s->data + at, sizeof length);
        if (length == 0 || length > s->size - at - sizeof length)
            return false;
        at += sizeof length + length;
    }
    return at == s->size && at % 4 == 0;
}

static uint32_t find_unwind(const struct object *o)
{
    for (uint32_t i = o->last_unwind; i > 0; i--) {
        const struct section *s = &o->sections[i];
        if (s->is_unwind && s->header.sh_type != SHT_NOBITS && !s->group && is_open(s))
            return i;
    }
    return 0;
}

/* Where CIE, of SIZE bytes, is in the object's .eh_frame; *AT remembers it. */
static uint64_t cie_at(struct set *set, const uint8_t *cie, size_t size, uint64_t *at)
{
    struct object *o = set->object;
    if (!set->unwind)
        set->unwind = find_unwind(o);
    if (!set->unwind)
        set->unwind = image_add_section(o, ".eh_frame", SHT_X86_64_UNWIND, SHF_ALLOC, 8, 0);
    if (!*at)
        *at = image_append(o, set->unwind, cie, size) + 1; /* it may be the first thing there */
    return *at - 1;
}

static void add(struct set *set, uint64_t cie, uint32_t section, uint64_t offset, uint32_t size)
{
    struct object *o = set->object;
    uint64_t at = section_size(&o->sections[set->unwind]);
    const uint32_t fde[] = {
        20,                       /* length */
        (uint32_t)(at + 4 - cie), /* distance back to the CIE */
        0,                        /* start of the code */
        size,
        0, /* its size; augmentation length, nops */
        0,
    };
    image_append(o, set->unwind, fde, sizeof fde);
    image_relocate(o, set->unwind, at + 8, R_X86_64_PC32, image_section_symbol(o, section),
                   (int64_t)offset);
}

void unwind_add(struct set *set, uint32_t section, uint64_t offset, uint32_t size)
{
    add(set, cie_at(set, plain_cie, sizeof plain_cie, &set->unwind_cie), section, offset, size);
}

void unwind_add_entries(struct set *set, uint32_t section, uint32_t size)
{
    add(set, cie_at(set, entry_cie, sizeof entry_cie, &set->entry_cie), section, 0, size);
}
