/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Damaging ELF files with knowledge of what they are made of.
 *
 * libFuzzer's own mutations change bytes anywhere. Of an object file, most bytes are code that
 * is not read, and a change of the few that matter is usually refused at the first check. So most
 * rounds choose a *field* of a header, symbol, relocation or group and give it a value that readers
 * get wrong: a limit, a neighbour's value, an index or offset that is valid elsewhere. Whole
 * entries are copied over others as well: two symbol tables, a section in two places.
 *
 * The file being damaged may be damaged already: every table is looked for anew and only used as
 * far as it lies inside the file.
 */
#include <elf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed);

/* xorshift; the same seed makes the same file. */
static uint64_t state;
static uint64_t any(uint64_t below)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return below ? state % below : 0;
}

struct field {
    uint16_t offset, size;
};
#define FIELD(type, name)                                                                          \
    {                                                                                              \
        offsetof(type, name), sizeof(((type *)0)->name)                                            \
    }

static const struct field file_header[] = {
    FIELD(Elf64_Ehdr, e_type),      FIELD(Elf64_Ehdr, e_machine), FIELD(Elf64_Ehdr, e_shoff),
    FIELD(Elf64_Ehdr, e_shentsize), FIELD(Elf64_Ehdr, e_shnum),   FIELD(Elf64_Ehdr, e_shstrndx),
};
static const struct field section_header[] = {
    FIELD(Elf64_Shdr, sh_name),   FIELD(Elf64_Shdr, sh_type),   FIELD(Elf64_Shdr, sh_flags),
    FIELD(Elf64_Shdr, sh_addr),   FIELD(Elf64_Shdr, sh_offset), FIELD(Elf64_Shdr, sh_size),
    FIELD(Elf64_Shdr, sh_link),   FIELD(Elf64_Shdr, sh_info),   FIELD(Elf64_Shdr, sh_addralign),
    FIELD(Elf64_Shdr, sh_entsize)};
static const struct field symbol[] = {
    FIELD(Elf64_Sym, st_name),  FIELD(Elf64_Sym, st_info),  FIELD(Elf64_Sym, st_other),
    FIELD(Elf64_Sym, st_shndx), FIELD(Elf64_Sym, st_value), FIELD(Elf64_Sym, st_size),
};
static const struct field relocation[] = {
    FIELD(Elf64_Rela, r_offset),
    {offsetof(Elf64_Rela, r_info), 4},     /* type */
    {offsetof(Elf64_Rela, r_info) + 4, 4}, /* symbol */
    FIELD(Elf64_Rela, r_addend),
};
static const struct field word[] = {{0, 4}};
static const struct field byte[] = {{0, 1}};

/* COUNT entries of SIZE bytes each, as far as they lie in the file. */
struct table {
    uint64_t at, count, size;
    const struct field *fields;
    size_t field_count;
};
#define TABLE(at, count, size, fields)                                                             \
    (struct table)                                                                                 \
    {                                                                                              \
        at, count, size, fields, sizeof(fields) / sizeof((fields)[0])                              \
    }

struct file {
    uint8_t *data;
    size_t size;
    Elf64_Ehdr header;
    uint64_t sections; /* how many headers lie in the file */
};

/* False: no section table can be found. */
static bool open_file(struct file *f, uint8_t *data, size_t size)
{
    *f = (struct file){.data = data, .size = size};
    if (size < sizeof f->header)
        return false;
    memcpy(&f->header, data, sizeof f->header);
    if (f->header.e_shoff >= size)
        return false;
    f->sections = (size - f->header.e_shoff) / sizeof(Elf64_Shdr);
    if (f->header.e_shnum && f->header.e_shnum < f->sections)
        f->sections = f->header.e_shnum;
    return f->sections > 0;
}

static struct table headers(const struct file *f)
{
    return TABLE(f->header.e_shoff, f->sections, sizeof(Elf64_Shdr), section_header);
}

static Elf64_Shdr header_of(const struct file *f, uint64_t i)
{
    Elf64_Shdr header;
    memcpy(&header, f->data + f->header.e_shoff + i * sizeof header, sizeof header);
    return header;
}

/* The contents of section I, as its type has them. */
static struct table contents(const struct file *f, uint64_t i)
{
    Elf64_Shdr header = header_of(f, i);
    uint64_t at = header.sh_offset < f->size ? header.sh_offset : 0;
    uint64_t size = header.sh_size < f->size - at ? header.sh_size : f->size - at;
    switch (header.sh_type) {
    case SHT_SYMTAB:
    case SHT_DYNSYM:
        return TABLE(at, size / sizeof(Elf64_Sym), sizeof(Elf64_Sym), symbol);
    case SHT_RELA:
        return TABLE(at, size / sizeof(Elf64_Rela), sizeof(Elf64_Rela), relocation);
    case SHT_GROUP:
    case SHT_SYMTAB_SHNDX:
        return TABLE(at, size / 4, 4, word);
    case SHT_NOBITS:
    case SHT_NULL:
        return headers(f);
    default:
        return any(4) ? TABLE(at, size, 1, byte) : TABLE(at, size / 4, 4, word);
    }
}

