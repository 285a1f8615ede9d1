/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See text.h. Two ways to write to pages that are mapped read-execute:
 *
 *  1. pwrite() to /proc/self/mem: the kernel copies the page on write; the mapping's protection
 *     never changes, so no page is ever writable and executable, no mapping is split, and
 *     PR_SET_MDWE does not mind. Needs /proc, and a dumpable process or privilege; Linux 6.12 may
 * be told to refuse it (proc_mem.force_override). Where the kernel copies a word of ours byte by
 *     byte, changes of a single byte go this way, and no others.
 *  2. mprotect() to read-write-execute, store, mprotect() back. Never without X: other threads are
 *     running on these pages. Security modules, PR_SET_MDWE and seccomp may forbid it, and so may
 *     the user: SDT_LOCK_TEXT.
 *
 * A second mapping of the file does not help: private pages of text are not shared with it.
 *
 * The file is opened for every batch. A kept descriptor would write the *parent's* text in a child
 * after fork, and whatever file the program puts at that number after closing all descriptors.
 */
#define _GNU_SOURCE
#include "text.h"

#include "process/environment.h"
#include "process/loaded.h"
#include "process/valgrind.h"
#include "shared/number.h"

#include <errno.h>
#include <fcntl.h>
#include <machine/flush.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

void text_begin(struct text_writer *writer)
{
    writer->fd = -2;
    writer->may_unlock = false;
}

/* The file, or a negative number. */
static int file_of(struct text_writer *writer)
{
    if (writer->fd == -2)
        writer->fd = open("/proc/self/mem", O_RDWR | O_CLOEXEC);
    return writer->fd;
}

void text_end(struct text_writer *writer)
{
    if (writer->fd >= 0)
        close(writer->fd);
    writer->fd = -1;
}

/* The bytes of a word that change: how many, from *FIRST on. */
static size_t changed_bytes(const struct text_edit *edit, size_t *first)
{
    const uint8_t *value = (const uint8_t *)&edit->value, *old = (const uint8_t *)&edit->expect;
    size_t begin = 0, end = sizeof edit->value;
    while (begin < end && value[begin] == old[begin])
        begin++;
    while (end > begin && value[end - 1] == old[end - 1])
        end--;
    *first = begin;
    return end - begin;
}

/* A thread that runs the word sees the old one or the new one, whatever the kernel's copy does. */
static bool write_by_file(int fd, struct text_edit *edit)
{
    size_t first = 0, size = sizeof edit->value;
    if (!SITE_IS_COPIED_WHOLE)
        size = changed_bytes(edit, &first);
    if (!SITE_IS_COPIED_WHOLE && size > 1)
        return false;
    const uint8_t *from = (const uint8_t *)&edit->value + first;
    ssize_t n;
    do
        n = pwrite(fd, from, size, (off_t)((uintptr_t)edit->address + first));
    while (n < 0 && errno == EINTR);
    return n == (ssize_t)size;
}

/* The mapping around ADDRESS: its end and its protection. */
struct mapping {
    uintptr_t address;
    uintptr_t end;
    int protection;
};

/* Ask the kernel what the protection is now. */
static bool find_in_maps(struct mapping *found)
{
    FILE *maps = fopen("/proc/self/maps", "re");
    char line[512];
    bool ok = false;
    if (!maps)
        return false;
    while (!ok && fgets(line, sizeof line, maps)) {
        char *next;
        uintptr_t begin = number_read(line, &next, 16);
        uintptr_t end = *next == '-' ? number_read(next + 1, &next, 16) : 0;
        if (found->address < begin || found->address >= end || *next != ' ')
            continue;
        found->end = end;
        found->protection = (next[1] == 'r' ? PROT_READ : 0) | (next[2] == 'w' ? PROT_WRITE : 0) |
                            (next[3] == 'x' ? PROT_EXEC : 0);
        ok = true;
    }
    fclose(maps);
    return ok;
}

static int visit_object(struct dl_phdr_info *object, size_t size, void *data)
{
    struct mapping *found = data;
    (void)size;
    const ElfW(Phdr) *segment = loaded_segment(object, found->address, 1, 0);
    if (!segment)
        return 0;
    found->end = object->dlpi_addr + segment->p_vaddr + segment->p_memsz;
    found->protection = (segment->p_flags & PF_R ? PROT_READ : 0) |
                        (segment->p_flags & PF_W ? PROT_WRITE : 0) |
                        (segment->p_flags & PF_X ? PROT_EXEC : 0);
    return 1;
}

