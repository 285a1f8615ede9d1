/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Counts are exact, whoever counts: the number of executions, which each thread keeps for itself,
 * is what sdt_hits() says in the end.
 *
 *   runtime_counting PART WHERE [PLUGIN]
 *
 * PART: storm (threads that are moved from CPU to CPU, come and go, and get signals that run the
 * site as well, while others toggle handlers), fork, vfork, again (disable and enable), signals
 * (until some have come in the middle of counting), steps (a signal at each instruction of a hit;
 * x86-64), library (PLUGIN comes and goes), both (a handler as well).
 *
 * WHERE: all; main: no other thread is registered with rseq(2); none: the kernel has no rseq(2),
 * since the program runs again after a filter (seccomp).
 *
 * Says where hits were counted: `cpu`, each its own, but for few; `probe`, if the C library says
 * that it registers no thread for restartable sequences; `both`, if only the first one is.
 */
#define _GNU_SOURCE
#include "runtime_fixture.h"
#ifdef __x86_64__
#include "runtime_step.h"
#endif
#include "runtime_uncounted.h"
#include "seccomp.h"

#include <dlfcn.h>
#include <pthread.h>
#include <sched.h>
#include <sdt/format.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/rseq.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

enum { THREADS = 4, LIVES = 12, RUNS = 40000, FORKS = 30, LOADS = 60, MAX_WAITS = 20000000 };

extern struct sdt_probe fx_probe; /* of the fixture */
extern const unsigned rseq_size __asm__("__rseq_size") __attribute__((weak));
extern const ptrdiff_t rseq_offset __asm__("__rseq_offset") __attribute__((weak));

static const char *where;
static atomic_ulong executions, calls;
static _Thread_local unsigned long own;
static atomic_int stop;

static void hit(void)
{
    fx_call(0, 0, 0, 0, 0, 0);
    __atomic_fetch_add(&own, 1, __ATOMIC_RELAXED); /* a handler adds to it as well */
}

static void on_signal(int number)
{
    (void)number;
    hit();
    hit();
}

/* The last thing that a thread does: a signal that came afterwards would be forgotten. */
static void hand_over(void)
{
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, NULL);
    atomic_fetch_add(&executions, own);
}

static uint64_t counted(void)
{
    return sdt_hits("fixture:call");
}

/* Where the hits are. */
static void check_where(void)
{
    uint64_t in_probe = uncounted(&fx_probe);
    printf("counted by %s\n", where);
    if (strcmp(where, "cpu") == 0) {
        CHECK(counters_of(&fx_probe) != NULL);
        CHECK(in_probe < counted() / 2);
    } else if (strcmp(where, "probe") == 0) {
        CHECK(counters_of(&fx_probe) == NULL);
        CHECK_EQUAL(in_probe, counted());
    } else { /* the first thread is registered */
        CHECK(in_probe > 0 && in_probe < counted());
    }
}

static void start_timer(void)
{
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
    struct itimerval often = {{0, 300}, {0, 300}};
    sigemptyset(&action.sa_mask);
    sigaction(SIGPROF, &action, NULL);
    setitimer(ITIMER_PROF, &often, NULL);
}

static void stop_timer(void)
{
    struct itimerval never = {{0, 0}, {0, 0}};
    setitimer(ITIMER_PROF, &never, NULL);
}

/* To the next CPU that we may use. */
static void move(unsigned step)
{
    static cpu_set_t allowed;
    static atomic_int known;
    cpu_set_t one;
    CPU_ZERO(&one);
    if (!atomic_load(&known)) {
        sched_getaffinity(getpid(), sizeof allowed, &allowed);
        atomic_store(&known, 1);
    }
    unsigned n = step % (unsigned)CPU_COUNT(&allowed);
    for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
        if (CPU_ISSET(cpu, &allowed) && n-- == 0)
            CPU_SET(cpu, &one);
    sched_setaffinity(0, sizeof one, &one);
}

/* As a library would that registers an area of its own. The size is what glibc registered. */
static void unregister(void)
{
    char *area = (char *)__builtin_thread_pointer() + rseq_offset;
    unsigned size = (rseq_size + 31) / 32 * 32;
    CHECK_EQUAL(syscall(SYS_rseq, area, size, RSEQ_FLAG_UNREGISTER, RSEQ_SIG), 0);
}

static void *life(void *data)
{
    unsigned step = (unsigned)(uintptr_t)data;
    if (strcmp(where, "both") == 0)
        unregister();
    for (int i = 0; i < RUNS; i++) {
        if (i % 500 == 0)
            move(step++);
        hit();
    }
    hand_over();
    return NULL;
}

