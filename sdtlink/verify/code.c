/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Sites, loaders and stubs as sequences of instructions.
 *
 * The tool compares bytes with a table of bytes. Doing the same here would repeat its mistakes, so
 * the expectation is written as what a disassembler must answer: mnemonics (operands where they
 * matter), lengths and where a PC-relative operand leads. That also accepts every spelling of the
 * four-byte NOP that the format allows, and no other.
 */
#include "code.h"

#include "disasm.h"
#include "report.h"

#include <sdt/format.h>
#include <stdlib.h>
#include <string.h>

struct step {
    const char *text; /* the mnemonic, or with a blank the whole instruction; NULL: dead bytes */
    unsigned length;
};

struct form {
    const char *words; /* for messages */
    unsigned patch;    /* offset of the patch byte */
    bool has_loader;
    struct step steps[6];
};

/* clang-format off */
static const struct form forms[] = {
    [SDT_KIND_CALL] = {"nop and a 4-byte nop", 0, false, {{"nop", 1}, {"nopw", 4}}},
    [SDT_KIND_CALL6] = {"nop and a 5-byte nop", 1, false, {{"nop", 1}, {"nopw", 5}}},
    [SDT_KIND_INLINE] = {"nop and a 9-byte nop with e9 as its SIB byte", 4, false,
                         {{"nop", 1}, {"nopw *(%rcx,%rbp,8)", 9}}},
    [SDT_KIND_TAIL] = {"ret and a displacement", 0, true, {{"retq", 1}, {NULL, 4}}},
    [SDT_KIND_TAIL6] = {"ret, a displacement and int3", 0, true,
                        {{"retq", 1}, {NULL, 4}, {"int3", 1}}},
    [SDT_KIND_JCC] = {"ret and 4 zero bytes before a loader", 0, true, {{"retq", 1}, {NULL, 4}}},
    [SDT_KIND_ENABLED] = {"mov $0,%eax", 1, false, {{"movl $0, %eax", 5}}},
    [SDT_KIND_ENABLED6] = {"mov $0,%eax and nop", 1, false, {{"movl $0, %eax", 5}, {"nop", 1}}},
    [SDT_KIND_ENABLED_TAIL] = {"push $0, pop %rax, ret, int3", 1, false,
                               {{"pushq $0", 2}, {"popq %rax", 1}, {"retq", 1}, {"int3", 1}}},
    [SDT_KIND_ENABLED_TAIL6] = {"push $0, pop %rax, ret, int3, int3", 1, false,
                                {{"pushq $0", 2}, {"popq %rax", 1}, {"retq", 1}, {"int3", 1},
                                 {"int3", 1}}},
    [SDT_KIND_NOP1] = {"nop", 0, false, {{"nop", 1}}},
};
static const struct form companion_call = {"a call of the probe's stub", 0, false, {{"callq", 5}}};
static const struct form companion_tail = {"a jump to the probe's stub", 0, false, {{"jmp", 5}}};

/* "~" stands for a PC-relative operand that is judged by where it leads. */
static const struct step stub_steps[] = {
    {"movq (%rsp), %r11", 4}, {"subq $5, %r11", 4}, {"leaq ~, %r10", 7}, {"movq (%r10), %rax", 3},
    {"testq %rax, %rax", 3}, {"je +2", 2}, {"jmpq *%rax", 2}, {"retq", 1}};
/* The stub of a companion's is-enabled calls: the same two entries, and the answer is no. */
static const struct step answer_steps[] = {
    {"movq (%rsp), %r11", 4}, {"subq $5, %r11", 4}, {"leaq ~, %r10", 7}, {"xorl %eax, %eax", 2},
    {"retq", 1}};
static const struct step loader_steps[] = {{"leaq ~, %r11", 7}, {"jmp", 5}};
/* Behind it are two words, to the record and to the probe. */
static const struct step entry_steps[] = {
    {"leaq -128(%rsp), %rsp", 5}, {"callq *~", 6}, {"leaq 128(%rsp), %rsp", 8}, {"jmp", 5}};
/* clang-format on */

