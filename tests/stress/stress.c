/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Toggling sites under running threads, until so many bytes of text were changed, with the books
 * kept: at every quiescent point each execution since the last one must have been counted, or
 * handled, exactly where the site was armed, and nothing must have happened where it was off.
 *
 *   stress SEED MODE TOGGLES    MODE: auto, trap, jump, or any (each subscription its own)
 *
 * It also goes on until so many hits were counted, and as many handled, as make a test: how many
 * there are for a toggle is a matter of how the threads share the processors.
 *
 * Between two quiescent points threads run the sites in changing orders, others enable and disable
 * them, timer signals run sites in whatever they interrupt, and a process is forked. Prints what
 * was done, as one line of JSON. A fault ends the program, as it would any other. The environment
 * may set STRESS_TIMER, µs between two signals, STRESS_ROUNDS, of a toggler between two points, and
 * STRESS_HITS, how many there must be of each sort.
 */
#define _GNU_SOURCE
#include "stress.h"

#include <pthread.h>
#include <signal.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

struct worker workers[ALL_THREADS];
__thread struct worker *me;
uint8_t roles[CLASSES];

static int program_mode;
static pthread_barrier_t barrier;
static atomic_bool is_quiet = true, is_last, epoch_is_over;
static struct {
    uint64_t epochs, forks, executed, counted, handled;
} done;

/* ---- Signals that run sites wherever they hit. ---- */

static void on_signal(int number)
{
    int saved = errno;
    (void)number;
    atomic_fetch_add(&me->in_signal, 1);
    if (!atomic_load(&is_quiet)) {
        me->signals++;
        for (int i = 0; i < 20; i++)
            run_site((unsigned)(me->signals * 37 + (uint64_t)i) % stress_count);
    }
    atomic_fetch_sub(&me->in_signal, 1);
    errno = saved;
}

/* For machines that are so slow that they would do nothing but handle signals, or never end. */
static long setting(const char *name, long usual)
{
    const char *given = getenv(name);
    return given ? atol(given) : usual;
}

static void set_timers(long microseconds)
{
    const struct itimerval often = {{0, microseconds}, {0, microseconds}};
    setitimer(ITIMER_PROF, &often, NULL);
    setitimer(ITIMER_VIRTUAL, &often, NULL);
}

static void install_signals(void)
{
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_ONSTACK | SA_RESTART};
    sigemptyset(&action.sa_mask);
    sigaddset(&action.sa_mask, SIGPROF); /* one at a time: in_runs is not atomic */
    sigaddset(&action.sa_mask, SIGVTALRM);
    sigaction(SIGPROF, &action, NULL);
    sigaction(SIGVTALRM, &action, NULL);
}

/* AddressSanitizer would unmap any signal stack, taking it for its own. */
const char *__asan_default_options(void);

const char *__asan_default_options(void)
{
    return "use_sigaltstack=0";
}

/* The calling thread is WORKER from now on. Signals are blocked until it is. */
static void be(struct worker *worker)
{
    static __thread char stack[1 << 17];
    stack_t alternative = {.ss_sp = stack, .ss_size = sizeof stack};
    sigset_t set;
    me = worker;
    sigaltstack(&alternative, NULL);
    sigemptyset(&set);
    sigaddset(&set, SIGPROF);
    sigaddset(&set, SIGVTALRM);
    pthread_sigmask(SIG_UNBLOCK, &set, NULL);
}

/* ---- Threads. ---- */

static void *run_sites(void *data)
{
    be(data);
    for (;;) {
        pthread_barrier_wait(&barrier);
        if (atomic_load(&is_last))
            return NULL;
        while (!atomic_load(&epoch_is_over))
            run_all();
        pthread_barrier_wait(&barrier);
    }
}

static void *toggle_sites(void *data)
{
    static atomic_int toggling;
    be(data);
    for (;;) {
        pthread_barrier_wait(&barrier);
        if (atomic_load(&is_last))
            return NULL;
        atomic_fetch_add(&toggling, 1);
        toggle((unsigned)(me - workers) - 1 - RUNNERS, program_mode);
        atomic_fetch_sub(&toggling, 1);
        if (atomic_load(&toggling) == 0)
            atomic_store(&epoch_is_over, true);
        pthread_barrier_wait(&barrier);
    }
}

/* ---- The books. ---- */

