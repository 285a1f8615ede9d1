/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What would happen if a hit did what a tool asks for: a handler of the program's own does the same
 * there, once. Lines on standard input, each answered by one:
 *
 *   at PROBE    from now on, the next hit of PROBE enables and disables door:other    ok
 *   stack       a hit of door:plain, on a painted stack                               bytes used
 *   malloc N    N hits of door:malloc, under the lock of malloc()        self-deadlocks, and hits
 *   strict N    N hits of door:plain by a thread under strict seccomp         lives, or is killed
 *   map FILE    dlopen it                                                                     ok
 *   instead     dlclose it, and map other memory where it was                                 ok
 *   look        bytes of that memory that were changed                                     number
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <sdt/probe.h>
#include <sdt/runtime.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

extern void *__libc_malloc(size_t size);

static pthread_mutex_t in_malloc;
static atomic_bool is_locking;
static atomic_int self_deadlocks;

static __attribute__((noinline)) void plain(long i)
{
    SDT_PROBE(door, plain, i);
}

__attribute__((noinline, used)) static void other(long i)
{
    SDT_PROBE(door, other, i);
}

/* An allocator with a lock, as they all have, and a probe where it is held, as glibc's has. */
void *malloc(size_t size)
{
    if (!atomic_load(&is_locking))
        return __libc_malloc(size);
    bool is_locked = pthread_mutex_lock(&in_malloc) == 0;
    if (is_locked)
        SDT_PROBE(door, malloc, size);
    else /* EDEADLK, since it checks; others would wait for themselves */
        atomic_fetch_add(&self_deadlocks, 1);
    void *made = __libc_malloc(size);
    if (is_locked)
        pthread_mutex_unlock(&in_malloc);
    return made;
}

static atomic_bool is_done;

/* The work of a LIVE_ENABLE and a LIVE_DISABLE. */
static void work_request(const struct sdt_event *event, void *data)
{
    (void)event;
    (void)data;
    if (!atomic_exchange(&is_done, true))
        sdt_disable(sdt_enable("door:other", SDT_COUNT, NULL));
}

/* ---- How much stack. ---- */

enum { PAINTED = 256 << 10, PAINT = 0xa5, RED_ZONE = 128 };

static __attribute__((noinline)) long used_by_a_hit(void)
{
    uint8_t *top = __builtin_frame_address(0), *low = top - PAINTED;
    register uint8_t *sp __asm__("rsp");
    uint8_t *end;
    __asm__ volatile("lea -256(%1), %0" : "=r"(end) : "r"(sp));
    for (volatile uint8_t *p = low; p < end; p++)
        *p = PAINT;
    plain(1);
    while (low < end && *(volatile uint8_t *)low == PAINT)
        low++;
    return end + RED_ZONE - low;
}

static void *measure_stack(void *data)
{
    *(long *)data = used_by_a_hit();
    return NULL;
}

static long in_thread(void *(*work)(void *), long n)
{
    pthread_t thread;
    pthread_create(&thread, NULL, work, &n);
    pthread_join(thread, NULL); /* also of a killed one: the kernel says so */
    return n;
}

/* ---- A thread that may not make system calls. ---- */

static void *hit_strictly(void *data)
{
    long *n = data, hits = *n;
    if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT, 0, 0, 0) != 0)
        return NULL;
    for (long i = 0; i < hits; i++)
        plain(i);
    *n = -1;
    syscall(SYS_exit, 0); /* all that it may do, beside reading and writing */
    return NULL;
}

/* ---- Text that goes. ---- */

static void *library;
static uint8_t *begin, *end;

static int find_extent(struct dl_phdr_info *info, size_t size, void *file)
{
    (void)size;
    if (strcmp(info->dlpi_name, file) != 0)
        return 0;
    begin = (uint8_t *)info->dlpi_addr;
    for (int i = 0; i < info->dlpi_phnum; i++)
        if (info->dlpi_phdr[i].p_type == PT_LOAD)
            end = begin + info->dlpi_phdr[i].p_vaddr + info->dlpi_phdr[i].p_memsz;
    return 1;
}

static const char *map_library(char *file)
{
    library = dlopen(file, RTLD_NOW);
    dl_iterate_phdr(find_extent, file);
    return library && begin ? "ok" : "no library";
}

static const char *map_instead(void)
{
    dlclose(library);
    void *mapped = mmap(begin, (size_t)(end - begin), PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
    if (mapped == MAP_FAILED)
        return "not free";
    memset(begin, PAINT, (size_t)(end - begin));
    return "ok";
}

static long changed(void)
{
    long n = 0;
    for (const uint8_t *p = begin; p < end; p++)
        n += *p != PAINT;
    return n;
}

/* ---- */

static void allocate(long n)
{
    self_deadlocks = 0;
    is_locking = true;
    for (long i = 0; i < n; i++) {
        void *volatile made = malloc(16);
        (void)made;
    }
    is_locking = false;
    printf("%d %llu\n", self_deadlocks, (unsigned long long)sdt_hits("door:malloc"));
}

static void answer(const char *word, char *argument)
{
    if (!strcmp(word, "at"))
        puts(sdt_enable(argument, work_request, NULL) > 0 ? "ok" : "no such probe");
    else if (!strcmp(word, "stack"))
        printf("%ld\n", in_thread(measure_stack, 0));
    else if (!strcmp(word, "malloc"))
        allocate(atol(argument));
    else if (!strcmp(word, "strict"))
        puts(in_thread(hit_strictly, atol(argument)) == -1 ? "lives" : "killed");
    else if (!strcmp(word, "map"))
        puts(map_library(argument));
    else if (!strcmp(word, "instead"))
        puts(map_instead());
    else if (!strcmp(word, "look"))
        printf("%ld\n", changed());
}

int main(void)
{
    char line[4096], word[16] = "", argument[4096] = "";
    pthread_mutexattr_t checking;
    pthread_mutexattr_init(&checking);
    pthread_mutexattr_settype(&checking, PTHREAD_MUTEX_ERRORCHECK);
    pthread_mutex_init(&in_malloc, &checking);
    setvbuf(stdout, NULL, _IOLBF, BUFSIZ);
    puts("here");
    while (fgets(line, sizeof line, stdin)) {
        argument[0] = '\0';
        sscanf(line, "%15s %4095s", word, argument);
        answer(word, argument);
    }
    other(0);
    return 0;
}