enum { STUB_STEPS = 8, ANSWER_STEPS = 5, LOADER_STEPS = 2, ENTRY_STEPS = 4, STUB_LEA = 2 };

static const struct form *form_of(unsigned kind)
{
    if (kind == 0 || kind >= sizeof forms / sizeof forms[0])
        return NULL;
    return &forms[kind];
}

static unsigned form_length(const struct form *form)
{
    unsigned length = 0;
    for (const struct step *step = form->steps; step->length != 0; step++)
        length += step->length;
    return length;
}

unsigned code_first_length(unsigned kind)
{
    const struct form *form = form_of(kind);
    return form ? form->steps[0].length : 0;
}

unsigned code_length(unsigned kind)
{
    const struct form *form = form_of(kind);
    return form ? form_length(form) : 0;
}

bool code_is_question(unsigned kind)
{
    return kind >= SDT_KIND_ENABLED && kind <= SDT_KIND_ENABLED_TAIL6;
}

bool code_has_loader(unsigned kind)
{
    const struct form *form = form_of(kind);
    return form && form->has_loader;
}

bool code_has_entry(unsigned kind)
{
    return kind == SDT_KIND_INLINE || kind == SDT_KIND_NOP1;
}

/* `nopw 12(%rcx,%rbp,8)` against `nopw *(%rcx,%rbp,8)`. */
static bool has_any_displacement(const char *text, const char *expected)
{
    const char *mark = strchr(expected, '*'), *operand = strchr(text, '(');
    return operand && strncmp(text, expected, (size_t)(mark - expected)) == 0 &&
           strcmp(operand, mark + 1) == 0;
}

/* `leaq 12(%rip), %r10` against `leaq ~, %r10`. */
static bool is_pc_relative(const char *text, const char *expected)
{
    const char *mark = strchr(expected, '~'), *operand = strstr(text, "(%rip)");
    return operand && strncmp(text, expected, (size_t)(mark - expected)) == 0 &&
           strcmp(operand + strlen("(%rip)"), mark + 1) == 0;
}

static bool is_step(const struct step *step, const struct insn *insn, uint64_t address)
{
    if (insn->length != step->length)
        return false;
    const char *plus = strchr(step->text, '+');
    if (plus) /* "je +2": a branch over two bytes */
        return strncmp(insn->text, step->text, (size_t)(plus - step->text)) == 0 &&
               insn->has_target && insn->target == address + step->length + strtoul(plus, NULL, 10);
    if (strchr(step->text, '~'))
        return is_pc_relative(insn->text, step->text);
    if (strchr(step->text, '*') && strncmp(step->text, "nopw", 4) == 0)
        return has_any_displacement(insn->text, step->text);
    return strchr(step->text, ' ') ? strcmp(insn->text, step->text) == 0
                                   : insn_is(insn, step->text);
}

/*
 * `66 0f 1f /0` is a NOP; other values of the register field are reserved, and the runtime knows
 * only the forms without displacement, which the length of the instruction has established.
 */
static bool is_plain_nop(const uint8_t *bytes, unsigned length)
{
    return (bytes[length - 1] & 0x38) == 0;
}

/* Whether the instructions at PLACE are STEPS. */
static bool has_steps(const struct image *image, struct place place, const struct step *steps,
                      size_t count)
{
    struct insn insn;
    uint64_t available;
    for (size_t i = 0; i < count && steps[i].length != 0; i++) {
        const uint8_t *bytes = image_bytes(image, place, &available);
        if (!bytes || available < steps[i].length)
            return false;
        if (steps[i].text) {
            uint64_t address = image->sections[place.section].address + place.offset;
            disasm_one(bytes, available, address, &insn);
            if (!is_step(&steps[i], &insn, address))
                return false;
            if (strcmp(steps[i].text, "nopw") == 0 && !is_plain_nop(bytes, insn.length))
                return false;
        }
        place.offset += steps[i].length;
    }
    return true;
}

/* Where LLVM says that the instruction at PLACE of a linked file leads. */
static bool llvm_leads_to(const struct image *image, struct place place, struct place wanted)
{
    struct insn insn;
    uint64_t available;
    const uint8_t *bytes = image_bytes(image, place, &available);
    if (!bytes)
        return false;
    disasm_one(bytes, available, image->sections[place.section].address + place.offset, &insn);
    return insn.has_target &&
           insn.target == image->sections[wanted.section].address + wanted.offset;
}

