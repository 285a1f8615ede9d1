/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Everything at once: threads enable and disable overlapping patterns, others run the sites, one
 * loads and closes a library with sites, one forks; and timer signals, on a stack of their own,
 * run sites wherever they find a thread: in handlers, in the trap handler, in sdt_enable.
 *
 *   runtime_storm PLUGIN MODE [PART…]   MODE: auto, trap, or jump (no breakpoints); PART: signals,
 * load, fork, vfork: only these of what comes beside toggling
 *
 * What a handler uses is freed as soon as sdt_disable has returned. Afterwards every site is off,
 * and counts are exact.
 */
#define _GNU_SOURCE
#include "runtime_fixture.h"

#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

enum { RUNNERS = 3, TOGGLERS = 3, ROUNDS = 600, LOADS = 200, FORKS = 20, COUNTED = 2000 };

static const char *plugin;
static int mode = SDT_MODE_AUTO;
static atomic_int stop;
static atomic_long tails; /* executions of fixture:tail in the program itself */

static void run_tail(void)
{
    fx_tail(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11);
    atomic_fetch_add(&tails, 1);
}

static void run_sites(void)
{
    run_tail();
    fx_call(1, 2, 3, 4, 5, 6);
    if (fx_is_enabled() && fx_is_enabled_tail())
        fx_guarded();
    fx_dash(1);
}

static __thread volatile int in_signal;

static void on_signal(int number)
{
    int saved = errno;
    (void)number;
    in_signal++;
    run_sites();
    in_signal--;
    errno = saved;
}

static int part_count;
static char **parts;

static int has_part(const char *name)
{
    for (int i = 0; i < part_count; i++)
        if (strcmp(parts[i], name) == 0)
            return 1;
    return part_count == 0;
}

static void start_timer(void)
{
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_ONSTACK | SA_RESTART};
    struct itimerval often = {{0, 500}, {0, 500}};
    sigemptyset(&action.sa_mask);
    sigaction(SIGPROF, &action, NULL);
    sigaction(SIGVTALRM, &action, NULL);
    setitimer(ITIMER_PROF, &often, NULL);
    setitimer(ITIMER_VIRTUAL, &often, NULL);
}

static void stop_timer(void)
{
    struct itimerval never = {{0, 0}, {0, 0}};
    setitimer(ITIMER_PROF, &never, NULL);
    setitimer(ITIMER_VIRTUAL, &never, NULL);
}

/* AddressSanitizer would unmap any signal stack, taking it for its own. */
const char *__asan_default_options(void);

const char *__asan_default_options(void)
{
    return "use_sigaltstack=0";
}

static void use_signal_stack(void)
{
    static __thread char stack[1 << 17];
    stack_t alternative = {.ss_sp = stack, .ss_size = sizeof stack};
    sigaltstack(&alternative, NULL);
}

struct box {
    _Atomic unsigned magic;
    atomic_long calls;
};

static void on_hit(const struct sdt_event *event, void *data)
{
    struct box *box = data;
    CHECK(atomic_load(&box->magic) == 0x600d600d);
    CHECK(*sdt_provider(event) != '\0');
    atomic_fetch_add(&box->calls, 1);
    if (!in_signal && atomic_load(&box->calls) % 64 == 0) { /* subscribe from inside */
        int id = sdt_enable_mode("fixture:tail", SDT_COUNT, NULL, mode);
        int result = id > 0 ? sdt_disable(id) : -EINPROGRESS;
        CHECK(result == -EINPROGRESS);
    }
    CHECK(atomic_load(&box->magic) == 0x600d600d);
}

static void *toggle(void *data)
{
    static const char *const patterns[] = {"fixture:tail", "fixture", "*", "fixture:call,other",
                                           "::fx_*:tail"};
    unsigned round = (unsigned)(uintptr_t)data * 7;
    use_signal_stack();
    int rounds = part_count ? ROUNDS / 4 : ROUNDS;
    for (int i = 0; i < rounds; i++, round++) {
        struct box *box = malloc(sizeof *box);
        atomic_init(&box->magic, 0x600d600d);
        atomic_init(&box->calls, 0);
        int id = sdt_enable_mode(patterns[round % 5], round % 4 ? on_hit : SDT_COUNT, box, mode);
        CHECK_EQUAL(id < 0 ? id : 0, 0); /* an error, if any, by its number */
        CHECK_EQUAL(sdt_disable(id), 0);
        atomic_store(&box->magic, 0xdeaddead);
        free(box);
    }
    return NULL;
}

