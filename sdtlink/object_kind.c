/* SPDX-License-Identifier: BSD-2-Clause */
#include "object_kind.h"

#include "diag.h"
#include "intermediate.h"

#include <stdlib.h>
#include <string.h>

static int refuse(const struct object *o, const char *problem, const char *remedy)
{
    return diag_refuse(&(struct place){.file = o->path}, problem, NULL, NULL, remedy);
}

static int refuse_format(const struct object *o, const char *format, const char *remedy)
{
    char *problem =
        memory_format("this is %s, not an %s relocatable object", format, TOOL_ARCH_NAMES);
    refuse(o, problem, remedy);
    free(problem);
    return -1;
}

static int refuse_machine(const struct object *o, unsigned machine)
{
    char *format = memory_format("an ELF file for %s (e_machine %u)",
                                 tool_arch_machine_name(machine), machine);
    char *remedy = memory_format("sdtlink processes %s objects in this version", TOOL_ARCH_NAMES);
    refuse_format(o, format, remedy);
    free(remedy);
    free(format);
    return -1;
}

static int refuse_bitcode(const struct object *o)
{
    char *remedy = memory_format("link through sdtlink (sdtlink clang -flto ...); or make machine "
                                 "code first: ld.lld -r -o native.o %s; or compile with -fno-lto",
                                 o->path);
    refuse_format(o, "LLVM bitcode", remedy);
    free(remedy);
    return -1;
}

int object_check_magic(const struct object *o, const uint8_t *head, size_t size)
{
    if (size >= 8 && (!memcmp(head, "!<arch>\n", 8) || !memcmp(head, "!<thin>\n", 8)))
        return refuse_format(o, "an archive",
                             "put sdtlink in front of the link command, which takes archives as "
                             "they are; or extract its members (ar x) and process each; or join "
                             "them first: ld -r --whole-archive");
    if (intermediate_is_bitcode(head, size))
        return refuse_bitcode(o);
    if (size < 4 || memcmp(head, ELFMAG, SELFMAG) != 0)
        return refuse_format(o, size ? "not an ELF file" : "an empty file",
                             "give an object, such as `cc -c` makes");
    if (size < sizeof(Elf64_Ehdr))
        return refuse(o, "the ELF header is cut off; the file is truncated or damaged", NULL);
    return 0;
}

static int check_type(const struct object *o, unsigned type)
{
    switch (type) {
    case ET_REL:
        return 0;
    case ET_EXEC:
    case ET_DYN:
        return refuse_format(o, "an executable or shared library",
                             "it is linked already: process its objects, then link");
    case ET_CORE:
        return refuse_format(o, "a core dump", NULL);
    default:
        return refuse_format(o, "an ELF file of unknown type", NULL);
    }
}

int object_check_header(struct object *o, const uint8_t *head)
{
    if (head[EI_DATA] == ELFDATA2MSB)
        return refuse_format(o, "a big-endian ELF file", NULL);
    if (head[EI_DATA] != ELFDATA2LSB || head[EI_VERSION] != EV_CURRENT)
        return refuse(o, "the ELF header is damaged", NULL);
    uint16_t type, machine;
    memcpy(&type, head + offsetof(Elf64_Ehdr, e_type), sizeof type);
    memcpy(&machine, head + offsetof(Elf64_Ehdr, e_machine), sizeof machine);
    o->arch = tool_arch_of(machine);
    if (!o->arch)
        return refuse_machine(o, machine);
    if (head[EI_CLASS] == ELFCLASS32)
        return refuse_format(o, o->arch->narrow->problem, o->arch->narrow->remedy);
    if (head[EI_CLASS] != ELFCLASS64)
        return refuse(o, "the ELF header is damaged", NULL);
    return check_type(o, type);
}
