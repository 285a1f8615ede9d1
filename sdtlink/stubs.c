/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The code that the tool adds; bytes and reasons are in <sdt/format.h>. All of it runs with the
 * return address on top of the stack and touches no callee-saved register, so one CIE
 * describes it all (unwind.c).
 */
#include "set.h"

#include <stdlib.h>
#include <string.h>

enum { TEXT = SHF_ALLOC | SHF_EXECINSTR };

/* The relocation of a rip-relative operand or branch: its field ends the instruction. */
static void relocate_field(struct set *set, uint32_t section, uint64_t offset, uint32_t type,
                           uint32_t symbol, uint64_t target)
{
    image_relocate(set->object, section, offset, type, symbol, (int64_t)target - 4);
}

/* ---- stubs ---- */

static const uint8_t stub_code[SDT_STUB_SIZE] = {
    0x4c, 0x8b, 0x1c, 0x24,                /*  0: mov  (%rsp),%r11 */
    0x49, 0x83, 0xeb, 0x05,                /*  4: sub  $5,%r11 */
    0x4c, 0x8d, 0x15, 0,    0,    0,    0, /*  8: lea  probe(%rip),%r10 */
    0x49, 0x8b, 0x02,                      /* 15: mov  (%r10),%rax */
    0x48, 0x85, 0xc0,                      /* 18: test %rax,%rax */
    0x74, 0x02,                            /* 21: je   1f */
    0xff, 0xe0,                            /* 23: jmp  *%rax */
    0xc3,                                  /* 25: 1: ret */
    0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc,
};

/*
 * The same start, so that the runtime recognises the target of an is-enabled call; whatever the
 * probe's state, the answer is no: the runtime rewrites the calls, and one it had to leave alone
 * belongs to a probe that cannot be used.
 */
static const uint8_t enabled_code[SDT_STUB_SIZE] = {
    0x4c, 0x8b, 0x1c, 0x24,                /*  0: mov  (%rsp),%r11 */
    0x49, 0x83, 0xeb, 0x05,                /*  4: sub  $5,%r11 */
    0x4c, 0x8d, 0x15, 0,    0,    0,    0, /*  8: lea  probe(%rip),%r10 */
    0x31, 0xc0,                            /* 15: xor  %eax,%eax */
    0xc3,                                  /* 17: ret */
    0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc,
};

static uint32_t add_stub_section(struct set *set, const uint8_t *code, uint32_t record,
                                 uint32_t group)
{
    uint32_t section =
        image_add_section(set->object, SDT_SECTION_STUB, SHT_PROGBITS, TEXT, SDT_STUB_SIZE, group);
    image_append(set->object, section, code, SDT_STUB_SIZE);
    relocate_field(set, section, SDT_STUB_AT + 3, R_X86_64_PC32, record, 0);
    unwind_add(set, section, 0, SDT_STUB_SIZE);
    return section;
}

void stubs_add_stub(struct set *set, const struct probe *probe, struct set_probe *made,
                    uint32_t group)
{
    made->stub_section = add_stub_section(set, stub_code, made->record, group);
    char *name = memory_format("%s%.*s___%.*s", SDT_SYMBOL_STUB, (int)probe->provider.length,
                               probe->provider.text, (int)probe->name.length, probe->name.text);
    made->stub = image_add_symbol(set->object, name, STB_WEAK, STT_FUNC, STV_HIDDEN,
                                  made->stub_section, 0, SDT_STUB_SIZE);
    free(name);
}

uint32_t stubs_add_enabled(struct set *set, uint32_t record)
{
    return add_stub_section(set, enabled_code, record, 0);
}

/* ---- loaders ---- */

static const uint8_t loader_code[SDT_LOADER_SIZE] = {
    0x4c, 0x8d, 0x1d, 0,    0, 0, 0, /*  0: lea  patch(%rip),%r11 */
    0xe9, 0,    0,    0,    0,       /*  7: jmp  stub + SDT_STUB_AT */
    0xcc, 0xcc, 0xcc, 0xcc,          /* 12: int3 */
};

/* Of a jcc: the site itself, a ret that becomes a jump to the next instruction. */
static const uint8_t jcc_site[] = {0xc3, 0, 0, 0, 0};
static const uint8_t jcc_padding[] = {0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc,
                                      0xcc, 0xcc, 0xcc, 0xcc, 0xcc};

/* Where a jcc that asks leads: the answer to its caller's caller. */
static const uint8_t moved_question[SDT_LOADER_SIZE] = {
    0x6a, 0,                            /* 0: push $0 */
    0x58,                               /* 2: pop  %rax */
    0xc3,                               /* 3: ret */
    0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc, /* 4: int3 */
    0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc,
};

/* PATCH_SECTION + PATCH is the patch byte of the site. */
static void add_loader(struct set *set, const struct planned_text *text,
                       const struct planned_site *site, uint32_t patch_section, uint64_t patch)
{
    struct object *o = set->object;
    uint32_t probe = site->site->probe;
    uint64_t at = image_append(o, text->loaders, loader_code, sizeof loader_code);
    relocate_field(set, text->loaders, at + 3, R_X86_64_PC32,
                   image_section_symbol(o, patch_section), patch);
    relocate_field(set, text->loaders, at + 8, R_X86_64_PC32, set->probes[probe].stub, SDT_STUB_AT);
}