/* The handler that is enabled all the time; for what the threads themselves ran. */
static void on_handled(const struct sdt_event *event, void *data)
{
    (void)data;
    CHECK_EQUAL(sdt_arg(event, 0), me->now);
    if (!atomic_load_explicit(&me->in_signal, memory_order_relaxed))
        me->handled[number_site(me->now)]++;
}

/* Deal the roles anew: two classes each, LEFT_OFF and SHARED one. */
static void deal_roles(void)
{
    static const uint8_t parts[CLASSES] = {COUNTED, COUNTED, HANDLED, HANDLED,   LEFT_OFF,
                                           SHARED,  OWNED,   OWNED,   OWNED + 1, OWNED + 1};
    memcpy(roles, parts, sizeof roles);
    for (unsigned i = CLASSES - 1; i > 0; i--) {
        unsigned k = (unsigned)(random_number(me) % (i + 1));
        uint8_t role = roles[i];
        roles[i] = roles[k];
        roles[k] = role;
    }
}

/* Enable HANDLER at all classes with ROLE. */
static int enable_role(enum role role, sdt_handler *handler, int mode)
{
    char pattern[32];
    size_t end = (size_t)sprintf(pattern, "class[");
    for (unsigned class = 0; class < CLASSES; class ++)
        if (roles[class] == role)
            pattern[end++] = (char)('0' + class);
    snprintf(pattern + end, sizeof pattern - end, "]");
    int id = sdt_enable_mode(pattern, handler, NULL, mode);
    CHECK(id > 0);
    for (unsigned class = 0; class < CLASSES; class ++)
        if (roles[class] == role)
            sites_check(class, mode, true);
    return id;
}

/* Whether site N has ROLE, and each execution is a hit. */
static bool is_hit(unsigned n, enum role role, int mode)
{
    unsigned kind = stress_sites[n].kind;
    return roles[n % CLASSES] == role && kind != SDT_KIND_ENABLED &&
           kind != SDT_KIND_ENABLED_TAIL && (mode != SDT_MODE_JUMP || kind != SDT_KIND_NOP1);
}

/* Executions of the sites that are counted, also those from signals. */
static uint64_t executions(int mode)
{
    uint64_t sum = 0;
    for (unsigned n = 0; n < stress_count; n++)
        for (unsigned w = 0; is_hit(n, COUNTED, mode) && w < ALL_THREADS; w++)
            sum += workers[w].runs[n] + workers[w].in_runs[n];
    return sum;
}

/* Check that each thread's handler was called for each execution of its own. How often it was. */
static uint64_t check_handled(int mode)
{
    uint64_t sum = 0;
    for (unsigned w = 0; w < ALL_THREADS; w++)
        for (unsigned n = 0; n < stress_count; n++) {
            uint64_t expected = is_hit(n, HANDLED, mode) ? workers[w].runs[n] : 0;
            sum += workers[w].handled[n];
            if (workers[w].handled[n] == expected)
                continue;
            fprintf(stderr, "thread %u, site %u of kind %u: ", w, n, stress_sites[n].kind);
            CHECK_EQUAL(workers[w].handled[n], expected);
        }
    return sum;
}

static void close_books(void)
{
    for (unsigned w = 0; w < ALL_THREADS; w++)
        for (unsigned n = 0; n < stress_count; n++) {
            done.executed += workers[w].runs[n] + workers[w].in_runs[n];
            workers[w].runs[n] = workers[w].in_runs[n] = workers[w].handled[n] = 0;
        }
}

/* A child has what is enabled, and text of its own. */
static void fork_once(int count_id)
{
    pid_t child = fork();
    int status = -1;
    if (child == 0) {
        atomic_store(&is_quiet, true); /* no timers come along, but perhaps a signal */
        memset(workers, 0, sizeof workers);
        me->random = 88172645463325252ull;
        uint64_t before = sdt_hits("class*");
        run_all();
        CHECK_EQUAL(sdt_hits("class*") - before, executions(program_mode));
        CHECK_EQUAL(sdt_disable(count_id), 0);
        for (unsigned class = 0; class < CLASSES; class ++)
            roles[class] = roles[class] == COUNTED ? LEFT_OFF : roles[class];
        before = sdt_hits("class*");
        run_all();
        CHECK_EQUAL(sdt_hits("class*"), before);
        _exit(fixture_failures != 0);
    }
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    CHECK_EQUAL(status, 0);
    done.forks++;
}

