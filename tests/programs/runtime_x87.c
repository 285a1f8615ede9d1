/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a hit at an inline site does to x87 and to the tiles of AMX, beyond the values of registers
 * (runtime_inline.c): whether the CPU takes them for in use, and what EMMS would do on Intel's
 * CPUs.
 *
 *   runtime_x87 use      what XGETBV says before a subscription, after it, and after hits
 *   runtime_x87 emms     a program that steps through its hits, to see each EMMS
 *   runtime_x87 tiles    tiles in use, and a handler that uses others, or releases them
 */
#define _GNU_SOURCE
#include "runtime_fixture.h"
#include "runtime_step.h"

#include "../../runtime/arch/x86_64/vector.h"

#include <pthread.h>
#include <signal.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

long in_leaf(long a); /* asm/runtime_inline.S: inline:leaf */

enum { X87 = 1, TILES = 0x60000, TOP = 0x3800, ARCH_REQ_XCOMP_PERM = 0x1023, TILE_DATA = 18 };

static unsigned xgetbv(unsigned which)
{
    unsigned low, high;
    __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(which));
    return low;
}

static bool uses_x87(void)
{
    return xgetbv(1) & X87;
}

/* As in a new process, also for XGETBV. */
static void clear_x87(void)
{
    static _Alignas(64) char area[576];
    __asm__ volatile("xrstor64 %0" ::"m"(area), "a"(X87), "d"(0));
}

static uint16_t status(void)
{
    uint16_t word;
    __asm__ volatile("fnstsw %0" : "=am"(word));
    return word;
}

/* As on a CPU whose XGETBV is quick, or slow. */
static void choose(bool is_quick)
{
    struct vector_features own = vector_look();
    own.is_xgetbv_quick = is_quick;
    const struct vector_choice choice = vector_choose(&own);
    vector_use(&choice);
}

static void on_nothing(const struct sdt_event *event, void *data)
{
    (void)event;
    (void)data;
}

static void on_x87(const struct sdt_event *event, void *data)
{
    (void)event;
    (void)data;
    __asm__ volatile("fldpi\n\tfstp %%st(0)" ::: "st");
}

/* ---- Whether x87 is in use. ---- */

static void *thread(void *unused)
{
    (void)unused;
    return (void *)(uintptr_t)uses_x87();
}

static void check_nobody_uses_it(sdt_handler *handler)
{
    pthread_t other;
    void *answer;
    clear_x87();
    CHECK(!uses_x87());
    int id = sdt_enable("inline:leaf", handler, NULL);
    CHECK(id > 0 && !uses_x87());
    choose(true);
    CHECK(!uses_x87());
    CHECK_EQUAL(in_leaf(5), 5);
    CHECK(!uses_x87());
    CHECK(pthread_create(&other, NULL, thread, NULL) == 0 && pthread_join(other, &answer) == 0);
    CHECK(!answer);

    /* It was in use, and nothing is left: the next hit need not look. */
    __asm__ volatile("fld1\n\tfstp %%st(0)" ::: "st");
    CHECK(uses_x87());
    CHECK_EQUAL(in_leaf(5), 5);
    CHECK(!uses_x87() && status() == 0);

    /* A number was not exact: that flag is kept. */
    __asm__ volatile("fld1\n\tfldpi\n\tfdivrp\n\tfstp %%st(0)" ::: "st", "st(1)");
    uint16_t before = status();
    CHECK(uses_x87() && before & 0x20);
    CHECK_EQUAL(in_leaf(5), 5);
    CHECK(uses_x87() && ((before ^ status()) & ~0x4700) == 0);
    CHECK_EQUAL(sdt_disable(id), 0);
    clear_x87();
}

/* ---- EMMS. ---- */

static volatile int emms_seen, emms_harmful;

/* Intel's EMMS makes register 0 the top (SDM vol. 3, table 12-1); AMD's does not. */
static void on_step(int signal, siginfo_t *info, void *given)
{
    ucontext_t *context = given;
    const uint8_t *next = (const uint8_t *)(uintptr_t)context->uc_mcontext.gregs[REG_RIP];
    (void)signal;
    (void)info;
    if (next[0] != 0x0f || next[1] != 0x77)
        return;
    emms_seen++;
    emms_harmful += (context->uc_mcontext.fpregs->swd & TOP) != 0;
    context->uc_mcontext.fpregs->swd &= (uint16_t)~TOP;
}

