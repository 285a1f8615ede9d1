/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A program that handles SIGSEGV itself, or does not, and records text that is nowhere. The first
 * argument: what its own fault does. "main": it is being recorded before it begins, and installs
 * its handlers then, as programs do; "signal": with signal(), and they end the program.
 */
#include <sdt/probe.h>
#include <sdt/record.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static sigjmp_buf back;
static volatile int faults;
static char *volatile nowhere;

static void on_fault(int number, siginfo_t *info, void *context)
{
    (void)context;
    if (number != SIGSEGV || info->si_addr != nowhere)
        _exit(98);
    faults++;
    siglongjmp(back, 1);
}

static void give_up(int number)
{
    (void)number;
    _exit(97);
}

static void record(int i)
{
    SDT_PROBE(rec, text, (const char *)nowhere, i);
}

/* Two texts that can be read: the second goes on to a page that cannot. */
static void record_up_to_the_end(void)
{
    char *pages = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    memset(pages, 'x', 8192);
    strcpy(pages + 4090, "both pages");
    SDT_PROBE(rec, text, pages + 4090, 101);
    munmap(pages + 4096, 4096);
    strcpy(pages + 4090, "first");
    SDT_PROBE(rec, text, pages + 4090, 102);
    SDT_PROBE(rec, bytes, SDT_BYTES(pages + 4090, 6), 102);
    SDT_PROBE(rec, bytes, SDT_BYTES(pages + 4088, 8), 102);
}

static void record_a_hole(void)
{
    char *pages = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    memset(pages, 'x', 4096);
    mprotect(pages + 4096, 4096, PROT_NONE);
    SDT_PROBE(rec, text, pages + 4090, 103);
    SDT_PROBE(rec, text, pages + 4096 - 252, 103); /* a text may have 256 bytes */
}

/* The program made no recorder: the environment did. */
static int in_main(const struct sigaction *action)
{
    if (action) {
        sigaction(SIGSEGV, action, NULL);
        sigaction(SIGBUS, action, NULL);
    } else {
        signal(SIGSEGV, give_up);
        signal(SIGBUS, give_up);
    }
    record(100);
    record_up_to_the_end();
    record_a_hole();
    return 0;
}

static void own_faults(void)
{
    for (volatile int i = 0; i < 100; i++) {
        record(i);
        if (sigsetjmp(back, 1) == 0)
            *nowhere = 1;
    }
}

int main(int argc, char **argv)
{
    struct sigaction action = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO};
    struct sdt_recorder *recorder = NULL;
    const char *way = argc > 1 ? argv[1] : "";
    nowhere = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (!strcmp(way, "main") || !strcmp(way, "signal"))
        return in_main(!strcmp(way, "main") ? &action : NULL);
    if (!strcmp(way, "ignored"))
        signal(SIGSEGV, SIG_IGN);
    if (!strcmp(way, "handled"))
        sigaction(SIGSEGV, &action, NULL);
    if (sdt_record_create("rec", NULL, &recorder) != 0 || sdt_record_add(recorder, "rec:*") != 0)
        return 1;
    if (!strcmp(way, "later"))
        sigaction(SIGSEGV, &action, NULL);
    if (!strcmp(way, "handled") || !strcmp(way, "later"))
        own_faults();
    record(100);
    if (!strcmp(way, "sent"))
        raise(SIGSEGV);
    if (!strcmp(way, "default") || !strcmp(way, "ignored"))
        *nowhere = 1;
    printf("%d\n", faults);
    return sdt_record_destroy(recorder) == 0 ? 0 : 1;
}
