/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A hit makes no system call, and a thread's first one makes none either: each of many threads may
 * make none any more when it comes to its first sites. None of them is joined before all are over,
 * so that each needs a record of its own.
 *
 *   runtime_first_hit strict   SECCOMP_MODE_STRICT: the kernel kills a thread that does anything
 * but read, write, _exit and return from a signal runtime_first_hit kill     a filter that ends the
 * process at getpid, gettid or mmap runtime_first_hit count    a filter that reports every system
 * call but those two of the last line
 */
#define _GNU_SOURCE
#include "runtime_fixture.h"

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
#else
#define __asan_unpoison_memory_region(address, size) ((void)(address), (void)(size))
#endif

enum { THREADS = 200, HITS = 4 };

static const char *way;
static atomic_int handled, reported, last_reported;

static void on_hit(const struct sdt_event *event, void *data)
{
    word sum = 0;
    (void)data;
    for (unsigned i = 0; i < sdt_nargs(event); i++)
        sum += sdt_arg(event, i);
    atomic_fetch_add(&handled, sum > 0);
}

static void on_system_call(int number, siginfo_t *info, void *context)
{
    (void)number;
    (void)context;
    atomic_store(&last_reported, info->si_syscall);
    atomic_fetch_add(&reported, 1);
}

#define NUMBER BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr))
#define IF(number, action)                                                                         \
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (number), 0, 1), BPF_STMT(BPF_RET | BPF_K, (action))

static int filter(struct sock_filter *code, size_t n)
{
    struct sock_fprog program = {(unsigned short)n, code};
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

static int forbid(void)
{
    struct sock_filter kill[] = {
        NUMBER,
        IF(SYS_getpid, SECCOMP_RET_KILL_PROCESS),
        IF(SYS_gettid, SECCOMP_RET_KILL_PROCESS),
        IF(SYS_mmap, SECCOMP_RET_KILL_PROCESS),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_filter report[] = {
        NUMBER,
        IF(SYS_exit, SECCOMP_RET_ALLOW),
        IF(SYS_rt_sigreturn, SECCOMP_RET_ALLOW),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRAP),
    };
    if (strcmp(way, "strict") == 0)
        return prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT) == 0;
    if (strcmp(way, "kill") == 0)
        return filter(kill, sizeof kill / sizeof *kill);
    return filter(report, sizeof report / sizeof *report);
}

/*
 * AddressSanitizer does not learn that a thread has ended by the system call alone: what it knows
 * of the frames that are left there would be believed of whatever is there next. And it clears what
 * it knows of a thread's stack when the thread begins, but not of the signal stack that it gives
 * it, whose size is that of the processor's registers.
 */
const char *__asan_default_options(void);

const char *__asan_default_options(void)
{
    return "use_sigaltstack=0";
}

static char *end_of_stack(void)
{
    pthread_attr_t attributes;
    void *low;
    size_t size;
    if (pthread_getattr_np(pthread_self(), &attributes) != 0 ||
        pthread_attr_getstack(&attributes, &low, &size) != 0)
        exit(1);
    pthread_attr_destroy(&attributes);
    return (char *)low + size;
}

static void *hit(void *data)
{
    enum { ROOM = 4096 }; /* for what this function has itself */
    char *stack = (char *)__builtin_frame_address(0) - ROOM, *end = end_of_stack();
    if (!forbid())
        exit(77);
    fx_call(1, 2, 3, 4, 5, 6);
    fx_twelve(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12);
    fx_tail(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12);
    fx_dash(1);
    __asan_unpoison_memory_region(stack, (size_t)(end - stack));
    syscall(SYS_exit, 0); /* the C library's way would do more than strict seccomp permits */
    return data;
}

int main(int argc, char **argv)
{
    pthread_t threads[THREADS];
    struct sigaction action = {.sa_sigaction = on_system_call, .sa_flags = SA_SIGINFO};
    way = argc > 1 ? argv[1] : "count";
    alarm(60);
    sigaction(SIGSYS, &action, NULL);
    CHECK(sdt_enable("fixture,other", on_hit, NULL) > 0);
    int id = sdt_enable("fixture,other", SDT_COUNT, NULL);
    CHECK(id > 0);
    for (int i = 0; i < THREADS; i++)
        CHECK_EQUAL(pthread_create(&threads[i], NULL, hit, NULL), 0);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    CHECK_EQUAL(atomic_load(&reported) ? atomic_load(&last_reported) : -1, -1);
    CHECK_EQUAL(atomic_load(&handled), THREADS * HITS);
    CHECK_EQUAL(sdt_hits("fixture,other"), THREADS * HITS);
    CHECK_EQUAL(sdt_disable(id), 0);
    return fixture_done();
}
