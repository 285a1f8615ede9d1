/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The source locations of sites whose record has none: from the line table of the program's debug
 * information (section .debug_line; DWARF 2 to 5, section 6.2 of the standard).
 *
 * A table is a program for a small machine, which makes rows of address, file and line; a row holds
 * up to the address of the next. Nothing is trusted. Damaged or compressed tables and later
 * versions are ignored without an error: the list is about probes.
 */
#include "base/memory.h"
#include "dwarf/cursor.h"
#include "elf_file.h"
#include "site.h"

#include <shared/lower_bound.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_FORMATS = 16, MAX_FILES = 1 << 16, PATH_SHOWN = 500 };

struct line_file {
    const char *name;
    uint64_t directory;
};

/* One table. */
struct unit {
    const struct list_section *strings, *line_strings; /* NULL: there is none */
    struct cursor program;
    unsigned version, offset_size, instruction, range, opcode_base;
    int line_base;
    uint8_t lengths[256]; /* operands of standard opcodes */
    const char **directories;
    struct line_file *files;
    size_t directory_count, file_count;
};

struct row {
    uint64_t address, file, line;
};

/* The sites to be told, by address. */
struct wanted {
    struct list *list;
    struct list_site **sites;
    size_t *next; /* of each, the first from there on that is not told yet, or one that is nearer */
    size_t count;
};

/* ---- reading ---- */

/* "" if it does not end. */
static const char *take_string(struct cursor *c)
{
    const char *string = cursor_string(c);
    return string ? string : "";
}

static const struct list_section *find_section(const struct list_elf *elf, const char *name)
{
    for (uint32_t i = 1; i < elf->count; i++)
        if (elf->sections[i].data && !strcmp(elf->sections[i].name, name) &&
            elf->sections[i].size && !(elf->sections[i].header.sh_flags & SHF_COMPRESSED))
            return &elf->sections[i];
    return NULL;
}

/* The string at OFFSET of a section of strings, which ends with one. */
static const char *string_at(struct cursor *c, const struct list_section *strings, uint64_t offset)
{
    if (!strings || offset >= strings->size || strings->data[strings->size - 1]) {
        c->is_damaged = true;
        return "";
    }
    return (const char *)strings->data + offset;
}

/* ---- the header ---- */

enum { FORM_DATA2 = 5, FORM_DATA4, FORM_DATA8, FORM_STRING, FORM_BLOCK, FORM_DATA1 = 11 };
enum { FORM_STRP = 14, FORM_UDATA, FORM_DATA16 = 30, FORM_LINE_STRP };
enum { CONTENT_PATH = 1, CONTENT_DIRECTORY };

/* A value of FORM: as a string or a number. */
static void take_form(struct cursor *c, const struct unit *unit, uint64_t form, const char **string,
                      uint64_t *number)
{
    switch (form) {
    case FORM_STRING:
        *string = take_string(c);
        break;
    case FORM_LINE_STRP:
    case FORM_STRP:
        *string = string_at(c, form == FORM_STRP ? unit->strings : unit->line_strings,
                            cursor_take(c, unit->offset_size));
        break;
    case FORM_UDATA:
        *number = cursor_leb(c, false);
        break;
    case FORM_BLOCK:
        cursor_skip(c, cursor_leb(c, false));
        break;
    case FORM_DATA1:
    case FORM_DATA2:
    case FORM_DATA4:
    case FORM_DATA8:
        *number = cursor_take(c, form == FORM_DATA1   ? 1
                                 : form == FORM_DATA2 ? 2
                                 : form == FORM_DATA4 ? 4
                                                      : 8);
        break;
    case FORM_DATA16: /* a checksum */
        cursor_skip(c, 16);
        break;
    default:
        c->is_damaged = true;
    }
}

static void add_directory(struct unit *unit, const char *name)
{
    unit->directories =
        memory_resize(unit->directories, unit->directory_count + 1, sizeof *unit->directories);
    unit->directories[unit->directory_count++] = name;
}

static void add_file(struct unit *unit, const char *name, uint64_t directory)
{
    unit->files = memory_resize(unit->files, unit->file_count + 1, sizeof *unit->files);
    unit->files[unit->file_count++] = (struct line_file){name, directory};
}