/* The displacement that ends the instruction of LENGTH bytes at PLACE must lead to WANTED. */
static bool leads_to(struct image *image, struct place place, unsigned length, struct place wanted)
{
    struct target target;
    struct place field = {place.section, place.offset + length - 4};
    return image_follow_code(image, field, &target) == FOLLOW_PLACE &&
           place_is_same(target.place, wanted) &&
           (image->is_relocatable || llvm_leads_to(image, place, wanted));
}

/* The site is as compiled until start-up. */
static void check_companion(struct image *image, const struct record *record)
{
    bool is_tail = record->kind == SDT_KIND_TAIL || record->kind == SDT_KIND_ENABLED_TAIL;
    const struct form *form = is_tail ? &companion_tail : &companion_call;
    if (record->is_external)
        return;
    if (!has_steps(image, record->pc, form->steps, 1) ||
        !leads_to(image, record->pc, form_length(form), record->stub))
        report_bytes(image, record->pc, form_length(form), record->label, "expected %s",
                     form->words);
}

/* Whether the entry at PLACE leads back to the site of RECORD. */
static bool leads_back(struct image *image, struct place entry, const struct record *record)
{
    struct place jump = {entry.section, entry.offset + 19};
    struct place resume = {record->pc.section, record->pc.offset + code_length(record->kind)};
    return image_is_code(image, entry, SDT_ENTRY_SIZE) &&
           has_steps(image, entry, entry_steps, ENTRY_STEPS) &&
           leads_to(image, jump, entry_steps[3].length, resume);
}

/* The displacement in the NOP; where a linker folded functions, it is another record's entry. */
static void check_way_to_entry(struct image *image, const struct record *record)
{
    struct target target;
    struct place field = {record->pc.section, record->pc.offset + 6};
    if (image_follow_code(image, field, &target) == FOLLOW_PLACE &&
        (place_is_same(target.place, record->stub) ||
         (!image->is_relocatable && leads_back(image, target.place, record))))
        return;
    report_bytes(image, record->pc, code_length(record->kind), record->label,
                 "expected the displacement to lead to the entry at %s",
                 report_place(image, record->stub));
}

void code_check_site(struct image *image, const struct record *record)
{
    const struct form *form = form_of(record->kind);
    if (!form) {
        report_defect(image, record->self, record->label, "unknown kind %u", record->kind);
        return;
    }
    if (record->is_companion) {
        check_companion(image, record);
        return;
    }
    struct place patch = {record->pc.section, record->pc.offset + form->patch};
    if (!place_is_same(record->patch, patch))
        report_defect(image, record->self, record->label,
                      "expected the patch byte at %s, the record says %s",
                      report_place(image, patch), report_place(image, record->patch));
    if (!image_is_code(image, record->pc, form_length(form)))
        report_defect(image, record->self, record->label,
                      "expected the site in an executable section, the record says %s",
                      report_place(image, record->pc));
    else if (!has_steps(image, record->pc, form->steps, 6))
        report_bytes(image, record->pc, form_length(form), record->label, "expected %s",
                     form->words);
    else if (record->kind == SDT_KIND_INLINE)
        check_way_to_entry(image, record);
}

/* The word at OFFSET of the entry of RECORD leads to WANTED. */
static bool names(struct image *image, const struct record *record, unsigned offset,
                  struct place wanted)
{
    struct target target;
    struct place field = {record->stub.section, record->stub.offset + offset};
    return image_follow(image, field, &target) == FOLLOW_PLACE &&
           place_is_same(target.place, wanted);
}

