/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The names of an object's symbols are in its string table, in one piece: a search for a few bytes
 * in that is enough. The symbols are read only if it finds something.
 */
#include "scan_object.h"

#include "elf/foreign.h"
#include "elf/intermediate.h"
#include "elf/object.h"
#include "needles.h"
#include "probes/instrumented.h"
#include "probes/names.h"
#include "unprocessed_notes.h"

#include <string.h>

static const char probe_name[] = "__dtrace_sdt", registration_name[] = "__sdt_register";

/* What <sdt/runtime.h> declares; tests/launcher/test_launcher_api.py compares it with libsdt.so. */
static const char api_prefix[] = "sdt_";
static const char *const api_names[] = {
    "sdt_arg",           "sdt_args",         "sdt_arg_double",    "sdt_arg_name",
    "sdt_arg_type",      "sdt_attachable",   "sdt_disable",       "sdt_enable",
    "sdt_enable_mode",   "sdt_foreach",      "sdt_function",      "sdt_hits",
    "sdt_module",        "sdt_name",         "sdt_nargs",         "sdt_pc",
    "sdt_provider",      "sdt_record_add",   "sdt_record_create", "sdt_record_destroy",
    "sdt_record_flush",  "sdt_record_start", "sdt_record_stats",  "sdt_record_stop",
    "sdt_snapshot_when", "sdt_strerror",     "sdt_version",       "sdt_context",
};

/* NAME, of which SIZE bytes are in the file, is a function of the runtime's. */
static bool is_api(const uint8_t *name, uint64_t size)
{
    if (size < sizeof api_prefix || memcmp(name, api_prefix, sizeof api_prefix - 1) != 0)
        return false;
    for (size_t i = 0; i < sizeof api_names / sizeof *api_names; i++) {
        size_t length = strlen(api_names[i]) + 1;
        if (length <= size && !memcmp(name, api_names[i], length))
            return true;
    }
    return false;
}

/* A reference from code that can do without (weak) asks for nothing. */
static unsigned scan_api(const Elf64_Sym *symbol)
{
    if (symbol->st_shndx != SHN_UNDEF)
        return SCAN_OWN_API;
    return ELF64_ST_BIND(symbol->st_info) == STB_GLOBAL ? SCAN_API : 0;
}

/* Whether a compiler calls NAME, of which SIZE bytes are in the file, at functions. */
static bool is_function_call(const uint8_t *name, uint64_t size)
{
    struct probe_name probe;
    return size > 2 && name[0] == '_' && name[1] == '_' && memchr(name, '\0', size) &&
           instrumented_parse((const char *)name, true, &probe);
}

/* What is asked of one here. */
static void read_symbol(Elf64_Sym *symbol, const uint8_t *from, bool is_narrow)
{
    Elf32_Sym narrow;
    if (!is_narrow) {
        memcpy(symbol, from, sizeof *symbol);
        return;
    }
    memcpy(&narrow, from, sizeof narrow);
    *symbol = (Elf64_Sym){
        .st_name = narrow.st_name, .st_info = narrow.st_info, .st_shndx = narrow.st_shndx};
}

/*
 * The string is there: is the symbol? A processed object keeps the names of what it lost. And what
 * defines the registration, instead of referring to it, is the runtime.
 */
static unsigned scan_symbols(struct look *look, const Elf64_Shdr *header, const uint8_t *strings,
                             uint64_t size)
{
    Elf64_Sym symbol;
    bool is_narrow = look->elf.header.e_ident[EI_CLASS] == ELFCLASS32;
    uint64_t each = is_narrow ? sizeof(Elf32_Sym) : sizeof symbol;
    const uint8_t *symbols =
        pieces_get(&look->pieces, header->sh_offset, header->sh_size, &look->symbols);
    unsigned found = !symbols || names_have_prefix(strings, size) ? SCAN_PROBES : 0;
    for (uint64_t at = 0; symbols && at + each <= header->sh_size; at += each) {
        read_symbol(&symbol, symbols + at, is_narrow);
        if (symbol.st_name >= size)
            continue;
        const uint8_t *name = strings + symbol.st_name;
        uint64_t rest = size - symbol.st_name;
        if (rest >= sizeof probe_name - 1 && !memcmp(name, probe_name, sizeof probe_name - 1))
            found |= SCAN_PROBES;
        if (look->has_functions && symbol.st_shndx == SHN_UNDEF && is_function_call(name, rest))
            found |= SCAN_PROBES;
        if (symbol.st_shndx == SHN_UNDEF && rest >= sizeof registration_name &&
            !memcmp(name, registration_name, sizeof registration_name))
            found |= SCAN_PROCESSED;
        if (is_api(name, rest))
            found |= scan_api(&symbol);
    }
    return found;
}

