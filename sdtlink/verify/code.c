/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Sites, and the code that the tool adds for them, against what they must be.
 *
 * The machine (arch.h) has them as lists of instructions. Here it is known what leads where: a site
 * to its loader or entry, a loader to the stub, an entry to the record, the probe and back.
 */
#include "code.h"

#include "arch.h"
#include "disasm.h"
#include "follow.h"
#include "report.h"

#include <limits.h>
#include <sdt/format.h>
#include <string.h>

static const struct form *form_of(const struct image *image, unsigned kind)
{
    if (kind == 0 || kind >= image->arch->nforms || image->arch->forms[kind].steps[0].length == 0)
        return NULL;
    return &image->arch->forms[kind];
}

/* The bytes of the first COUNT of STEPS. */
static unsigned steps_length(const struct step *steps, unsigned count)
{
    unsigned length = 0;
    for (unsigned i = 0; i < count && steps[i].length != 0; i++)
        length += steps[i].length;
    return length;
}

static unsigned all_length(const struct step *steps)
{
    return steps_length(steps, UINT_MAX);
}

unsigned code_first_length(const struct image *image, unsigned kind)
{
    const struct form *form = form_of(image, kind);
    return form ? form->steps[0].length : 0;
}

unsigned code_length(const struct image *image, unsigned kind)
{
    const struct form *form = form_of(image, kind);
    return form ? all_length(form->steps) : 0;
}

bool code_has_loader(const struct image *image, unsigned kind)
{
    const struct form *form = form_of(image, kind);
    return form && form->has_loader;
}

/* A companion's site, as compiled. */
static const struct form *companion_form(const struct image *image, unsigned kind)
{
    bool is_tail = kind == SDT_KIND_TAIL || kind == SDT_KIND_ENABLED_TAIL;
    return is_tail ? image->arch->companion_tail : image->arch->companion_call;
}

unsigned code_site_length(const struct image *image, const struct record *record)
{
    return record_is_compiled(record) ? all_length(companion_form(image, record->kind)->steps)
                                      : code_length(image, record->kind);
}

/* In an object: that linkers do not change the instruction at PLACE, since nothing in STEP is left
 * open (`~`). On x86-64 displacements have fields of their own, which are followed. */
static bool is_left_alone(const struct image *image, struct place place, const struct step *step)
{
    const struct section *section = &image->sections[place.section];
    if (!image->arch->reach || strchr(step->text, '~'))
        return true;
    for (size_t i = image_rela_index(section, place.offset);
         i < section->nrelocs && section->relocs[i].offset < place.offset + step->length; i++)
        if (!rela_is_idle(image, &section->relocs[i]))
            return false;
    return true;
}

/* In an object: that linkers keep all LENGTH bytes of the code at PLACE. */
static void check_length(struct image *image, struct place place, unsigned length,
                         const char *label)
{
    const struct section *section = &image->sections[place.section];
    for (size_t i = image_rela_index(section, place.offset);
         i < section->nrelocs && section->relocs[i].offset < place.offset + length; i++)
        if (rela_meaning(image, &section->relocs[i]) == RELOC_SHORTEN)
            report_defect(image, (struct place){place.section, section->relocs[i].offset}, label,
                          "expected code that linkers do not shorten, found relocation type %u "
                          "(%s)",
                          section->relocs[i].type, image->arch->shorten_name);
}

/* Whether the instruction at PLACE is STEP, or in a linked file what linkers may make of it. */
static bool has_step(const struct image *image, struct place place, const struct step *step)
{
    struct insn insn;
    struct step relaxed = *step;
    relaxed.text = step->relaxed;
    return disasm_at(image, place, &insn) && is_left_alone(image, place, step) &&
           (image->arch->is_step(step, &insn) ||
            (step->relaxed && !image->is_relocatable && image->arch->is_step(&relaxed, &insn)));
}

/* Whether the instructions at PLACE are STEPS. */
static bool has_steps(const struct image *image, struct place place, const struct step *steps)
{
    uint64_t available;
    for (const struct step *step = steps; step->length != 0; step++) {
        if (!image_bytes(image, place, &available) || available < step->length)
            return false;
        if (step->text && !has_step(image, place, step))
            return false;
        place.offset += step->length;
    }
    return true;
}

/* Instruction INDEX of the STEPS at PLACE. */
static struct place step_place(struct place place, const struct step *steps, unsigned index)
{
    place.offset += steps_length(steps, index);
    return place;
}

/* Where LLVM says that the instruction at PLACE of a linked file leads. */
static bool llvm_leads_to(const struct image *image, struct place place, struct place wanted)
{
    struct insn insn;
    return disasm_at(image, place, &insn) && insn.has_target &&
           insn.target == image->sections[wanted.section].address + wanted.offset;
}