static void *run(void *data)
{
    (void)data;
    use_signal_stack();
    while (!atomic_load(&stop))
        run_sites();
    return NULL;
}

static void *load(void *data)
{
    (void)data;
    use_signal_stack();
    for (int i = 0; i < LOADS && has_part("load"); i++) {
        void *handle = dlopen(plugin, RTLD_NOW);
        CHECK(handle != NULL);
        void (*plugin_run)(void) = (void (*)(void))(uintptr_t)dlsym(handle, "plugin_run");
        for (int k = 0; k < 10; k++)
            plugin_run();
        dlclose(handle);
    }
    return NULL;
}

static int can_toggle(void)
{
    int id = sdt_enable_mode("fixture:tail", SDT_COUNT, NULL, mode);
    return id > 0 && sdt_disable(id) == 0;
}

static void *fork_often(void *data)
{
    (void)data;
    use_signal_stack();
    for (int i = 0; i < FORKS && has_part("vfork"); i++) {
        int status = -1;
        pid_t child = vfork();
        if (child == 0) { /* in our memory, in our place */
            run_sites();
            _exit(0);
        }
        while (waitpid(child, &status, 0) < 0 && errno == EINTR)
            ;
        CHECK_EQUAL(status, 0);
    }
    for (int i = 0; i < FORKS && has_part("fork"); i++) {
        int status = -1;
        pid_t child = fork();
        if (child == 0) { /* timers are not inherited; what is enabled is */
            run_sites();
            _exit(CHILD_MAY_ALLOCATE && !can_toggle());
        }
        while (waitpid(child, &status, 0) < 0 && errno == EINTR)
            ;
        CHECK_EQUAL(status, 0);
    }
    return NULL;
}

static void *run_counted(void *data)
{
    (void)data;
    use_signal_stack();
    for (int i = 0; i < COUNTED; i++)
        run_tail();
    return NULL;
}

static int is_off(const struct sdt_probe_info *site, void *data)
{
    (void)data;
    CHECK_EQUAL(site->mode, SDT_MODE_OFF);
    return 0;
}

static void check_counts(void)
{
    pthread_t threads[RUNNERS];
    sdt_foreach("*", is_off, NULL);
    int id = sdt_enable_mode("fixture:tail", SDT_COUNT, NULL, mode);
    uint64_t hits = sdt_hits("fixture:tail");
    long before = atomic_load(&tails);
    for (int i = 0; i < RUNNERS; i++)
        pthread_create(&threads[i], NULL, run_counted, NULL);
    for (int i = 0; i < RUNNERS; i++)
        pthread_join(threads[i], NULL);
    CHECK_EQUAL(sdt_hits("fixture:tail") - hits, atomic_load(&tails) - before);
    CHECK_EQUAL(sdt_disable(id), 0);
}

int main(int argc, char **argv)
{
    pthread_t runners[RUNNERS], togglers[TOGGLERS], loader, forker;
    plugin = argv[1];
    parts = argv + 3;
    part_count = argc - 3;
    if (strcmp(argv[2], "auto") != 0)
        mode = strcmp(argv[2], "jump") == 0 ? SDT_MODE_JUMP : SDT_MODE_TRAP;
    use_signal_stack();
    if (has_part("signals"))
        start_timer();
    for (int i = 0; i < RUNNERS; i++)
        pthread_create(&runners[i], NULL, run, NULL);
    /* A child by vfork has the signal actions of its birth: SIGTRAP's is taken before, for good. */
    int id = sdt_enable_mode("fixture:tail", SDT_COUNT, NULL, mode);
    CHECK_EQUAL(sdt_disable(id), 0);
    for (int i = 0; i < TOGGLERS; i++)
        pthread_create(&togglers[i], NULL, toggle, (void *)(uintptr_t)i);
    pthread_create(&loader, NULL, load, NULL);
    pthread_create(&forker, NULL, fork_often, NULL);
    for (int i = 0; i < TOGGLERS; i++)
        pthread_join(togglers[i], NULL);
    pthread_join(loader, NULL);
    pthread_join(forker, NULL);
    atomic_store(&stop, 1);
    for (int i = 0; i < RUNNERS; i++)
        pthread_join(runners[i], NULL);
    stop_timer();
    check_counts();
    return fixture_done();
}