static void wait_for_signal_handlers(void)
{
    for (unsigned w = 0; w < ALL_THREADS; w++)
        while (atomic_load(&workers[w].in_signal))
            sched_yield();
}

/* One stretch between two quiescent points. All other threads stand at the barrier. */
static void run_epoch(void)
{
    deal_roles();
    int mode = program_mode < 0 ? (int[]){SDT_MODE_AUTO, SDT_MODE_TRAP}[random_number(me) % 2]
                                : program_mode;
    int count = enable_role(COUNTED, SDT_COUNT, mode);
    int handle = enable_role(HANDLED, on_handled, mode);
    uint64_t hits = sdt_hits("class*");
    atomic_store(&epoch_is_over, false);
    atomic_store(&is_quiet, false);
    pthread_barrier_wait(&barrier);
    if (done.epochs % 4 == 0)
        fork_once(count);
    pthread_barrier_wait(&barrier);
    atomic_store(&is_quiet, true);
    wait_for_signal_handlers();

    uint64_t counted = executions(mode);
    CHECK_EQUAL(sdt_hits("class*") - hits, counted);
    done.counted += counted;
    done.handled += check_handled(mode);
    CHECK_EQUAL(sdt_disable(count), 0);
    CHECK_EQUAL(sdt_disable(handle), 0);
    for (unsigned class = 0; class < CLASSES; class ++)
        sites_check(class, mode, false);
    sites_compare_text();
    close_books();
    done.epochs++;
}

static uint64_t toggles(void)
{
    uint64_t sum = 0;
    for (unsigned w = 0; w < ALL_THREADS; w++)
        sum += workers[w].toggles;
    return sum;
}

/* Whether enough has been toggled, and enough was hit meanwhile. */
static bool is_enough(uint64_t target)
{
    uint64_t hits = (uint64_t)setting("STRESS_HITS", 10000);
    return toggles() >= target && done.counted >= hits && done.handled >= hits;
}

static uint64_t signals(void)
{
    uint64_t sum = 0;
    for (unsigned w = 0; w < ALL_THREADS; w++)
        sum += workers[w].signals;
    return sum;
}

static int parse_mode(const char *mode)
{
    return strcmp(mode, "any") == 0    ? -1
           : strcmp(mode, "trap") == 0 ? SDT_MODE_TRAP
           : strcmp(mode, "jump") == 0 ? SDT_MODE_JUMP
                                       : SDT_MODE_AUTO;
}

static void start(uint64_t seed, pthread_t *threads)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGPROF);
    sigaddset(&set, SIGVTALRM);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    install_signals();
    pthread_barrier_init(&barrier, NULL, 1 + RUNNERS + TOGGLERS);
    for (unsigned w = 0; w < ALL_THREADS; w++) {
        workers[w].random = (seed + 1) * 0x9e3779b97f4a7c15ull + w * 0xd1342543de82ef95ull;
        workers[w].rounds = (unsigned)setting("STRESS_ROUNDS", 25);
    }
    for (unsigned t = 0; t < RUNNERS + TOGGLERS; t++)
        pthread_create(&threads[t], NULL, t < RUNNERS ? run_sites : toggle_sites, &workers[1 + t]);
    be(&workers[0]);
}

int main(int argc, char **argv)
{
    pthread_t threads[RUNNERS + TOGGLERS];
    if (argc != 4)
        return 2;
    program_mode = parse_mode(argv[2]);
    uint64_t target = strtoull(argv[3], NULL, 10);
    sites_find();
    sites_keep_text();
    start(strtoull(argv[1], NULL, 10), threads);
    set_timers(setting("STRESS_TIMER", 700));
    while (!is_enough(target) && fixture_failures == 0)
        run_epoch();
    set_timers(0);
    atomic_store(&is_last, true);
    pthread_barrier_wait(&barrier);
    for (unsigned t = 0; t < RUNNERS + TOGGLERS; t++)
        pthread_join(threads[t], NULL);
    printf("{\"sites\": %u, \"toggles\": %" PRIu64 ", \"executions\": %" PRIu64
           ", \"counted\": %" PRIu64 ", \"handled\": %" PRIu64 ", \"signals\": %" PRIu64
           ", \"forks\": %" PRIu64 ", \"quiescent points\": %" PRIu64 ", \"stale\": %lu}\n",
           stress_count, toggles(), done.executed, done.counted, done.handled, signals(),
           done.forks, done.epochs, atomic_load(&stress_stale));
    return fixture_failures != 0;
}
