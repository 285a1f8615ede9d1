/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The notes for tracers must agree with the set: a site whose record has SDT_SITE_NOTE has one
 * note, with its address, provider, name and arguments; and the notes say where .stapsdt.base is.
 * A nop1 or nop11 site was made from a note of <sys/sdt.h>, which is still there, as its producer
 * wrote it.
 *
 * Other notes are other people's, unless they bear the name of one of these sites. A file without
 * any notes at all was stripped of them (llvm-strip --strip-all does that): no defect.
 */
#include "checks.h"

#include "arch.h"
#include "report.h"

#include <elf.h>
#include <inttypes.h>
#include <sdt/format.h>
#include <shared/lower_bound.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NOTE_SECTION ".note.stapsdt"
#define BASE_SECTION ".stapsdt.base"
#define BASE_SYMBOL "_.stapsdt.base"

enum { TYPE = 3, WORDS = 24, DRAFT_WORDS = 16, HEAD = sizeof(Elf64_Nhdr) + 8 };

struct note {
    struct place self, pc; /* pc.section 0: it leads to no place of the file */
    uint64_t semaphore;    /* an address; in an object, symbol and addend made one number */
    const char *args;
    char label[LABEL_SIZE];
    size_t told;  /* of the first one of a pc and label: how many of them records tell of … */
    bool is_told; /* … of this one … */
    bool is_ours; /* … and the tool has made it */
};

struct notes {
    struct note *all; /* by pc and label */
    size_t count, capacity;
    bool is_present; /* some section of notes is */
    uint64_t base;   /* linked files: the address of .stapsdt.base, 0: there is none */
};

static bool is_ours(const struct record *record)
{
    return record->is_sound && (record->flags & SDT_SITE_NOTE);
}

static bool has_note(const struct record *record)
{
    return is_ours(record) || (record->is_sound && kind_is_of_note(record->kind));
}

/* ---- reading ---- */

/* The 64-bit address at OFFSET of a note section, whose relocation is RELA in an object. */
static struct place follow_address(const struct image *image, uint32_t section, uint64_t offset,
                                   const struct rela **rela)
{
    struct place place = {0, 0};
    *rela = NULL;
    if (image->is_relocatable) {
        *rela = image_rela_at(image, section, offset);
        if (!*rela || rela_meaning(image, *rela) != RELOC_ADDRESS)
            return place;
        const struct symbol *symbol = &image->symbols[(*rela)->symbol];
        return (struct place){symbol->section, symbol->value + (uint64_t)(*rela)->addend};
    }
    uint64_t address;
    memcpy(&address, image->sections[section].data + offset, sizeof address);
    place.section = image_section_at(image, address);
    if (place.section)
        place.offset = address - image->sections[place.section].address;
    return place;
}

static void check_base(struct image *image, const struct notes *notes, struct place field,
                       const char *label)
{
    const struct rela *rela;
    uint64_t address;
    follow_address(image, field.section, field.offset, &rela);
    memcpy(&address, image->sections[field.section].data + field.offset, sizeof address);
    bool is_right = image->is_relocatable
                        ? rela && strcmp(image->symbols[rela->symbol].name, BASE_SYMBOL) == 0
                        : address != 0 && address == notes->base;
    if (!is_right)
        report_defect(image, field, label, "expected the address of " BASE_SECTION " here");
}

static uint64_t read_semaphore(const struct image *image, uint32_t section, uint64_t offset)
{
    const struct rela *rela;
    uint64_t address;
    follow_address(image, section, offset, &rela);
    memcpy(&address, image->sections[section].data + offset, sizeof address);
    return rela ? ((uint64_t)rela->symbol << 32) + (uint64_t)rela->addend : address;
}

/* The string at *AT of DATA, which must end before END; NULL if it does not. */
static const char *take_string(const uint8_t *data, uint64_t *at, uint64_t end)
{
    const char *text = (const char *)data + *at;
    const void *nul = *at < end ? memchr(text, 0, end - *at) : NULL;
    if (!nul)
        return NULL;
    *at += strlen(text) + 1;
    return text;
}

/* The three strings at AT, which end with END. */
static bool take_strings(const uint8_t *data, uint64_t at, uint64_t end, const char *strings[3])
{
    for (int i = 0; i < 3; i++) {
        strings[i] = take_string(data, &at, end);
        if (!strings[i])
            return false;
    }
    return at == end;
}

/* One note at AT, its description SIZE bytes. Those of the format's first draft have no word for a
 * semaphore: an address there does not read as the beginning of two names. */