/* DWARF 5: a description of the columns, then rows. */
static void take_entries(struct cursor *c, struct unit *unit, bool are_files)
{
    uint64_t columns[MAX_FORMATS][2] = {{0}};
    unsigned formats = (unsigned)cursor_take(c, 1);
    c->is_damaged |= formats > MAX_FORMATS;
    for (unsigned i = 0; i < formats && !c->is_damaged; i++) {
        columns[i][0] = cursor_leb(c, false);
        columns[i][1] = cursor_leb(c, false);
    }
    uint64_t count = cursor_leb(c, false);
    c->is_damaged |= count > MAX_FILES || (count && !formats);
    for (uint64_t i = 0; i < count && !c->is_damaged; i++) {
        const char *name = "";
        uint64_t directory = 0;
        for (unsigned k = 0; k < formats && !c->is_damaged; k++) {
            const char *string = "";
            uint64_t number = 0;
            take_form(c, unit, columns[k][1], &string, &number);
            name = columns[k][0] == CONTENT_PATH ? string : name;
            directory = columns[k][0] == CONTENT_DIRECTORY ? number : directory;
        }
        if (are_files)
            add_file(unit, name, directory);
        else
            add_directory(unit, name);
    }
}

/* Before: strings, of which an empty one is the last. Number 0 is not among them. */
static void take_old_entries(struct cursor *c, struct unit *unit)
{
    const char *name;
    add_directory(unit, "");
    add_file(unit, "", 0);
    while (*(name = take_string(c)) && unit->directory_count < MAX_FILES)
        add_directory(unit, name);
    while (*(name = take_string(c)) && unit->file_count < MAX_FILES) {
        add_file(unit, name, cursor_leb(c, false));
        cursor_leb(c, false); /* when it was changed, */
        cursor_leb(c, false); /* and its size */
    }
}

/* The table at C, which moves after it; UNIT has the strings. False: it cannot be read. */
static bool take_unit(struct cursor *c, struct unit *unit)
{
    unit->offset_size = 4;
    uint64_t length = cursor_take(c, 4);
    if (length == UINT32_MAX) {
        unit->offset_size = 8;
        length = cursor_take(c, 8);
    }
    struct cursor u = *c;
    cursor_skip(c, length);
    u.end = c->at;
    u.is_damaged |= c->is_damaged;
    unit->version = (unsigned)cursor_take(&u, 2);
    if (unit->version < 2 || unit->version > 5)
        return false;
    if (unit->version >= 5)
        cursor_take(&u, 2); /* sizes of addresses and segment selectors */
    uint64_t header = cursor_take(&u, unit->offset_size);
    unit->program = u;
    cursor_skip(&unit->program, header);
    unit->instruction = (unsigned)cursor_take(&u, 1);
    if (unit->version >= 4)
        cursor_take(&u, 1); /* operations of an instruction: 1, but for VLIW */
    cursor_take(&u, 1);     /* whether rows begin a statement */
    unit->line_base = (int8_t)cursor_take(&u, 1); /* NOLINT(*-signed-char-misuse,*-str34-c) */
    unit->range = (unsigned)cursor_take(&u, 1);
    unit->opcode_base = (unsigned)cursor_take(&u, 1);
    for (unsigned i = 1; i < unit->opcode_base; i++)
        unit->lengths[i] = (uint8_t)cursor_take(&u, 1);
    if (unit->version < 5) {
        take_old_entries(&u, unit);
    } else {
        take_entries(&u, unit, false);
        take_entries(&u, unit, true);
    }
    return !u.is_damaged && !unit->program.is_damaged && unit->range && unit->opcode_base;
}

/* ---- the program ---- */

/* As the compiler was given it: below the directory of the compilation. */
static char *place_text(const struct unit *unit, const struct row *row)
{
    const struct line_file *file = &unit->files[row->file];
    bool has_directory =
        file->directory && file->directory < unit->directory_count && file->name[0] != '/';
    return memory_format(
        "%.*s%s%.*s:%llu", PATH_SHOWN, has_directory ? unit->directories[file->directory] : "",
        has_directory ? "/" : "", PATH_SHOWN, file->name, (unsigned long long)row->line);
}

static size_t next_untold(const struct wanted *wanted, size_t i)
{
    while (wanted->next[i] != i)
        i = wanted->next[i] = wanted->next[wanted->next[i]];
    return i;
}

/* ROW holds up to the address END. */
static void tell(const struct wanted *wanted, const struct unit *unit, const struct row *row,
                 uint64_t end)
{
    if (row->file >= unit->file_count || !row->line || !*unit->files[row->file].name)
        return;
    size_t low = LOWER_BOUND(i, wanted->count, wanted->sites[i]->address < row->address);
    low = next_untold(wanted, low);
    for (; low < wanted->count && wanted->sites[low]->address < end;
         low = next_untold(wanted, low)) {
        wanted->sites[low]->place =
            list_strings_keep(&wanted->list->strings, place_text(unit, row));
        wanted->next[low] = low + 1;
    }
}