/* The field of instruction INDEX of the STEPS at PLACE, or that of dead bytes. */
static struct place field_of(struct place place, const struct step *steps, unsigned index)
{
    place = step_place(place, steps, index);
    place.offset += steps[index].text ? steps[index].field : 0;
    return place;
}

/* Where instruction INDEX of the STEPS at PLACE leads, or the distance in dead bytes. */
static enum follow follow_step(struct image *image, struct place place, const struct step *steps,
                               unsigned index, struct target *target)
{
    struct place field = field_of(place, steps, index);
    if (steps[index].text)
        return image_follow_code(image, field, target);
    int64_t bias = (int64_t)steps[index].field - (int64_t)steps_length(steps, index);
    return image_follow_word(image, field, bias, target);
}

/* Instruction INDEX of the STEPS at PLACE must lead to WANTED. */
static bool leads_to(struct image *image, struct place place, const struct step *steps,
                     unsigned index, struct place wanted)
{
    struct target target;
    return follow_step(image, place, steps, index, &target) == FOLLOW_PLACE &&
           place_is_same(target.place, wanted) &&
           (image->is_relocatable || image->arch->reach ||
            llvm_leads_to(image, step_place(place, steps, index), wanted));
}

/* Instruction INDEX of the STEPS at PLACE must lead to FUNCTION. Of a file without its symbol,
 * nothing can be said but that there is code. */
static bool leads_to_function(struct image *image, struct place place, const struct step *steps,
                              unsigned index, enum runtime_function function)
{
    struct target target;
    const struct symbol *symbol = image->runtime[function];
    enum follow how = follow_step(image, place, steps, index, &target);
    if (how == FOLLOW_UNDEFINED)
        return target.beyond == 0 && strcmp(target.symbol->name, runtime_names[function]) == 0;
    return how == FOLLOW_PLACE && image_is_code(image, target.place, 1) &&
           (!symbol ||
            (symbol->section == target.place.section && symbol->value == target.place.offset));
}

/* The site is as compiled until start-up. */
static void check_companion(struct image *image, const struct record *record)
{
    const struct form *form = companion_form(image, record->kind);
    if (record->is_external)
        return;
    if (!has_steps(image, record->pc, form->steps) ||
        !leads_to(image, record->pc, form->steps, 0, record->stub))
        report_bytes(image, record->pc, all_length(form->steps), record->label, "expected %s",
                     form->words);
}

/* Whether the instructions at the branch of RECORD, which a companion moved, are one. */
static bool is_companion_branch(struct image *image, const struct record *record)
{
    const struct arch *arch = image->arch;
    struct insn insn;
    if (arch->is_kept)
        return disasm_at(image, record->branch, &insn) && arch->is_kept(&insn, record->kind);
    return has_steps(image, record->branch, arch->companion_tail->steps) ||
           (kind_is_question(record->kind) &&
            has_steps(image, record->branch, arch->companion_call->steps));
}

/* It leads to the stub until start-up. */
static void check_companion_branch(struct image *image, const struct record *record)
{
    struct target target;
    if (!record->has_branch)
        return;
    if (!is_companion_branch(image, record) ||
        image_follow_code(image, record->branch, &target) != FOLLOW_PLACE ||
        !place_is_same(target.place, record->stub))
        report_bytes(image, record->branch, all_length(image->arch->companion_call->steps),
                     record->label, "expected a branch to the stub at %s, for the site at %s",
                     report_place(image, record->stub), report_place(image, record->pc));
}

/* The entry that a site of KIND must have. */
static const struct entry_form *entry_of(const struct image *image, unsigned kind)
{
    const struct arch *arch = image->arch;
    return kind_is_of_note(kind) && arch->note_entry.steps ? &arch->note_entry : &arch->entry;
}

/* Where the site of RECORD leads when its code goes on. */
static struct place after_site(const struct image *image, const struct record *record)
{
    return (struct place){record->pc.section, record->pc.offset + code_length(image, record->kind)};
}

/* Whether the entry at PLACE leads back to the site of RECORD. */
static bool leads_back(struct image *image, struct place entry, const struct record *record)
{
    const struct entry_form *form = entry_of(image, record->kind);
    return image_is_code(image, entry, SDT_ENTRY_SIZE) && has_steps(image, entry, form->steps) &&
           leads_to(image, entry, form->steps, form->jump, after_site(image, record));
}

