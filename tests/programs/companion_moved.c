/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Companion mode on aarch64 and riscv64: tail calls, conditional ones (aarch64) and questions lead
 * to sites in the companion from start-up on. Prints what does not depend on the machine. With
 * -DNO_TEST_BIT there is no tbnz, which mold 1.10 cannot link; with -DTHREADS an early constructor
 * starts threads that run the branches while they are changed. With an argument: by breakpoint.
 */
#include <pthread.h>
#include <sdt/runtime.h>
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

void __dtrace_sdt_cm___call(long a, long b);
void __dtrace_sdt_cm___tail(long a, long b);
void __dtrace_sdt_cm___zero(long a, long b);
void __dtrace_sdt_cm___bit(long a, long b);
void __dtrace_sdt_cm___less(long a, long b);
int __dtrace_sdtenabled_cm___call(void);
int __dtrace_sdtenabled_cm___tail(void);

void cm_call(long a, long b);
void cm_tail(long a, long b);
int cm_asks(void);
int cm_passes(void);
void cm_zero(long a, long b);
void cm_bit(long a, long b);
void cm_less(long a, long b);

static volatile long sum;

void cm_call(long a, long b)
{
    __dtrace_sdt_cm___call(a, b);
    sum += a;
}

void cm_tail(long a, long b)
{
    sum += a;
    __dtrace_sdt_cm___tail(a, b);
}

int cm_asks(void)
{
    return __dtrace_sdtenabled_cm___call() ? 2 : 1;
}

int cm_passes(void)
{
    return __dtrace_sdtenabled_cm___tail();
}

#ifdef __aarch64__
#define BRANCH(function, code)                                                                     \
    __asm__(".text\n"                                                                              \
            ".globl " #function "\n"                                                               \
            ".type " #function ", %function\n" #function ": " code "\n"                            \
            "ret\n"                                                                                \
            ".size " #function ", . - " #function)
BRANCH(cm_zero, "cbz x0, __dtrace_sdt_cm___zero");
BRANCH(cm_less, "cmp x0, x1\n b.lt __dtrace_sdt_cm___less");
#ifdef NO_TEST_BIT
BRANCH(cm_bit, "and x2, x0, #8\n cbnz x2, __dtrace_sdt_cm___bit");
#else
BRANCH(cm_bit, "tbnz x0, #3, __dtrace_sdt_cm___bit");
#endif
#else
void cm_zero(long a, long b)
{
    if (a == 0)
        __dtrace_sdt_cm___zero(a, b);
}

void cm_less(long a, long b)
{
    if (a < b)
        __dtrace_sdt_cm___less(a, b);
}

void cm_bit(long a, long b)
{
    if (a & 8)
        __dtrace_sdt_cm___bit(a, b);
}
#endif

/* Each probe is hit once, those of conditions by one of two calls. */
static void run_all(void)
{
    cm_call(1, 2);
    cm_tail(3, 4);
    cm_zero(0, 5);
    cm_zero(1, 5);
    cm_bit(8, 6);
    cm_bit(7, 6);
    cm_less(6, 7);
    cm_less(7, 7);
}

#ifdef THREADS
static pthread_t threads[3];
static volatile int stop, wrong;
static volatile long rounds;

static void *run(void *data)
{
    while (!stop) {
        run_all();
        int answer = cm_asks();
        if (answer != 1 && answer != 2)
            wrong++;
        cm_passes();
        rounds++;
    }
    return data;
}

static void wait_for(long more)
{
    for (long before = rounds; rounds < before + more;)
        usleep(1);
}

__attribute__((constructor(101))) static void early(void)
{
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, run, NULL);
    wait_for(1000);
}

static void stop_threads(void)
{
    wait_for(1000);
    stop = 1;
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    if (wrong)
        printf("%d wrong answers\n", wrong);
}
#else
static void stop_threads(void) {}
#endif

static void on_hit(const struct sdt_event *event, void *data)
{
    (void)data;
    printf(" %s(%ld, %ld)", sdt_name(event), (long)sdt_arg(event, 0), (long)sdt_arg(event, 1));
}

static int print_mode(const struct sdt_probe_info *site, void *data)
{
    static const char *const names[] = {"auto", "trap", "jump", "off", "blocked"};
    (void)data;
    printf(" %s:%s", site->function, (unsigned)site->mode < 5 ? names[site->mode] : "?");
    if (site->error)
        printf(" (%s)", sdt_strerror(site->error));
    return 0;
}

static void say(const char *what)
{
    printf("%s:", what);
    run_all();
    printf("; answers %d %d\n", cm_asks(), cm_passes());
}

int main(int argc, char **argv)
{
    int mode = argc > 1 ? SDT_MODE_TRAP : SDT_MODE_AUTO;
    (void)argv;
    stop_threads();
    say("off");
    int all = sdt_enable_mode("cm", on_hit, NULL, mode);
    printf("modes:");
    sdt_foreach("cm", print_mode, NULL);
    printf("\n");
    say("on");
    sdt_disable(all);
    say("off");
    int one = sdt_enable_mode("cm::cm_tail:", on_hit, NULL, mode);
    say("tail");
    int two = sdt_enable_mode("cm::cm_passes:", on_hit, NULL, mode);
    say("passes");
    sdt_disable(one);
    sdt_disable(two);
    say("off");
    return 0;
}