static int read_note(struct image *image, struct notes *notes, struct place self, uint32_t size)
{
    const uint8_t *data = image->sections[self.section].data;
    uint64_t words = self.offset + HEAD, end = words + size;
    const struct rela *rela;
    const char *strings[3];
    struct note note = {.self = self};
    bool is_draft = size > DRAFT_WORDS && take_strings(data, words + DRAFT_WORDS, end, strings) &&
                    *strings[0] && *strings[1];
    if (!is_draft && (size <= WORDS || !take_strings(data, words + WORDS, end, strings))) {
        report_defect(image, self, NULL, "expected three strings that end with the note");
        return 0;
    }
    note.args = strings[2];
    records_label(note.label, strings[0], strings[1]);
    note.pc = follow_address(image, self.section, words, &rela);
    note.semaphore = is_draft ? 0 : read_semaphore(image, self.section, words + DRAFT_WORDS);
    if (!notes->all || notes->count == notes->capacity) {
        notes->capacity = notes->capacity * 2 + 64;
        struct note *more = realloc(notes->all, notes->capacity * sizeof *more);
        if (!more)
            return report_failure(image, "out of memory");
        notes->all = more;
    }
    notes->all[notes->count++] = note;
    return 0;
}

/* The length at OFFSET of a note section, which may be left to the linker: label - label. */
static uint32_t read_length(const struct image *image, uint32_t index, uint64_t offset)
{
    const struct section *section = &image->sections[index];
    uint32_t length;
    memcpy(&length, section->data + offset, sizeof length);
    size_t i = image->is_relocatable ? image_rela_index(section, offset) : section->nrelocs;
    for (; i < section->nrelocs && section->relocs[i].offset == offset; i++) {
        const struct rela *rela = &section->relocs[i];
        const struct symbol *symbol = &image->symbols[rela->symbol];
        uint32_t label = (uint32_t)(symbol->value + (uint64_t)rela->addend);
        enum meaning meaning = rela_meaning(image, rela);
        if (symbol->section == index && (meaning == RELOC_PLUS || meaning == RELOC_MINUS))
            length += meaning == RELOC_PLUS ? label : -label;
    }
    return length;
}

static int read_section(struct image *image, struct notes *notes, uint32_t index)
{
    static const char owner[8] = "stapsdt";
    const struct section *section = &image->sections[index];
    notes->is_present = true;
    if (section->type != SHT_NOTE || (section->flags & SHF_ALLOC))
        report_defect(image, (struct place){index, 0}, NULL, "expected notes that are not loaded");
    for (uint64_t at = 0; at < section->size;) {
        struct place self = {index, at};
        Elf64_Nhdr header = {0};
        uint64_t left = section->size - at;
        if (left >= HEAD) {
            memcpy(&header, section->data + at, sizeof header);
            header.n_namesz = read_length(image, index, at);
            header.n_descsz = read_length(image, index, at + sizeof header.n_namesz);
        }
        if (left < HEAD || header.n_namesz != sizeof owner || header.n_type != TYPE ||
            memcmp(section->data + at + sizeof header, owner, sizeof owner) != 0 ||
            header.n_descsz > left - HEAD) {
            report_defect(image, self, NULL, "expected a stapsdt note of type 3 here");
            return 0;
        }
        if (read_note(image, notes, self, header.n_descsz) != 0)
            return -1;
        at += HEAD + (((uint64_t)header.n_descsz + 3) & ~UINT64_C(3));
    }
    return 0;
}

static int compare_note(const struct note *note, struct place pc, const char *label)
{
    int order = place_compare(note->pc, pc);
    return order ? order : strcmp(note->label, label);
}

static int by_pc(const void *left, const void *right)
{
    const struct note *a = left, *b = right;
    int order = compare_note(a, b->pc, b->label);
    return order ? order : place_compare(a->self, b->self);
}

static int read_notes(struct image *image, struct notes *notes)
{
    for (uint32_t i = 1; i < image->nsections; i++) {
        const struct section *section = &image->sections[i];
        if (strcmp(section->name, BASE_SECTION) == 0 && (section->flags & SHF_ALLOC))
            notes->base = section->address;
        if (strcmp(section->name, NOTE_SECTION) == 0 && section->data &&
            read_section(image, notes, i) != 0)
            return -1;
    }
    if (notes->count)
        qsort(notes->all, notes->count, sizeof *notes->all, by_pc);
    return 0;
}

/* The first note at PLACE with LABEL ("": with any), or after those. */
static size_t first_at(const struct notes *notes, struct place place, const char *label)
{
    return LOWER_BOUND(i, notes->count, compare_note(&notes->all[i], place, label) < 0);
}

/* ---- comparing ---- */

/* The next note of RECORD's place and label that no record has told of yet; NULL: there is none. */
static struct note *take_note(struct notes *notes, const struct record *record)
{
    size_t first = first_at(notes, record->pc, record->label);
    if (first == notes->count)
        return NULL;
    size_t next = first + notes->all[first].told;
    if (next >= notes->count || !place_is_same(notes->all[next].pc, record->pc) ||
        strcmp(notes->all[next].label, record->label) != 0)
        return NULL;
    notes->all[first].told++;
    return &notes->all[next];
}

/*
 * One argument of a record, as a note says it: `8p@x` is `8@x`; `4f@x` is `8@x` where a call has
 * made a double of it, else `4@x`.
 */
