/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See build.h. These are created within 32-bit distance of the object:
 *
 *     code  read, execute    an entry for each site; the records; strings and descriptors
 *     data  read, write      struct made, with the DSO; the probes
 *
 * place.h decides where that is.
 *
 * A note guarantees little, and the file may have been replaced since it was loaded. So a site must
 * be one NOP in executable code, in the file and in memory, and the bytes around it must be the
 * same in both, except for breakpoints. Other sites are skipped.
 */
#define _GNU_SOURCE
#include "build.h"

#include "operands.h"
#include "patch/text.h"
#include "place.h"
#include "process/loaded.h"
#include "process/peek.h"
#include "site/record.h"
#include "symbols.h"

#include <arch/machine.h>
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { MAX_SITES = 100000 };

/* A note that can be a site. */
struct candidate {
    const struct stock_note *note;
    uintptr_t pc, semaphore;
    const char *function; /* NULL: unknown */
    size_t probe;         /* index */
    unsigned kind;
};

/* At the beginning of the data. */
struct made {
    struct annex annex;
    struct sdt_dso dso;
};

struct plan {
    const struct stock_build *build;
    struct stock_symbols symbols;
    struct candidate *sites;
    size_t n;
    const struct stock_note **probes; /* one note of each */
    size_t probe_count;
    uintptr_t *names;         /* where theirs will be */
    struct stock_place place; /* where all will be */
    uint8_t *code;            /* a copy, to be written */
    size_t used;              /* of code */
};

/* ---- Which notes can be sites. ---- */

static site_word word_at(const uint8_t *bytes)
{
    site_word word;
    memcpy(&word, bytes, sizeof word);
    return word;
}

/* What kind of site PC is; 0: none, as it is no NOP, or the text around it is not the file's. */
static unsigned kind_of(const struct stock_build *build, uintptr_t pc)
{
    enum { BEFORE = 8 };
    uint8_t filed[BEFORE + MACHINE_NOTE_BYTES], now[sizeof filed];
    const ElfW(Phdr) *segment = loaded_segment(build->object, pc, sizeof(site_word), PF_R | PF_X);
    if (!segment || pc % sizeof(site_word) != 0)
        return 0;
    uintptr_t begin = build->object->dlpi_addr + segment->p_vaddr, end = begin + segment->p_filesz;
    uintptr_t from = pc - begin > BEFORE ? pc - BEFORE : begin;
    uintptr_t to = end - pc > MACHINE_NOTE_BYTES ? pc + MACHINE_NOTE_BYTES : end;
    off_t offset = (off_t)(segment->p_offset + (from - begin));
    if (pc >= end || end - pc < sizeof(site_word) ||
        pread(build->file, filed, to - from, offset) != (ssize_t)(to - from) ||
        !peek_mapped(now, from, to - from))
        return 0;
    uintptr_t compared = to - pc > SDT_SITE_MAX ? pc + SDT_SITE_MAX : to;
    for (size_t i = 0; i + sizeof(site_word) <= compared - from; i += sizeof(site_word)) {
        site_word is = word_at(&now[i]);
        if (is != word_at(&filed[i]) && !site_is_breakpoint(is))
            return 0;
    }
    return machine_note_kind(pc, &filed[pc - from], to - pc);
}

static bool is_identifier(const char *name)
{
    size_t length = strlen(name);
    if (!length || length > 255 || isdigit((unsigned char)*name))
        return false;
    for (; *name; name++)
        if (!isalnum((unsigned char)*name) && *name != '_')
            return false;
    return true;
}

/*
 * C libraries hit some of their own probes while they block all signals (glibc when it starts
 * threads and waits for locks): the kernel would end the process.
 */
static bool is_hit_blocked(const struct stock_note *note)
{
    static const char *const libraries[] = {"libc", "libpthread", "rtld"};
    for (size_t i = 0; i < sizeof libraries / sizeof libraries[0]; i++)
        if (strcmp(note->provider, libraries[i]) == 0)
            return strcmp(note->name, "setjmp") == 0 || strcmp(note->name, "pthread_start") == 0 ||
                   strncmp(note->name, "lll_", 4) == 0;
    return false;
}

