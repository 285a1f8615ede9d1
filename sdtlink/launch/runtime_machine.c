/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A runtime of another machine than the link's. Linkers skip such a library, with or without a
 * message; since sites refer to the runtime weakly, the link succeeds, and no probe of the program
 * ever fires. So it is refused before the linker starts.
 *
 * The machine is in the header of a shared library, and in that of an archive's first object.
 */
#include "runtime_machine.h"

#include "archive.h"
#include "base/diag.h"
#include "base/mapping.h"

#include <arch/machines.h>
#include <elf.h>
#include <string.h>

/* The e_machine in HEAD, SIZE bytes; EM_NONE: not the header of a little-endian ELF file. */
static unsigned machine_of(const uint8_t *head, size_t size)
{
    uint16_t machine;
    if (size < sizeof(Elf32_Ehdr) || memcmp(head, ELFMAG, SELFMAG) != 0 ||
        head[EI_DATA] != ELFDATA2LSB)
        return EM_NONE;
    memcpy(&machine, head + offsetof(Elf64_Ehdr, e_machine), sizeof machine);
    return machine;
}

static unsigned machine_in(const uint8_t *image, size_t size)
{
    struct archive archive;
    struct archive_member member;
    if (!archive_is(image, size))
        return machine_of(image, size);
    unsigned machine = EM_NONE;
    archive_open(&archive, image, size);
    while (machine == EM_NONE && archive_next(&archive, &member) > 0)
        if (member.kind == MEMBER_FILE && member.data)
            machine = machine_of(member.data, member.size);
    return machine;
}

/* Mapped, since the first pages of the library say it. */
static unsigned read_machine(const char *path)
{
    struct mapping file;
    if (!mapping_open(&file, path))
        return EM_NONE;
    unsigned machine = machine_in(file.data, file.size);
    mapping_close(&file);
    return machine;
}

int runtime_check_machine(const char *path, const struct tool_arch *arch)
{
    unsigned machine = read_machine(path);
    if (machine == EM_NONE || machine == arch->machine)
        return 0;
    const struct tool_arch *other = tool_arch_of(machine);
    diag_error("%s is a runtime for %s, and this link is for %s: name the directory of the right "
               "one with --runtime-directory=DIR",
               path, other ? other->name : tool_arch_machine_name(machine), arch->name);
    return -1;
}
