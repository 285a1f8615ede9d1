/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * text_ways WAY: writes one byte of its own text in a way that the runtime does not use, and says
 * what came of it. No part of the runtime is in here.
 *
 *   byte      (the runtime's own way, for comparison:) write that byte
 *   range     read a range of text, let a tracer attach, write the range with that byte changed
 *   stale     the same, but the tracer is there before, and leaves in between
 *   forked    a child writes through a descriptor that was opened before the fork
 *   rights    the process gives up its rights, and writes through a descriptor from before
 *
 * For a tracer it prints "attach" or "detach", and waits for a line.
 */
#define _GNU_SOURCE
#include "asking.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* `ours` has the byte that is written, its first; a tracer is interested in `theirs`. */
__asm__(".text\n"
        ".balign 64\n"
        ".globl  ours, theirs\n"
        ".type   ours, @function\n"
        ".type   theirs, @function\n"
        "ours:   nop\n"
        "        ret\n"
        "theirs: nop\n"
        "        ret\n"
        ".size   ours, 2\n"
        ".size   theirs, 2\n");
void ours(void), theirs(void);

enum { RANGE = 16, OFF = 0x90, ON = 0xf8 /* clc: as harmless as the nop */ };

static int open_memory(void)
{
    return open("/proc/self/mem", O_RDWR | O_CLOEXEC);
}

static void write_text(int fd, const void *bytes, size_t n)
{
    if (pwrite(fd, bytes, n, (off_t)(uintptr_t)ours) != (ssize_t)n) {
        perror("pwrite");
        exit(1);
    }
}

static int byte_now(void)
{
    return *(volatile const uint8_t *)(uintptr_t)ours;
}

static int beside_a_tracer(const char *way)
{
    uint8_t range[RANGE];
    bool is_stale = strcmp(way, "stale") == 0;
    int fd = open_memory();
    if (is_stale)
        ask("attach");
    memcpy(range, (const void *)(uintptr_t)ours, sizeof range);
    ask(is_stale ? "detach" : "attach");
    range[0] = ON;
    write_text(fd, range, strcmp(way, "byte") == 0 ? 1 : sizeof range);
    for (int i = 0; i < 10; i++)
        theirs();
    puts("ok");
    return 0;
}

static int after_a_fork(void)
{
    int fd = open_memory(), status = 0;
    pid_t child = fork();
    if (child == 0) {
        const uint8_t on = ON;
        write_text(fd, &on, 1);
        _exit(byte_now() == OFF ? 0 : 2);
    }
    waitpid(child, &status, 0);
    printf("child's text %s, parent's text %s\n", status == 0 ? "as it was" : "changed",
           byte_now() == OFF ? "as it was" : "changed");
    return 0;
}

static int without_rights(void)
{
    const uint8_t on = ON;
    int fd = open_memory();
    if (geteuid() == 0 && setresuid(65534, 65534, 65534) != 0)
        return 1;
    prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
    bool can_open = open_memory() >= 0;
    write_text(fd, &on, 1);
    printf("opening %s, text %s\n", can_open ? "allowed" : "refused",
           byte_now() == OFF ? "as it was" : "changed");
    return 0;
}

int main(int argc, char **argv)
{
    const char *way = argc == 2 ? argv[1] : "";
    if (strcmp(way, "forked") == 0)
        return after_a_fork();
    if (strcmp(way, "rights") == 0)
        return without_rights();
    return beside_a_tracer(way);
}