static void check_emms(bool is_quick)
{
    const struct sigaction action = {.sa_sigaction = on_step, .sa_flags = SA_SIGINFO};
    CHECK_EQUAL(sigaction(SIGTRAP, &action, NULL), 0);
    int id = sdt_enable_mode("inline:leaf", on_nothing, NULL, SDT_MODE_JUMP);
    CHECK(id > 0);
    choose(is_quick);
    emms_seen = emms_harmful = 0;
    for (unsigned top = 0; top < 8; top++) {
        __asm__ volatile("fninit");
        for (unsigned i = top; i < 8; i++)
            __asm__ volatile("fdecstp");
        step(true);
        CHECK_EQUAL(in_leaf(5), 5);
        step(false);
        CHECK_EQUAL(status() & TOP, (top % 8) << 11);
    }
    CHECK_EQUAL(emms_harmful, 0);
    if (!is_quick)
        CHECK(emms_seen > 0);
    __asm__ volatile("fninit");
    CHECK_EQUAL(sdt_disable(id), 0);
}

/* ---- Tiles. ---- */

/* How many rows, and bytes a row, each tile has; palette 1 (SDM vol. 1, 18.2). */
static const struct tile_form {
    uint8_t palette, start, zero[14];
    uint16_t bytes[16];
    uint8_t rows[16];
} full = {.palette = 1, .bytes = {64, 64}, .rows = {16, 16}},
  small = {.palette = 1, .bytes = {8, 8, 8}, .rows = {2, 2, 2}};

static uint8_t tile_in[16 * 64], tile_out[16 * 64];

/* By their bytes, which assemblers without AMX accept as well; %0 in rax, the step in rdx. */
#define LDTILECFG ".byte 0xc4, 0xe2, 0x78, 0x49, 0x00\n"        /* ldtilecfg (%rax) */
#define TILERELEASE ".byte 0xc4, 0xe2, 0x78, 0x49, 0xc0\n"      /* tilerelease */
#define TILEZERO ".byte 0xc4, 0xe2, 0x7b, 0x49, 0xc0\n"         /* tilezero %tmm0 */
#define TILELOADD ".byte 0xc4, 0xe2, 0x7b, 0x4b, 0x04, 0x10\n"  /* (%rax,%rdx), %tmm0 */
#define TILESTORED ".byte 0xc4, 0xe2, 0x7a, 0x4b, 0x04, 0x10\n" /* %tmm0, (%rax,%rdx) */

static void on_other_tiles(const struct sdt_event *event, void *data)
{
    (void)event;
    (void)data;
    __asm__ volatile(LDTILECFG TILEZERO ::"a"(&small), "m"(small));
}

static void on_release(const struct sdt_event *event, void *data)
{
    (void)event;
    (void)data;
    __asm__ volatile(TILERELEASE);
}

static void check_tiles(sdt_handler *handler)
{
    for (size_t i = 0; i < sizeof tile_in; i++)
        tile_in[i] = (uint8_t)(i * 7 + 1);
    int id = sdt_enable("inline:leaf", handler, NULL);
    CHECK(id > 0);
    for (int i = 0; i < 1000; i++) {
        memset(tile_out, 0, sizeof tile_out);
        __asm__ volatile(LDTILECFG ::"a"(&full), "m"(full));
        __asm__ volatile(TILELOADD ::"a"(tile_in), "d"(64L) : "memory");
        CHECK_EQUAL(in_leaf(5), 5);
        __asm__ volatile(TILESTORED ::"a"(tile_out), "d"(64L) : "memory");
        __asm__ volatile(TILERELEASE);
        CHECK(memcmp(tile_in, tile_out, sizeof tile_in) == 0);
        CHECK_EQUAL(in_leaf(5), 5);
        CHECK_EQUAL(xgetbv(1) & TILES, 0); /* they are not in use after a handler either */
    }
    CHECK_EQUAL(sdt_disable(id), 0);
}

static bool has_tiles(void)
{
    return (xgetbv(0) & TILES) == TILES &&
           syscall(SYS_arch_prctl, ARCH_REQ_XCOMP_PERM, TILE_DATA) == 0;
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";
    const struct vector_features own = vector_look();
    if (!own.has_xgetbv_1) {
        puts("absent: XGETBV does not tell what is in use on this CPU");
    } else if (strcmp(what, "use") == 0) {
        check_nobody_uses_it(on_nothing);
        check_nobody_uses_it(on_x87);
    } else if (strcmp(what, "emms") == 0) {
        check_emms(false);
        check_emms(true);
    } else if (!has_tiles()) {
        puts("absent: the CPU has no AMX, or the kernel does not permit it");
    } else {
        check_tiles(on_other_tiles);
        check_tiles(on_release);
    }
    return fixture_done();
}
