/* SPDX-License-Identifier: BSD-2-Clause */
#include "kind.h"

#include "base/diag.h"
#include "base/memory.h"
#include "intermediate.h"

#include <arch/machines.h>
#include <elf.h>
#include <stdlib.h>
#include <string.h>

static int refuse(const char *path, const char *problem, const char *remedy)
{
    return diag_refuse(&(struct diag_place){.file = path}, problem, NULL, NULL, remedy);
}

static int refuse_format(const char *path, const char *format, const char *remedy)
{
    char *problem =
        memory_format("this is %s, not an %s relocatable object", format, TOOL_ARCH_NAMES);
    refuse(path, problem, remedy);
    free(problem);
    return -1;
}

static int refuse_machine(const char *path, unsigned machine)
{
    char *format = memory_format("an ELF file for %s (e_machine %u)",
                                 tool_arch_machine_name(machine), machine);
    char *remedy = memory_format("sdtlink processes %s objects in this version", TOOL_ARCH_NAMES);
    refuse_format(path, format, remedy);
    free(remedy);
    free(format);
    return -1;
}

static int refuse_bitcode(const char *path)
{
    char *remedy = memory_format("link through sdtlink (sdtlink clang -flto ...); or make machine "
                                 "code first: ld.lld -r -o native.o %s; or compile with -fno-lto",
                                 path);
    refuse_format(path, "LLVM bitcode", remedy);
    free(remedy);
    return -1;
}

int kind_check_magic(const char *path, const uint8_t *head, size_t size)
{
    if (size >= 8 && (!memcmp(head, "!<arch>\n", 8) || !memcmp(head, "!<thin>\n", 8)))
        return refuse_format(path, "an archive",
                             "put sdtlink in front of the link command, which takes archives as "
                             "they are; or extract its members (ar x) and process each; or join "
                             "them first: ld -r --whole-archive");
    if (intermediate_is_bitcode(head, size))
        return refuse_bitcode(path);
    if (size < 4 || memcmp(head, ELFMAG, SELFMAG) != 0)
        return refuse_format(path, size ? "not an ELF file" : "an empty file",
                             "give an object, such as `cc -c` makes");
    if (size < sizeof(Elf64_Ehdr))
        return refuse(path, "the ELF header is cut off; the file is truncated or damaged", NULL);
    return 0;
}

static int check_type(const char *path, unsigned type)
{
    switch (type) {
    case ET_REL:
        return 0;
    case ET_EXEC:
    case ET_DYN:
        return refuse_format(path, "an executable or shared library",
                             "it is linked already: process its objects, then link");
    case ET_CORE:
        return refuse_format(path, "a core dump", NULL);
    default:
        return refuse_format(path, "an ELF file of unknown type", NULL);
    }
}

int kind_check_header(const char *path, const uint8_t *head, const struct tool_arch **arch)
{
    if (head[EI_DATA] == ELFDATA2MSB)
        return refuse_format(path, "a big-endian ELF file",
                             "there are no probes on such machines: compile for a little-endian "
                             "one (-mlittle-endian)");
    if (head[EI_DATA] != ELFDATA2LSB || head[EI_VERSION] != EV_CURRENT)
        return refuse(path, "the ELF header is damaged", NULL);
    uint16_t type, machine;
    memcpy(&type, head + offsetof(Elf64_Ehdr, e_type), sizeof type);
    memcpy(&machine, head + offsetof(Elf64_Ehdr, e_machine), sizeof machine);
    *arch = tool_arch_of(machine);
    if (!*arch)
        return refuse_machine(path, machine);
    if (head[EI_CLASS] != ELFCLASS32 && head[EI_CLASS] != ELFCLASS64)
        return refuse(path, "the ELF header is damaged", NULL);
    if (head[EI_CLASS] != tool_arch_class(*arch))
        return refuse_format(path, (*arch)->other_class->problem, (*arch)->other_class->remedy);
    return check_type(path, type);
}
