/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Reading: what kind of file is it, and are its numbers valid?
 *
 * Every offset, size, link and index that later stages follow is checked here, once, so that the
 * stages themselves can be simple. Anything that is not a table of the file (bytes around a
 * relocation, for instance) is checked by the stage that reads it.
 *
 * libelf decodes the headers; contents are used where they lie in the file, which is mapped
 * copy-on-write, or read if it is small. An Elf handle would do that as well, but it allocates and
 * initialises some 200 bytes a section, twice the time of all that is done here for an object of
 * 257 000 sections.
 */
#include "object.h"

#include "base/diag.h"
#include "base/reading.h"
#include "crel.h"
#include "intermediate.h"
#include "kind.h"
#include "narrow.h"
#include "tables.h"

#include <errno.h>
#include <fcntl.h>
#include <libelf.h>
#include <sdt/format.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static int refuse(const struct object *o, const char *problem, const char *remedy)
{
    return diag_refuse(&(struct diag_place){.file = o->path}, problem, NULL, NULL, remedy);
}

int object_damaged(const struct object *o, uint32_t section, const char *what)
{
    char *problem =
        memory_format("section %u: %s; the file is truncated or damaged", section, what);
    refuse(o, problem, NULL);
    free(problem);
    return -1;
}

/* Decode a header of SIZE bytes at OFFSET of the file, which must hold it. */
static int decode(const struct object *o, void *header, size_t size, Elf_Type type, uint64_t offset)
{
    Elf_Data from = {
        .d_buf = o->image + offset, .d_size = size, .d_type = type, .d_version = EV_CURRENT};
    Elf_Data to = from;
    to.d_buf = header;
    if (!elf64_xlatetom(&to, &from, ELFDATA2LSB))
        return diag_error("%s: cannot decode a header: %s", o->path, elf_errmsg(-1));
    return 0;
}

/* Below this, to map a file costs more than to read it: a page fault for each page that changes. */
enum { WORTH_MAPPING = 1 << 17 };

static int check_kind(struct object *o, const uint8_t *head, size_t size)
{
    if (kind_check_magic(o->path, head, size) != 0 ||
        kind_check_header(o->path, head, &o->arch) != 0)
        return -1;
    elf_version(EV_CURRENT);
    return 0;
}

static int map_image(struct object *o)
{
    uint8_t head[sizeof(Elf64_Ehdr)];
    errno = reading_all(o->fd, head, sizeof head, 0);
    if (errno)
        return diag_errno("cannot read %s", o->path);
    if (check_kind(o, head, sizeof head) != 0)
        return -1;
    void *image = mmap(NULL, object_mapped_size(o), PROT_READ | PROT_WRITE, MAP_PRIVATE, o->fd, 0);
    if (image == MAP_FAILED)
        return diag_errno("cannot map %s", o->path);
    o->image = image;
    o->is_mapped = true;
    /* Nothing but calls becomes twelve times as long, in tables that are copied as they grow. */
    memory_expect(o->size * 32);
    return 0;
}

static int read_image(struct object *o)
{
    o->image = memory_resize(NULL, o->size, 1);
    errno = reading_all(o->fd, o->image, o->size, 0);
    return errno ? diag_errno("cannot read %s", o->path) : check_kind(o, o->image, o->size);
}

