/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * From the bytes of sdt_sites to records that can be relied on: every word leads somewhere, every
 * string ends inside its section, provider and name are C identifiers, the argument descriptor
 * says as many arguments as the record.
 *
 * A record that fails here is reported and left out of the later checks of code (is_sound), so
 * that one broken word makes one line and not ten.
 */
#include "records.h"

#include "arch.h"
#include "follow.h"
#include "report.h"

#include <elf.h>
#include <sdt/format.h>
#include <shared/lower_bound.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void records_label(char label[LABEL_SIZE], const char *provider, const char *name)
{
    char *at = label, *end = label + LABEL_SIZE - 1;
    while (*provider && at < end)
        *at++ = *provider++;
    if (at < end)
        *at++ = ':';
    while (*name && at < end)
        *at++ = *name++;
    *at = 0;
}

static const char *follow_text(enum follow how)
{
    switch (how) {
    case FOLLOW_NOTHING:
        return "nothing";
    case FOLLOW_UNDEFINED:
        return "an undefined symbol";
    case FOLLOW_BAD:
        return "a wrong relocation or a place outside the file";
    default:
        return "the file";
    }
}

/* The word at OFFSET of the record must lead to a place of this file. */
static bool read_place(struct image *image, struct record *record, size_t offset, const char *what,
                       struct place *place)
{
    struct target target;
    struct place field = {record->self.section, record->self.offset + offset};
    enum follow how = image_follow(image, field, &target);
    *place = target.place;
    if (how == FOLLOW_UNDEFINED && record->is_companion &&
        offset <= offsetof(struct sdt_site, pc)) {
        record->is_external = true;
        place->offset = (uint64_t)target.beyond;
        return true;
    }
    if (how != FOLLOW_PLACE)
        report_bytes(image, field, 4, record->label[0] ? record->label : NULL,
                     "expected the record's %s word to lead into the file, it leads to %s", what,
                     follow_text(how));
    return how == FOLLOW_PLACE;
}