static bool is_argument(const char *note, size_t size, const char *record, size_t record_size,
                        bool is_call)
{
    char text[64];
    size_t at = 0, n = 0;
    if (record_size < 2 || record_size >= sizeof text) /* or it has no type */
        return false;
    if (record[at] == '-')
        text[n++] = record[at++];
    text[n++] = is_call && record[at + 1] == 'f' ? '8' : record[at];
    at += record[at + 1] == 'f' || record[at + 1] == 'p' ? 2 : 1;
    memcpy(text + n, record + at, record_size - at);
    n += record_size - at;
    return n == size && memcmp(text, note, size) == 0;
}

/* An untyped site is told with as many words as the probe has arguments elsewhere. */
static bool is_same_args(const char *note, const struct record *record)
{
    const char *args = record->args ? record->args : "";
    while (*note && *args && *args != '\t') {
        size_t a = strcspn(note, " "), b = strcspn(args, " \t");
        if (!is_argument(note, a, args, b, record->kind != SDT_KIND_INLINE))
            return false;
        note += a + (note[a] == ' ');
        args += b + (args[b] == ' ');
    }
    args += *args == '\t'; /* names follow, which notes do not have */
    return (record->flags & SDT_SITE_UNTYPED) || *note == *args;
}

/* The notes at RECORD's site, as many as records are there: code that was folded has several. */
static void check_record(struct image *image, struct notes *notes, const struct record *record)
{
    struct note *found = take_note(notes, record);
    if (!found) {
        report_defect(image, record->pc, record->label, "expected a note for tracers at this site");
        return;
    }
    found->is_told = true;
    found->is_ours = is_ours(record);
    if (!found->is_ours)
        return;
    check_label(image, record, (struct place){found->self.section, found->self.offset + HEAD});
    if (!is_same_args(found->args, record))
        report_defect(image, found->self, record->label,
                      "expected the arguments \"%.100s\" of the record, found \"%.100s\"",
                      record->args ? record->args : "", found->args);
    if (found->semaphore != notes->all[first_at(notes, record->pc, "")].semaphore)
        report_defect(image, found->self, record->label,
                      "expected one semaphore for all notes at one address");
    struct place base = {found->self.section, found->self.offset + HEAD + 8};
    check_base(image, notes, base, record->label);
}

static int by_label(const void *left, const void *right)
{
    return strcmp(*(const char *const *)left, *(const char *const *)right);
}

/* Notes that bear the name of one of our sites and are at none. */
static int check_strays(struct image *image, const struct notes *notes,
                        const struct records *records)
{
    const char **labels = calloc(records->count + 1, sizeof *labels);
    size_t count = 0;
    if (!labels)
        return report_failure(image, "out of memory");
    for (size_t i = 0; i < records->count; i++)
        if (is_ours(&records->all[i]))
            labels[count++] = records->all[i].label;
    qsort(labels, count, sizeof *labels, by_label);
    for (size_t i = 0; i < notes->count; i++) {
        const struct note *note = &notes->all[i];
        const char *key = note->label;
        size_t at = records_first(records, note->pc);
        bool is_site = at < records->count && place_is_same(records->all[at].pc, note->pc) &&
                       kind_is_of_note(records->all[at].kind);
        if (note->is_told || is_site || !bsearch(&key, labels, count, sizeof *labels, by_label))
            continue;
        report_defect(image, note->self, note->label, "expected a site where this note leads, %s",
                      note->pc.section ? report_place(image, note->pc) : "out of the code");
    }
    free(labels);
    return 0;
}

/* ---- groups ---- */

/* As the tool leaves it, a note goes with the text of its site: in one group, or in a bundle. */
static void check_group(struct image *image, const struct note *note)
{
    const struct section *section = &image->sections[note->self.section];
    uint32_t text = note->pc.section, group = image->sections[text].group, flags = GRP_COMDAT;
    if (section->group && image->sections[section->group].size >= sizeof flags)
        memcpy(&flags, image->sections[section->group].data, sizeof flags);
    bool is_right = group ? section->group == group : section->group && flags == 0;
    if (!is_right)
        report_defect(image, note->self, NULL,
                      group ? "expected this section in the group of %s"
                            : "expected this section in a group that is not a COMDAT group, for %s",
                      image->sections[text].name);
}

int check_notes(struct image *image, const struct records *records, bool is_direct)
{
    struct notes notes = {0};
    int result = read_notes(image, &notes);
    if (result == 0 && (notes.is_present || image->is_relocatable)) {
        for (size_t i = 0; i < records->count; i++)
            if (has_note(&records->all[i]))
                check_record(image, &notes, &records->all[i]);
        result = check_strays(image, &notes, records);
        for (size_t i = 0; i < notes.count && is_direct; i++)
            if (notes.all[i].is_ours)
                check_group(image, &notes.all[i]);
    }
    free(notes.all);
    return result;
}