/* Without /proc: what the loader was told to map, which holds unless it was changed later. */
static bool find_mapping(struct mapping *found)
{
    return find_in_maps(found) || dl_iterate_phdr(visit_object, found) == 1;
}

static void store_checked(struct text_edit *edit)
{
    if (text_word(edit->address) != edit->expect) {
        edit->error = -EILSEQ;
        return;
    }
    __atomic_store_n((site_word *)(void *)edit->address, edit->value, __ATOMIC_RELEASE);
    if (SITE_IS_FLUSHED_ALONE)
        site_flush(edit->address, sizeof edit->value);
    edit->error = text_word(edit->address) == edit->value ? 0 : -EIO;
}

/* Make the pages of [BEGIN, END) writable as well, or give them PROTECTION back. */
static int set_protection(uintptr_t begin, uintptr_t end, int protection)
{
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    if ((protection & PROT_WRITE) && environment_locks_text())
        return -EACCES;
    begin &= ~(page - 1);
    end = (end + page - 1) & ~(page - 1);
    return mprotect((void *)begin, end - begin, protection) == 0 ? 0 : -errno;
}

#define OPEN(protection) ((protection) | PROT_READ | PROT_WRITE | PROT_EXEC)

int text_write_run(struct text_writer *writer, uint8_t *address, const uint8_t *value, size_t n)
{
    uintptr_t begin = (uintptr_t)address;
    struct mapping mapping = {begin, 0, 0};
    if (file_of(writer) >= 0 && pwrite(writer->fd, value, n, (off_t)begin) == (ssize_t)n) {
        valgrind_forget(address, n);
        return memcmp(address, value, n) == 0 ? 0 : -EIO;
    }
    if (!find_mapping(&mapping)) /* no object's: thunks (window.h), which are mapped like text */
        mapping = (struct mapping){begin, begin + n, PROT_READ | PROT_EXEC};
    if (mapping.end - begin < n)
        return -EFAULT;
    int error = set_protection(begin, begin + n, OPEN(mapping.protection));
    if (error)
        return error;
    memcpy(address, value, n);
    site_flush(address, n);
    valgrind_forget(address, n);
    set_protection(begin, begin + n, mapping.protection);
    return memcmp(address, value, n) == 0 ? 0 : -EIO;
}

/* Write the edits from the front that lie in one mapping, made writable once; how many. */
static size_t write_unprotected(struct text_edit *edits, size_t n)
{
    uintptr_t begin = (uintptr_t)edits[0].address;
    uintptr_t end = (uintptr_t)edits[n - 1].address + sizeof edits[n - 1].value;
    struct mapping mapping = {begin, 0, 0};
    size_t count = 0;
    int error = find_mapping(&mapping) ? 0 : -EFAULT;

    end = end < mapping.end ? end : mapping.end;
    if (!error)
        error = set_protection(begin, end, OPEN(mapping.protection));
    do {
        if (error)
            edits[count].error = error;
        else
            store_checked(&edits[count]);
    } while (++count < n && (uintptr_t)edits[count].address < end);
    if (!error && !SITE_IS_FLUSHED_ALONE)
        site_flush((const void *)begin, end - begin);
    if (!error)
        valgrind_forget((const void *)begin, end - begin);
    if (!error) /* should this fail, the text is right and the pages stay writable: all one can do
                 */
        set_protection(begin, end, mapping.protection);
    return count;
}

void text_write(struct text_writer *writer, struct text_edit *edits, size_t n)
{
    bool unlock = writer->may_unlock && n >= TEXT_MANY;
    size_t i = 0;
    while (i < n) {
        struct text_edit *edit = &edits[i];
        edit->error = 0;
        if (text_word(edit->address) != edit->expect) {
            edit->error = -EILSEQ;
            i++;
        } else if (!unlock && file_of(writer) >= 0 && write_by_file(writer->fd, edit)) {
            valgrind_forget(edit->address, sizeof edit->value);
            edit->error = text_word(edit->address) == edit->value ? 0 : -EIO;
            i++;
        } else {
            size_t count = write_unprotected(edit, n - i);
            if (unlock && edit->error) { /* forbidden: the other way, from here on */
                unlock = false;
                continue;
            }
            i += count;
        }
    }
}
