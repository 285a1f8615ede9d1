/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A file as this program sees it: sections, symbols and relocations, each range-checked once, when
 * the file is opened (open.h), so that the checks can use them without asking again.
 *
 * Everything is located by section and offset, in relocatable objects and in linked files alike.
 */
#ifndef SDT_VERIFY_IMAGE_H
#define SDT_VERIFY_IMAGE_H

#include <llvm-c/Object.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct rela {
    uint64_t offset;
    int64_t addend;
    uint32_t type;
    uint32_t symbol; /* index into image.symbols, always valid */
};

struct section {
    const char *name;
    const uint8_t *data; /* NULL where the file holds no bytes (NOBITS) */
    uint64_t size, address, flags, entsize;
    uint32_t type, link, info;
    uint32_t group;      /* index of the SHT_GROUP section it is a member of, or 0 */
    uint32_t rela;       /* ET_REL: index of its relocation section, or 0 */
    struct rela *relocs; /* sorted by offset */
    size_t nrelocs;
};

struct symbol {
    const char *name;
    uint64_t value, size; /* value: offset in its section, or as in the file if it has none */
    uint32_t section;     /* 0: undefined, absolute or common */
    uint8_t type, binding, visibility;
    bool is_undefined;
};

struct place {
    uint32_t section;
    uint64_t offset;
};

/* The functions of a freestanding set's runtime (<sdt/format.h>). */
enum runtime_function { RUNTIME_ENTER = 1, RUNTIME_ENTER_CALL, RUNTIME_FINISH, RUNTIME_FUNCTIONS };
extern const char *const runtime_names[RUNTIME_FUNCTIONS];

struct arch; /* arch.h */

struct image {
    const char *path;
    void *mapping; /* the file; NULL: it is empty */
    LLVMMemoryBufferRef buffer;
    LLVMBinaryRef binary;
    const uint8_t *bytes;
    size_t size;
    const struct arch *arch;
    bool is_relocatable;
    bool is_freestanding;                            /* set by records_read(), and … */
    const struct symbol *runtime[RUNTIME_FUNCTIONS]; /* … those that it defines; NULL: not there */
    struct section *sections;
    uint32_t nsections;
    struct symbol *symbols;
    uint32_t nsymbols;
    uint32_t *by_address; /* linked files: the sections that occupy memory, by address */
    uint32_t nby_address;
    uint32_t *functions; /* STT_FUNC symbols, by section and offset */
    uint32_t nfunctions;
    uint32_t *mappings; /* symbols that tell code ($x) from data ($d), likewise */
    uint32_t nmappings;
    size_t defects;
};

/* Sort what is looked up below, when sections and symbols are known. -1: out of memory. */
int image_index(struct image *image);
/* The first relocation at exactly OFFSET, or NULL; the next ones, if any, follow it. */
const struct rela *image_rela_at(const struct image *image, uint32_t section, uint64_t offset);
/* The index of the first relocation at or after OFFSET. */
size_t image_rela_index(const struct section *section, uint64_t offset);

/* The bytes at PLACE and how many there are up to the end of the section, or NULL. */
const uint8_t *image_bytes(const struct image *image, struct place place, uint64_t *available);
/* Thousands of records may name one string, which may be as long as the file. The tool cuts names
 * after 4095 bytes; an argument descriptor may be longer. */
enum { MAX_STRING = 32767 };
/* The NUL-terminated string at PLACE, or NULL if it has no end inside its section, or none soon. */
const char *image_string(const struct image *image, struct place place);
/* The section around an address of a linked file, or 0. */
uint32_t image_section_at(const struct image *image, uint64_t address);
/* Whether PLACE lies in an executable section, with LENGTH bytes of it. */
bool image_is_code(const struct image *image, struct place place, uint64_t length);
/* The function symbol that covers PLACE (the innermost), or NULL. */
const struct symbol *image_function(const struct image *image, struct place place);
/* Whether symbols say that PLACE, of a section of code, is data: that it follows a `$d`. */
bool image_is_data(const struct image *image, struct place place);
/* Whether another function symbol starts where FUNCTION does. */
bool image_has_aliases(const struct image *image, const struct symbol *function);
/* Whether a section called NAME has descriptors of probes from the compiler. */
bool name_is_of_args(const char *name);
bool place_is_same(struct place a, struct place b);
int place_compare(struct place a, struct place b);

#endif
