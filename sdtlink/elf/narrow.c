/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See narrow.h. The new image has the header, the contents of all sections in the order of the
 * section table, each on a multiple of eight, and that table. An object of ELF32 is never mapped
 * nor copied: it is laid out anew and written from memory, as small ones of ELF64 are.
 */
#include "narrow.h"

#include "base/diag.h"

#include <inttypes.h>
#include <stdlib.h>
#include <sys/mman.h>

/* The largest symbol index that a relocation of ELF32 can have. */
enum { MOST_SYMBOLS = 1 << 24 };

/* ---- addends ---- */

/* How many bytes of the field have the addend of a relocation of TYPE. */
static size_t addend_size(const struct object *o, uint32_t type)
{
    size_t size = o->arch->addend_size ? o->arch->addend_size(type) : 0;
    return size == ARCH_NO_ADDEND ? 0 : size;
}

/* The signed number in SIZE bytes at FIELD. */
static int64_t read_addend(const uint8_t *field, size_t size)
{
    uint64_t value = 0;
    for (size_t i = 0; i < size; i++)
        value |= (uint64_t)field[i] << 8 * i;
    unsigned unused = 64 - 8 * (unsigned)size;
    return size ? (int64_t)(value << unused) >> unused : 0;
}

static void write_addend(uint8_t *field, size_t size, int64_t addend)
{
    for (size_t i = 0; i < size; i++)
        field[i] = (uint8_t)((uint64_t)addend >> 8 * i);
}

/* ---- reading ---- */

struct widening {
    struct object *object;
    const uint8_t *file;
    size_t size, left; /* of the file; and what no section has had of it yet */
    Elf32_Ehdr header;
    uint32_t count;      /* of sections that have a header in the file */
    struct bytes image;  /* what is being made */
    Elf64_Shdr *headers; /* for it */
};

static Elf32_Shdr header_at(const struct widening *w, uint64_t i)
{
    Elf32_Shdr header = {0};
    if (i < w->count)
        memcpy(&header, w->file + w->header.e_shoff + i * sizeof header, sizeof header);
    return header;
}

/* The contents that HEADER speaks of; NULL: it has none, or they are not in the file. */
static const uint8_t *contents(const struct widening *w, const Elf32_Shdr *header)
{
    bool is_there = header->sh_type != SHT_NULL && header->sh_type != SHT_NOBITS &&
                    header->sh_offset <= w->size && header->sh_size <= w->size - header->sh_offset;
    return is_there ? w->file + header->sh_offset : NULL;
}

static void widen_symbols(struct widening *w, const uint8_t *from, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        Elf32_Sym symbol;
        memcpy(&symbol, from + i * sizeof symbol, sizeof symbol);
        const Elf64_Sym wide = {.st_name = symbol.st_name,
                                .st_info = symbol.st_info,
                                .st_other = symbol.st_other,
                                .st_shndx = symbol.st_shndx,
                                .st_value = symbol.st_value,
                                .st_size = symbol.st_size};
        bytes_append(&w->image, &wide, sizeof wide);
    }
}

/* The relocation at FROM, of section HOME, with its addend. False: its type is not known. */
static bool widen_relocation(const struct widening *w, const uint8_t *from, const Elf32_Shdr *home,
                             Elf64_Rela *wide)
{
    const struct tool_arch *arch = w->object->arch;
    Elf32_Rela relocation = {0};
    memcpy(&relocation, from, arch->addend_size ? sizeof(Elf32_Rel) : sizeof relocation);
    uint32_t type = ELF32_R_TYPE(relocation.r_info);
    const uint8_t *data = contents(w, home);
    size_t size = addend_size(w->object, type), offset = relocation.r_offset;
    int64_t addend = relocation.r_addend;
    if (arch->addend_size) {
        bool is_inside = data && offset <= home->sh_size && size <= home->sh_size - offset;
        addend = is_inside ? read_addend(data + offset, size) : 0;
    }
    *wide =
        (Elf64_Rela){offset, ELF64_R_INFO((uint64_t)ELF32_R_SYM(relocation.r_info), type), addend};
    return !arch->addend_size || arch->addend_size(type) != ARCH_NO_ADDEND;
}

