/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The smallest runtime of a freestanding set, in a program: it finds the records between the
 * linker's bounds, changes the bytes that <sdt/format.h> and the decisions of each machine name,
 * and counts hits. Nothing of libsdt is in it.
 */
#define _GNU_SOURCE
#include <sdt/format.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

extern const struct sdt_site __start_sdt_sites[], __stop_sdt_sites[];
extern int work(const char *what, int number), asked_last(void), begin(int number);
extern void last(int number), last_perhaps(int number);

long entered, called;

static void *led_to(const int32_t *field)
{
    return *field ? (char *)field + *field : NULL;
}

static void write_text(void *at, const void *bytes, size_t size)
{
    char *page = (char *)((uintptr_t)at & ~(uintptr_t)4095);
    mprotect(page, 8192, PROT_READ | PROT_WRITE | PROT_EXEC);
    memcpy(at, bytes, size);
    mprotect(page, 8192, PROT_READ | PROT_EXEC);
    __builtin___clear_cache(page, page + 8192);
}

#if defined(__x86_64__)

/* One byte of each: where, what, and what when it is off. */
static void arm(const struct sdt_site *site, int on)
{
    static const unsigned char forms[][3] = {
        [SDT_KIND_INLINE] = {4, 0x00, 0x84},        [SDT_KIND_ENABLED] = {1, 1, 0},
        [SDT_KIND_DIRECT_CALL] = {0, 0xe8, 0xa9},   [SDT_KIND_DIRECT_TAIL] = {1, 0x00, 0x0c},
        [SDT_KIND_DIRECT_ENABLED_TAIL] = {1, 1, 0},
    };
    const unsigned char *form = forms[site->kind];
    write_text((char *)led_to(&site->pc) + form[0], &form[on ? 1 : 2], 1);
}

/* The entry's registers are all live; those of a call are as at a call. */
__asm__("\t.text\n"
        "\t.globl __sdt_enter, __sdt_enter_call, __sdt_finish\n"
        "__sdt_enter: incq entered(%rip)\n"
        "\tret\n"
        "__sdt_enter_call: incq called(%rip)\n"
        "__sdt_finish: ret\n");

#elif defined(__aarch64__)

static uint32_t branch(uint32_t opcode, const char *from, const char *to)
{
    return opcode | ((uint32_t)((to - from) / 4) & 0x03ffffff);
}

static void arm(const struct sdt_site *site, int on)
{
    enum { NOP = 0xd503201f, B = 0x14000000, BL = 0x94000000 };
    char *pc = led_to(&site->pc);
    const char *stub = led_to(&site->stub);
    uint32_t word = NOP;
    int is_question = site->kind == SDT_KIND_ENABLED || site->kind == SDT_KIND_ENABLED_TAIL;
    if (site->kind == SDT_KIND_INLINE || site->kind == SDT_KIND_CALL)
        word = on ? branch(site->kind == SDT_KIND_INLINE ? B : BL, pc, stub) : NOP;
    else if (!on)
        word = is_question ? B + 2 : B + 3;
    write_text(is_question ? pc + 4 : pc, &word, sizeof word);
}

__asm__("\t.text\n"
        "\t.globl count_entry, count_call\n"
        "count_entry: stp x9, x10, [sp, #-16]!\n"
        "\tadrp x9, entered\n\tldr x10, [x9, :lo12:entered]\n"
        "\tadd x10, x10, #1\n\tstr x10, [x9, :lo12:entered]\n"
        "\tldp x9, x10, [sp], #16\n"
        "\tret\n"
        "count_call: adrp x9, called\n\tldr x10, [x9, :lo12:called]\n"
        "\tadd x10, x10, #1\n\tstr x10, [x9, :lo12:called]\n"
        "\tret\n");

#else /* riscv64 */

/* A parcel of each: where, what, and what when it is off. */
static void arm(const struct sdt_site *site, int on)
{
    static const uint16_t forms[][3] = {
        [SDT_KIND_INLINE] = {4, 0x0067, 0x0013},       [SDT_KIND_CALL] = {4, 0x80e7, 0x8013},
        [SDT_KIND_TAIL] = {4, 0x8067, 0x8082},         [SDT_KIND_ENABLED] = {6, 0x0010, 0x0000},
        [SDT_KIND_ENABLED_TAIL] = {4, 0x4505, 0x4501},
    };
    const uint16_t *form = forms[site->kind];
    write_text((char *)led_to(&site->pc) + form[0], &form[on ? 1 : 2], sizeof *form);
}

/* The entry's return address is in t1. */
__asm__("\t.text\n"
        "\t.globl count_entry, count_call\n"
        "count_entry: addi sp, sp, -16\n\tsd t0, 0(sp)\n\tsd t2, 8(sp)\n"
        "\tlla t0, entered\n\tld t2, (t0)\n\taddi t2, t2, 1\n\tsd t2, (t0)\n"
        "\tld t0, 0(sp)\n\tld t2, 8(sp)\n\taddi sp, sp, 16\n"
        "\tjr t1\n"
        "count_call: lla t0, called\n\tld t2, (t0)\n\taddi t2, t2, 1\n\tsd t2, (t0)\n"
        "\tret\n");

#endif

/* Entries and stubs go by a word of the probe, but on x86-64. */
static void prepare(const struct sdt_site *site)
{
#if defined(__x86_64__)
    (void)site;
#else
    extern void count_entry(void), count_call(void);
    struct sdt_probe *probe = led_to(&site->probe);
    probe->way = site->kind == SDT_KIND_INLINE ? (void *)count_entry : (void *)count_call;
#endif
}

static void arm_all(int on)
{
    for (const struct sdt_site *site = __start_sdt_sites; site < __stop_sdt_sites; site++)
        arm(site, on);
}

static void run(const char *when)
{
    long sum = 0;
    entered = called = 0;
    for (int i = 0; i < 10; i++) {
        sum += work("text", i) + begin(i);
        last(i);
        last_perhaps(i);
        sum += asked_last();
    }
    printf("%s: sum %ld, entered %ld, called %ld\n", when, sum, entered, called);
}

int main(void)
{
    for (const struct sdt_site *site = __start_sdt_sites; site < __stop_sdt_sites; site++)
        prepare(site);
    run("off");
    arm_all(1);
    run("on");
    arm_all(0);
    run("off again");
    return 0;
}
