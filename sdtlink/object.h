/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * An ELF relocatable object in memory: what was read, and what is being added.
 *
 * The input is mapped privately, so that its bytes are not copied until they are changed, or read
 * if it is small; a change never reaches the file. Growth happens only at ends: sections are
 * appended to the section table, bytes to a section's `tail`, symbols to two lists. So every
 * section index is final from the moment it is handed out, and symbol indexes are settled once, by
 * reindex().
 *
 * A *symbol id* is an index into the input's symbol table, or symbol_count + n for the n-th added
 * symbol. Relocations in a tail hold ids until reindex() turns them into indexes.
 *
 * object.c reads, image.c adds, reindex.c settles, writer.c writes.
 */
#ifndef SDTLINK_OBJECT_H
#define SDTLINK_OBJECT_H

#include "late.h"
#include "memory.h"

#include <arch/tool_arch.h>
#include <elf.h>
#include <sdt/format.h>
#include <string.h>
#include <sys/types.h>

/* Section types that Debian 12's <elf.h> does not know yet. */
#define SHT_CREL_LLVM 0x40000014
#define SHT_LLVM_ADDRSIG_TYPE 0x6fff4c03

#define SECTION_STAPSDT ".note.stapsdt"

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
    bool is_lto;       /* for a later link-time optimisation; see fat.c */
    uint64_t offset;   /* in the output; set by writer_write() */
};

struct added_symbol {
    Elf64_Sym symbol;  /* st_shndx is not used */
    uint32_t section;  /* what it is defined in; SHN_UNDEF */
    uint32_t replaces; /* the input symbol whose place it takes; 0: it is a new one */
    uint32_t index;    /* set by reindex() */
};

struct object {
    const char *path; /* its name in messages */
    int fd;
    uint8_t *image; /* the file, mapped copy-on-write or read; NULL: it was created here */
    bool is_mapped;
    size_t size;
    struct bits changed; /* pages of the image that differ from the file */
    mode_t mode;
    bool is_fat; /* some section is_lto */
    Elf64_Ehdr header;
    const struct tool_arch *arch; /* of its machine */

    struct section *sections;
    uint32_t section_count, input_sections;
    uint32_t section_room;       /* sections allocated by image.c; 0: none yet */
    uint32_t last_unwind;        /* the last section that is_unwind; 0: none */
    struct bytes args;           /* indexes of .sdt_args, descriptors from <sdt/probe.h> */
    struct bytes enums;          /* indexes of .sdt_enums, names of SDT_ENUM_NAMES */
    struct bytes notes;          /* indexes of .note.stapsdt, notes from <sys/sdt.h> */
    uint64_t output_size;        /* set by writer_write() */
    struct late late[LATE_MOST]; /* not copied by writer_begin() */
    size_t late_count;

    uint32_t symtab, strtab, shstrtab, shndx; /* section indexes; 0: none */
    Elf64_Sym *symbols;                       /* the input's, inside the mapping */
    uint32_t *extended;                       /* SHT_SYMTAB_SHNDX; NULL: none */
    uint32_t symbol_count, first_global;

    struct added_symbol *added;
    uint32_t added_count, added_room;
    struct bits dropped; /* input symbols that leave the table */
    uint32_t dropped_count;
};

/* object.c */

/* Open PATH, an ET_REL file for a machine that we know, and check everything that later stages rely
 * on. */
int object_open(struct object *object, const char *path);
/* The same for a copy: FILE is read, messages call it NAME. */
int object_open_as(struct object *object, const char *file, const char *name);
/* The same in two steps: is it such a file at all, and where is its section table? … */
int object_map(struct object *object, const char *file, const char *name);
/* … And everything else. After either has failed, object_close() is all that is left to do. */
int object_read(struct object *object);
/* An object without sections of its own, to be filled by image.c. */
void object_create(struct object *object, const char *path, const struct tool_arch *arch);
void object_close(struct object *object);

/* Refuse an object whose machine code is made by GCC's link-time optimisation. */
int object_refuse_slim(const struct object *object);

const char *object_symbol_name(const struct object *object, uint32_t id);
/* The section that input symbol INDEX is defined in; SHN_UNDEF also for absolute and common. */
uint32_t object_symbol_section(const struct object *object, uint32_t index);

/*
 * The relocations that apply to SECTION, by offset; *COUNT is how many. To be freed; NULL for none.
 */
const Elf64_Rela **object_relocations_of(const struct object *object, const struct section *section,
                                         size_t *count);