/* Headers in a third of the rounds, symbols and the like in another, bytes in the rest. */
static struct table choose_table(const struct file *f)
{
    switch (any(8)) {
    case 0:
        return TABLE(0, 1, sizeof(Elf64_Ehdr), file_header);
    case 1:
    case 2:
        return headers(f);
    default:
        for (int tries = 0; tries < 8; tries++) {
            struct table table = contents(f, any(f->sections));
            if (table.count && (table.size > 1 || tries > 4))
                return table;
        }
        return headers(f);
    }
}

static uint64_t load(const uint8_t *at, size_t size)
{
    uint64_t value = 0;
    memcpy(&value, at, size);
    return value;
}

/* A field of an entry of TABLE. */
static uint8_t *choose_field(const struct file *f, const struct table *table, size_t *size)
{
    const struct field *field = &table->fields[any(table->field_count)];
    *size = field->size;
    return f->data + table->at + any(table->count) * table->size + field->offset;
}

static uint64_t choose_value(const struct file *f, const struct table *table, uint64_t old,
                             size_t size)
{
    static const uint64_t special[] = {
        0,
        1,
        2,
        3,
        4,
        8,
        24,
        64,
        UINT64_MAX,
        UINT32_MAX,
        INT32_MAX,
        0xff00,
        0xfff1,
        0xffff,
        0x1000,
        UINT64_C(1) << 63,
        UINT64_C(0x8000000000000001),
        (uint64_t)-4,
        (uint64_t)-24,
    };
    Elf64_Shdr other = header_of(f, any(f->sections));
    size_t neighbour_size;
    const uint8_t *neighbour;
    switch (any(10)) {
    case 0:
    case 1:
        return special[any(sizeof special / sizeof special[0])];
    case 2:
        return old + 1;
    case 3:
        return old - 1;
    case 4:
        return old ^ (UINT64_C(1) << any(8 * size));
    case 5:
        return any(f->sections + 1); /* a section's index, a small number */
    case 6:
        return any(2) ? other.sh_offset : other.sh_size;
    case 7:
        return any(2) ? f->size - any(8) : any(f->size + 16);
    default: /* what another entry has there, or nearly there */
        neighbour = choose_field(f, table, &neighbour_size);
        return load(neighbour, neighbour_size < size ? neighbour_size : size);
    }
}

static void change_field(const struct file *f)
{
    size_t size;
    struct table table = choose_table(f);
    uint8_t *at = choose_field(f, &table, &size);
    uint64_t value = choose_value(f, &table, load(at, size), size);
    memcpy(at, &value, size);
}

/* An entry over another one, or both exchanged. */
static void copy_entry(const struct file *f)
{
    uint8_t one[sizeof(Elf64_Shdr)], two[sizeof(Elf64_Shdr)];
    struct table table = any(2) ? headers(f) : choose_table(f);
    if (table.size > sizeof one)
        return;
    uint8_t *a = f->data + table.at + any(table.count) * table.size;
    uint8_t *b = f->data + table.at + any(table.count) * table.size;
    memcpy(one, a, table.size);
    memcpy(two, b, table.size);
    memcpy(a, two, table.size);
    if (any(2))
        memcpy(b, one, table.size);
}

/* Let libFuzzer change the contents of one section, in place: names, code, descriptors, notes. */
static void change_contents(const struct file *f)
{
    struct table table = contents(f, any(f->sections));
    size_t size = table.count * table.size;
    if (size)
        LLVMFuzzerMutate(f->data + table.at, size, size);
}

/* Exchange the bytes before a relocation's field: another instruction. */
static void change_instruction(const struct file *f)
{
    static const uint8_t opcodes[] = {0xe8, 0xe9, 0x0f, 0x84, 0xff, 0x15, 0x25, 0x8d, 0x05,
                                      0x48, 0xb8, 0x90, 0x66, 0x67, 0x3e, 0xc3, 0xcc};
    for (int tries = 0; tries < 8; tries++) {
        Elf64_Shdr rela = header_of(f, any(f->sections));
        if (rela.sh_type != SHT_RELA || rela.sh_info >= f->sections || rela.sh_offset >= f->size ||
            f->size - rela.sh_offset < sizeof(Elf64_Rela))
            continue;
        uint64_t most = (f->size - rela.sh_offset) / sizeof(Elf64_Rela);
        uint64_t count = rela.sh_size / sizeof(Elf64_Rela);
        Elf64_Rela entry;
        memcpy(&entry, f->data + rela.sh_offset + any(count < most ? count : most) * sizeof entry,
               sizeof entry);
        uint64_t at = header_of(f, rela.sh_info).sh_offset + entry.r_offset - 1 - any(3);
        if (at < f->size)
            f->data[at] = opcodes[any(sizeof opcodes)];
        return;
    }
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
    struct file f;
    state = seed * UINT64_C(0x9e3779b97f4a7c15) + 1;
    if (any(16) == 0 || !open_file(&f, data, size))
        return LLVMFuzzerMutate(data, size, max_size);
    for (uint64_t changes = 1 + any(2) * any(6); changes > 0 && open_file(&f, data, size);
         changes--)
        switch (any(8)) {
        case 0:
            copy_entry(&f);
            break;
        case 1:
            change_contents(&f);
            break;
        case 2:
            change_instruction(&f);
            break;
        default:
            change_field(&f);
        }
    return any(64) ? size : 1 + any(size);
}