/* The displacement in the NOP; where a linker folded functions, it is another record's entry. */
static void check_way_to_entry(struct image *image, const struct record *record)
{
    struct target target;
    const struct form *form = form_of(image, record->kind);
    struct place field = {record->pc.section, record->pc.offset + form->way};
    if (image_follow_code(image, field, &target) == FOLLOW_PLACE &&
        (place_is_same(target.place, record->stub) ||
         (!image->is_relocatable && leads_back(image, target.place, record))))
        return;
    report_bytes(image, record->pc, all_length(form->steps), record->label,
                 "expected the displacement to lead to the entry at %s",
                 report_place(image, record->stub));
}

bool code_leads_to_entry(const struct image *image, const struct record *record)
{
    const struct form *form = form_of(image, record->kind);
    bool has_way = record->kind == SDT_KIND_INLINE || kind_is_of_function(record->kind);
    return has_way && form && (form->way || form->is_pair);
}

/* The displacement of a disabled call, where that stays. */
static bool calls_stub(struct image *image, const struct record *record, const struct form *form)
{
    struct target target;
    struct place field = {record->pc.section, record->pc.offset + form->way};
    if (!form->calls_stub)
        return true;
    if (form->is_pair)
        return leads_to(image, record->pc, form->steps, 0, record->stub);
    return image_follow_code(image, field, &target) == FOLLOW_PLACE &&
           place_is_same(target.place, record->stub);
}

void code_check_site(struct image *image, const struct record *record)
{
    const struct form *form = form_of(image, record->kind);
    if (!form) {
        report_defect(image, record->self, record->label, "unknown kind %u", record->kind);
        return;
    }
    if (record_is_compiled(record)) {
        check_companion(image, record);
        return;
    }
    if (record->is_companion)
        check_companion_branch(image, record);
    check_length(image, record->pc, all_length(form->steps), record->label);
    if (!image_is_code(image, record->pc, all_length(form->steps)))
        report_defect(image, record->self, record->label,
                      "expected the site in an executable section, the record says %s",
                      report_place(image, record->pc));
    else if (!has_steps(image, record->pc, form->steps))
        report_bytes(image, record->pc, all_length(form->steps), record->label, "expected %s",
                     form->words);
    else if (code_leads_to_entry(image, record))
        check_way_to_entry(image, record);
    else if (form->finish &&
             !leads_to_function(image, record->pc, form->steps, form->finish, RUNTIME_FINISH))
        report_bytes(image, record->pc, all_length(form->steps), record->label,
                     "expected the site to end in a jump to %s", runtime_names[RUNTIME_FINISH]);
    else if (!calls_stub(image, record, form))
        report_bytes(image, record->pc, all_length(form->steps), record->label,
                     "expected the displacement to lead to the stub at %s",
                     report_place(image, record->stub));
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
    const struct entry_form *form = entry_of(image, record->kind);
    const struct step *steps = form->steps;
    struct place enter = record->probe, resume = after_site(image, record);
    struct place call = step_place(entry, steps, form->call),
                 jump = step_place(entry, steps, form->jump);
    unsigned words = all_length(steps);
    check_length(image, entry, SDT_ENTRY_SIZE, record->label);
    if (!image_is_code(image, entry, SDT_ENTRY_SIZE) || !has_steps(image, entry, steps))
        report_bytes(image, entry, SDT_ENTRY_SIZE, record->label,
                     "expected an entry for the site at %s", report_place(image, record->pc));
    else if ((section->address + entry.offset) % SDT_ENTRY_SIZE != 0)
        report_defect(image, entry, record->label, "expected the entry aligned to %d",
                      SDT_ENTRY_SIZE);
    else if (section->group != image->sections[record->pc.section].group)
        report_defect(image, entry, record->label, "expected the entry in the group of its site");
    else if (form->callee && !leads_to_function(image, entry, steps, form->call, form->callee))
        report_bytes(image, call, steps[form->call].length, record->label,
                     "expected the entry to call %s", runtime_names[form->callee]);
    else if (!form->callee && !leads_to(image, entry, steps, form->call, enter))
        report_bytes(image, call, steps[form->call].length, record->label,
                     "expected the entry to call what %s says", report_place(image, enter));
    else if (!leads_to(image, entry, steps, form->jump, resume))
        report_bytes(image, jump, steps[form->jump].length, record->label,
                     "expected the entry to go on at %s", report_place(image, resume));
    else if (!names(image, record, words, record->self) ||
             !names(image, record, words + 4, record->probe))
        report_bytes(image, (struct place){entry.section, entry.offset + words}, 8, record->label,
                     "expected the entry to name its record at %s and its probe",
                     report_place(image, record->self));
}

bool code_loader(struct image *image, const struct record *record, struct place *loader)
{
    struct target target;
    const struct form *form = form_of(image, record->kind);
    struct place field = {record->pc.section, record->pc.offset + form->way};
    *loader = after_site(image, record);
    if (record->is_moved && !form->is_pair) /* armed, it goes on with the next instruction */
        return form->way == 0 || image_follow(image, field, &target) == FOLLOW_NOTHING;
    if (image_follow_code(image, field, &target) != FOLLOW_PLACE)
        return false;
    bool is_next = place_is_same(target.place, *loader);
    *loader = target.place;
    return is_next || !record->is_moved;
}