void code_check_entry(struct image *image, const struct record *record)
{
    const struct place entry = record->stub;
    const struct section *section = &image->sections[entry.section];
    bool live_flags = record->flags & SDT_SITE_LIVE_FLAGS;
    struct place enter = {record->probe.section, record->probe.offset + (live_flags ? 56 : 48)};
    struct place resume = {record->pc.section, record->pc.offset + code_length(record->kind)};
    struct place call = {entry.section, entry.offset + 5},
                 jump = {entry.section, entry.offset + 19};
    if (!image_is_code(image, entry, SDT_ENTRY_SIZE) ||
        !has_steps(image, entry, entry_steps, ENTRY_STEPS))
        report_bytes(image, entry, SDT_ENTRY_SIZE, record->label,
                     "expected an entry for the site at %s", report_place(image, record->pc));
    else if ((section->address + entry.offset) % SDT_ENTRY_SIZE != 0)
        report_defect(image, entry, record->label, "expected the entry aligned to %d",
                      SDT_ENTRY_SIZE);
    else if (section->group != image->sections[record->pc.section].group)
        report_defect(image, entry, record->label, "expected the entry in the group of its site");
    else if (!leads_to(image, call, entry_steps[1].length, enter))
        report_bytes(image, call, entry_steps[1].length, record->label,
                     "expected the entry to call what %s says", report_place(image, enter));
    else if (!leads_to(image, jump, entry_steps[3].length, resume))
        report_bytes(image, jump, entry_steps[3].length, record->label,
                     "expected the entry to go on at %s", report_place(image, resume));
    else if (!names(image, record, 24, record->self) || !names(image, record, 28, record->probe))
        report_bytes(image, (struct place){entry.section, entry.offset + 24}, 8, record->label,
                     "expected the entry to name its record at %s and its probe",
                     report_place(image, record->self));
}

bool code_loader(struct image *image, const struct record *record, struct place *loader)
{
    struct target target;
    struct place field = {record->pc.section, record->pc.offset + 1};
    *loader = (struct place){field.section, field.offset + 4};
    if (record->kind == SDT_KIND_JCC) /* armed, it jumps to the next instruction */
        return image_follow(image, field, &target) == FOLLOW_NOTHING;
    if (image_follow_code(image, field, &target) != FOLLOW_PLACE)
        return false;
    *loader = target.place;
    return true;
}

void code_check_loader(struct image *image, const struct record *record)
{
    struct place loader, jump;
    if (!code_loader(image, record, &loader)) {
        report_bytes(image, record->pc, 5, record->label,
                     "expected the displacement to lead to a loader");
        return;
    }
    if (image->sections[loader.section].group != image->sections[record->pc.section].group)
        report_defect(image, loader, record->label, "expected the loader in the group of its site");
    jump = (struct place){loader.section, loader.offset + loader_steps[0].length};
    struct place entry = {record->stub.section, record->stub.offset + SDT_STUB_AT};
    if (!image_is_code(image, loader, SDT_LOADER_SIZE) ||
        !has_steps(image, loader, loader_steps, LOADER_STEPS))
        report_bytes(image, loader, SDT_LOADER_SIZE, record->label,
                     "expected a loader for the site at %s", report_place(image, record->pc));
    else if (!leads_to(image, loader, loader_steps[0].length, record->patch))
        report_bytes(image, loader, SDT_LOADER_SIZE, record->label,
                     "expected the loader to name the patch byte %s",
                     report_place(image, record->patch));
    else if (!leads_to(image, jump, loader_steps[1].length, entry))
        report_bytes(image, jump, loader_steps[1].length, record->label,
                     "expected the loader to enter the stub at %s", report_place(image, entry));
}

void code_check_stub(struct image *image, const struct probe *probe)
{
    struct place lea = probe->stub;
    for (size_t i = 0; i < STUB_LEA; i++)
        lea.offset += stub_steps[i].length;
    const struct step *steps = probe->answers ? answer_steps : stub_steps;
    if (!image_is_code(image, probe->stub, SDT_STUB_SIZE) ||
        !has_steps(image, probe->stub, steps, probe->answers ? ANSWER_STEPS : STUB_STEPS))
        report_bytes(image, probe->stub, SDT_STUB_SIZE, probe->label, "expected the probe's stub");
    else if (!leads_to(image, lea, stub_steps[STUB_LEA].length, probe->self))
        report_bytes(image, lea, stub_steps[STUB_LEA].length, probe->label,
                     "expected the stub to name its probe at %s", report_place(image, probe->self));
}