static int widen_relocations(struct widening *w, uint32_t section, const Elf32_Shdr *header,
                             size_t count)
{
    const uint8_t *from = contents(w, header);
    const Elf32_Shdr home = header_at(w, header->sh_info);
    for (size_t i = 0; i < count; i++) {
        Elf64_Rela wide;
        if (!widen_relocation(w, from + i * header->sh_entsize, &home, &wide)) {
            char *problem = memory_format(
                "section %u: relocation type %u is not known, so neither is how it is written",
                section, (unsigned)ELF64_R_TYPE(wide.r_info));
            diag_refuse(&(struct diag_place){.file = w->object->path}, problem, NULL, NULL, NULL);
            free(problem);
            return -1;
        }
        bytes_append(&w->image, &wide, sizeof wide);
    }
    return 0;
}

/* How many entries of SIZE bytes a table has, of WIDE bytes each from now on. If its header says
 * otherwise, a later check finds that: the entry size is wrong then. */
static size_t count_entries(const Elf32_Shdr *header, Elf64_Shdr *wide, size_t size,
                            size_t wide_size)
{
    bool is_right = header->sh_entsize == size && header->sh_size % size == 0;
    wide->sh_entsize = is_right ? wide_size : 0;
    return is_right ? header->sh_size / size : 0;
}

static int refuse_kind(const struct widening *w, uint32_t section, bool is_rela)
{
    char *problem =
        memory_format("section %u: its relocations have %s, unlike all others for %s", section,
                      is_rela ? "addends of their own" : "no addends", w->object->arch->name);
    diag_refuse(&(struct diag_place){.file = w->object->path}, problem, NULL, NULL, NULL);
    free(problem);
    return -1;
}

/* Append the contents of section I, whose header in the file is FROM and in the image WIDE. */
static int widen_contents(struct widening *w, uint32_t i, const Elf32_Shdr *from, Elf64_Shdr *wide)
{
    const bool has_rel = w->object->arch->addend_size;
    const uint8_t *data = contents(w, from);
    size_t start = w->image.size;
    int result = 0;
    switch (from->sh_type) {
    case SHT_SYMTAB:
        widen_symbols(w, data, count_entries(from, wide, sizeof(Elf32_Sym), sizeof(Elf64_Sym)));
        break;
    case SHT_REL:
    case SHT_RELA:
        if (has_rel != (from->sh_type == SHT_REL))
            return refuse_kind(w, i, from->sh_type == SHT_RELA);
        result = widen_relocations(w, i, from,
                                   count_entries(from, wide,
                                                 has_rel ? sizeof(Elf32_Rel) : sizeof(Elf32_Rela),
                                                 sizeof(Elf64_Rela)));
        wide->sh_type = SHT_RELA;
        break;
    default:
        bytes_append(&w->image, data, from->sh_size);
        break;
    }
    wide->sh_size = w->image.size - start;
    return result;
}

static int widen_section(struct widening *w, uint32_t i)
{
    const Elf32_Shdr from = header_at(w, i);
    Elf64_Shdr *wide = &w->headers[i];
    *wide =
        (Elf64_Shdr){from.sh_name, from.sh_type, from.sh_flags, from.sh_addr,      from.sh_offset,
                     from.sh_size, from.sh_link, from.sh_info,  from.sh_addralign, from.sh_entsize};
    if (i == 0 || from.sh_type == SHT_NULL || from.sh_type == SHT_NOBITS)
        return 0;
    wide->sh_offset = UINT64_MAX; /* outside */
    if (!contents(w, &from))
        return 0;
    if (from.sh_size > w->left)
        return object_damaged(w->object, i, "it overlaps other sections");
    w->left -= from.sh_size;
    bytes_append(&w->image, NULL, -w->image.size & 7);
    wide->sh_offset = w->image.size;
    return widen_contents(w, i, &from, wide);
}

/* How many section headers there are; 0: not all are in the file. */
static uint32_t count_headers(const struct widening *w)
{
    uint64_t room, count = w->header.e_shnum;
    Elf32_Shdr zero;
    if (w->header.e_shoff == 0 || w->header.e_shoff > w->size)
        return 0;
    room = (w->size - w->header.e_shoff) / sizeof zero;
    if (count == 0 && room) {
        memcpy(&zero, w->file + w->header.e_shoff, sizeof zero);
        count = zero.sh_size;
    }
    return count <= room ? (uint32_t)count : 0;
}

