/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a recorded hit takes and does not do.
 *
 *   record_limits stack       prints "WHAT BYTES first BYTES": how much of the stack is written to
 *   record_limits alternate   hits on an alternate signal stack of 8 KiB
 *   record_limits strict      threads that may do no more than read, write and end, from their
 * first hit on
 */
#define _GNU_SOURCE
#include <linux/seccomp.h>
#include <pthread.h>
#include <sdt/probe.h>
#include <sdt/record.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { PAINTED = 32768, PAINT = 0xa5, ALTERNATE = 8192, THREADS = 50, HITS = 400 };
/* For all packets, should no writer have the time to write them out: most are those of `texts`. */
enum { RING = 1 << 27 };
_Static_assert(THREADS *HITS * 4096 < RING * 3 / 4, "an event of three texts fills a packet");

static char text[2048], *bad = (char *)64000;
static volatile int what;

#define CHECK(condition) ((condition) ? (void)0 : fail(__LINE__))
static void fail(int line)
{
    printf("line %d\n", line);
    exit(1);
}

/* WHAT: integers, text, texts that fill an event. */
static inline __attribute__((always_inline)) void hit(void)
{
    if (what == 0)
        SDT_PROBE(rec, fixed, what, 2L, 3L, 4L);
    else if (what == 1)
        SDT_PROBE(rec, text, what, "some text");
    else if (what == 2)
        SDT_PROBE(rec, texts, text, text, text);
    else
        SDT_PROBE(rec, fault, bad, what);
}

/* As in runtime_stack.c. */
static __attribute__((noinline)) size_t used_by_a_hit(void)
{
    uint8_t *top = __builtin_frame_address(0), *low = top - PAINTED;
    register uint8_t *sp __asm__("rsp");
    uint8_t *end;
    __asm__ volatile("lea -256(%1), %0" : "=r"(end) : "r"(sp));
    for (uint8_t *p = low; p < end; p++)
        *(volatile uint8_t *)p = PAINT;
    hit();
    while (low < end && *(volatile uint8_t *)low == PAINT)
        low++;
    __asm__ volatile("mov %1, %0" : "=r"(end) : "r"(sp));
    return (size_t)(end - low);
}

static void *measure(void *data)
{
    size_t *used = data;
    used[0] = used_by_a_hit();
    for (int i = 0; i < HITS; i++) { /* some of which begin or end a packet */
        size_t more = used_by_a_hit();
        used[1] = used[1] < more ? more : used[1];
    }
    return NULL;
}

static void measure_all(void)
{
    static const char *const names[] = {"fixed", "text", "texts"};
    for (what = 0; what < 3; what++) {
        pthread_t thread;
        size_t used[2] = {0};
        CHECK(pthread_create(&thread, NULL, measure, used) == 0);
        CHECK(pthread_join(thread, NULL) == 0);
        printf("%s %zu first %zu\n", names[what], used[1], used[0]);
    }
}

static void on_signal(int number)
{
    (void)number;
    for (int i = 0; i < HITS; i++)
        hit();
}

static void *signalled(void *data)
{
    char *memory = mmap(NULL, ALTERNATE + 16384, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    stack_t stack = {.ss_sp = memory + 16384, .ss_size = ALTERNATE};
    (void)data;
    mprotect(stack.ss_sp, ALTERNATE, PROT_READ | PROT_WRITE);
    CHECK(sigaltstack(&stack, NULL) == 0);
    pthread_kill(pthread_self(), SIGUSR1); /* the thread's first hit is there */
    return NULL;
}

static void hit_on_alternate_stacks(void)
{
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_ONSTACK};
    sigaction(SIGUSR1, &action, NULL);
    for (what = 0; what < 3; what++) {
        pthread_t thread;
        CHECK(pthread_create(&thread, NULL, signalled, NULL) == 0);
        CHECK(pthread_join(thread, NULL) == 0);
    }
}

static void *restricted(void *data)
{
    if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT) != 0)
        exit(77);
    for (int i = 0; i < HITS; i++)
        hit();
    syscall(SYS_exit, 0);
    return data;
}

static void hit_without_system_calls(void)
{
    for (what = 0; what < 4; what++) {
        pthread_t threads[THREADS];
        for (int i = 0; i < THREADS; i++)
            CHECK(pthread_create(&threads[i], NULL, restricted, NULL) == 0);
        for (int i = 0; i < THREADS; i++)
            pthread_join(threads[i], NULL);
    }
}

int main(int argc, char **argv)
{
    const struct sdt_record_options options = {
        .size = sizeof options, .packet_size = 4096, .ring_size = RING, .text_size = 1024};
    struct sdt_recorder *recorder;
    memset(text, 'x', sizeof text - 1);
    CHECK(argc > 1 && sdt_record_create("rec", &options, &recorder) == 0);
    CHECK(sdt_record_add(recorder, "rec:*") == 0);
    if (strcmp(argv[1], "stack") == 0)
        measure_all();
    else if (strcmp(argv[1], "alternate") == 0)
        hit_on_alternate_stacks();
    else
        hit_without_system_calls();
    CHECK(sdt_record_destroy(recorder) == 0);
    puts("ok");
    return 0;
}
