/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See attach.h. The page is the descriptor with the right name, which the kernel reports. It is
 * used only if it is sealed against shrinking (else reading it could raise SIGBUS) and names that
 * process: a child of a fork may also have its parent's. Process IDs are reused: a pidfd tells
 * whether the process has ended meanwhile.
 */
#include "attach.h"

#include "numbers.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Whether descriptor NUMBER of process PID is a memfd with NAME. */
static bool is_named(pid_t pid, const char *number, const char *name)
{
    char path[320], link[64], wanted[64];
    snprintf(path, sizeof path, "/proc/%d/fd/%s", (int)pid, number);
    snprintf(wanted, sizeof wanted, "/memfd:%s (deleted)", name);
    ssize_t n = readlink(path, link, sizeof link - 1);
    link[n > 0 ? n : 0] = '\0';
    return strcmp(link, wanted) == 0;
}

static int open_file(pid_t pid, const char *number, int how)
{
    char path[320];
    snprintf(path, sizeof path, "/proc/%d/fd/%s", (int)pid, number);
    return open(path, how | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
}

static bool is_sealed(int fd)
{
    int seals = fcntl(fd, F_GET_SEALS);
    return seals >= 0 && (seals & F_SEAL_SHRINK);
}

int attach_file(const struct attached *to, int number, uint64_t inode, const char *name, int how)
{
    char text[16];
    struct stat status;
    snprintf(text, sizeof text, "%d", number);
    if (number < 0 || !is_named(to->pid, text, name))
        return -1;
    int fd = open_file(to->pid, text, how);
    if (fd >= 0 && fstat(fd, &status) == 0 && S_ISREG(status.st_mode) && status.st_ino == inode &&
        is_sealed(fd))
        return fd;
    if (fd >= 0)
        close(fd);
    return -1;
}

/* What the page in FD says, checked. */
static int map_page(struct attached *to, int fd)
{
    struct stat status;
    if (fstat(fd, &status) != 0 || !S_ISREG(status.st_mode) || !is_sealed(fd) ||
        status.st_size < (off_t)sizeof(struct live_page))
        return ATTACH_WRONG;
    void *page = mmap(NULL, sizeof(struct live_page), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (page == MAP_FAILED)
        return ATTACH_WRONG;
    to->page = page;
    to->generation = atomic_load(&to->page->generation);
    to->inode = status.st_ino;
    to->device = status.st_dev;
    if (to->page->magic != LIVE_MAGIC)
        return ATTACH_WRONG;
    return to->page->abi == LIVE_ABI ? 0 : ATTACH_VERSION;
}

static int try_number(struct attached *to, const char *number)
{
    int fd = open_file(to->pid, number, O_RDWR);
    char path[64];
    if (fd < 0)
        return ATTACH_DENIED;
    int result = map_page(to, fd);
    to->file = fd;
    snprintf(path, sizeof path, "/proc/%d/status", (int)to->pid);
    if (result == 0 && to->page->pid != numbers_own(path))
        result = ATTACH_NONE; /* its parent's */
    to->number = (unsigned)strtoul(number, NULL, 10);
    return result;
}

static void unmap(struct attached *to)
{
    if (to->page)
        munmap(to->page, sizeof *to->page);
    if (to->file >= 0)
        close(to->file);
    to->page = NULL;
    to->file = -1;
}

/* Search the descriptors. */
static int search(struct attached *to)
{
    char path[64];
    int result = ATTACH_NONE;
    snprintf(path, sizeof path, "/proc/%d/fd", (int)to->pid);
    DIR *entries = opendir(path);
    if (!entries)
        return errno == EACCES || errno == EPERM ? ATTACH_DENIED : ATTACH_GONE;
    for (struct dirent *entry; result != 0 && (entry = readdir(entries));)
        if (entry->d_name[0] != '.' && is_named(to->pid, entry->d_name, LIVE_PAGE_NAME)) {
            unmap(to);
            result = try_number(to, entry->d_name);
        }
    closedir(entries);
    return result;
}

bool attach_ends_within(const struct attached *to, int ms)
{
    struct pollfd process = {.fd = to->process, .events = POLLIN};
    return poll(&process, 1, ms) > 0;
}

/* The library has locked the page's file for as long as it is mapped anywhere. */
bool attach_is_followed(const struct attached *to)
{
    struct flock all = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    return fcntl(to->file, F_OFD_GETLK, &all) == 0 && all.l_type != F_UNLCK;
}

/* Whether the process has the descriptor by which we have found the page. */
static bool has_descriptor(const struct attached *to)
{
    char path[64];
    struct stat status;
    snprintf(path, sizeof path, "/proc/%d/fd/%u", (int)to->pid, to->number);
    return stat(path, &status) == 0 && status.st_ino == to->inode && status.st_dev == to->device;
}

/* The fifth word of LINE of a file `maps`; 0: it has none. */
static uint64_t inode_of(const char *line)
{
    for (int words = 0; words < 4; words++) {
        line += strcspn(line, " ");
        line += strspn(line, " ");
    }
    return strtoull(line, NULL, 10);
}

bool attach_has_page(pid_t pid, bool (*is_wanted)(uint64_t inode, void *data), void *data)
{
    char path[64], line[512];
    bool is_found = false;
    snprintf(path, sizeof path, "/proc/%d/maps", (int)pid);
    FILE *maps = fopen(path, "re");
    while (maps && !is_found && fgets(line, sizeof line, maps))
        is_found =
            strstr(line, " /memfd:" LIVE_PAGE_NAME " (deleted)") && is_wanted(inode_of(line), data);
    if (maps)
        fclose(maps);
    return is_found;
}

static bool is_its_page(uint64_t inode, void *data)
{
    return inode == ((const struct attached *)data)->inode;
}

/*
 * The program may have closed the descriptor, as daemons close all that they do not know. What it
 * becomes by exec(2) would not have the page in its memory. Checking that takes longer, so the lock
 * is tested first, which tells whether any process has it mapped.
 */
bool attach_is_there(const struct attached *to)
{
    return !attach_has_ended(to) &&
           (has_descriptor(to) || (attach_is_followed(to) &&
                                   attach_has_page(to->pid, is_its_page, (void *)(uintptr_t)to)));
}

int attach_open(struct attached *to, pid_t pid)
{
    *to = (struct attached){.pid = pid, .process = -1, .file = -1};
    to->process = (int)syscall(SYS_pidfd_open, pid, 0);
    if (to->process < 0)
        return ATTACH_GONE;
    process_name(pid, to->name);
    int result = search(to);
    if (attach_has_ended(to) || (result == 0 && !attach_is_there(to)))
        result = ATTACH_GONE;
    if (result != 0 && result != ATTACH_VERSION) {
        int process = to->process;
        unmap(to);
        close(process);
        to->process = -1;
    }
    return result;
}

int attach_each(int (*visit)(struct attached *process, int result, void *data), void *data)
{
    DIR *entries = opendir("/proc");
    int result = 0;
    if (!entries)
        return -1;
    for (struct dirent *entry; result == 0 && (entry = readdir(entries));) {
        struct attached process;
        char *end;
        long pid = strtol(entry->d_name, &end, 10);
        if (pid <= 0 || *end)
            continue;
        int opened = attach_open(&process, (pid_t)pid);
        result = visit(&process, opened, data);
        attach_close(&process);
    }
    closedir(entries);
    return result;
}
