/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Objects for machines that have no probes.
 *
 * There <sdt/probe.h> makes no probes, so a makefile that sends every object through sdtlink also
 * sends objects with nothing to process. They are copied, like other objects without probes.
 *
 * A file that we cannot read must not be passed on with a probe in it. So the whole file, whatever
 * its class and byte order, is searched for the prefix of all probe symbols: if it does not occur,
 * no symbol has it. Otherwise object_map() refuses the file, naming the machine. Notes of
 * <sys/sdt.h> do not count: they are complete, and tracers read them on their machine.
 */
#include "foreign.h"

#include "base/mapping.h"

#include <arch/machines.h>
#include <elf.h>
#include <fcntl.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

static const char probe_prefix[] = "__dtrace_sdt";

/* The fields of the header that are at the same place in files of both classes. */
static unsigned half_at(const uint8_t *head, size_t offset)
{
    unsigned first = head[offset], second = head[offset + 1];
    return head[EI_DATA] == ELFDATA2MSB ? first << 8 | second : second << 8 | first;
}

bool foreign_begins(const uint8_t *head, size_t size)
{
    if (size < sizeof(Elf32_Ehdr) || memcmp(head, ELFMAG, SELFMAG) != 0 ||
        head[EI_VERSION] != EV_CURRENT)
        return false;
    bool is_little = head[EI_DATA] == ELFDATA2LSB;
    if ((head[EI_CLASS] != ELFCLASS64 && head[EI_CLASS] != ELFCLASS32) ||
        (!is_little && head[EI_DATA] != ELFDATA2MSB))
        return false;
    const struct tool_arch *arch = tool_arch_of(half_at(head, offsetof(Elf64_Ehdr, e_machine)));
    bool is_known = is_little && arch && tool_arch_class(arch) == head[EI_CLASS];
    return half_at(head, offsetof(Elf64_Ehdr, e_type)) == ET_REL && !is_known;
}

static bool lacks_prefix(int fd)
{
    struct mapping mapping;
    if (!mapping_of(&mapping, fd))
        return false; /* object_map() says why */
    bool result = !memmem(mapping.data, mapping.size, probe_prefix, sizeof probe_prefix - 1);
    mapping_close(&mapping);
    return result;
}

bool foreign_has_no_probes(const char *file)
{
    uint8_t head[sizeof(Elf64_Ehdr)];
    /* O_NONBLOCK: a FIFO without a writer is refused later, not waited for. */
    int fd = open(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0)
        return false;
    ssize_t got = pread(fd, head, sizeof head, 0);
    bool result = got > 0 && foreign_begins(head, (size_t)got) && lacks_prefix(fd);
    close(fd);
    return result;
}