static bool is_usable(const struct stock_note *note)
{
    return is_identifier(note->provider) && is_identifier(note->name) && !is_hit_blocked(note) &&
           operands_count(note->args) <= SDT_MAX_ARGS;
}

/* A counter that is not writable is left alone: the site works without. */
static uintptr_t semaphore_of(const struct stock_build *build, const struct stock_note *note)
{
    uintptr_t place = note->semaphore ? build->object->dlpi_addr + note->semaphore : 0;
    return place && loaded_segment(build->object, place, sizeof(uint16_t), PF_R | PF_W) ? place : 0;
}

static int by_address(const void *left, const void *right)
{
    const struct candidate *a = left, *b = right;
    if (a->pc != b->pc)
        return a->pc < b->pc ? -1 : 1;
    return a->note < b->note ? -1 : a->note > b->note;
}

/* Of several notes that name one NOP, the first stays: a site belongs to one probe. */
static void drop_doubles(struct plan *plan)
{
    size_t kept = 0;
    qsort(plan->sites, plan->n, sizeof *plan->sites, by_address);
    for (size_t i = 0; i < plan->n; i++)
        if (kept == 0 || plan->sites[kept - 1].pc != plan->sites[i].pc)
            plan->sites[kept++] = plan->sites[i];
    plan->n = kept;
}

static int find_sites(struct stock_build *build, struct plan *plan)
{
    const struct stock_notes *notes = build->notes;
    plan->sites = calloc(notes->n + 1, sizeof *plan->sites);
    if (!plan->sites)
        return -ENOMEM;
    for (size_t i = 0; i < notes->n && plan->n < MAX_SITES; i++) {
        const struct stock_note *note = &notes->notes[i];
        uintptr_t pc = build->object->dlpi_addr + note->pc;
        unsigned kind = is_usable(note) ? kind_of(build, pc) : 0;
        if (kind)
            plan->sites[plan->n++] = (struct candidate){
                .note = note,
                .pc = pc,
                .semaphore = semaphore_of(build, note),
                .function = stock_symbols_function(&plan->symbols, note->pc),
                .kind = kind,
            };
    }
    drop_doubles(plan);
    build->sites = plan->n;
    build->skipped = notes->n - plan->n;
    return 0;
}

static int by_name(const void *left, const void *right)
{
    const struct stock_note *a = *(const struct stock_note *const *)left;
    const struct stock_note *b = *(const struct stock_note *const *)right;
    int order = strcmp(a->provider, b->provider);
    return order ? order : strcmp(a->name, b->name);
}

static int find_probes(struct plan *plan)
{
    plan->probes = calloc(plan->n, sizeof *plan->probes);
    plan->names = calloc(plan->n, sizeof *plan->names);
    if (!plan->probes || !plan->names)
        return -ENOMEM;
    for (size_t i = 0; i < plan->n; i++)
        plan->probes[i] = plan->sites[i].note;
    qsort(plan->probes, plan->n, sizeof *plan->probes, by_name);
    for (size_t i = 0; i < plan->n; i++)
        if (i == 0 || by_name(&plan->probes[plan->probe_count - 1], &plan->probes[i]) != 0)
            plan->probes[plan->probe_count++] = plan->probes[i];
    for (size_t i = 0; i < plan->n; i++) {
        const struct stock_note **found =
            bsearch(&plan->sites[i].note, plan->probes, plan->probe_count, sizeof *found, by_name);
        plan->sites[i].probe = (size_t)(found - plan->probes);
    }
    return 0;
}

/* ---- Where. ---- */

static uintptr_t data_of(const struct plan *plan)
{
    return plan->place.at + plan->place.code;
}