void code_check_loader(struct image *image, const struct record *record)
{
    struct place loader;
    const struct arch *arch = image->arch;
    const struct step *steps = arch->loader;
    if (!code_loader(image, record, &loader)) {
        report_bytes(image, record->pc, code_length(image, record->kind), record->label,
                     "expected the displacement to lead to a loader");
        return;
    }
    check_length(image, loader, all_length(steps), record->label);
    if (image->sections[loader.section].group != image->sections[record->pc.section].group)
        report_defect(image, loader, record->label, "expected the loader in the group of its site");
    struct place jump = step_place(loader, steps, arch->loader_jump);
    struct place entry = {record->stub.section, record->stub.offset + SDT_STUB_AT};
    struct place patch = {record->pc.section,
                          record->pc.offset + form_of(image, record->kind)->patch};
    if (!image_is_code(image, loader, all_length(steps)) || !has_steps(image, loader, steps))
        report_bytes(image, loader, all_length(steps), record->label,
                     "expected a loader for the site at %s", report_place(image, record->pc));
    else if (!leads_to(image, loader, steps, arch->loader_patch, patch))
        report_bytes(image, loader, all_length(steps), record->label,
                     "expected the loader to name the patch byte %s", report_place(image, patch));
    else if (!leads_to(image, loader, steps, arch->loader_jump, entry))
        report_bytes(image, jump, steps[arch->loader_jump].length, record->label,
                     "expected the loader to enter the stub at %s", report_place(image, entry));
    else if (arch->loader_finish &&
             !leads_to_function(image, loader, steps, arch->loader_finish, RUNTIME_FINISH))
        report_bytes(image, loader, all_length(steps), record->label,
                     "expected the loader to end in a jump to %s", runtime_names[RUNTIME_FINISH]);
}

unsigned code_fields(struct image *image, const struct record *record,
                     struct place fields[CODE_FIELDS])
{
    const struct arch *arch = image->arch;
    const struct form *form = form_of(image, record->kind);
    struct place loader;
    unsigned count = 0;
    if (record_is_compiled(record)) {
        if (!record->is_external)
            fields[count++] = field_of(record->pc, companion_form(image, record->kind)->steps, 0);
        return count;
    }
    if (record->has_branch)
        fields[count++] = record->branch;
    if (form && form->is_pair)
        fields[count++] = record->pc;
    else if (form && form->calls_stub)
        fields[count++] = (struct place){record->pc.section, record->pc.offset + form->way};
    if (!code_has_loader(image, record->kind) || !code_loader(image, record, &loader))
        return count;
    fields[count++] = field_of(loader, arch->loader, arch->loader_patch);
    fields[count++] = field_of(loader, arch->loader, arch->loader_jump);
    return count;
}

bool code_way_back(struct image *image, const struct record *record, struct place *field)
{
    const struct arch *arch = image->arch;
    struct place loader;
    if (kind_has_entry(record->kind)) {
        const struct entry_form *entry = entry_of(image, record->kind);
        *field = field_of(record->stub, entry->steps, entry->jump);
        return true;
    }
    if (!code_has_loader(image, record->kind) || !code_loader(image, record, &loader))
        return false;
    *field = field_of(loader, arch->loader, arch->loader_patch);
    return true;
}

void code_check_stub(struct image *image, const struct probe_record *probe)
{
    const struct arch *arch = image->arch;
    const struct step *steps = probe->answers ? arch->answer : arch->stub;
    struct place name = step_place(probe->stub, steps, arch->stub_probe);
    check_length(image, probe->stub, SDT_STUB_SIZE, probe->label);
    if (!image_is_code(image, probe->stub, SDT_STUB_SIZE) || !has_steps(image, probe->stub, steps))
        report_bytes(image, probe->stub, SDT_STUB_SIZE, probe->label, "expected the probe's stub");
    else if (!leads_to(image, probe->stub, steps, arch->stub_probe, probe->self))
        report_bytes(image, name, steps[arch->stub_probe].length, probe->label,
                     "expected the stub to name its probe at %s", report_place(image, probe->self));
    else if (arch->stub_callee &&
             !leads_to_function(image, probe->stub, steps, arch->stub_jump, arch->stub_callee))
        report_bytes(image, step_place(probe->stub, steps, arch->stub_jump),
                     steps[arch->stub_jump].length, probe->label, "expected the stub to enter %s",
                     runtime_names[arch->stub_callee]);
}
