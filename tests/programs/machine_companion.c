/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Companion mode on aarch64 and riscv64: a site is a call until start-up, then a NOP, and a
 * breakpoint while its probe is enabled; on riscv64 perhaps a call again. A constructor that comes
 * before calls the stub, which does nothing. With an argument: by breakpoint only.
 */
#include <sdt/probe.h>
#include <sdt/runtime.h>
#include <stdint.h>
#include <stdio.h>

#ifdef __riscv
typedef uint16_t word_type; /* the parcel of a site that changes */
enum { AT = 4, CALL = 0x80e7, NOP = 0x8013, BREAK = 0x9002, OPERATION = 0xffff };
#else
typedef uint32_t word_type;
enum { AT = 0, CALL = 0x94000000, NOP = 0xd503201f, BREAK = 0xd420bae0, OPERATION = 0xfc000000 };
#endif
static const unsigned char *place;
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
    word_type word = place ? *(const word_type *)(const void *)(place + AT) : 0;
    if (word == (word_type)BREAK || word == (word_type)NOP)
        return word == (word_type)BREAK ? "break" : "nop";
    return (word & (word_type)OPERATION) == (word_type)CALL ? "call" : "?";
}

static void on_hit(const struct sdt_event *event, void *data)
{
    (void)data;
    place = sdt_pc(event);
    printf("%s %ld %s\n", here(), (long)sdt_arg(event, 0),
           (const char *)(uintptr_t)sdt_arg(event, 1));
}

int main(int argc, char **argv)
{
    (void)argv;
    sum += work(1);
    int jump = argc > 1 ? 0 : sdt_enable_mode("c:work", on_hit, NULL, SDT_MODE_JUMP);
    int id = sdt_enable_mode("c:work", on_hit, NULL, argc > 1 ? SDT_MODE_TRAP : SDT_MODE_AUTO);
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
