/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Opening a file through LLVM's libObject, and following what its fields lead to.
 *
 * Names, addresses, sizes and contents of sections come from LLVM; the rest of the headers from
 * headers.c, which must agree with LLVM about everything that both can see. The symbols and the
 * relocations are decoded from the contents that LLVM hands out, because the C API gives neither
 * addends nor indexes, and are then compared with LLVM's own iteration.
 */
#include "image.h"

#include "headers.h"
#include "report.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <llvm-c/Core.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* Names and contents, in file order: LLVM's n-th section is header n. */
static int read_contents(struct image *image)
{
    LLVMSectionIteratorRef at = LLVMObjectFileCopySectionIterator(image->binary);
    uint32_t i = 0;
    int result = 0;
    for (; result == 0 && !LLVMObjectFileIsSectionIteratorAtEnd(image->binary, at); i++) {
        if (i >= image->nsections) {
            result = report_failure(image, "LLVM sees more than %u sections", image->nsections);
            break;
        }
        struct section *section = &image->sections[i];
        section->name = i == 0 ? NULL : LLVMGetSectionName(at);
        if (!section->name)
            section->name = ""; /* LLVM's empty string may have no address */
        bool has_bytes = i != 0 && section->type != SHT_NOBITS && section->type != SHT_NULL;
        if (has_bytes)
            section->data = (const uint8_t *)LLVMGetSectionContents(at);
        if (has_bytes && section->size && !section->data)
            result = report_failure(image, "LLVM sees no contents of section %u", i);
        if (result == 0 && i != 0 &&
            (LLVMGetSectionSize(at) != section->size ||
             LLVMGetSectionAddress(at) != section->address))
            result = report_failure(image, "LLVM reads section %u differently", i);
        LLVMMoveToNextSection(at);
    }
    LLVMDisposeSectionIterator(at);
    if (result == 0 && i != image->nsections)
        result = report_failure(image, "LLVM sees %u of %u sections", i, image->nsections);
    return result;
}

/* LLVM's symbols, without number 0, must be ours. */
static int compare_symbols(struct image *image)
{
    bool has_table = false;
    for (uint32_t i = 1; i < image->nsections; i++)
        has_table |= image->sections[i].type == SHT_SYMTAB;
    if (!has_table)
        return 0; /* ours come from .dynsym, which LLVM's iterator does not visit */
    /* NULL if there are none. */
    LLVMSymbolIteratorRef at = LLVMObjectFileCopySymbolIterator(image->binary);
    uint32_t i = 1;
    bool same = true;
    for (; same && at && !LLVMObjectFileIsSymbolIteratorAtEnd(image->binary, at); i++) {
        const char *name = LLVMGetSymbolName(at);
        same = i < image->nsymbols && LLVMGetSymbolSize(at) == image->symbols[i].size &&
               (name == image->symbols[i].name || /* often so, and names may be long */
                strcmp(name ? name : "", image->symbols[i].name) == 0);
        LLVMMoveToNextSymbol(at);
    }
    LLVMDisposeSymbolIterator(at);
    if (!same || (image->nsymbols != 0 && i != image->nsymbols))
        return report_failure(image, "LLVM reads the symbol table differently (symbol %u)", i - 1);
    return 0;
}

static const struct image *sorted; /* for the comparison functions of qsort */

static int by_address(const void *left, const void *right)
{
    uint64_t a = sorted->sections[*(const uint32_t *)left].address;
    uint64_t b = sorted->sections[*(const uint32_t *)right].address;
    return a < b ? -1 : a > b;
}

static int by_place(const void *left, const void *right)
{
    const struct symbol *a = &sorted->symbols[*(const uint32_t *)left];
    const struct symbol *b = &sorted->symbols[*(const uint32_t *)right];
    return place_compare((struct place){a->section, a->value},
                         (struct place){b->section, b->value});
}

static int index_image(struct image *image)
{
    image->by_address = calloc(image->nsections, sizeof *image->by_address);
    image->functions = calloc(image->nsymbols + 1, sizeof *image->functions);
    if (!image->by_address || !image->functions)
        return report_failure(image, "out of memory");
    for (uint32_t i = 1; i < image->nsections; i++) {
        struct section *section = &image->sections[i];
        bool is_tbss = section->type == SHT_NOBITS && (section->flags & SHF_TLS);
        if (!image->is_relocatable && (section->flags & SHF_ALLOC) && section->size && !is_tbss)
            image->by_address[image->nby_address++] = i;
    }
    for (uint32_t i = 1; i < image->nsymbols; i++)
        if (image->symbols[i].type == STT_FUNC && image->symbols[i].section)
            image->functions[image->nfunctions++] = i;
    sorted = image;
    qsort(image->by_address, image->nby_address, sizeof *image->by_address, by_address);
    qsort(image->functions, image->nfunctions, sizeof *image->functions, by_place);
    return 0;
}

/*
 * Not by LLVM's own reader. It would wait for a FIFO, and read a device for ever; and it maps
 * privately: the kernel puts the breakpoints of tracers into each private mapping of a file that
 * may become executable, and there we would take them for the bytes of the file.
 */
