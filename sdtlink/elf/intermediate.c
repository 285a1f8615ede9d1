/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Objects of link-time optimisation hold what the compiler knew, and the machine code is made when
 * the program is linked. Two questions can be answered without the compiler:
 *
 * Which kind is it? LLVM's is a file format of its own, with a magic number; GCC's is ELF with
 * sections .gnu.lto_*. Both compilers can also write *fat* objects, ELF with machine code and the
 * intermediate code beside it; which of the two a linker takes depends on its plugin.
 *
 * Does it call probes? Both formats keep the names of undefined symbols as plain text, because
 * linkers and ar have to read them: LLVM in the blob of its string table block (LLVM 5 and later),
 * GCC in section .gnu.lto_.symtab. In C++ compiled by gcc, that is the mangled name of the function
 * template that <sdt/probe.h> calls. So a search for a few bytes in the file is enough; if they
 * occur for another reason, the link only takes longer.
 *
 * The alternative, libLTO, reads only bitcode that is not newer than itself, and takes 10 ms.
 *
 * Sources: llvm.org/docs/BitCodeFormat.html; struct lto_section in gcc's lto-streamer.h.
 */
#include "intermediate.h"

#include "base/elf_view.h"

#include <string.h>

/* LLVM's SHT_LLVM_LTO is 0x6fff4c0c; its name is all that is needed. */
static const char bitcode_section[] = ".llvm.lto";
static const uint8_t bitcode_magic[] = {'B', 'C', 0xc0, 0xde};
static const uint8_t wrapper_magic[] = {0xde, 0xc0, 0x17, 0x0b};

static bool has_prefix(const char *text, const char *prefix)
{
    return !strncmp(text, prefix, strlen(prefix));
}

bool intermediate_is_section(const char *name)
{
    return has_prefix(name, ".gnu.lto_") || has_prefix(name, ".gnu.debuglto_") ||
           !strcmp(name, bitcode_section);
}

/* struct lto_section: two 16-bit words of version, then a byte that is 1 in a slim object. */
bool intermediate_is_slim(const char *name, const uint8_t *data, size_t size)
{
    return has_prefix(name, ".gnu.lto_.lto.") && data && size > 4 && data[4];
}

/* The sections of an ELF file decide. GCC before 10 says "slim" by a symbol only. */
static enum intermediate elf_kind(const struct elf_view *view)
{
    enum intermediate kind = INTERMEDIATE_NONE;
    Elf64_Shdr header;
    for (uint64_t i = 1; i < view->count && elf_view_section(view, i, &header); i++) {
        const char *name = elf_view_name(view, &header);
        if (!name)
            break;
        if (!intermediate_is_section(name))
            continue;
        if (!strcmp(name, bitcode_section))
            return INTERMEDIATE_BITCODE_FAT;
        if (intermediate_is_slim(name, elf_view_data(view, &header), header.sh_size))
            return INTERMEDIATE_GIMPLE;
        kind = INTERMEDIATE_GIMPLE_FAT;
    }
    if (kind == INTERMEDIATE_GIMPLE_FAT && memmem(view->image, view->size, "__gnu_lto_slim", 15))
        return INTERMEDIATE_GIMPLE;
    return kind;
}

bool intermediate_is_bitcode(const uint8_t *file, size_t size)
{
    return size >= 4 && (!memcmp(file, bitcode_magic, 4) || !memcmp(file, wrapper_magic, 4));
}

enum intermediate intermediate_kind(const uint8_t *file, size_t size)
{
    if (intermediate_is_bitcode(file, size))
        return INTERMEDIATE_BITCODE;
    struct elf_view view;
    return elf_view_open(&view, file, size) ? elf_kind(&view) : INTERMEDIATE_NONE;
}

static uint32_t word_at(const uint8_t *at)
{
    uint32_t word;
    memcpy(&word, at, sizeof word);
    return word;
}

/*
 * Is there a string table block? At the top level of bitcode stand blocks only, each on a word
 * boundary: 2 bits ENTER_SUBBLOCK (1), 8 bits block id, 4 bits abbreviation width, zeros up to the
 * next word, then the length in words. All ids here are below 128, so they take one chunk.
 */
static bool has_string_table(const uint8_t *file, size_t size)
{
    enum { STRTAB_BLOCK = 23 };
    size_t at = 4;
    if (!memcmp(file, wrapper_magic, 4)) {
        if (size < 20 || word_at(file + 8) > size || size - word_at(file + 8) < 4)
            return false;
        at = word_at(file + 8) + 4;
    }
    while (at <= size && size - at >= 8) {
        uint32_t head = word_at(file + at);
        if ((head & 3) != 1)
            return false;
        if (((head >> 2) & 0xff) == STRTAB_BLOCK)
            return true;
        at += 8 + 4 * (size_t)word_at(file + at + 4);
    }
    return false;
}

bool intermediate_may_hold_probes(const uint8_t *file, size_t size)
{
    static const char direct[] = "__dtrace_sdt", through_template[] = "_ZN11sdt_detail_";
    if (memmem(file, size, direct, sizeof direct - 1) ||
        memmem(file, size, through_template, sizeof through_template - 1))
        return true;
    return intermediate_kind(file, size) == INTERMEDIATE_BITCODE && !has_string_table(file, size);
}