struct machine {
    struct row now, before; /* before: the last row, if there is one */
    bool has_before;
};

static const struct row first_row = {.file = 1, .line = 1};

/* A row ends here, and another begins. */
static void add_row(struct machine *m, const struct wanted *wanted, const struct unit *unit)
{
    if (m->has_before && m->before.address < m->now.address)
        tell(wanted, unit, &m->before, m->now.address);
    m->before = m->now;
    m->has_before = true;
}

enum { EXTENDED, COPY, ADVANCE_PC, ADVANCE_LINE, SET_FILE, CONST_ADD_PC = 8, FIXED_ADVANCE_PC };
enum { END_SEQUENCE = 1, SET_ADDRESS };

static void run_extended(struct machine *m, const struct wanted *wanted, const struct unit *unit,
                         struct cursor *c)
{
    uint64_t length = cursor_leb(c, false);
    struct cursor operand = *c;
    cursor_skip(c, length);
    if (c->is_damaged || !length)
        return;
    unsigned opcode = (unsigned)cursor_take(&operand, 1);
    if (opcode == END_SEQUENCE) {
        add_row(m, wanted, unit);
        *m = (struct machine){.now = first_row};
    } else if (opcode == SET_ADDRESS && (length == 5 || length == 9)) {
        m->now.address = cursor_take(&operand, (unsigned)length - 1);
    }
}

static void run_standard(struct machine *m, const struct wanted *wanted, const struct unit *unit,
                         struct cursor *c, unsigned opcode)
{
    switch (opcode) {
    case COPY:
        add_row(m, wanted, unit);
        break;
    case ADVANCE_PC:
        m->now.address += cursor_leb(c, false) * unit->instruction;
        break;
    case ADVANCE_LINE:
        m->now.line += cursor_leb(c, true);
        break;
    case SET_FILE:
        m->now.file = cursor_leb(c, false);
        break;
    case CONST_ADD_PC:
        m->now.address += (uint64_t)((255 - unit->opcode_base) / unit->range) * unit->instruction;
        break;
    case FIXED_ADVANCE_PC:
        m->now.address += cursor_take(c, 2);
        break;
    default: /* of columns, blocks and the like; or of a later version */
        for (unsigned i = 0; i < unit->lengths[opcode]; i++)
            cursor_leb(c, false);
    }
}

static void run_program(const struct wanted *wanted, const struct unit *unit)
{
    struct cursor c = unit->program;
    struct machine m = {.now = first_row};
    while (c.at < c.end && !c.is_damaged) {
        unsigned opcode = (unsigned)cursor_take(&c, 1);
        if (opcode >= unit->opcode_base) {
            unsigned special = opcode - unit->opcode_base;
            m.now.address += (uint64_t)(special / unit->range) * unit->instruction;
            m.now.line += (uint64_t)(int64_t)(unit->line_base + (int)(special % unit->range));
            add_row(&m, wanted, unit);
        } else if (opcode == EXTENDED) {
            run_extended(&m, wanted, unit, &c);
        } else {
            run_standard(&m, wanted, unit, &c, opcode);
        }
    }
}

/* ---- sites ---- */

static int by_address(const void *left, const void *right)
{
    const struct list_site *a = *(const struct list_site *const *)left;
    const struct list_site *b = *(const struct list_site *const *)right;
    return (a->address > b->address) - (a->address < b->address);
}

void list_read_lines(const struct list_elf *elf, struct list *list, size_t first)
{
    const struct list_section *section = find_section(elf, ".debug_line");
    struct wanted wanted = {.list = list};
    if (!section || elf->type == ET_REL)
        return;
    wanted.sites = memory_zeroed(list->count - first + 1, sizeof(struct list_site *));
    for (size_t i = first; i < list->count; i++)
        if (list->sites[i].has_address && !list->sites[i].place)
            wanted.sites[wanted.count++] = &list->sites[i];
    qsort(wanted.sites, wanted.count, sizeof *wanted.sites, by_address);
    wanted.next = memory_zeroed(wanted.count + 1, sizeof *wanted.next);
    for (size_t i = 0; i <= wanted.count; i++)
        wanted.next[i] = i;
    struct cursor c = cursor_at(section->data, section->size, 0);
    c.is_big = elf->is_big;
    const struct unit none = {.strings = find_section(elf, ".debug_str"),
                              .line_strings = find_section(elf, ".debug_line_str")};
    while (wanted.count && c.at < c.end && !c.is_damaged) {
        struct unit unit = none;
        if (take_unit(&c, &unit))
            run_program(&wanted, &unit);
        free(unit.directories);
        free(unit.files);
    }
    free(wanted.next);
    free(wanted.sites);
}
