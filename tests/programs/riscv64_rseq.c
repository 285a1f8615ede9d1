/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * For programs whose C library registers no thread for rseq(2), as Debian 12's on riscv64: here it
 * is done, and told to the runtime by the same two words. Linked with
 *
 *     --wrap=__rseq_offset --wrap=__rseq_size --wrap=pthread_create
 *
 * so that who asks for those of the C library gets these.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { SIZE = 32, SIGNATURE = 0xf1401073 };
static __thread struct {
    uint32_t cpu_id_start, cpu_id;
    uint64_t rest[3];
} area __attribute__((aligned(SIZE))) = {.cpu_id = UINT32_MAX};

ptrdiff_t __wrap___rseq_offset;
unsigned __wrap___rseq_size;
int __real_pthread_create(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
int __wrap_pthread_create(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);

static int enlist(void)
{
    return syscall(SYS_rseq, &area, SIZE, 0, SIGNATURE) == 0;
}

static void enlist_first(void)
{
    __wrap___rseq_offset = (char *)&area - (char *)__builtin_thread_pointer();
    __wrap___rseq_size = enlist() ? SIZE : 0;
}

/* Before all constructors, as a C library does it: SDT_ENABLE is obeyed when the first of them
 * registers probes. */
__attribute__((section(".preinit_array"), used)) static void (*const at_start)(void) = enlist_first;

struct start {
    void *(*run)(void *);
    void *data;
};

static void *begin(void *data)
{
    struct start start = *(struct start *)data;
    free(data);
    if (__wrap___rseq_size && !enlist())
        abort();
    return start.run(start.data);
}

int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *),
                          void *data)
{
    struct start *start = malloc(sizeof *start);
    *start = (struct start){run, data};
    return __real_pthread_create(thread, attributes, begin, start);
}