static int read_file(struct image *image)
{
    int error = 0;
    struct stat status;
    int fd = open(image->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0)
        return report_failure(image, "%s", strerror(errno));
    if (fstat(fd, &status) == 0 && S_ISREG(status.st_mode)) {
        image->size = (size_t)status.st_size;
        image->mapping = mmap(NULL, image->size, PROT_READ, MAP_SHARED, fd, 0);
        error = image->mapping == MAP_FAILED && image->size ? errno : 0;
        if (image->mapping == MAP_FAILED)
            image->mapping = NULL;
    } else {
        error = ENODEV;
    }
    close(fd);
    if (error)
        return report_failure(image, "%s",
                              error == ENODEV ? "not a regular file" : strerror(error));
    image->bytes = image->mapping ? image->mapping : (const uint8_t *)"";
    image->buffer = LLVMCreateMemoryBufferWithMemoryRange((const char *)image->bytes, image->size,
                                                          image->path, false);
    return 0;
}

int image_open(struct image *image, const char *path)
{
    char *message = NULL;
    *image = (struct image){.path = path};
    if (read_file(image) != 0)
        return -1;
    if (headers_read_sections(image) != 0)
        return -1;
    image->binary = LLVMCreateBinary(image->buffer, NULL, &message);
    if (!image->binary) {
        report_failure(image, "%s", message);
        LLVMDisposeMessage(message);
        return -1;
    }
    if (LLVMBinaryGetType(image->binary) != LLVMBinaryTypeELF64L)
        return report_failure(image, "LLVM does not take it for a 64-bit ELF file");
    if (read_contents(image) != 0 || headers_read_symbols(image) != 0 ||
        headers_read_groups(image) != 0 || compare_symbols(image) != 0 ||
        image_read_relocs(image) != 0)
        return -1;
    return index_image(image);
}

void image_close(struct image *image)
{
    for (uint32_t i = 0; i < image->nsections; i++)
        free(image->sections[i].relocs);
    free(image->sections);
    free(image->symbols);
    free(image->by_address);
    free(image->functions);
    if (image->binary)
        LLVMDisposeBinary(image->binary);
    if (image->buffer)
        LLVMDisposeMemoryBuffer(image->buffer);
    if (image->mapping)
        munmap(image->mapping, image->size);
    *image = (struct image){0};
}

bool place_is_same(struct place a, struct place b)
{
    return a.section == b.section && a.offset == b.offset;
}

int place_compare(struct place a, struct place b)
{
    if (a.section != b.section)
        return a.section < b.section ? -1 : 1;
    return a.offset < b.offset ? -1 : a.offset > b.offset;
}

const uint8_t *image_bytes(const struct image *image, struct place place, uint64_t *available)
{
    *available = 0;
    if (place.section == 0 || place.section >= image->nsections)
        return NULL;
    const struct section *section = &image->sections[place.section];
    if (!section->data || place.offset >= section->size)
        return NULL;
    *available = section->size - place.offset;
    return section->data + place.offset;
}

const char *image_string(const struct image *image, struct place place)
{
    uint64_t available;
    const uint8_t *bytes = image_bytes(image, place, &available);
    if (available > STRING_MOST + 1)
        available = STRING_MOST + 1;
    return bytes && memchr(bytes, 0, available) ? (const char *)bytes : NULL;
}

bool image_is_code(const struct image *image, struct place place, uint64_t length)
{
    uint64_t available;
    return image_bytes(image, place, &available) && available >= length &&
           (image->sections[place.section].flags & SHF_EXECINSTR);
}

uint32_t image_section_at(const struct image *image, uint64_t address)
{
    uint32_t low = 0, high = image->nby_address;
    while (low < high) { /* the first section that starts behind ADDRESS */
        uint32_t middle = low + (high - low) / 2;
        if (image->sections[image->by_address[middle]].address <= address)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == 0)
        return 0;
    uint32_t found = image->by_address[low - 1];
    return address - image->sections[found].address < image->sections[found].size ? found : 0;
}

static struct place function_place(const struct image *image, uint32_t index)
{
    const struct symbol *symbol = &image->symbols[image->functions[index]];
    return (struct place){symbol->section, symbol->value};
}

/* The first function that starts behind PLACE. */
static uint32_t first_behind(const struct image *image, struct place place)
{
    uint32_t low = 0, high = image->nfunctions;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (place_compare(function_place(image, middle), place) <= 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

bool image_has_aliases(const struct image *image, const struct symbol *function)
{
    struct place place = {function->section, function->value};
    uint32_t behind = first_behind(image, place);
    return behind >= 2 && place_is_same(function_place(image, behind - 2), place);
}

const struct symbol *image_function(const struct image *image, struct place place)
{
    uint32_t low = first_behind(image, place);
    /* Functions nest nowhere but at aliases, so the covering one is among the last few. */
    for (uint32_t i = low; i > 0 && low - i < 8; i--) {
        const struct symbol *symbol = &image->symbols[image->functions[i - 1]];
        if (symbol->section != place.section)
            break;
        if (place.offset - symbol->value < symbol->size ||
            (symbol->size == 0 && place.offset == symbol->value))
            return symbol;
    }
    return NULL;
}

size_t image_rela_index(const struct section *section, uint64_t offset)
{
    size_t low = 0, high = section->nrelocs;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (section->relocs[middle].offset < offset)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

const struct rela *image_rela_at(const struct image *image, uint32_t section, uint64_t offset)
{
    const struct section *holder = &image->sections[section];
    size_t index = image_rela_index(holder, offset);
    bool is_there = index < holder->nrelocs && holder->relocs[index].offset == offset;
    return is_there ? &holder->relocs[index] : NULL;
}