static void *lives(void *data)
{
    pthread_t one;
    for (unsigned i = 0; i < LIVES; i++) {
        CHECK_EQUAL(pthread_create(&one, NULL, life, (void *)(i + (uintptr_t)data)), 0);
        pthread_join(one, NULL);
    }
    hand_over(); /* signals come here as well */
    return NULL;
}

static void on_hit(const struct sdt_event *event, void *data)
{
    (void)event;
    (void)data;
    atomic_fetch_add_explicit(&calls, 1, memory_order_relaxed);
}

/* Counting goes on, now by the handlers' way and now by the short one. */
static void *toggle(void *data)
{
    (void)data;
    while (!atomic_load(&stop)) {
        int id = sdt_enable("fixture:call", on_hit, NULL);
        CHECK(id > 0);
        CHECK_EQUAL(sdt_disable(id), 0);
        id = sdt_enable("fixture", SDT_COUNT, NULL);
        CHECK(id > 0);
        CHECK_EQUAL(sdt_disable(id), 0);
    }
    hand_over();
    return NULL;
}

static void part_storm(void)
{
    pthread_t thread[THREADS], toggler;
    int id = sdt_enable("fixture:call", SDT_COUNT, NULL);
    CHECK(id > 0);
    start_timer();
    pthread_create(&toggler, NULL, toggle, NULL);
    for (uintptr_t i = 0; i < THREADS; i++)
        pthread_create(&thread[i], NULL, lives, (void *)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(thread[i], NULL);
    atomic_store(&stop, 1);
    pthread_join(toggler, NULL);
    stop_timer();
    hand_over();
    CHECK(atomic_load(&executions) >= THREADS * LIVES * RUNS);
    CHECK_EQUAL(counted(), atomic_load(&executions));
    check_where();
    CHECK_EQUAL(sdt_disable(id), 0);
    CHECK_EQUAL(counted(), atomic_load(&executions));
}

static void *run_until_told(void *data)
{
    (void)data;
    while (!atomic_load(&stop))
        hit();
    hand_over();
    return NULL;
}

/* A child counts on from what its parent had when it was born; neither sees the other's. */
static void part_fork(void)
{
    int id = sdt_enable("fixture:call", SDT_COUNT, NULL), status;
    pthread_t other;
    pthread_create(&other, NULL, run_until_told, NULL);
    for (int i = 0; i < FORKS; i++) {
        uint64_t before = counted();
        pid_t child = fork();
        if (child == 0) {
            uint64_t born = CHILD_MAY_ALLOCATE ? counted() : 0;
            for (int n = 0; n < 1000; n++)
                hit();
            _exit(CHILD_MAY_ALLOCATE && (born < before || counted() != born + 1000));
        }
        CHECK(child > 0 && waitpid(child, &status, 0) == child);
        CHECK_EQUAL(status, 0);
        hit();
    }
    atomic_store(&stop, 1);
    pthread_join(other, NULL);
    hand_over();
    CHECK_EQUAL(counted(), atomic_load(&executions));
    check_where();
    CHECK_EQUAL(sdt_disable(id), 0);
}

/* In its parent's memory, and not registered by the kernel; but no other process counts. */
static void part_vfork(void)
{
    int id = sdt_enable("fixture:call", SDT_COUNT, NULL), status;
    for (int i = 0; i < FORKS; i++) {
        pid_t child = vfork();
        if (child == 0) {
            for (int n = 0; n < 100; n++)
                hit();
            _exit(0);
        }
        CHECK(child > 0 && waitpid(child, &status, 0) == child);
        CHECK_EQUAL(status, 0);
        hit();
    }
    CHECK_EQUAL(counted(), FORKS * 101);
    check_where();
    CHECK_EQUAL(sdt_disable(id), 0);
}

/* Nothing is lost when counting stops for a while, and nothing is counted then. */
static void part_again(void)
{
    for (uint64_t round = 0; round < 200; round++) {
        int id = sdt_enable("fixture:call", SDT_COUNT, NULL);
        for (int i = 0; i < 10; i++)
            hit();
        CHECK_EQUAL(sdt_disable(id), 0);
        hit();
        CHECK_EQUAL(counted(), (round + 1) * 10);
    }
    check_where();
}

/*
 * Only what was interrupted in the middle of counting is in the probe's own word, if the thread is
 * registered: so wait until there is something.
 */
static void part_signals(void)
{
    int id = sdt_enable("fixture:call", SDT_COUNT, NULL);
    start_timer();
    for (long i = 0; i < MAX_WAITS && uncounted(&fx_probe) < 3; i++)
        for (int n = 0; n < 100; n++)
            hit();
    stop_timer();
    hand_over();
    CHECK(uncounted(&fx_probe) >= 3);
    CHECK_EQUAL(counted(), atomic_load(&executions));
    check_where();
    CHECK_EQUAL(sdt_disable(id), 0);
}

#ifdef __x86_64__

/*
 * Each hit is interrupted there for certain. One of the handler's may be as well, where the kernel
 * lets another thread run.
 */
static void part_steps(void)
{
    enum { STEPPED = 20 };
    struct sigaction action = {.sa_handler = on_signal};
    sigemptyset(&action.sa_mask);
    sigaction(SIGTRAP, &action, NULL);
    int id = sdt_enable("fixture:call", SDT_COUNT, NULL);
    step(true);
    for (int i = 0; i < STEPPED; i++)
        hit();
    step(false);
    hand_over();
    CHECK(uncounted(&fx_probe) >= STEPPED);
    CHECK_EQUAL(counted(), atomic_load(&executions));
    check_where();
    CHECK_EQUAL(sdt_disable(id), 0);
}

#endif

/* What a library has counted goes with it, and its counters begin at 0 in the next one's hands. */
static void part_library(const char *path)
{
    for (int i = 0; i < LOADS; i++) {
        void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
        void (*run)(void) = library ? (void (*)(void))dlsym(library, "plugin_run") : NULL;
        if (!run) {
            CHECK(run != NULL);
            return;
        }
        uint64_t before = sdt_hits("fixture");
        int id = sdt_enable("fixture", SDT_COUNT, NULL);
        run();
        uint64_t first = sdt_hits("fixture") - before;
        run();
        CHECK(first > 0);
        CHECK_EQUAL(sdt_hits("fixture") - before, 2 * first);
        dlclose(library);
        CHECK_EQUAL(sdt_hits("fixture"), 0);
        CHECK_EQUAL(sdt_disable(id), 0);
        CHECK_EQUAL(sdt_hits("fixture"), 0);
    }
}

/* Beside a handler, and with a place in the pattern, so that the sites must be told apart. */
static void part_both(void)
{
    pthread_t thread[THREADS];
    int ids[] = {sdt_enable("fixture:call", on_hit, NULL),
                 sdt_enable("fixture::fx_call:call", SDT_COUNT, NULL)};
    for (uintptr_t i = 0; i < THREADS; i++)
        pthread_create(&thread[i], NULL, life, (void *)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(thread[i], NULL);
    fx_call_again(0, 0, 0, 0, 0, 0); /* called, but not counted */
    CHECK_EQUAL(atomic_load(&executions), THREADS * RUNS);
    CHECK_EQUAL(atomic_load(&calls), THREADS * RUNS + 1);
    CHECK_EQUAL(counted(), THREADS * RUNS);
    check_where();
    CHECK_EQUAL(sdt_disable(ids[0]), 0);
    CHECK_EQUAL(sdt_disable(ids[1]), 0);
}

/* Begin anew, as on an old kernel, or in a sandbox that knows nothing of rseq(2). */
static void run_without_rseq(char **argv)
{
    seccomp_forbid(SYS_rseq, 0, SECCOMP_RET_ERRNO | ENOSYS);
    argv[2] = (char[]){"all"};
    execv("/proc/self/exe", argv);
    exit(1);
}

int main(int argc, char **argv)
{
    if (argc < 3)
        return 2;
    where = !&rseq_size || !rseq_size ? "probe" : strcmp(argv[2], "all") == 0 ? "cpu" : "both";
    if (strcmp(argv[2], "none") == 0)
        run_without_rseq(argv);
    if (strcmp(argv[1], "storm") == 0)
        part_storm();
    else if (strcmp(argv[1], "fork") == 0)
        part_fork();
    else if (strcmp(argv[1], "vfork") == 0)
        part_vfork();
    else if (strcmp(argv[1], "again") == 0)
        part_again();
    else if (strcmp(argv[1], "signals") == 0)
        part_signals();
#ifdef __x86_64__
    else if (strcmp(argv[1], "steps") == 0)
        part_steps();
#endif
    else if (strcmp(argv[1], "library") == 0 && argc == 4)
        part_library(argv[3]);
    else if (strcmp(argv[1], "both") == 0)
        part_both();
    else
        return 2;
    return fixture_done();
}
