/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * For LD_PRELOAD: lets one call of one function fail.
 *
 *   SDT_FAIL=pwrite:3:28   the third call of pwrite() fails, with errno 28 (ENOSPC)
 *   SDT_FAIL=pwrite:3:0    it succeeds, but for half of the bytes only
 *   SDT_FAIL=cut:1:4096    the first input that is mapped, or to be read, is cut off to 4096 bytes
 *   SDT_FAIL=malloc:7:12   malloc, calloc and realloc count together; so do libc's own calls
 *
 * A line "[failed]" on standard error tells that there was such a call.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static char function[64];
static int error;
static atomic_int left; /* calls until the one that fails; 0: none will */

__attribute__((constructor)) static void arm(void)
{
    const char *wish = getenv("SDT_FAIL"), *colon = wish ? strchr(wish, ':') : NULL;
    /* Not in the programs that it starts. */
    if (strcmp(program_invocation_short_name, "sdtlink") != 0 &&
        strcmp(program_invocation_short_name, "sdtlink-list") != 0)
        return;
    if (!colon || (size_t)(colon - wish) >= sizeof function)
        return;
    char *end;
    memcpy(function, wish, (size_t)(colon - wish));
    atomic_store(&left, (int)strtol(colon + 1, &end, 10));
    error = atoi(end + 1);
}

static bool is_due(const char *name)
{
    static const char message[] = "[failed]\n";
    if (atomic_load(&left) == 0 || strcmp(name, function) != 0 || atomic_fetch_sub(&left, 1) != 1)
        return false;
    ssize_t written = write(STDERR_FILENO, message, sizeof message - 1);
    (void)written;
    errno = error;
    return true;
}

static void *next(const char *name)
{
    return dlsym(RTLD_NEXT, name);
}

/* FAILED is evaluated in place of the call. */
#define WRAP_AS(counted, type, name, parameters, arguments, failed)                                \
    type name parameters                                                                           \
    {                                                                                              \
        static type(*real) parameters;                                                             \
        if (!real)                                                                                 \
            real = next(#name);                                                                    \
        return is_due(counted) ? (failed) : real arguments;                                        \
    }
#define WRAP(type, name, parameters, arguments, failed)                                            \
    WRAP_AS(#name, type, name, parameters, arguments, failed)

/* Cut off an input to ERROR bytes, if it is time. */
static void cut_if_due(int fd)
{
    char path[64];
    if (fd < 0 || (fcntl(fd, F_GETFL) & O_ACCMODE) != O_RDONLY || !is_due("cut"))
        return;
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    if (truncate(path, error) != 0)
        abort();
}

/* A transfer of SIZE bytes: an error, or half of it. BEFORE comes first in any case. */
#define WRAP_TRANSFER(name, parameters, arguments, size, before)                                   \
    ssize_t name parameters                                                                        \
    {                                                                                              \
        static ssize_t(*real) parameters;                                                          \
        if (!real)                                                                                 \
            real = next(#name);                                                                    \
        before;                                                                                    \
        if (is_due(#name)) {                                                                       \
            if (error)                                                                             \
                return -1;                                                                         \
            size = (size + 1) / 2;                                                                 \
        }                                                                                          \
        return real arguments;                                                                     \
    }

void *mmap(void *at, size_t size, int access, int flags, int fd, off_t offset)
{
    static void *(*real)(void *, size_t, int, int, int, off_t);
    if (!real)
        real = next("mmap");
    void *result = is_due("mmap") ? MAP_FAILED : real(at, size, access, flags, fd, offset);
    cut_if_due(fd);
    return result;
}

WRAP_AS("malloc", void *, malloc, (size_t size), (size), NULL)
WRAP_AS("malloc", void *, calloc, (size_t count, size_t size), (count, size), NULL)
WRAP_AS("malloc", void *, realloc, (void *block, size_t size), (block, size), NULL)

WRAP(int, open, (const char *path, int flags, ...), (path, flags, 0666), -1)
WRAP(int, fstat, (int fd, struct stat *status), (fd, status), -1)
WRAP(int, stat, (const char *path, struct stat *status), (path, status), -1)
WRAP(int, ftruncate, (int fd, off_t size), (fd, size), -1)
WRAP(int, fchmod, (int fd, mode_t mode), (fd, mode), -1)
WRAP(int, mkostemp, (char *name, int flags), (name, flags), -1)
WRAP(int, rename, (const char *from, const char *to), (from, to), -1)
WRAP(int, close, (int fd), (fd), (real(fd), errno = error, -1))
WRAP(int, pthread_create,
     (pthread_t * thread, const pthread_attr_t *attributes, void *(*start)(void *), void *data),
     (thread, attributes, start, data), error)
WRAP_TRANSFER(pread, (int fd, void *data, size_t size, off_t at), (fd, data, size, at), size,
              cut_if_due(fd))
WRAP_TRANSFER(pwrite, (int fd, const void *data, size_t size, off_t at), (fd, data, size, at), size,
              (void)0)
WRAP_TRANSFER(copy_file_range,
              (int from, off_t *in, int to, off_t *out, size_t size, unsigned flags),
              (from, in, to, out, size, flags), size, (void)0)

WRAP(Elf *, elf_memory, (char *image, size_t size), (image, size), NULL)
WRAP(Elf_Kind, elf_kind, (Elf * elf), (elf), ELF_K_NONE)
WRAP(GElf_Ehdr *, gelf_getehdr, (Elf * elf, GElf_Ehdr *header), (elf, header), NULL)
WRAP(int, elf_getphdrnum, (Elf * elf, size_t *count), (elf, count), -1)
WRAP(GElf_Phdr *, gelf_getphdr, (Elf * elf, int index, GElf_Phdr *header), (elf, index, header),
     NULL)
WRAP(int, elf_getshdrnum, (Elf * elf, size_t *count), (elf, count), -1)
WRAP(int, elf_getshdrstrndx, (Elf * elf, size_t *index), (elf, index), -1)
WRAP(Elf_Scn *, elf_getscn, (Elf * elf, size_t index), (elf, index), NULL)
WRAP(GElf_Shdr *, gelf_getshdr, (Elf_Scn * section, GElf_Shdr *header), (section, header), NULL)
WRAP(Elf_Data *, elf_rawdata, (Elf_Scn * section, Elf_Data *before), (section, before), NULL)
WRAP(char *, elf_strptr, (Elf * elf, size_t section, size_t offset), (elf, section, offset), NULL)
WRAP(Elf_Data *, elf64_xlatetom, (Elf_Data * to, const Elf_Data *from, unsigned encoding),
     (to, from, encoding), NULL)
WRAP(Elf_Data *, elf64_xlatetof, (Elf_Data * to, const Elf_Data *from, unsigned encoding),
     (to, from, encoding), NULL)
