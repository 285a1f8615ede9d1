/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * For programs that qemu runs without a kernel of its own: it translates instructions once, and
 * notices that they are changed by stores, but not by what the host's kernel writes for
 * /proc/self/mem. So that file cannot be opened here, and the runtime goes its other way.
 *
 * And qemu has a thread of its own that blocks all signals. The runtime, which looks for such
 * threads before it sets breakpoints, must not see it: the directory of threads is hidden as well.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

int open(const char *path, int flags, ...)
{
    va_list more;
    va_start(more, flags);
    int mode = flags & O_CREAT ? va_arg(more, int) : 0;
    va_end(more);
    if (strcmp(path, "/proc/self/mem") == 0) {
        errno = EACCES;
        return -1;
    }
    return (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

DIR *opendir(const char *path)
{
    DIR *(*next)(const char *) = (DIR * (*)(const char *)) dlsym(RTLD_NEXT, "opendir");
    if (strcmp(path, "/proc/self/task") != 0)
        return next(path);
    errno = ENOENT;
    return NULL;
}
