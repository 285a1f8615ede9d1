/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See record.h. A record is 32-bit distances that a linker computed; tools that move text after the
 * link (a binary optimiser, a broken tool) leave them pointing anywhere. Every distance is checked
 * against the mapped segments before it is followed, and every byte that the runtime relies on is
 * compared with what <sdt/format.h> promises: the site, the stub, the loader.
 */
#include "record.h"

#include "field.h"
#include "site/set.h" /* by its whole name: freestanding/ has another one */

#include <arch/machine.h>
#include <arch/operand.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Whether FIELD names a string that ends inside its segment. */
static bool names_string(const struct image *image, const int32_t *field)
{
    uintptr_t text = record_target(field);
    const struct segment *segment = image_segment(image, text, 1);
    return text && segment && memchr((const void *)text, '\0', segment->end - text) != NULL;
}

static bool names_string_or_none(const struct image *image, const int32_t *field)
{
    return *field == 0 || names_string(image, field);
}

/*
 * Whether there is an entry of this site at ENTRY, and of RECORD or another one that describes it:
 * linkers that fold functions leave several records, and one of their entries in the text.
 */
static bool is_entry(const struct sdt_site *record, const struct image *image, uintptr_t entry)
{
    const uint8_t *code = (const uint8_t *)entry;
    if (!image_holds_text(image, entry, SDT_ENTRY_SIZE) || entry % SDT_ENTRY_SIZE != 0)
        return false;
    uintptr_t described = record_target((const int32_t *)(const void *)(code + SDT_ENTRY_RECORD));
    if (!described || !image_holds(image, described, sizeof *record) ||
        described % _Alignof(struct sdt_site) != 0)
        return false;
    const struct sdt_site *other = (const struct sdt_site *)described;
    const struct sdt_entry wanted = {.pc = record_target(&record->pc),
                                     .record = described,
                                     .probe = record_target(&record->probe),
                                     .kind = record->kind,
                                     .live_flags = record->flags & SDT_SITE_LIVE_FLAGS,
                                     .enter = set_enter()};
    return machine_is_entry(code, &wanted) && record_target(&other->pc) == wanted.pc;
}

/* Where the kept branch of a site (for a jcc: the patch byte of its loader) leads. */
static bool branch_is_right(const struct sdt_site *record, const struct image *image,
                            const struct sdt_form *form)
{
    const uint8_t *field = (const uint8_t *)record_target(&record->pc) + form->branch_at;
    uintptr_t target = machine_kept_target(field);
    if (!target) /* a tracer has its breakpoint there */
        return true;
    if (kind_has_entry(record->kind)) /* its own, which record_has_probe() has seen; or another's */
        return target == record_target(&record->stub) || is_entry(record, image, target);
    if (!form->returns) /* a call that leads to its stub */
        return target == record_target(&record->stub);
    return image_holds_text(image, target, SITE_LOADER) &&
           machine_is_loader((const uint8_t *)target, record_target(&record->pc) + form->patch,
                             record_target(&record->stub));
}

uintptr_t record_branch(const struct sdt_site *record)
{
    return record_target((const int32_t *)(record_target(&record->pc) - SDT_COMPANION_BRANCH));
}

/* A companion's moved site is off or on, and the branch leads to the stub, or here already. */
static bool moved_is_right(const struct sdt_site *record, const struct image *image)
{
    uintptr_t pc = record_target(&record->pc);
    if (!image_holds_text(image, pc - SDT_COMPANION_BRANCH, SDT_COMPANION_BRANCH))
        return false;
    uintptr_t branch = record_branch(record);
    if (!branch || branch % sizeof(site_word) != 0 ||
        !image_holds_text(image, branch, SITE_REAIM_BRANCH))
        return false;
    uintptr_t target = machine_companion_branch((const uint8_t *)branch);
    return target && (target == record_target(&record->stub) || target == pc);
}

/* A companion's site still branches to the stub itself, or is in one of our own states already. */
static bool companion_is_right(const struct sdt_site *record, const uint8_t *pc,
                               const struct sdt_form *form)
{
    bool keeps = form->keeps_branch || machine_is_branch(pc);
    if (record->kind == SDT_KIND_DIRECT_CALL &&
        machine_state(record->kind, pc) == SDT_STATE_UNKNOWN)
        return false;
    if (record->kind != SDT_KIND_DIRECT_CALL && record->kind != SDT_KIND_CALL &&
        record->kind != SDT_KIND_TAIL && record->kind != SDT_KIND_ENABLED &&
        record->kind != SDT_KIND_ENABLED_TAIL)
        return false;
    return !keeps || machine_branch_target(pc) == record_target(&record->stub);
}

static bool bytes_are_right(const struct sdt_site *record, const struct image *image,
                            const struct sdt_form *form)
{
    const uint8_t *pc = (const uint8_t *)record_target(&record->pc);
    bool is_companion = record->flags & SDT_SITE_COMPANION;
    bool is_moved = record->flags & SDT_SITE_MOVED;
    if (is_companion && !is_moved)
        return companion_is_right(record, pc, form);
    if (is_companion && !moved_is_right(record, image))
        return false;
    if (form->keeps_branch && !branch_is_right(record, image, form))
        return false;
    enum sdt_state state = machine_state(record->kind, pc);
    return state != SDT_STATE_UNKNOWN && state != SDT_STATE_CALL;
}

