/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Linkers let a shared library leave symbols undefined. Where a probe's function is declared with
 * default visibility (a plain call from any language), a forgotten object links into a library
 * without a message, and its first call ends the program. The link of an executable with such a
 * library is the last chance to warn; some linkers refuse it, without saying why.
 *
 * Only a warning: the library is finished, another file may define the function, and the link would
 * have worked without us.
 *
 * System libraries are left out: reading them all in each link would be slow, and the user does not
 * build them. The file has not been checked in any way.
 */
#include "forgotten.h"

#include "base/diag.h"
#include "base/elf_view.h"
#include "scan.h"
#include "script.h"

#include <string.h>

static const char prefix[] = "__dtrace_sdt";

static const char *first_of_table(const struct elf_view *view, const Elf64_Shdr *table)
{
    Elf64_Shdr names;
    Elf64_Sym symbol;
    if (table->sh_link >= view->count || !elf_view_section(view, table->sh_link, &names))
        return NULL;
    const uint8_t *symbols = elf_view_data(view, table);
    const uint8_t *strings = elf_view_data(view, &names);
    if (!symbols || !strings || names.sh_size == 0 || strings[names.sh_size - 1] != 0 ||
        !memmem(strings, names.sh_size, prefix, strlen(prefix)))
        return NULL;
    for (uint64_t at = 0; table->sh_size - at >= sizeof symbol; at += sizeof symbol) {
        memcpy(&symbol, symbols + at, sizeof symbol);
        if (symbol.st_shndx != SHN_UNDEF || symbol.st_name >= names.sh_size)
            continue;
        const char *name = (const char *)strings + symbol.st_name;
        if (strncmp(name, prefix, strlen(prefix)) == 0)
            return name;
    }
    return NULL;
}

/* The first probe's function that the library expects from others; NULL: there is none. */
static const char *first_undefined(const struct elf_view *view)
{
    Elf64_Shdr header;
    for (uint64_t i = 1; i < view->count && elf_view_section(view, i, &header); i++)
        if (header.sh_type == SHT_DYNSYM)
            return first_of_table(view, &header);
    return NULL;
}

/* What cannot be opened is the linker's to report. */
static void look_at(const char *path)
{
    struct elf_view view;
    const char *symbol = elf_view_map(&view, path) ? first_undefined(&view) : NULL;
    if (symbol)
        diag_warn(&(struct diag_place){.file = path, .symbol = symbol},
                  "this library calls a probe that was not processed and is undefined: the call "
                  "ends the program",
                  "link the library anew, with sdtlink before its link command, or process its "
                  "objects (sdtlink -o x.o x.o)");
    elf_view_unmap(&view);
}

static void look_at_input(const struct line_input *input)
{
    if ((input->found & SCAN_SHARED) && !(input->found & SCAN_RUNTIME) &&
        !scan_is_systems(input->path))
        look_at(input->path);
    for (size_t i = 0; input->script && i < input->script->count; i++)
        look_at_input(&input->script->files[i].input);
}

void forgotten_warn(const struct line *line)
{
    for (size_t i = 0; i < line->input_count; i++)
        if (line->inputs[i].first == i)
            look_at_input(&line->inputs[i]);
}