static void add_moved(struct set *set, const struct planned_text *text,
                      const struct planned_site *site)
{
    struct object *o = set->object;
    if (site->form->is_flag) {
        image_append(o, text->loaders, moved_question, sizeof moved_question);
        return;
    }
    uint64_t at = image_append(o, text->loaders, jcc_site, sizeof jcc_site);
    add_loader(set, text, site, text->loaders, at);
    image_append(o, text->loaders, jcc_padding, sizeof jcc_padding);
}

void stubs_add_loaders(struct set *set, struct plan *plan)
{
    struct object *o = set->object;
    for (uint32_t t = 0; t < plan->text_count; t++) {
        struct planned_text *text = &plan->texts[t];
        if (!text->loader_size)
            continue;
        text->loaders = image_add_section(o, SDT_SECTION_LOADER, SHT_PROGBITS, TEXT,
                                          SDT_LOADER_SIZE, o->sections[text->section].group);
        image_section_symbol(o, text->loaders);
        for (uint32_t i = text->first; i < text->first + text->count; i++) {
            const struct planned_site *site = &plan->sites[i];
            if (site->site->is_moved)
                add_moved(set, text, site);
            else if (site->has_loader)
                add_loader(set, text, site, text->section, site->site->offset + site->form->patch);
        }
        unwind_add(set, text->loaders, 0, text->loader_size);
    }
}

/* ---- functions for address-taken symbols ---- */

static const uint8_t taken_call[] = {
    0xf3, 0x0f, 0x1e, 0xfa, /* endbr64: an indirect call may come here */
    0xc3,                   /* ret */
};
static const uint8_t taken_enabled[] = {
    0xf3, 0x0f, 0x1e, 0xfa, /* endbr64 */
    0x31, 0xc0,             /* xor %eax,%eax */
    0xc3,                   /* ret */
};

/* The undefined symbol itself becomes the definition, in a group of its name. */
static void add_taken(struct set *set, const struct probe_symbol *symbol)
{
    struct object *o = set->object;
    bool is_enabled = symbol->name.use == SDT_USE_ENABLED;
    const uint8_t *code = is_enabled ? taken_enabled : taken_call;
    size_t size = is_enabled ? sizeof taken_enabled : sizeof taken_call;
    uint32_t group = image_add_group(o, symbol->symbol);
    uint32_t section = image_add_section(o, SDT_SECTION_TAKEN, SHT_PROGBITS, TEXT, 16, group);
    image_append(o, section, code, size);
    unwind_add(set, section, 0, (uint32_t)size);
    image_define_symbol(o, symbol->symbol, STB_WEAK, STT_FUNC, STV_HIDDEN, section, size);
}

void stubs_add_taken(struct set *set)
{
    const struct sites *found = set->plan->found;
    for (uint32_t i = 0; i < found->symbol_count; i++)
        if (found->symbols[i].is_taken && !found->symbols[i].is_defined)
            add_taken(set, &found->symbols[i]);
}

/* ---- registration ---- */

static const uint8_t constructor_code[] = {
    0x48, 0x8b, 0x05, 0, 0, 0, 0, /*  0: mov  __sdt_register@GOTPCREL(%rip),%rax */
    0x48, 0x85, 0xc0,             /*  7: test %rax,%rax */
    0x74, 0x09,                   /* 10: je   1f */
    0x48, 0x8d, 0x3d, 0, 0, 0, 0, /* 12: lea  dso(%rip),%rdi */
    0xff, 0xe0,                   /* 19: jmp  *%rax */
    0xc3,                         /* 21: 1: ret */
    0xcc, 0xcc,
};

static void add_constructor(struct set *set, uint32_t code, uint32_t dso, const char *callee,
                            const char *array, uint32_t array_type)
{
    struct object *o = set->object;
    uint32_t group = o->sections[code].group;
    uint64_t at = image_append(o, code, constructor_code, sizeof constructor_code);
    uint32_t symbol =
        image_add_symbol(o, callee, STB_WEAK, STT_NOTYPE, STV_DEFAULT, SHN_UNDEF, 0, 0);
    relocate_field(set, code, at + 3, R_X86_64_REX_GOTPCRELX, symbol, 0);
    relocate_field(set, code, at + 15, R_X86_64_PC32, image_section_symbol(o, dso), 0);
    uint32_t pointers = image_add_section(o, array, array_type, SHF_ALLOC | SHF_WRITE, 8, group);
    o->sections[pointers].header.sh_entsize = 8;
    image_append(o, pointers, NULL, 8);
    image_relocate(o, pointers, 0, R_X86_64_64, image_section_symbol(o, code), (int64_t)at);
}

void stubs_add_constructors(struct set *set, uint32_t dso, uint32_t group)
{
    uint32_t code = image_add_section(set->object, ".text.sdt_dso", SHT_PROGBITS, TEXT, 16, group);
    add_constructor(set, code, dso, "__sdt_register", ".init_array", SHT_INIT_ARRAY);
    add_constructor(set, code, dso, "__sdt_unregister", ".fini_array", SHT_FINI_ARRAY);
    unwind_add(set, code, 0, 2 * sizeof constructor_code);
}

void stubs_add_stack_note(struct set *set)
{
    image_add_section(set->object, ".note.GNU-stack", SHT_PROGBITS, 0, 1, 0);
}
