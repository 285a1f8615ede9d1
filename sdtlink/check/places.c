/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The addresses of probes: is each in code, where consumers look for it, and which instruction is
 * there (code.c)?
 *
 * An address of 0 is a function that the linker dropped without its note. Two probes may share an
 * address, but not with different semaphores: the kernel keeps one counter for one address.
 */
#include "check.h"

#include "base/memory.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The address that bcc takes for the lowest of any code. */
static uint64_t first_code(const struct list_elf *elf)
{
    for (uint32_t i = 1; i < elf->count; i++)
        if (elf->sections[i].header.sh_flags & SHF_EXECINSTR)
            return elf->sections[i].header.sh_addr;
    return 0;
}

static bool check_place(struct check *check, const struct list_note *note)
{
    const Elf64_Phdr *segment = list_elf_segment(check->elf, note->pc);
    if (note->recorded[NOTE_PC] == 0) {
        finding_add(check, "pc-zero", SCOPE_SITE, note, NULL);
        return false;
    }
    if (check->elf->segment_count && (!segment || !(segment->p_flags & PF_X))) {
        finding_add(
            check, "pc-not-code", SCOPE_SITE, note,
            memory_format("0x%" PRIx64 " is %s", note->pc,
                          segment ? "in a segment that is not executable" : "in no segment"));
        return false;
    }
    if (note->recorded[NOTE_PC] < first_code(check->elf))
        finding_add(check, "pc-below-code", SCOPE_SITE, note, NULL);
    return true;
}

static int by_pc(const void *left, const void *right)
{
    const struct list_note *a = *(const struct list_note *const *)left;
    const struct list_note *b = *(const struct list_note *const *)right;
    if (a->pc != b->pc)
        return a->pc < b->pc ? -1 : 1;
    return (a > b) - (a < b);
}

/* The kernel keeps one reference counter for one place in a file. */
static void check_shared(struct check *check)
{
    size_t count;
    const struct list_note **notes = check_by_probe(check, &count);
    qsort(notes, count, sizeof *notes, by_pc);
    for (size_t i = 1; i < count; i++) {
        const struct list_note *a = notes[i - 1], *b = notes[i];
        if (a->pc != b->pc || a->pc == 0 || a->semaphore == b->semaphore)
            continue;
        char *detail = memory_format("%.100s:%.100s has 0x%" PRIx64 ", this one 0x%" PRIx64,
                                     a->provider.text, a->name.text, a->semaphore, b->semaphore);
        finding_add(check, "pc-semaphores", SCOPE_SITE, b, detail);
    }
    free(notes);
}

void check_places(struct check *check)
{
    for (size_t i = 0; i < check->notes.count; i++) {
        const struct list_note *note = &check->notes.items[i];
        if (note->state != NOTE_PROBE)
            continue;
        if (check->is_object ? note->is_relocated[NOTE_PC] : check_place(check, note))
            check_code(check, note);
    }
    if (!check->is_object)
        check_shared(check);
}