/* The word leads to a string, or may be 0. */
static bool read_string(struct image *image, struct place field, bool may_be_none,
                        const char *label, const char *what, const char **string)
{
    struct target target;
    enum follow how = image_follow(image, field, &target);
    *string = NULL;
    if (how == FOLLOW_NOTHING && may_be_none)
        return true;
    if (how == FOLLOW_PLACE)
        *string = image_string(image, target.place);
    if (!*string)
        report_bytes(image, field, 4, label,
                     "expected the %s word to lead to a string, it leads to %s", what,
                     how == FOLLOW_PLACE ? "one without end, or too long" : follow_text(how));
    return *string != NULL;
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/* Where the C identifier at TEXT ends, or NULL. The tool refuses longer names than 4095 bytes. */
static const char *skip_identifier(const char *text)
{
    enum { MOST = 4095 };
    size_t length = 0;
    while (length <= MOST &&
           (is_letter(text[length]) || (text[length] >= '0' && text[length] <= '9')))
        length++;
    return is_letter(text[0]) && length <= MOST ? text + length : NULL;
}

static bool is_identifier(const char *text)
{
    const char *end = skip_identifier(text);
    return end && *end == 0;
}

/* The name of RECORD, which leads to a whole probe; reports and says false if bad. */
static bool read_label(struct image *image, struct record *record)
{
    const char *name;
    const struct section *home = &image->sections[record->probe.section];
    struct place field = {record->self.section,
                          record->self.offset + offsetof(struct sdt_site, name)};
    if (home->size < sizeof(struct sdt_probe) ||
        record->probe.offset > home->size - sizeof(struct sdt_probe)) {
        report_defect(image, record->probe, NULL, "expected a struct sdt_probe of %zu bytes here",
                      sizeof(struct sdt_probe));
        return false;
    }
    if (!read_string(image, field, false, NULL, "name", &name))
        return false;
    const char *colon = skip_identifier(name);
    if (colon && *colon == ':' && is_identifier(colon + 1))
        record->name = name;
    else
        report_defect(image, field, NULL,
                      "expected C identifiers of at most 4095 bytes as names of the probe");
    snprintf(record->label, LABEL_SIZE, "%s", record->name ? name : "?:?");
    return record->name != NULL;
}

/* One `[-]SIZE[f|p]@OPERAND`; where it ends, or NULL. */
static const char *skip_argument(const char *text)
{
    if (*text == '-')
        text++;
    if (*text == 0 || !strchr("1248", *text))
        return NULL;
    text++;
    if (*text == 'f' || *text == 'p')
        text++;
    if (*text != '@' || text[1] == 0 || text[1] == ' ' || text[1] == '\t')
        return NULL;
    return text + strcspn(text, " \t");
}

static bool is_descriptor(const char *text, unsigned count)
{
    unsigned seen = 0;
    while (text && *text && *text != '\t') {
        text = skip_argument(text);
        seen++;
        if (text && *text == ' ')
            text++;
    }
    return text && seen == count && (!*text || !text[1]); /* a tab is the last */
}

/* `;VALUE=NAME`, for each enumerator; returns what follows. */
static const char *skip_labels(const char *text)
{
    static const char plain[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.%";
    while (*text == ';') {
        text += text[1] == '-' ? 2 : 1;
        size_t digits = strspn(text, "0123456789");
        size_t name = digits && text[digits] == '=' ? strspn(text + digits + 1, plain) : 0;
        if (!name)
            break;
        text += digits + 1 + name;
    }
    return text;
}

/* `KIND:NAME`; an integer's kind may be followed by the names of its values. */
static bool is_field(const char *text)
{
    if (!text[0] || !strchr("iuxbpfstynamvSMUN", text[0]))
        return false;
    const char *name = strchr("iux", text[0]) ? skip_labels(text + 1) : text + 1;
    return *name == ':' && name[1] && is_identifier(name + 1);
}

/* The strings that a descriptor with a tab at its end announces: COUNT names. */
static bool has_names(struct image *image, struct place place, unsigned count)
{
    const char *text = image_string(image, place);
    for (unsigned i = 0; i < count; i++) {
        place.offset += strlen(text) + 1;
        text = image_string(image, place);
        if (!text || !is_field(text))
            return false;
    }
    return true;
}

static bool check_arguments(struct image *image, const struct record *record)
{
    unsigned most = SDT_MAX_ARGS;
    const char *args = record->args ? record->args : "";
    if (record->nargs > most)
        report_defect(image, record->self, record->label, "expected at most %u arguments, found %u",
                      most, record->nargs);
    else if (!is_descriptor(args, record->nargs))
        report_defect(image, record->self, record->label,
                      "expected a descriptor of %u argument%s, found \"%.100s\"", record->nargs,
                      record->nargs == 1 ? "" : "s", args);
    else if (strchr(args, '\t') && !has_names(image, record->args_place, record->nargs))
        report_defect(image, record->self, record->label,
                      "expected the names of %u arguments after the descriptor", record->nargs);
    else
        return true;
    return false;
}

/* TARGET is a word of the object that will have an address: where the GOT's word cannot be named.
 */
static bool is_address_word(const struct image *image, const struct target *target)
{
    const struct rela *rela = image_rela_at(image, target->place.section, target->place.offset);
    return rela && rela_meaning(image, rela) == RELOC_ADDRESS;
}

/* The word leads to a counter in writable memory, or to a word of the GOT with its address. */
static bool check_semaphore(struct image *image, const struct record *record, struct place field)
{
    struct target target;
    bool is_indirect = record->flags & SDT_SITE_INDIRECT;
    const struct rela *rela =
        image->is_relocatable ? image_rela_at(image, field.section, field.offset) : NULL;
    if (is_indirect && rela && rela_meaning(image, rela) == RELOC_GOT)
        return true;
    enum follow how = image_follow(image, field, &target);
    if (how == FOLLOW_UNDEFINED && !is_indirect)
        return true;
    uint64_t needed = SHF_ALLOC | (is_indirect ? 0 : SHF_WRITE);
    if (how == FOLLOW_PLACE &&
        (!is_indirect || !image->is_relocatable || is_address_word(image, &target)) &&
        (image->sections[target.place.section].flags & needed) == needed)
        return true;
    report_bytes(image, field, 4, record->label,
                 "expected the semaphore word to lead to writable memory%s, it leads to %s",
                 is_indirect ? " by way of the GOT" : "", follow_text(how));
    return false;
}

static bool read_strings(struct image *image, struct record *record)
{
    struct place field = record->self;
    const char *module, *file;
    bool has_semaphore = record->flags & SDT_SITE_SEMAPHORE;
    field.offset = record->self.offset + offsetof(struct sdt_site, function);
    bool ok = read_string(image, field, true, record->label, "function", &record->function);
    field.offset = record->self.offset + offsetof(struct sdt_site, module);
    ok &= has_semaphore ? check_semaphore(image, record, field)
                        : read_string(image, field, true, record->label, "module", &module);
    field.offset = record->self.offset + offsetof(struct sdt_site, file);
    ok &= read_string(image, field, true, record->label, "file", &file);
    field.offset = record->self.offset + offsetof(struct sdt_site, args);
    ok &= read_string(image, field, true, record->label, "args", &record->args);
    struct target target;
    if (record->args && image_follow(image, field, &target) == FOLLOW_PLACE)
        record->args_place = target.place;
    return ok;
}

static void check_flags(struct image *image, const struct record *record)
{
    bool is_note = kind_is_of_note(record->kind), notes_only = image->arch->note_entry.steps;
    unsigned known = SDT_SITE_UNTYPED | SDT_SITE_COMPANION | SDT_SITE_MOVED;
    if (is_note || !notes_only)
        known |= SDT_SITE_LIVE_FLAGS;
    if (is_note)
        known |= SDT_SITE_SEMAPHORE | SDT_SITE_INDIRECT;
    else if (!kind_is_question(record->kind))
        known |= SDT_SITE_NOTE;
    if (record->flags & SDT_SITE_FREESTANDING)
        known |= SDT_SITE_FREESTANDING | SDT_SITE_VERSION;
    if (record->flags & ~known)
        report_defect(image, record->self, record->label, "unknown flags 0x%x", record->flags);
    if (is_note && notes_only && !(record->flags & SDT_SITE_LIVE_FLAGS))
        report_defect(image, record->self, record->label,
                      "expected the flag of live flags at the site of a note");
}

/* Whether a companion may have the site of RECORD: of a branch that is still in the text, or moved.
 */
static bool may_be_companion(const struct arch *arch, const struct record *record)
{
    if (record->flags & SDT_SITE_FREESTANDING)
        return !record->is_moved &&
               (record->kind == SDT_KIND_CALL || record->kind == SDT_KIND_DIRECT_CALL);
    if (record->is_moved)
        return arch->companions_move;
    return !arch->companions_move || record->kind == SDT_KIND_CALL;
}

/* The branch in the text that a companion's moved site stands for. */
static bool read_branch(struct image *image, struct record *record)
{
    struct target target;
    struct place field = {record->pc.section, record->pc.offset - SDT_COMPANION_BRANCH};
    if (!record->is_companion || !record->is_moved)
        return true;
    enum follow how = image_follow(image, field, &target);
    record->branch = target.place;
    record->has_branch = how == FOLLOW_PLACE;
    if (how == FOLLOW_PLACE || how == FOLLOW_UNDEFINED)
        return true;
    report_bytes(image, field, 4, record->label,
                 "expected the word before the site to lead to its branch, it leads to %s",
                 follow_text(how));
    return false;
}

static void read_record(struct image *image, struct record *record)
{
    const uint8_t *bytes = image->sections[record->self.section].data + record->self.offset;
    struct sdt_site site;
    memcpy(&site, bytes, sizeof site);
    record->kind = site.kind;
    record->nargs = site.nargs;
    record->flags = site.flags;
    if (record->flags & SDT_SITE_FREESTANDING) /* sets of kernels are in one section */
        record->is_companion = (record->flags & SDT_SITE_COMPANION) != 0;

    bool ok = read_place(image, record, offsetof(struct sdt_site, probe), "probe", &record->probe);
    ok = ok && read_label(image, record);
    ok &= read_place(image, record, offsetof(struct sdt_site, pc), "pc", &record->pc);
    ok &= read_place(image, record, offsetof(struct sdt_site, stub), "stub", &record->stub);
    ok &= read_strings(image, record);
    if (ok)
        check_arguments(image, record);
    record->is_moved = (record->flags & SDT_SITE_MOVED) != 0;
    if (!image->arch->can_be_moved(record)) {
        report_defect(image, record->self, record->label, "expected the moved flag at %s",
                      image->arch->moved_words);
        ok = false;
    }
    check_flags(image, record);
    if (record->is_companion != ((record->flags & SDT_SITE_COMPANION) != 0)) {
        report_defect(
            image, record->self, record->label, "expected %s companion flag in section %s",
            record->is_companion ? "the" : "no", image->sections[record->self.section].name);
        ok = false;
    } else if (record->is_companion && !may_be_companion(image->arch, record)) {
        report_defect(image, record->self, record->label,
                      "expected no companion of a site of kind %u on this machine", record->kind);
        ok = false;
    }
    record->is_sound = ok && read_branch(image, record);
}

bool kind_is_question(unsigned kind)
{
    return (kind >= SDT_KIND_ENABLED && kind <= SDT_KIND_ENABLED_TAIL6) ||
           kind == SDT_KIND_DIRECT_ENABLED_TAIL;
}

bool kind_is_of_note(unsigned kind)
{
    return kind == SDT_KIND_NOP1 || kind == SDT_KIND_NOP11;
}

bool kind_is_of_function(unsigned kind)
{
    return kind == SDT_KIND_FUNCTION || kind == SDT_KIND_FUNCTION6 ||
           kind == SDT_KIND_FUNCTION_RETURN;
}

bool kind_has_entry(unsigned kind)
{
    return kind == SDT_KIND_INLINE || kind_is_of_note(kind) || kind_is_of_function(kind);
}

struct place record_place(const struct record *record)
{
    return record->is_moved ? record->branch : record->pc;
}

size_t records_first(const struct records *records, struct place place)
{
    return LOWER_BOUND(i, records->count, place_compare(records->all[i].pc, place) < 0);
}

static bool is_set(const struct section *section, bool *is_companion)
{
    *is_companion = strcmp(section->name, SDT_SECTION_COMPANION) == 0;
    return *is_companion || strcmp(section->name, SDT_SECTION_SITES) == 0 ||
           strcmp(section->name, SDT_SECTION_BOUNDED) == 0;
}

static size_t count_records(struct image *image)
{
    size_t count = 0;
    bool is_companion;
    for (uint32_t i = 1; i < image->nsections; i++) {
        struct section *section = &image->sections[i];
        if (!is_set(section, &is_companion))
            continue;
        if (section->size % sizeof(struct sdt_site) != 0 || (section->size && !section->data))
            report_defect(image, (struct place){i, 0}, NULL,
                          "expected whole records of %zu bytes, found %llu bytes",
                          sizeof(struct sdt_site), (unsigned long long)section->size);
        count += section->data ? section->size / sizeof(struct sdt_site) : 0;
    }
    return count;
}

static int by_probe(const void *left, const void *right)
{
    const struct probe_record *a = left, *b = right;
    int order = place_compare(a->self, b->self);
    if (order == 0)
        order = a->answers - b->answers;
    return order || !a->is_stub_near ? order : place_compare(a->stub, b->stub);
}

const char *records_prefix(const struct record *record)
{
    if (!kind_has_entry(record->kind))
        return SDT_SYMBOL_CALLED;
    return record->flags & SDT_SITE_LIVE_FLAGS ? SDT_SYMBOL_FLAGGED : SDT_SYMBOL_PROBE;
}

static struct probe_record probe_of(const struct records *records, const struct record *record)
{
    bool is_question = record->kind == SDT_KIND_ENABLED || record->kind == SDT_KIND_ENABLED_TAIL;
    struct probe_record probe = {.self = record->probe,
                                 .stub = record->stub,
                                 .prefix = records_prefix(record),
                                 .name = record->name,
                                 .is_companion = record->is_companion,
                                 .is_stub_near = records->has_near_stubs && !record->is_companion,
                                 .answers = record->is_companion && is_question};
    if (kind_has_entry(record->kind))
        probe.stub = (struct place){0, 0}; /* it names its entry */
    memcpy(probe.label, record->label, sizeof probe.label);
    return probe;
}

const struct probe_record *records_probe(const struct records *records, const struct record *record)
{
    struct probe_record key = probe_of(records, record);
    if (!record->is_sound)
        return NULL;
    return bsearch(&key, records->probes, records->nprobes, sizeof key, by_probe);
}

static int by_name(const void *left, const void *right)
{
    return strcmp(*(const char *const *)left, *(const char *const *)right);
}

size_t records_count_probes(const struct records *records)
{
    size_t count = 0;
    const char **names = calloc(records->nprobes + 1, sizeof *names);
    for (size_t i = 0; names && i < records->nprobes; i++)
        names[i] = records->probes[i].name;
    if (names)
        qsort(names, records->nprobes, sizeof *names, by_name);
    for (size_t i = 0; names && i < records->nprobes; i++)
        count += i == 0 || strcmp(names[i - 1], names[i]) != 0;
    free(names);
    return count;
}

/* The distinct probes and stubs of the sound records. */
static int collect_probes(struct records *records)
{
    records->probes = calloc(records->count + 1, sizeof *records->probes);
    if (!records->probes)
        return -1;
    size_t count = 0, kept = 0;
    for (size_t i = 0; i < records->count; i++) {
        const struct record *record = &records->all[i];
        if (!record->is_sound)
            continue;
        records->probes[count++] = probe_of(records, record);
    }
    qsort(records->probes, count, sizeof *records->probes, by_probe);
    for (size_t i = 0; i < count; i++)
        if (kept == 0 || by_probe(&records->probes[kept - 1], &records->probes[i]) != 0)
            records->probes[kept++] = records->probes[i];
        else if (records->probes[kept - 1].stub.section == 0)
            records->probes[kept - 1].stub = records->probes[i].stub;
    records->nprobes = kept;
    return 0;
}

static void find_runtime(struct image *image)
{
    for (uint32_t i = 1; i < image->nsymbols; i++)
        for (unsigned f = RUNTIME_ENTER; f < RUNTIME_FUNCTIONS; f++)
            if (strcmp(image->symbols[i].name, runtime_names[f]) == 0 && image->symbols[i].section)
                image->runtime[f] = &image->symbols[i];
}

/* A set is freestanding as a whole: the first record says so for all. */
static void choose_arch(struct image *image)
{
    bool is_companion;
    for (uint32_t i = 1; i < image->nsections; i++) {
        const struct section *section = &image->sections[i];
        struct sdt_site site;
        if (!is_set(section, &is_companion) || !section->data || section->size < sizeof site)
            continue;
        memcpy(&site, section->data, sizeof site);
        image->is_freestanding = site.flags & SDT_SITE_FREESTANDING;
        if (image->is_freestanding)
            find_runtime(image);
        if (image->is_freestanding && image->arch->freestanding)
            image->arch = image->arch->freestanding();
        return;
    }
}

/* … and each record must agree, and say which format it has. */
static void check_version(struct image *image, const struct record *record)
{
    bool is_freestanding = record->flags & SDT_SITE_FREESTANDING;
    unsigned version = (record->flags & SDT_SITE_VERSION) >> SDT_SITE_VERSION_SHIFT;
    if (is_freestanding != image->is_freestanding)
        report_defect(image, record->self, record->label,
                      "expected a set that is freestanding as a whole, or not at all");
    else if (is_freestanding && version != SDT_FORMAT_VERSION)
        report_defect(image, record->self, record->label, "expected format %u, found %u",
                      SDT_FORMAT_VERSION, version);
}

int records_read(struct image *image, struct records *records)
{
    choose_arch(image);
    size_t next = 0, count = count_records(image);
    *records =
        (struct records){.all = calloc(count + 1, sizeof *records->all),
                         .has_near_stubs = image->arch->has_near_stubs || image->is_freestanding};
    if (!records->all)
        return report_failure(image, "out of memory");
    for (uint32_t i = 1; i < image->nsections; i++) {
        const struct section *section = &image->sections[i];
        bool is_companion;
        if (!is_set(section, &is_companion) || !section->data)
            continue;
        for (uint64_t at = 0; section->size - at >= sizeof(struct sdt_site);
             at += sizeof(struct sdt_site)) {
            struct record *record = &records->all[next++];
            record->self = (struct place){i, at};
            record->is_companion = is_companion;
            read_record(image, record);
            check_version(image, record);
        }
    }
    records->count = count;
    return collect_probes(records) == 0 ? 0 : report_failure(image, "out of memory");
}

void records_free(struct records *records)
{
    free(records->all);
    free(records->probes);
    *records = (struct records){0};
}