/* What SITE says that threads come by leads to the probe. */
static bool stub_is_right(const struct sdt_site *record, const struct image *image)
{
    uintptr_t stub = record_target(&record->stub);
    if (kind_has_entry(record->kind))
        return stub && is_entry(record, image, stub);
    return stub && image_holds_text(image, stub, SDT_STUB_SIZE) &&
           machine_is_stub((const uint8_t *)stub, record_target(&record->probe));
}

bool record_has_name(const struct sdt_site *record, const struct image *image)
{
    return names_string(image, &record->name) && strchr(record_name(record), ':');
}

bool record_has_probe(const struct sdt_site *record, const struct image *image)
{
    uintptr_t probe = record_target(&record->probe);
    if (!probe || probe % _Alignof(struct sdt_probe) != 0 ||
        !image_holds_data(image, probe, sizeof(struct sdt_probe)) || !stub_is_right(record, image))
        return false;
    return record_has_name(record, image) && names_string_or_none(image, &record->function) &&
           (record->flags & SDT_SITE_SEMAPHORE || names_string_or_none(image, &record->module)) &&
           names_string_or_none(image, &record->args);
}

const char *record_name(const struct sdt_site *record)
{
    return (const char *)record_target(&record->name);
}

const char *record_module(const struct sdt_site *record)
{
    if (record->flags & SDT_SITE_SEMAPHORE)
        return NULL;
    return (const char *)record_target(&record->module);
}

uintptr_t record_semaphore(const struct sdt_site *record, const struct image *image)
{
    uintptr_t target = record_target(&record->module);
    if (!target || !(record->flags & SDT_SITE_SEMAPHORE))
        return 0;
    if (record->flags & SDT_SITE_INDIRECT) {
        if (target % sizeof(uintptr_t) != 0 || !image_holds(image, target, sizeof(uintptr_t)))
            return 0;
        target = *(const uintptr_t *)target;
    }
    bool is_constant = target >= image->relro.begin && target < image->relro.end;
    return target % sizeof(uint16_t) == 0 && !is_constant &&
                   image_holds_data(image, target, sizeof(uint16_t))
               ? target
               : 0;
}

/* The words before a descriptor that names variables: each leads into the object. */
static bool operands_are_right(const struct sdt_site *record, const struct image *image)
{
    const char *text = (const char *)record_target(&record->args), *at = text;
    const int32_t *word = (const int32_t *)(const void *)text;
    while (at && (at = operand_next_symbol(at))) {
        word--;
        if ((uintptr_t)text % sizeof *word != 0 ||
            !image_holds(image, (uintptr_t)word, sizeof *word) ||
            !image_holds(image, record_target(word), 1))
            return false;
    }
    return true;
}

/* Whether the value of each argument can be read. A site with one that cannot be read is never
 * armed: handlers would get 0 for it. */
static bool operands_are_readable(const char *text, const struct args *args)
{
    for (unsigned i = 0; i < args->count; i++) {
        struct operand operand;
        text = strchr(text, '@') + 1; /* args_parse() has seen them */
        operand_parse(text, &operand);
        if (!operand_is_readable(&operand, args->type[i] & SDT_ARG_SIZE))
            return false;
    }
    return true;
}

/* What follows a descriptor that ends in a tab is there: a field for each argument. */
static bool fields_are_right(const struct sdt_site *record, const struct image *image)
{
    const char *text = (const char *)record_target(&record->args);
    size_t length = text ? strlen(text) : 0;
    if (!length || text[length - 1] != '\t')
        return true;
    uintptr_t at = (uintptr_t)text + length + 1;
    for (unsigned i = 0; i < record->nargs; i++) {
        const struct segment *segment = image_segment(image, at, 1);
        if (!segment || !memchr((const void *)at, '\0', segment->end - at) ||
            !field_is_text((const char *)at))
            return false;
        at += strlen((const char *)at) + 1;
    }
    return true;
}

int record_check(const struct sdt_site *record, const struct image *image, struct args *args)
{
    const struct sdt_form *form = machine_form(record->kind);
    uintptr_t pc = record_target(&record->pc);
    const char *text = (const char *)record_target(&record->args);
    if (!set_is_ours(record)) /* for another runtime */
        return -EILSEQ;
    if (!form || !pc || !image_holds_text(image, pc, form->length) ||
        !bytes_are_right(record, image, form))
        return -EILSEQ;
    if (kind_is_of_note(record->kind) && !operands_are_right(record, image))
        return -EILSEQ;
    if (!fields_are_right(record, image) || !names_string_or_none(image, &record->file))
        return -EILSEQ;
    if (record->flags & SDT_SITE_UNTYPED)
        args_untyped(args);
    else if (!args_parse(text ? text : "", record->nargs, args))
        return -EILSEQ;
    if (kind_is_of_note(record->kind) && !operands_are_readable(text, args))
        return -EBADMSG;
    return 0;
}