static int map_file(struct object *o, const char *file)
{
    struct stat status;
    /* O_NONBLOCK: a FIFO without a writer is refused below, not waited for. */
    o->fd = open(file, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (o->fd < 0 || fstat(o->fd, &status) != 0)
        return diag_errno("cannot open %s", o->path);
    if (!S_ISREG(status.st_mode))
        return diag_error("%s: not a regular file", o->path);
    o->mode = status.st_mode & 07777;
    o->size = o->file_size = (size_t)status.st_size;
    if ((o->size < WORTH_MAPPING ? read_image(o) : map_image(o)) != 0)
        return -1;
    if (object_is_narrow(o) && narrow_widen(o) != 0)
        return -1;
    return decode(o, &o->header, sizeof o->header, ELF_T_EHDR, 0);
}

static int check_section(struct object *o, uint32_t i)
{
    struct section *s = &o->sections[i];
    Elf64_Shdr *h = &s->header;
    if (h->sh_addralign & (h->sh_addralign - 1))
        return object_damaged(o, i, "its alignment is not a power of two");
    if (h->sh_link >= o->section_count)
        return object_damaged(o, i, "its sh_link is out of range");
    if (h->sh_type == SHT_NULL || h->sh_type == SHT_NOBITS)
        return 0;
    if (h->sh_offset > o->size || h->sh_size > o->size - h->sh_offset)
        return object_damaged(o, i, "its contents lie outside the file");
    s->size = h->sh_size;
    s->data = s->size ? o->image + h->sh_offset : NULL;
    return 0;
}

/* Sections whose contents are an array of fixed entries. */
static int check_table(struct object *o, uint32_t i, size_t entry, size_t align)
{
    struct section *s = &o->sections[i];
    if (s->header.sh_entsize != entry)
        return object_damaged(o, i, "its entry size is wrong");
    if (s->size % entry || s->header.sh_offset % align)
        return object_damaged(o, i, "its size or offset is not a multiple of its entry size");
    if (s->header.sh_addralign < align)
        s->header.sh_addralign = align; /* if it has to move, it stays aligned */
    return 0;
}

/* How many sections there are, and which one names them: section 0 says what 16 bits cannot. */
static int count_sections(struct object *o)
{
    Elf64_Shdr zero;
    if (o->header.e_shoff == 0 || o->header.e_shoff > o->size ||
        o->size - o->header.e_shoff < sizeof zero)
        return refuse(o, "there is no complete section table; the file is truncated or damaged",
                      NULL);
    if (o->header.e_shentsize != sizeof zero)
        return refuse(o, "e_shentsize is wrong; the file is damaged", NULL);
    if (decode(o, &zero, sizeof zero, ELF_T_SHDR, o->header.e_shoff) != 0)
        return -1;
    uint64_t count = o->header.e_shnum ? o->header.e_shnum : zero.sh_size;
    uint64_t names = o->header.e_shstrndx == SHN_XINDEX ? zero.sh_link : o->header.e_shstrndx;
    if (count == 0 || count > (o->size - o->header.e_shoff) / sizeof zero || count > UINT32_MAX / 2)
        return refuse(o, "there is no complete section table; the file is truncated or damaged",
                      NULL);
    if (names >= count)
        return refuse(o, "e_shstrndx is out of range; the file is damaged", NULL);
    o->shstrtab = (uint32_t)names;
    o->input_sections = (uint32_t)count;
    return 0;
}

static int check_strings(const struct object *o, uint32_t i)
{
    const struct section *s = &o->sections[i];
    if (s->header.sh_type != SHT_STRTAB || !s->size || s->data[s->size - 1] != '\0')
        return object_damaged(o, i, "it is not a string table with a final NUL");
    if (s->data[0] != '\0') /* what has no name would have the first one */
        return object_damaged(o, i, "it is a string table that does not begin with an empty name");
    if (s->size > INT32_MAX) /* names are added after it, and have to be reached with 32 bits */
        return object_damaged(o, i, "it is a string table of more than 2 GiB");
    return 0;
}

int object_refuse_slim(const struct object *o)
{
    char *remedy = memory_format("link through sdtlink (sdtlink gcc -flto ...); or make machine "
                                 "code first: gcc -flto -O2 -r -nostdlib "
                                 "-flinker-output=nolto-rel -o native.o %s; or compile with "
                                 "-fno-lto",
                                 o->path);
    refuse(o,
           "it holds GCC's intermediate code (GIMPLE); its machine code has not been generated yet",
           remedy);
    free(remedy);
    return -1;
}

/* Note the few sections whose names mean something to us. */
static int look_at_name(struct object *o, uint32_t i)
{
    struct section *s = &o->sections[i];
    /* Nearly all are .text.something and .rela.text.something: ask them one question. */
    if (s->name[0] != '.' || s->name[1] == 't' || s->name[1] == 'r')
        return 0;
    if (s->header.sh_type == SHT_PROGBITS && !(s->header.sh_flags & SHF_ALLOC) &&
        name_is_of_args(s->name))
        bytes_append32(&o->args, i);
    if (s->header.sh_type == SHT_PROGBITS && s->data && !strcmp(s->name, SDT_SECTION_ENUMS))
        bytes_append32(&o->enums, i);
    if (s->header.sh_type == SHT_NOTE && !strcmp(s->name, SECTION_STAPSDT))
        bytes_append32(&o->stapsdt, i);
    s->is_unwind = !strcmp(s->name, ".eh_frame");
    o->last_unwind = s->is_unwind ? i : o->last_unwind;
    s->is_lto = s->header.sh_type == SHT_PROGBITS && intermediate_is_section(s->name);
    o->is_fat = o->is_fat || s->is_lto;
    return intermediate_is_slim(s->name, s->data, s->size) ? object_refuse_slim(o) : 0;
}

static int read_name(struct object *o, uint32_t i)
{
    const struct section *names = &o->sections[o->shstrtab];
    struct section *s = &o->sections[i];
    if (!names->data || s->header.sh_name >= names->size)
        return object_damaged(o, i, "its name lies outside the name table");
    s->name = (const char *)names->data + s->header.sh_name;
    return look_at_name(o, i);
}

static int read_header(struct object *o, uint32_t i)
{
    Elf64_Shdr *header = &o->sections[i].header;
    if (decode(o, header, sizeof *header, ELF_T_SHDR, o->header.e_shoff + i * sizeof *header) != 0)
        return -1;
    return i > 0 ? check_section(o, i) : 0;
}

/* One pass over what may be a million sections: their headers, contents and names. */
static int read_headers(struct object *o)
{
    size_t total = 0;
    o->section_count = o->input_sections;
    o->section_capacity = o->section_count + o->section_count / 16 + 16; /* some are added */
    o->sections = memory_zeroed(o->section_capacity, sizeof *o->sections);
    /* Must be first: it names the others. */
    if (read_header(o, o->shstrtab) != 0 || check_strings(o, o->shstrtab) != 0)
        return -1;
    for (uint32_t i = 0; i < o->section_count; i++) {
        if (read_header(o, i) != 0)
            return -1;
        total += o->sections[i].size;
        if (total > o->size)
            return object_damaged(o, i, "it overlaps other sections");
        if (read_name(o, i) != 0)
            return -1;
        if (o->sections[i].header.sh_type != SHT_SYMTAB || i == 0)
            continue;
        if (o->symtab)
            return object_damaged(o, i, "it is a second symbol table");
        o->symtab = i;
    }
    return 0;
}

static int note_group(struct object *o, uint32_t i)
{
    const struct section *s = &o->sections[i];
    if (check_table(o, i, 4, 4) != 0)
        return -1;
    if (s->size < 4)
        return object_damaged(o, i, "it is an empty section group");
    const uint32_t *members = (const uint32_t *)(const void *)s->data;
    for (size_t m = 1; m < s->size / 4; m++) {
        if (members[m] == 0 || members[m] >= o->section_count)
            return object_damaged(o, i, "a member's index is out of range");
        o->sections[members[m]].group = i;
    }
    return 0;
}

static int check_relocations(struct object *o, uint32_t i, size_t entry_size)
{
    const struct section *s = &o->sections[i];
    if (check_table(o, i, entry_size, 8) != 0)
        return -1;
    if (s->header.sh_info == 0 || s->header.sh_info >= o->section_count)
        return object_damaged(o, i, "its sh_info is out of range");
    if (s->size && s->header.sh_link != o->symtab)
        return object_damaged(o, i, "its sh_link is not the symbol table");
    return 0;
}

static int note_rela(struct object *o, uint32_t i)
{
    if (check_relocations(o, i, sizeof(Elf64_Rela)) != 0)
        return -1;
    uint32_t target = o->sections[i].header.sh_info;
    if (o->sections[target].rela)
        return object_damaged(o, i, "it is a second relocation section for its target");
    o->sections[target].rela = i;
    return 0;
}

/* Groups, relocations and the extended index table all refer to the symbol table, known by now. */
static int find_tables(struct object *o)
{
    for (uint32_t i = 1; i < o->section_count; i++) {
        int result = 0;
        switch (o->sections[i].header.sh_type) {
        case SHT_GROUP:
            result = note_group(o, i);
            break;
        case SHT_RELA:
            result = note_rela(o, i);
            break;
        case SHT_REL: /* Where relocations have addends, this is only LLVM's profile of calls;
                       * elsewhere probes/sites_find.c refuses it. */
            result = check_relocations(o, i, sizeof(Elf64_Rel));
            break;
        case SHT_SYMTAB_SHNDX:
            result = check_table(o, i, 4, 4);
            o->shndx = i;
            break;
        default:
            break;
        }
        if (result != 0)
            return -1;
    }
    return 0;
}

static int read_symbol(struct object *o, uint32_t i)
{
    const Elf64_Sym *symbol = &o->symbols[i];
    if (symbol->st_name >= o->sections[o->strtab].size)
        return object_damaged(o, o->symtab, "a symbol's name lies outside the string table");
    if (symbol->st_shndx == SHN_XINDEX && !o->extended)
        return object_damaged(o, o->symtab, "a symbol needs the missing SHT_SYMTAB_SHNDX");
    uint32_t section = object_symbol_section(o, i);
    if (section >= o->section_count)
        return object_damaged(o, o->symtab, "a symbol's section is out of range");
    bool is_local = ELF64_ST_BIND(symbol->st_info) == STB_LOCAL;
    if (is_local != (i < o->first_global))
        return object_damaged(o, o->symtab, "local symbols do not come first");
    if (ELF64_ST_TYPE(symbol->st_info) == STT_SECTION && is_local && symbol->st_value == 0)
        o->sections[section].symbol = i;
    return 0;
}

static int read_symbols(struct object *o)
{
    if (!o->symtab)
        return 0;
    const struct section *table = &o->sections[o->symtab];
    if (check_table(o, o->symtab, sizeof(Elf64_Sym), 8) != 0)
        return -1;
    o->strtab = table->header.sh_link;
    if (check_strings(o, o->strtab) != 0)
        return -1;
    if (table->size / sizeof(Elf64_Sym) >= UINT32_MAX / 2)
        return object_damaged(o, o->symtab, "it holds more symbols than relocations can name");
    o->symbols = (Elf64_Sym *)(void *)table->data;
    o->symbol_count = (uint32_t)(table->size / sizeof(Elf64_Sym));
    o->first_global = table->header.sh_info;
    if (o->symbol_count == 0 || o->first_global == 0 || o->first_global > o->symbol_count)
        return object_damaged(o, o->symtab, "its sh_info is out of range");
    if (o->shndx) {
        if (o->sections[o->shndx].size / 4 < o->symbol_count)
            return object_damaged(o, o->shndx, "it is shorter than the symbol table");
        o->extended = (uint32_t *)(void *)o->sections[o->shndx].data;
    }
    for (uint32_t i = 0; i < o->symbol_count; i++) /* 0 as well: relocations may name it */
        if (read_symbol(o, i) != 0)
            return -1;
    return 0;
}

int object_open(struct object *o, const char *path)
{
    return object_open_as(o, path, path);
}

int object_map(struct object *o, const char *file, const char *name)
{
    *o = (struct object){.path = name, .fd = -1};
    if (map_file(o, file) != 0 || count_sections(o) != 0)
        return -1;
    return o->is_mapped && tables_read(o) != 0 ? -1 : crel_expand(o);
}

int object_read(struct object *o)
{
    if (read_headers(o) != 0 || find_tables(o) != 0 || read_symbols(o) != 0)
        return -1;
    bits_init(&o->dropped, o->symbol_count);
    object_watch_changes(o);
    return 0;
}

int object_open_as(struct object *o, const char *file, const char *name)
{
    if (object_map(o, file, name) == 0 && object_read(o) == 0)
        return 0;
    object_close(o);
    return -1;
}