/* Call it for every change of bytes that were read: SIZE bytes at AT. Others are ignored. */
void object_note_change(struct object *object, const void *at, size_t size);
/* The first changed byte in [from, end), by whole pages; END if there is none. */
uint64_t object_next_change(const struct object *object, uint64_t from, uint64_t end);
/* Where the changed pages end that begin at FROM. */
uint64_t object_end_of_change(const struct object *object, uint64_t from, uint64_t end);

static inline size_t section_size(const struct section *section)
{
    return section->size + section->tail.size;
}
static inline bool section_is_text(const struct section *section)
{
    return section->header.sh_type == SHT_PROGBITS &&
           (section->header.sh_flags & (SHF_ALLOC | SHF_EXECINSTR)) == (SHF_ALLOC | SHF_EXECINSTR);
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
static inline const uint32_t *object_notes(const struct object *object, size_t *count)
{
    *count = object->notes.size / sizeof(uint32_t);
    return (const uint32_t *)(const void *)object->notes.data;
}
/* Whether sites are recorded in it: of an earlier run, in an object that was read. */
static inline bool section_is_set(const struct section *section)
{
    return !strcmp(section->name, SDT_SECTION_SITES) || !strcmp(section->name, SDT_SECTION_BOUNDED);
}
/* The relocations of a SHT_RELA section as read. */
static inline Elf64_Rela *section_relocations(const struct section *section, size_t *count)
{
    *count = section->size / sizeof(Elf64_Rela);
    return (Elf64_Rela *)(void *)section->data;
}

/* image.c */

/* Add a section; a member of GROUP unless 0. Invalidates struct section pointers. */
uint32_t image_add_section(struct object *object, const char *name, uint32_t type, uint64_t flags,
                           uint64_t align, uint32_t group);
/* Add a COMDAT group whose signature is symbol id SIGNATURE. */
uint32_t image_add_group(struct object *object, uint32_t signature);
/*
 * Add a group that is no COMDAT group: its members live or die together, that is all. *GROUP is its
 * index; returned is its first member, an empty section, after whose symbol it is named.
 */
uint32_t image_add_bundle(struct object *object, const char *name, uint64_t flags, uint32_t *group);
/* Make an input's section, whose group is an input's too, a member of none. */
void image_leave_group(struct object *object, uint32_t section);
size_t image_append(struct object *object, uint32_t section, const void *data, size_t size);
/* Append TEXT and a NUL to a string table; returns its offset there. */
uint32_t image_add_string(struct object *object, uint32_t section, const char *text);
/* Add a symbol; returns its id. */
uint32_t image_add_symbol(struct object *object, const char *name, unsigned bind, unsigned type,
                          unsigned visibility, uint32_t section, uint64_t value, uint64_t size);
/* The id of SECTION's STT_SECTION symbol, added if there is none. */
uint32_t image_section_symbol(struct object *object, uint32_t section);
/* Make the symbol SYMBOL take the place: field = symbol + addend [- field's address]. */
void image_relocate(struct object *object, uint32_t section, uint64_t offset, uint32_t type,
                    uint32_t symbol, int64_t addend);
/* Make room for COUNT pieces of SIZE bytes with as many relocations each, which will follow. */
void image_expect(struct object *object, uint32_t section, size_t count, size_t size,
                  size_t relocations);
/* Let undefined input symbol INDEX be defined by SECTION, at its start. */
void image_define_symbol(struct object *object, uint32_t index, unsigned bind, unsigned type,
                         unsigned visibility, uint32_t section, uint64_t size);
/* Take input symbol INDEX out of the table. */
void image_drop_symbol(struct object *object, uint32_t index);

/* reindex.c */

/* Settle all symbol indexes and everything that holds one. Nothing may be added after it. */
int reindex(struct object *object);
/* The final index of an added symbol. */
static inline uint32_t added_index(const struct object *object, uint32_t id)
{
    return object->added[id - object->symbol_count].index;
}

/* writer.c */

struct output;
/*
 * Begin OUTPUT as a copy of the input, in the background. To be called after object_map(), which
 * is enough, and before the object is changed.
 */
void writer_begin(struct object *object, struct output *output);
/* The output is to be what the input is: complete the copy. */
int writer_copy(const struct object *object, struct output *output);
/* Write the object to OUTPUT: over the copy, if that was begun. */
int writer_write(struct object *object, struct output *output);

#endif