/*
 * String table INDEX; NULL: that is none. Kept until the next one is asked for: clang has one table
 * for the names of symbols and sections.
 */
static const uint8_t *read_strings(struct look *look, uint64_t index, uint64_t *size)
{
    Elf64_Shdr header;
    if (!elf_view_section(&look->elf, index, &header) || header.sh_type != SHT_STRTAB)
        return NULL;
    *size = header.sh_size;
    if (index && index == look->strings_index)
        return look->strings.data;
    const uint8_t *strings =
        pieces_get(&look->pieces, header.sh_offset, header.sh_size, &look->strings);
    look->strings_index = strings == look->strings.data ? index : 0;
    return strings;
}

bool look_for_text(const uint8_t *strings, uint64_t size, const char *text)
{
    return memmem(strings, size, text, strlen(text)) != NULL;
}

/* These names, whoever has them. */
static bool has_function_calls(const uint8_t *strings, uint64_t size)
{
    return look_for_text(strings, size, "__fentry__") ||
           look_for_text(strings, size, "__return__") ||
           look_for_text(strings, size, "__cyg_profile_func_");
}

/*
 * What the symbols say. *HAS_MARK: there may be more to be said of this object, either since they
 * name probes or since it has gcc's mark of one without machine code. (Where there are both kinds
 * of code, both are of one source, and name the same probes.)
 */
static unsigned scan_names(struct look *look, const Elf64_Shdr *symbols, bool *has_mark)
{
    static const char *const needles[2] = {"sdt", "o_slim"};
    uint64_t size;
    const uint8_t *strings = read_strings(look, symbols->sh_link, &size);
    unsigned there = strings ? needles_find(strings, size, needles) : 0;
    bool has_calls = look->has_functions && strings && has_function_calls(strings, size);
    *has_mark = there != 0 || has_calls;
    if (has_calls)
        return scan_symbols(look, symbols, strings, size);
    if (!(there & 1) || !(look_for_text(strings, size, probe_name) ||
                          look_for_text(strings, size, registration_name) ||
                          look_for_text(strings, size, api_prefix)))
        return 0;
    return scan_symbols(look, symbols, strings, size);
}

/* Are there sections of intermediate code, or notes? */
static bool has_intermediate(struct look *look, bool *has_notes)
{
    static const char *const needles[2] = {"sdt", ".lto"};
    uint64_t size;
    const uint8_t *strings = read_strings(look, look->elf.names, &size);
    unsigned there = strings ? needles_find(strings, size, needles) : 0;
    *has_notes = (there & 1) && look_for_text(strings, size, SECTION_STAPSDT);
    return (there & 2) &&
           (look_for_text(strings, size, ".gnu.lto_") || look_for_text(strings, size, ".llvm.lto"));
}

/* Both formats keep the names of undefined symbols as text (intermediate.c), as those of others. */
static bool may_use_api(const uint8_t *image, size_t size)
{
    bool may = false;
    for (size_t i = 0; !may && i < sizeof api_names / sizeof *api_names; i++)
        may = look_for_text(image, size, api_names[i]);
    return may;
}

/* What compilers call at functions is not there yet: any code may get it. */
static unsigned scan_names_of_intermediate(const uint8_t *image, size_t size, bool has_functions)
{
    bool may_hold_probes = has_functions || intermediate_may_hold_probes(image, size);
    return (may_hold_probes ? SCAN_LTO_PROBES : 0) | (may_use_api(image, size) ? SCAN_API : 0);
}