static Elf64_Ehdr widen_header(const struct widening *w)
{
    const Elf32_Ehdr *from = &w->header;
    Elf64_Ehdr wide = {.e_type = from->e_type,
                       .e_machine = from->e_machine,
                       .e_version = from->e_version,
                       .e_flags = from->e_flags,
                       .e_ehsize = sizeof(Elf64_Ehdr),
                       .e_shentsize =
                           from->e_shentsize == sizeof(Elf32_Shdr) ? sizeof(Elf64_Shdr) : 0,
                       .e_shnum = from->e_shnum,
                       .e_shstrndx = from->e_shstrndx};
    memcpy(wide.e_ident, from->e_ident, sizeof wide.e_ident);
    wide.e_ident[EI_CLASS] = ELFCLASS64;
    wide.e_shoff = w->count ? w->image.size : 0; /* 0: read.c says what is missing */
    return wide;
}

/* The image as it was goes, and this one takes its place. */
static void replace_image(struct object *o, struct bytes *image)
{
    if (o->is_mapped)
        munmap(o->image, object_mapped_size(o));
    else
        free(o->image);
    o->is_mapped = false;
    o->image = image->data;
    o->size = image->size;
}

int narrow_widen(struct object *o)
{
    struct widening w = {.object = o, .file = o->image, .size = o->size, .left = o->size};
    int result = 0;
    memcpy(&w.header, w.file, sizeof w.header);
    w.count = count_headers(&w);
    w.headers = memory_zeroed((size_t)w.count + 1, sizeof *w.headers);
    bytes_append(&w.image, NULL, sizeof(Elf64_Ehdr));
    for (uint32_t i = 0; i < w.count && result == 0; i++)
        result = widen_section(&w, i);
    bytes_append(&w.image, NULL, -w.image.size & 7);
    const Elf64_Ehdr header = widen_header(&w);
    memcpy(w.image.data, &header, sizeof header);
    bytes_append(&w.image, w.headers, w.count * sizeof *w.headers);
    free(w.headers);
    if (result == 0)
        replace_image(o, &w.image);
    else
        bytes_free(&w.image);
    return result;
}

/* ---- writing ---- */

/* Replace the contents of S. */
static void replace_contents(struct section *s, struct bytes *fresh)
{
    bytes_free(&s->tail);
    s->size = 0;
    s->tail = *fresh;
    s->header.sh_addralign = sizeof(Elf32_Word);
}

static void narrow_symbols(struct section *s)
{
    struct bytes fresh = {0};
    for (size_t at = 0; at < section_size(s); at += sizeof(Elf64_Sym)) {
        Elf64_Sym wide;
        memcpy(&wide, section_byte(s, at), sizeof wide);
        const Elf32_Sym symbol = {.st_name = wide.st_name,
                                  .st_value = (Elf32_Addr)wide.st_value,
                                  .st_size = (Elf32_Word)wide.st_size,
                                  .st_info = wide.st_info,
                                  .st_other = wide.st_other,
                                  .st_shndx = wide.st_shndx};
        bytes_append(&fresh, &symbol, sizeof symbol);
    }
    replace_contents(s, &fresh);
    s->header.sh_entsize = sizeof(Elf32_Sym);
}

static Elf32_Rela narrow_relocation(const Elf64_Rela *wide)
{
    return (Elf32_Rela){
        (Elf32_Addr)wide->r_offset,
        ELF32_R_INFO((Elf32_Word)ELF64_R_SYM(wide->r_info), (Elf32_Word)ELF64_R_TYPE(wide->r_info)),
        (Elf32_Sword)wide->r_addend};
}

static size_t relocation_size(const struct object *o)
{
    return o->arch->addend_size ? sizeof(Elf32_Rel) : sizeof(Elf32_Rela);
}

/* Write the addend of RELOCATION into its field in HOME, if it has one there. */
static void put_addend(const struct object *o, const struct section *home,
                       const Elf64_Rela *relocation)
{
    size_t size = addend_size(o, (uint32_t)ELF64_R_TYPE(relocation->r_info));
    size_t room = section_size(home);
    if (home->header.sh_type == SHT_NOBITS || relocation->r_offset > room ||
        size > room - relocation->r_offset)
        return;
    uint8_t field[sizeof(int64_t)];
    write_addend(field, size, relocation->r_addend);
    for (size_t i = 0; i < size; i++)
        *section_byte(home, relocation->r_offset + i) = field[i];
}

