/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Companion mode on aarch64: a site is a call until start-up, then a NOP, and a breakpoint while
 * somebody looks. A constructor that comes before calls the stub, which does nothing.
 */
#include <sdt/probe.h>
#include <sdt/runtime.h>
#include <stdint.h>
#include <stdio.h>

enum { CALL = 0x25, NOP = 0xd503201f, BREAK = 0xd420bae0 };
static const uint32_t *place;
static long sum;

long work(long a);
long work(long a)
{
    SDT_PROBE(c, work, a, "text");
    return a + 1;
}

__attribute__((constructor(101))) static void early(void)
{
    sum += work(100);
}

static const char *here(void)
{
    uint32_t word = place ? *place : 0;
    return word >> 26 == CALL ? "call" : word == BREAK ? "break" : word == NOP ? "nop" : "?";
}

static void on_hit(const struct sdt_event *event, void *data)
{
    (void)data;
    place = sdt_pc(event);
    printf("%s %ld %s\n", here(), (long)sdt_arg(event, 0),
           (const char *)(uintptr_t)sdt_arg(event, 1));
}

int main(void)
{
    sum += work(1);
    int jump = sdt_enable_mode("c:work", on_hit, NULL, SDT_MODE_JUMP);
    int id = sdt_enable("c:work", on_hit, NULL);
    if (id <= 0)
        printf("%s\n", sdt_strerror(id));
    sum += work(2);
    sdt_disable(id);
    if (jump > 0)
        sdt_disable(jump);
    printf("%s\n", here());
    sum += work(3);
    printf("%ld\n", sum);
    return 0;
}