static unsigned scan_intermediate(const struct look *look, unsigned found)
{
    const uint8_t *image = look->pieces.image;
    size_t size = look->pieces.size;
    enum intermediate kind = intermediate_kind(image, size);
    found |= SCAN_LTO | (kind == INTERMEDIATE_GIMPLE ? SCAN_SLIM : 0);
    if (kind == INTERMEDIATE_GIMPLE_FAT && look->ignores_fat)
        found &= ~(unsigned)(SCAN_PROBES | SCAN_PROCESSED | SCAN_NOTES);
    return found | scan_names_of_intermediate(image, size, look->has_functions);
}

/* Whether it has sleds of XRay's (probes/sleds.h), by the names of its sections. */
static bool has_sleds(struct look *look)
{
    uint64_t size;
    const uint8_t *strings = read_strings(look, look->elf.names, &size);
    return strings && look_for_text(strings, size, "xray_instr_map");
}

static unsigned scan_sections(struct look *look)
{
    const struct pieces *pieces = &look->pieces;
    Elf64_Shdr header;
    unsigned found = 0;
    bool has_mark = false;
    /* Compilers and linkers write the symbol table last. */
    for (uint64_t i = look->elf.count; i-- > 0 && elf_view_section(&look->elf, i, &header);)
        if (header.sh_type == SHT_SYMTAB) {
            found = scan_names(look, &header, &has_mark);
            break;
        }
    if (look->has_functions && has_sleds(look))
        found |= SCAN_PROBES;
    if (look->is_by_symbols && !has_mark)
        return found;
    bool has_notes, is_intermediate = has_intermediate(look, &has_notes);
    /* What was processed has notes of sites, and seldom others. */
    bool may_be_sited = has_notes && (found & SCAN_PROCESSED);
    look->wants_image = !pieces->image && (is_intermediate || may_be_sited);
    if (look->wants_image)
        return found;
    if (has_notes && (!may_be_sited || unprocessed_notes(pieces->image, pieces->size)))
        found |= SCAN_NOTES;
    return is_intermediate ? scan_intermediate(look, found) : found;
}

static bool read_pieces(void *pieces, uint64_t offset, void *to, size_t size)
{
    return pieces_read(pieces, offset, to, size);
}

unsigned look_at_elf(struct look *look, const Elf64_Ehdr *elf)
{
    bool is_object = memcmp(elf->e_ident, ELFMAG, SELFMAG) == 0 && elf->e_type == ET_REL;
    if (foreign_begins((const uint8_t *)elf, sizeof *elf) ||
        (is_object && look->arch && elf->e_machine != look->arch->machine))
        return SCAN_FOREIGN;
    bool is_narrow = elf->e_ident[EI_CLASS] == ELFCLASS32;
    if (memcmp(elf->e_ident, ELFMAG, SELFMAG) != 0 ||
        (elf->e_ident[EI_CLASS] != ELFCLASS64 && !is_narrow))
        return 0;
    if (elf->e_type == ET_DYN)
        return SCAN_SHARED;
    look->elf = (struct elf_view){
        .read = read_pieces, .from = &look->pieces, .size = look->pieces.size, .header = *elf};
    bool is_readable = elf->e_type == ET_REL &&
                       (is_narrow ? elf_view_start_narrow(&look->elf) : elf_view_start(&look->elf));
    return is_readable ? scan_sections(look) : 0;
}

unsigned scan_object(const struct scan_rules *rules, const uint8_t *image, size_t size)
{
    struct look look = {.pieces = {.image = image, .size = size, .fd = -1},
                        .ignores_fat = rules->ignores_fat,
                        .has_functions = rules->functions != NULL,
                        .arch = rules->arch};
    Elf64_Ehdr elf;
    if (intermediate_is_bitcode(image, size))
        return SCAN_LTO | SCAN_BITCODE |
               scan_names_of_intermediate(image, size, look.has_functions);
    return pieces_read(&look.pieces, 0, &elf, sizeof elf) ? look_at_elf(&look, &elf) : 0;
}