static void measure(struct plan *plan)
{
    size_t code = plan->n * (SDT_ENTRY_SIZE + sizeof(struct sdt_site));
    size_t places = (SDT_MAX_ARGS + 1) * sizeof(int32_t); /* before a descriptor, aligned */
    for (size_t i = 0; i < plan->n; i++) {
        const char *function = plan->sites[i].function;
        code += operands_room(plan->sites[i].note->args) + places;
        code += function ? strlen(function) + 1 : 0;
    }
    for (size_t i = 0; i < plan->probe_count; i++)
        code += strlen(plan->probes[i]->provider) + strlen(plan->probes[i]->name) + 2;
    size_t data = sizeof(struct made) + _Alignof(struct sdt_probe);
    plan->place.code = stock_whole_pages(code);
    plan->place.data = stock_whole_pages(data + plan->probe_count * sizeof(struct sdt_probe));
}

/* Sites are in order of addresses. */
static int find_place(struct plan *plan)
{
    plan->place.object = plan->build->object;
    plan->place.first = plan->sites[0].pc;
    plan->place.last = plan->sites[plan->n - 1].pc;
    return stock_place_map(&plan->place);
}

/* ---- What. ---- */

/* The distance from FIELD, which is an address as it will be, to TARGET; 0 stays 0. */
static int32_t distance(uintptr_t field, uintptr_t target)
{
    return target ? (int32_t)(intptr_t)(target - field) : 0;
}

static uintptr_t probe_at(const struct plan *plan, size_t i)
{
    uintptr_t align = _Alignof(struct sdt_probe);
    uintptr_t first = (data_of(plan) + sizeof(struct made) + align - 1) & ~(align - 1);
    return first + i * sizeof(struct sdt_probe);
}

static uintptr_t record_at(const struct plan *plan, size_t i)
{
    return plan->place.at + plan->n * SDT_ENTRY_SIZE + i * sizeof(struct sdt_site);
}

static uintptr_t add_text(struct plan *plan, const char *text)
{
    size_t size = strlen(text) + 1, at = plan->used;
    memcpy(plan->code + at, text, size);
    plan->used += size;
    return plan->place.at + at;
}

/* Where the name of each probe is: `provider:name`. */
static void add_names(struct plan *plan)
{
    for (size_t i = 0; i < plan->probe_count; i++) {
        plan->names[i] = add_text(plan, plan->probes[i]->provider);
        plan->code[plan->used - 1] = ':';
        add_text(plan, plan->probes[i]->name);
    }
}

static void put_distance(struct plan *plan, uintptr_t field, uintptr_t base, uintptr_t target)
{
    int32_t value = distance(base, target);
    memcpy(plan->code + (field - plan->place.at), &value, sizeof value);
}

/* The CPU's flags may be live anywhere. */
static void make_entry(struct plan *plan, size_t i)
{
    const struct sdt_entry entry = {.pc = plan->sites[i].pc,
                                    .record = record_at(plan, i),
                                    .probe = probe_at(plan, plan->sites[i].probe),
                                    .kind = plan->sites[i].kind,
                                    .live_flags = true};
    size_t at = i * SDT_ENTRY_SIZE;
    machine_make_entry(plan->code + at, plan->place.at + at, &entry);
}

static bool find_variable(void *data, const char *name, size_t length, uint64_t *address)
{
    const struct plan *plan = data;
    uintptr_t base = plan->build->object->dlpi_addr;
    if (!stock_symbols_variable(&plan->symbols, name, length, address))
        return false;
    *address += base;
    return loaded_segment(plan->build->object, *address, 1, PF_R) != NULL;
}

