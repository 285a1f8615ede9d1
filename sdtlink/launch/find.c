/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Finding programs: the linker that our symbolic link replaces, and the parts of sdtlink itself.
 *
 * A driver that found us by -B would have found another linker without it. Where it would have
 * looked next depends on the driver. gcc puts its list into COMPILER_PATH, the directories of -B
 * first; its last resort is PATH, where a cross compiler looks for TARGET-ld. clang says nothing:
 * it looks in the directories of -B, which driver mode has told us, then in its own directory, then
 * in PATH. In all of these places our own file must be skipped.
 */
#include "find.h"

#include "base/diag.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool own_path(char path[PATH_MAX])
{
    ssize_t length = readlink("/proc/self/exe", path, PATH_MAX - 1);
    if (length <= 0)
        return false;
    path[length] = 0;
    return true;
}

static bool is_same(const char *path, const struct stat *status)
{
    struct stat file;
    return stat(path, &file) == 0 && file.st_dev == status->st_dev && file.st_ino == status->st_ino;
}

/*
 * /proc/self/exe is the right file even if another one has our name by now. But in a container of
 * another machine, which qemu runs in user mode, it is qemu for stat(), and for readlink() us.
 */
static bool is_self(const struct stat *status)
{
    char path[PATH_MAX];
    return is_same("/proc/self/exe", status) || (own_path(path) && is_same(path, status));
}

/* NAME in DIRECTORY (LENGTH bytes; none: the current one); NULL if there is no such program. */
static char *look_in(const char *directory, size_t length, const char *name)
{
    bool has_slash = length > 0 && directory[length - 1] == '/';
    char *path = length
                     ? memory_format("%.*s%s%s", (int)length, directory, has_slash ? "" : "/", name)
                     : memory_format("./%s", name);
    struct stat status;
    if (stat(path, &status) == 0 && S_ISREG(status.st_mode) && access(path, X_OK) == 0 &&
        !is_self(&status))
        return path;
    free(path);
    return NULL;
}

/* NAME in the directories of LIST, separated by colons. */
static char *look_along(const char *list, const char *name)
{
    while (list) {
        size_t length = strcspn(list, ":");
        char *path = look_in(list, length, name);
        if (path)
            return path;
        list = list[length] ? list + length + 1 : NULL;
    }
    return NULL;
}

/* NAME beside the program that started us. */
static char *look_beside_parent(const char *name)
{
    char link[64], parent[PATH_MAX];
    snprintf(link, sizeof link, "/proc/%d/exe", (int)getppid());
    ssize_t length = readlink(link, parent, sizeof parent - 1);
    if (length <= 0)
        return NULL;
    parent[length] = 0;
    char *slash = strrchr(parent, '/');
    return slash ? look_in(parent, (size_t)(slash - parent), name) : NULL;
}

/* A cross compiler's linker: COLLECT_GCC is the driver's name, such as x86_64-linux-gnu-gcc-12. */
static char *look_for_target(const char *name)
{
    const char *driver = getenv("COLLECT_GCC"), *path = getenv("PATH");
    if (!driver || !path)
        return NULL;
    driver = basename(driver);
    const char *end = strstr(driver, "-gcc");
    end = end ? end : strstr(driver, "-g++");
    if (!end)
        return NULL;
    char *full = memory_format("%.*s-%s", (int)(end - driver), driver, name);
    char *found = look_along(path, full);
    free(full);
    return found;
}

static char *look_everywhere(const struct launcher_options *launch, const char *name)
{
    for (size_t i = 0; i < launch->directories.count; i++) {
        const char *directory = launch->directories.list[i];
        char *found = look_in(directory, strlen(directory), name);
        if (found)
            return found;
    }
    char *found = look_along(getenv("COMPILER_PATH"), name);
    if (!found && !getenv("COLLECT_GCC"))
        found = look_beside_parent(name);
    if (!found)
        found = look_for_target(name);
    return found ? found : look_along(getenv("PATH"), name);
}

char *find_linker(const struct launcher_options *launch, const char *name)
{
    struct stat status;
    const char *slash = strrchr(name, '/');
    /* What is wrong with a path, exec will say. But one of our own names means what it stands for.
     */
    bool is_path = slash && !(stat(name, &status) == 0 && is_self(&status));
    if (slash && !is_path)
        name = slash + 1;
    char *found = is_path ? memory_format("%s", name) : look_everywhere(launch, name);
    if (!found)
        diag_error("there is no linker '%s' beside this sdtlink: install it, or name another",
                   name);
    return found;
}

char *find_part(const char *const *places)
{
    char self[PATH_MAX];
    if (!own_path(self))
        return NULL;
    char *slash = strrchr(self, '/');
    int directory = slash ? (int)(slash - self) : 0;
    for (; *places; places++) {
        char *path = memory_format("%.*s/%s", directory, self, *places);
        char *real = realpath(path, NULL);
        free(path);
        if (real)
            return real;
    }
    return NULL;
}
