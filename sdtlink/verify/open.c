/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Opening a file through LLVM's libObject.
 *
 * Names, addresses, sizes and contents of sections come from LLVM; the rest of the headers from
 * headers.c, which must agree with LLVM about everything that both can see. The symbols and the
 * relocations are decoded from the contents that LLVM hands out, because the C API gives neither
 * addends nor indexes, and are then compared with LLVM's own iteration.
 */
#include "open.h"

#include "headers.h"
#include "relocs.h"
#include "report.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
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
        headers_read_groups(image) != 0 || compare_symbols(image) != 0 || relocs_read(image) != 0)
        return -1;
    return image_index(image) == 0 ? 0 : report_failure(image, "out of memory");
}

void image_close(struct image *image)
{
    for (uint32_t i = 0; i < image->nsections; i++)
        free(image->sections[i].relocs);
    free(image->sections);
    free(image->symbols);
    free(image->by_address);
    free(image->functions);
    free(image->mappings);
    if (image->binary)
        LLVMDisposeBinary(image->binary);
    if (image->buffer)
        LLVMDisposeMemoryBuffer(image->buffer);
    if (image->mapping)
        munmap(image->mapping, image->size);
    *image = (struct image){0};
}