/* The places of variables stand before the text, the last one first (<sdt/format.h>). */
static uintptr_t add_descriptor(struct plan *plan, const char *args)
{
    struct operand_places places = {.find = find_variable, .data = plan};
    size_t word = sizeof(int32_t);
    char *text = calloc(1, operands_room(args));
    size_t size = text ? operands_describe(args, text, &places) : 0;
    plan->used = (plan->used + word - 1) / word * word;
    for (unsigned i = places.n; i-- > 0; plan->used += word)
        put_distance(plan, plan->place.at + plan->used, plan->place.at + plan->used,
                     places.address[i]);
    uintptr_t at = plan->place.at + plan->used;
    if (text)
        memcpy(plan->code + plan->used, text, size);
    plan->used += size;
    free(text);
    return text ? at : 0;
}

static void make_record(struct plan *plan, size_t i)
{
    const struct candidate *site = &plan->sites[i];
    uintptr_t at = record_at(plan, i);
    struct sdt_site record = {
        .kind = (uint8_t)site->kind,
        .nargs = (uint8_t)operands_count(site->note->args),
        .flags = SDT_SITE_NOTE | SDT_SITE_LIVE_FLAGS | (site->semaphore ? SDT_SITE_SEMAPHORE : 0),
    };
    uintptr_t args = record.nargs ? add_descriptor(plan, site->note->args) : 0;
#define TO(field, target) record.field = distance(at + offsetof(struct sdt_site, field), target)
    TO(pc, site->pc);
    TO(probe, probe_at(plan, site->probe));
    TO(stub, plan->place.at + i * SDT_ENTRY_SIZE);
    TO(name, plan->names[site->probe]);
    TO(module, site->semaphore);
    TO(args, args);
    TO(function, site->function ? add_text(plan, site->function) : 0);
#undef TO
    memcpy(plan->code + (at - plan->place.at), &record, sizeof record);
}

static struct made *make_dso(struct plan *plan)
{
    struct made *made = (struct made *)data_of(plan);
    struct sdt_dso *dso = &made->dso;
    dso->magic = SDT_FORMAT_MAGIC;
    dso->version = SDT_FORMAT_VERSION;
    dso->size = sizeof *dso;
    dso->sites_begin = distance((uintptr_t)&dso->sites_begin, record_at(plan, 0));
    dso->sites_end = distance((uintptr_t)&dso->sites_end, record_at(plan, plan->n));
    made->annex.object = plan->sites[0].pc;
    made->annex.code = (struct segment){plan->place.at, data_of(plan), false, true};
    made->annex.data =
        (struct segment){data_of(plan), data_of(plan) + plan->place.data, true, false};
    return made;
}

static int make_all(struct plan *plan, struct made **made)
{
    struct text_writer writer;
    plan->code = calloc(1, plan->place.code);
    if (!plan->code)
        return -ENOMEM;
    plan->used = plan->n * (SDT_ENTRY_SIZE + sizeof(struct sdt_site));
    add_names(plan);
    for (size_t i = 0; i < plan->n; i++) {
        make_entry(plan, i);
        make_record(plan, i);
    }
    *made = make_dso(plan);
    text_begin(&writer);
    int error = text_write_run(&writer, (uint8_t *)plan->place.at, plan->code, plan->place.code);
    text_end(&writer);
    return error;
}

int stock_build(struct stock_build *build, struct sdt_dso **dso, struct annex **annex)
{
    struct plan plan = {.build = build};
    struct made *made = NULL;
    *dso = NULL;
    *annex = NULL;
    stock_symbols_read(build->file, &plan.symbols);
    int error = find_sites(build, &plan);
    if (!error && plan.n) {
        error = find_probes(&plan);
        if (!error) {
            measure(&plan);
            error = find_place(&plan);
        }
        if (!error)
            error = make_all(&plan, &made);
        if (error && plan.place.at)
            stock_place_unmap(&plan.place);
        if (!error) {
            *dso = &made->dso;
            *annex = &made->annex;
        }
    }
    stock_symbols_free(&plan.symbols);
    free(plan.sites);
    free(plan.probes);
    free(plan.names);
    free(plan.code);
    return error;
}

void stock_unbuild(struct annex *annex)
{
    munmap((void *)annex->code.begin, annex->data.end - annex->code.begin);
}