static void narrow_relocations(const struct object *o, struct section *s)
{
    const struct section *home = &o->sections[s->header.sh_info];
    struct bytes fresh = {0};
    for (size_t at = 0; at < section_size(s); at += sizeof(Elf64_Rela)) {
        Elf64_Rela wide;
        memcpy(&wide, section_byte(s, at), sizeof wide);
        const Elf32_Rela relocation = narrow_relocation(&wide);
        put_addend(o, home, &wide);
        bytes_append(&fresh, &relocation, relocation_size(o));
    }
    replace_contents(s, &fresh);
    s->header.sh_type = o->arch->addend_size ? SHT_REL : SHT_RELA;
    s->header.sh_entsize = relocation_size(o);
}

int narrow_sections(struct object *o)
{
    uint64_t total = sizeof(Elf32_Ehdr) + (uint64_t)o->section_count * sizeof(Elf32_Shdr);
    if (section_size(&o->sections[o->symtab]) / sizeof(Elf64_Sym) > MOST_SYMBOLS)
        return diag_error("%s: with the probes' symbols there are more than the %d that "
                          "relocations of ELF32 can name; divide the file",
                          o->path, MOST_SYMBOLS);
    for (uint32_t i = 1; i < o->section_count; i++) {
        struct section *s = &o->sections[i];
        if (s->header.sh_type == SHT_SYMTAB)
            narrow_symbols(s);
        else if (s->header.sh_type == SHT_RELA)
            narrow_relocations(o, s);
        total += section_size(s) + s->header.sh_addralign;
    }
    if (total > UINT32_MAX)
        return diag_error("%s: with the probes' sections it is larger than an ELF32 file can be; "
                          "divide the file",
                          o->path);
    return 0;
}

void narrow_file_header(const Elf64_Ehdr *wide, Elf32_Ehdr *header)
{
    *header = (Elf32_Ehdr){.e_type = wide->e_type,
                           .e_machine = wide->e_machine,
                           .e_version = wide->e_version,
                           .e_shoff = (Elf32_Off)wide->e_shoff,
                           .e_flags = wide->e_flags,
                           .e_ehsize = sizeof(Elf32_Ehdr),
                           .e_shentsize = sizeof(Elf32_Shdr),
                           .e_shnum = wide->e_shnum,
                           .e_shstrndx = wide->e_shstrndx};
    memcpy(header->e_ident, wide->e_ident, sizeof header->e_ident);
    header->e_ident[EI_CLASS] = ELFCLASS32;
}

void narrow_section_header(const Elf64_Shdr *wide, Elf32_Shdr *header)
{
    *header = (Elf32_Shdr){wide->sh_name,
                           wide->sh_type,
                           (Elf32_Word)wide->sh_flags,
                           (Elf32_Addr)wide->sh_addr,
                           (Elf32_Off)wide->sh_offset,
                           (Elf32_Word)wide->sh_size,
                           wide->sh_link,
                           wide->sh_info,
                           (Elf32_Word)wide->sh_addralign,
                           (Elf32_Word)wide->sh_entsize};
}

bool narrow_is_written(const struct object *o, const uint8_t *file, const struct section *s,
                       uint32_t slot, const Elf64_Rela *relocation, uint64_t offset,
                       const uint8_t *bytes, size_t size)
{
    const Elf32_Rela expected = narrow_relocation(relocation);
    const size_t entry = relocation_size(o);
    const size_t field = addend_size(o, (uint32_t)ELF64_R_TYPE(relocation->r_info));
    const uint64_t at = relocation->r_offset - offset; /* of the field in BYTES */
    uint8_t addend[sizeof(int64_t)];
    write_addend(addend, field, relocation->r_addend);
    if (memcmp(file + o->sections[s->rela].offset + slot * entry, &expected, entry) != 0)
        return false;
    for (size_t i = 0; i < size; i++) {
        uint8_t wanted = i >= at && i - at < field ? addend[i - at] : bytes[i];
        if (file[s->offset + offset + i] != wanted)
            return false;
    }
    return true;
}
