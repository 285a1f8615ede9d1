/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * How much of a thread's stack a hit takes, below the stack pointer at the site: what a hit writes
 * to is found by painting the stack. A thread's first hit must take as much as any other.
 *
 *   runtime_stack             prints "<what> <bytes>" for each way of a hit, and the first's
 *   runtime_stack alternate   hits on an alternate signal stack of 8 KiB, with nothing mapped below
 * it
 */
#define _GNU_SOURCE
#include "runtime_fixture.h"

#include "../../runtime/arch/x86_64/vector.h"

#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>

enum { PAINTED = 32768, PAINT = 0xa5, ALTERNATE = 8192 };

static int handled;

static void on_hit(const struct sdt_event *event, void *data)
{
    (void)event;
    (void)data;
    handled++;
}

SDT_GENERAL_REGS_HANDLER(on_hit_generally)
{
    (void)event;
    (void)data;
    handled++;
}

/*
 * Paint what is below this frame, hit, and look. The frames of both functions are above what is
 * measured, but for the call of fx_call(): the site is 4 bytes after its beginning.
 */
static __attribute__((noinline)) size_t used_by_a_hit(void)
{
    uint8_t *top = __builtin_frame_address(0), *low = top - PAINTED;
    register uint8_t *sp __asm__("rsp");
    uint8_t *end;
    __asm__ volatile("lea -256(%1), %0" : "=r"(end) : "r"(sp));
    for (uint8_t *p = low; p < end; p++)
        *(volatile uint8_t *)p = PAINT;
    fx_call(0, 0, 0, 0, 0, 0);
    while (low < end && *(volatile uint8_t *)low == PAINT)
        low++;
    __asm__ volatile("lea -8(%1), %0" : "=r"(end) : "r"(sp)); /* after the call of fx_call() */
    return (size_t)(end - low);
}

static void *first_and_second(void *data)
{
    size_t *used = data;
    used[0] = used_by_a_hit();
    used[1] = used_by_a_hit();
    return NULL;
}

static void measure(const char *what, sdt_handler *handler, int mode)
{
    pthread_t thread;
    size_t used[2];
    int id = sdt_enable_mode("fixture:call", handler, NULL, mode);
    CHECK(id > 0);
    CHECK_EQUAL(pthread_create(&thread, NULL, first_and_second, used), 0);
    CHECK_EQUAL(pthread_join(thread, NULL), 0);
    printf("%s %zu first %zu\n", what, used[1], used[0]);
    CHECK_EQUAL(sdt_disable(id), 0);
}

static void measure_all(void)
{
    measure("count", SDT_COUNT, fixture_mode());
    measure("general", on_hit_generally, fixture_mode() | SDT_GENERAL_REGS);
    struct vector_features own = vector_look(), other = own;
    struct vector_choice choice = vector_choose(&own);
    printf("xsave %llu\n", (unsigned long long)choice.xsave_size);
    measure("own", on_hit, fixture_mode());
    other.parts &= 7; /* without AVX-512: by hand */
    choice = vector_choose(&other);
    vector_use(&choice);
    measure("avx", on_hit, fixture_mode());
    other = own;
    other.has_wide_masks = false; /* by XSAVE, where there is AVX-512 */
    choice = vector_choose(&other);
    vector_use(&choice);
    measure("xsaved", on_hit, fixture_mode());
}

static void on_signal(int number)
{
    (void)number;
    fx_call(0, 0, 0, 0, 0, 0);
}

static void *signalled(void *data)
{
    char *memory = mmap(NULL, ALTERNATE + 16384, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    stack_t stack = {.ss_sp = memory + 16384, .ss_size = ALTERNATE};
    (void)data;
    mprotect(stack.ss_sp, ALTERNATE, PROT_READ | PROT_WRITE);
    CHECK_EQUAL(sigaltstack(&stack, NULL), 0);
    pthread_kill(pthread_self(), SIGUSR1); /* the thread's first hit is there */
    pthread_kill(pthread_self(), SIGUSR1);
    return NULL;
}

static void hit_on_alternate_stacks(void)
{
    sdt_handler *const handlers[] = {SDT_COUNT, on_hit, on_hit_generally};
    const int modes[] = {0, 0, SDT_GENERAL_REGS};
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_ONSTACK};
    sigaction(SIGUSR1, &action, NULL);
    for (int i = 0; i < 3; i++) {
        pthread_t thread;
        int id = sdt_enable_mode("fixture:call", handlers[i], NULL, fixture_mode() | modes[i]);
        CHECK(id > 0);
        CHECK_EQUAL(pthread_create(&thread, NULL, signalled, NULL), 0);
        CHECK_EQUAL(pthread_join(thread, NULL), 0);
        CHECK_EQUAL(sdt_disable(id), 0);
    }
    CHECK_EQUAL(handled, 4);
    CHECK_EQUAL(sdt_hits("fixture:call"), 2);
}

int main(int argc, char **argv)
{
    (void)argv;
    if (argc > 1)
        hit_on_alternate_stacks();
    else
        measure_all();
    return fixture_done();
}
