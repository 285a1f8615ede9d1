/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * An ELF relocatable object in memory: what was read, and what is being added.
 *
 * One of ELF32 is read into the structures of ELF64, and written from them: narrow.h.
 *
 * The input is mapped privately, so that its bytes are not copied until they are changed, except
 * for its tables (tables.h); if it is small, it is read. A change never reaches the file. Growth
 * happens only at ends: sections are appended to the section table, bytes to a section's `tail`,
 * symbols to two lists. So every section index is final from the moment it is handed out, and
 * symbol indexes are settled once, by reindex().
 *
 * A *symbol id* is an index into the input's symbol table, or symbol_count + n for the n-th added
 * symbol. Relocations in a tail hold ids until reindex() turns them into indexes.
 *
 * read.c and tables.c read, add.c adds, reindex.c settles, writer.c writes; object.c is what all
 * need.
 */
#ifndef SDTLINK_ELF_OBJECT_H
#define SDTLINK_ELF_OBJECT_H

#include "base/memory.h"
#include "postponed.h"

#include <arch/tool_arch.h>
#include <elf.h>
#include <sdt/format.h>
#include <string.h>
#include <sys/types.h>

/* A section type that Debian 12's <elf.h> does not know yet. */
#define SHT_LLVM_ADDRSIG_TYPE 0x6fff4c03

#define SECTION_STAPSDT ".note.stapsdt"

/* A byte of a section. */
struct place {
    uint32_t section;
    uint64_t offset;
};
/* By section and offset; for qsort. */
int place_compare(const void *left, const void *right);

struct section {
    Elf64_Shdr header; /* sh_size is that of the input; the output's is section_size() */
    const char *name;
    uint8_t *data;     /* the input's bytes; NULL: none (added, SHT_NOBITS, empty) */
    size_t size;       /* of data; may be reduced to 0 */
    struct bytes tail; /* added after data; all there is of an added section */
    uint32_t group;    /* the SHT_GROUP section that it is a member of; 0: none */
    uint32_t rela;     /* the SHT_RELA section that applies to it; 0: none */
    uint32_t symbol;   /* id of its STT_SECTION symbol; 0: none */
    bool is_unwind;    /* .eh_frame */
    bool is_lto;       /* for a later link-time optimisation; see rewrite/fat_lto.c */
    uint64_t offset;   /* in the output; set by writer_write() */
};

struct added_symbol {
    Elf64_Sym symbol;  /* st_shndx is not used */
    uint32_t section;  /* what it is defined in; SHN_UNDEF */
    uint32_t replaces; /* the input symbol whose place it takes; 0: it is a new one */
    uint32_t index;    /* set by reindex() */
};

/* A name in the table of those of sections. */
struct section_name {
    const char *prefix, *name; /* NULL: none */
    uint32_t at;
};
enum { SECTION_NAMES = 8 }; /* that are remembered */

struct object {
    const char *path; /* its name in messages */
    int fd;
    uint8_t *image; /* the file, mapped copy-on-write or read; NULL: it was created here */
    bool is_mapped;
    size_t size, file_size; /* the image is longer than the file after crel_expand() */
    struct bits changed;    /* pages of the image that differ from the file */
    mode_t mode;
    bool is_fat; /* some section is_lto */
    Elf64_Ehdr header;
    const struct tool_arch *arch; /* of its machine */

    struct section *sections;
    uint32_t section_count, input_sections;
    uint32_t section_capacity;   /* sections that there is room for */
    uint32_t last_unwind;        /* the last section that is_unwind; 0: none */
    struct bytes args;           /* indexes of .sdt_args, descriptors from <sdt/probe.h> */
    struct bytes enums;          /* indexes of .sdt_enums, names of SDT_ENUM_NAMES */
    const struct beside *beside; /* others that say something of its probes; NULL: none */
    struct bytes stapsdt;        /* indexes of .note.stapsdt, notes from <sys/sdt.h> */
    uint64_t output_size;        /* set by writer_write() */
    struct postponed postponed[MAX_POSTPONED]; /* not copied by writer_begin() */
    size_t postponed_count;

    uint32_t symtab, strtab, shstrtab, shndx; /* section indexes; 0: none */
    Elf64_Sym *symbols;                       /* the input's, inside the mapping */
    uint32_t *extended;                       /* SHT_SYMTAB_SHNDX; NULL: none */
    uint32_t symbol_count, first_global;

    struct section_name names[SECTION_NAMES]; /* that were added last */
    unsigned next_name;

