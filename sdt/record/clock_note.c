/* SPDX-License-Identifier: BSD-2-Clause */
/* See clock_note.h. */
#include "clock_note.h"

#include "base/now.h"
#include "trace/machines.h"

#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/timex.h>
#include <unistd.h>

enum { BOOT_DIGITS = 32 };

/* The wall clock less CLOCK_MONOTONIC. A pause between two questions makes it larger: the least of
 * some is right. */
static int64_t wall(void)
{
    int64_t least = INT64_MAX;
    for (int i = 0; i < 8; i++) {
        int64_t monotonic = now(), difference = now_epoch() - monotonic;
        least = difference < least ? difference : least;
    }
    return least;
}

/* In ns; -1: nothing keeps the clock right. */
static int64_t bound(void)
{
    struct timex state = {.modes = 0};
    int status = adjtimex(&state);
    bool is_kept = status >= 0 && status != TIME_ERROR && !(state.status & STA_UNSYNC);
    return is_kept ? (int64_t)state.maxerror * 1000 : -1;
}

/* As metadata have it: digits only. */
static bool read_boot(char boot[BOOT_DIGITS + 1])
{
    char text[64] = "";
    size_t n = 0;
    int fd = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);
    ssize_t size = fd >= 0 ? read(fd, text, sizeof text - 1) : -1;
    if (fd >= 0)
        close(fd);
    for (ssize_t i = 0; i < size && n < BOOT_DIGITS; i++)
        if (strchr("0123456789abcdef", text[i]))
            boot[n++] = text[i];
    boot[n] = '\0';
    return n == BOOT_DIGITS;
}

bool clock_note(int directory)
{
    enum { FLAGS = O_WRONLY | O_APPEND | O_CLOEXEC | O_NOFOLLOW };
    char boot[BOOT_DIGITS + 1];
    int fd = openat(directory, CLOCK_FILE, FLAGS | O_CREAT | O_EXCL, 0644);
    bool is_new = fd >= 0;
    if (!is_new)
        fd = openat(directory, CLOCK_FILE, FLAGS);
    void (*before)(int) = signal(SIGXFSZ, SIG_IGN); /* a write beyond a limit just fails */
    if (fd >= 0 && read_boot(boot))
        dprintf(fd, CLOCK_WORD " %s %" PRId64 " %" PRId64 "\n", boot, wall(), bound());
    signal(SIGXFSZ, before);
    if (fd >= 0)
        close(fd);
    return is_new;
}
