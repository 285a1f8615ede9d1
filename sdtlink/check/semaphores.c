/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Semaphores: the 16-bit counters that tell a probe that a tracer is attached.
 *
 * The kernel is given the counter's offset in the file. It increments the counter, by address, in
 * the first writable private mapping whose range in the file covers that offset. A mapping covers
 * whole pages: if a linker puts two writable segments into one page of the file, the kernel uses
 * the first, whichever was meant. So the mappings are computed here as the kernel sees them.
 */
#include "check.h"

#include "base/memory.h"
#include "list/elf_follow.h"

#include <inttypes.h>
#include <shared/lower_bound.h>
#include <stdlib.h>
#include <string.h>

static const uint64_t page = 4096;

/* Where the kernel increments the counter at OFFSET in the file; false: nowhere. */
static bool counter_address(const struct list_elf *elf, uint64_t offset, uint64_t *address)
{
    for (size_t i = 0; i < elf->load_count; i++) {
        const Elf64_Phdr *segment = elf->loads[i];
        uint64_t start = segment->p_offset & ~(page - 1);
        uint64_t end = (segment->p_offset + segment->p_filesz + page - 1) & ~(page - 1);
        if (!(segment->p_flags & PF_W) || segment->p_filesz == 0 || offset < start || offset >= end)
            continue;
        *address = (segment->p_vaddr & ~(page - 1)) + (offset - start);
        return true;
    }
    return false;
}

/* Whether the dynamic loader makes the page of ADDRESS read-only: it protects whole pages. */
static bool is_relro(const struct list_elf *elf, uint64_t address)
{
    for (size_t i = 0; i < elf->segment_count; i++) {
        const Elf64_Phdr *segment = &elf->segments[i];
        uint64_t end = (segment->p_vaddr + segment->p_memsz) & ~(page - 1);
        if (segment->p_type == PT_GNU_RELRO && address >= segment->p_vaddr && address < end)
            return true;
    }
    return false;
}

static void add(struct check *check, const char *id, const struct list_note *note, char *detail)
{
    finding_add(check, id, SCOPE_PROBE, note, detail);
}

static char *address_text(const char *what, uint64_t address)
{
    return memory_format("%s 0x%" PRIx64, what, address);
}

/* Can the kernel reach it, and is it what the kernel reaches? */
static void check_reach(struct check *check, const struct list_note *note)
{
    const struct list_elf *elf = check->elf;
    uint64_t semaphore = note->semaphore, found;
    const Elf64_Phdr *segment = list_elf_segment(elf, semaphore);
    if (!segment || !(segment->p_flags & PF_W)) {
        add(check, "semaphore-read-only", note, address_text("it is at", semaphore));
        return;
    }
    uint64_t offset = semaphore - segment->p_vaddr + segment->p_offset;
    if (is_relro(elf, semaphore))
        add(check, "semaphore-relro", note, address_text("it is at", semaphore));
    else if (!counter_address(elf, offset, &found))
        add(check, "semaphore-no-bytes", note, address_text("it is at", semaphore));
    else if (found != semaphore)
        add(check, "semaphore-shared-page", note,
            memory_format("it is at 0x%" PRIx64 ", 0x%" PRIx64
                          " of the file, which the kernel finds at 0x%" PRIx64,
                          semaphore, offset, found));
}

/* bcc and perf compute the offset in the file from the header of .probes; without that section bcc
 * has none, and perf takes the address. */
static void check_section(struct check *check, const struct list_note *note)
{
    const struct list_elf *elf = check->elf;
    const Elf64_Phdr *segment = list_elf_segment(elf, note->semaphore);
    const Elf64_Shdr *probes = &elf->sections[check->probes].header;
    if (!segment)
        return;
    uint64_t right = note->semaphore - segment->p_vaddr + segment->p_offset;
    uint64_t taken = note->semaphore - probes->sh_addr + probes->sh_offset;
    uint32_t home = list_elf_section_at(elf, note->semaphore);
    if (check->probes == 0 || taken != right)
        add(check, "semaphore-section", note,
            memory_format("it is in %.100s", home ? elf->sections[home].name : "no section"));
    if (taken != right) /* section 0 has address and offset 0 */
        add(check, "perf-semaphore", note,
            memory_format("it is at 0x%" PRIx64 " of the file, perf takes 0x%" PRIx64, right,
                          taken));
}

static bool is_semaphore_symbol(const struct list_note *note, const char *name)
{
    size_t provider = note->provider.length, probe = note->name.length;
    return strncmp(name, note->provider.text, provider) == 0 && name[provider] == '_' &&
           strncmp(name + provider + 1, note->name.text, probe) == 0 &&
           strcmp(name + provider + 1 + probe, "_semaphore") == 0;
}

struct symbol_ref {
    uint64_t value;
    const char *name;
};

static int by_value(const void *left, const void *right)
{
    const struct symbol_ref *a = left, *b = right;
    return a->value < b->value ? -1 : a->value > b->value;
}

/* All symbols whose names end as a semaphore's do, by address; to be freed. */
static struct symbol_ref *find_symbols(const struct check *check, size_t *count)
{
    const struct list_elf *elf = check->elf;
    size_t capacity = 0;
    struct symbol_ref *found = NULL;
    Elf64_Sym symbol;
    *count = 0;
    for (uint32_t i = 1; list_elf_symbol(elf, i, &symbol); i++) {
        const char *name = list_elf_symbol_name(elf, &symbol);
        size_t length = strnlen(name, MAX_NAME_BYTES), suffix = strlen("_semaphore");
        if (symbol.st_shndx == SHN_UNDEF || length < suffix || length == MAX_NAME_BYTES ||
            strcmp(name + length - suffix, "_semaphore") != 0)
            continue;
        found = memory_with_room(found, *count, &capacity, sizeof *found);
        found[(*count)++] = (struct symbol_ref){symbol.st_value, name};
    }
    if (*count)
        qsort(found, *count, sizeof *found, by_value);
    return found;
}

static bool has_symbol(const struct symbol_ref *symbols, size_t count, const struct list_note *note)
{
    /* the first at the address or after it */
    size_t low = LOWER_BOUND(i, count, symbols[i].value < note->semaphore);
    size_t last = count - low < 64 ? count : low + 64; /* aliases of one semaphore */
    for (; low < last && symbols[low].value == note->semaphore; low++)
        if (is_semaphore_symbol(note, symbols[low].name))
            return true;
    return false;
}

void check_semaphores(struct check *check)
{
    size_t count, symbol_count;
    const struct list_note **notes = check_by_probe(check, &count);
    if (check->is_object || check->is_debug || check->elf->segment_count == 0) {
        free(notes);
        return;
    }
    struct symbol_ref *symbols = find_symbols(check, &symbol_count);
    for (size_t i = 0; i < count; i++) {
        const struct list_note *note = notes[i];
        bool is_first = i == 0 || !check_is_same_probe(notes[i - 1], note);
        if (!is_first && notes[i - 1]->semaphore == note->semaphore)
            continue;
        if (!is_first)
            add(check, "semaphore-mixed", note,
                memory_format("0x%" PRIx64 " and 0x%" PRIx64, notes[i - 1]->semaphore,
                              note->semaphore));
        if (note->semaphore == 0)
            continue;
        if (note->semaphore % 2)
            add(check, "semaphore-odd", note, address_text("it is at", note->semaphore));
        check_reach(check, note);
        check_section(check, note);
        if (symbol_count && !has_symbol(symbols, symbol_count, note))
            add(check, "semaphore-symbol", note, address_text("it is at", note->semaphore));
    }
    free(symbols);
    free(notes);
}