    struct added_symbol *added;
    uint32_t added_count, added_capacity;
    struct bits dropped; /* input symbols that leave the table */
    uint32_t dropped_count;
};

/* read.c */

/* Open PATH, an ET_REL file for a machine that we know, and check everything that later stages rely
 * on. */
int object_open(struct object *object, const char *path);
/* The same for a copy: FILE is read, messages call it NAME. */
int object_open_as(struct object *object, const char *file, const char *name);
/* The same in two steps: is it such a file at all, and where is its section table? … */
int object_map(struct object *object, const char *file, const char *name);
/* … And everything else. After either has failed, object_close() is all that is left to do. */
int object_read(struct object *object);
/* Refuse a section that does not add up: the file is damaged. */
int object_damaged(const struct object *object, uint32_t section, const char *what);
/* Refuse an object whose machine code is made by GCC's link-time optimisation. */
int object_refuse_slim(const struct object *object);

/* object.c */

void object_close(struct object *object);

const char *object_symbol_name(const struct object *object, uint32_t id);
/* The section that input symbol INDEX is defined in; SHN_UNDEF also for absolute and common. */
uint32_t object_symbol_section(const struct object *object, uint32_t index);

/*
 * The relocations that apply to SECTION, by offset; *COUNT is how many. To be freed; NULL for none.
 */
const Elf64_Rela **object_relocations_of(const struct object *object, const struct section *section,
                                         size_t *count);

/* From here on … */
void object_watch_changes(struct object *object);
/* … this is to be called for every change of bytes that were read: SIZE bytes at AT. Others are
 * ignored. */
void object_note_change(struct object *object, const void *at, size_t size);
/* The first changed byte in [from, end), by whole pages; END if there is none. */
uint64_t object_next_change(const struct object *object, uint64_t from, uint64_t end);
/* Where the changed pages end that begin at FROM. */
uint64_t object_end_of_change(const struct object *object, uint64_t from, uint64_t end);

/* Whether its file is ELF32 (narrow.h). */
static inline bool object_is_narrow(const struct object *object)
{
    return tool_arch_class(object->arch) == ELFCLASS32;
}
/* The length of the mapping: whole huge pages. */
static inline size_t object_mapped_size(const struct object *object)
{
    return (object->size + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE;
}
static inline size_t section_size(const struct section *section)
{
    return section->size + section->tail.size;
}
/* Byte AT of the output's contents of SECTION, as it is in memory. */
static inline uint8_t *section_byte(const struct section *section, size_t at)
{
    return at < section->size ? section->data + at : section->tail.data + (at - section->size);
}
static inline bool section_is_text(const struct section *section)
{
    return section->header.sh_type == SHT_PROGBITS &&
           (section->header.sh_flags & (SHF_ALLOC | SHF_EXECINSTR)) == (SHF_ALLOC | SHF_EXECINSTR);
}
/* Whether a section with this name has descriptors from <sdt/probe.h>. */
static inline bool name_is_of_args(const char *name)
{
    return strcmp(name, SDT_SECTION_ARGS) == 0 || strcmp(name, SDT_SECTION_KERNEL_ARGS) == 0;
}

/* The sections with descriptors: a list, since there are few of them among very many. */
static inline const uint32_t *object_args(const struct object *object, size_t *count)
{
    *count = object->args.size / sizeof(uint32_t);
    return (const uint32_t *)(const void *)object->args.data;
}
/* The sections with names of enumerators, likewise. */
static inline const uint32_t *object_enums(const struct object *object, size_t *count)
{
    *count = object->enums.size / sizeof(uint32_t);
    return (const uint32_t *)(const void *)object->enums.data;
}
/* The sections with notes of <sys/sdt.h>, likewise. */
static inline const uint32_t *object_stapsdt(const struct object *object, size_t *count)
{
    *count = object->stapsdt.size / sizeof(uint32_t);
    return (const uint32_t *)(const void *)object->stapsdt.data;
}
/* Whether it holds records of sites: of an earlier run, in an object that was read. */
static inline bool section_holds_sites(const struct section *section)
{
    return !strcmp(section->name, SDT_SECTION_SITES) || !strcmp(section->name, SDT_SECTION_BOUNDED);
}
/* The relocations of a SHT_RELA section as read. */
static inline Elf64_Rela *section_relocations(const struct section *section, size_t *count)
{
    *count = section->size / sizeof(Elf64_Rela);
    return (Elf64_Rela *)(void *)section->data;
}

#endif
