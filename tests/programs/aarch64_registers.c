/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Sites with every register in use (asm/aarch64_registers.S), and a handler that changes all that a
 * function may change (registers.h). Prints the registers that came out other than they went in.
 * With -DNOTES the sites are those of <sys/sdt.h>: flags may be in use as well, and there are two
 * arguments. With the argument "record" there is no handler, and so many hits that a recording has
 * several packets; with "late", each hit finds other subscriptions than those by which it came
 * (late.h).
 */
#define _GNU_SOURCE
#include "late.h"
#include "registers.h"

#include <sys/auxv.h>

void all_general(const void *in, void *out);
void all_vectors(const void *in, void *out);
void all_sve(const void *in, void *out);

enum { SVE = 1 << 22, STATUS = 512, CONTROL = 528 };

static void spoil(int has_sve)
{
    if (has_sve)
        __asm__ volatile(".arch armv8.2-a+sve\n"
                         "ptrue p0.b\nptrue p1.b\nptrue p7.b\nptrue p15.b\nsetffr\n"
                         "mov z0.b, #1\nmov z8.b, #2\nmov z16.b, #3\nmov z31.b, #4\n" ::
                             : "v0", "v8", "v16", "v31", "memory");
    __asm__ volatile("mov x1, #-1\nmov x2, #-1\nmov x3, #-1\nmov x4, #-1\nmov x5, #-1\n"
                     "mov x6, #-1\nmov x7, #-1\nmov x8, #-1\nmov x9, #-1\nmov x10, #-1\n"
                     "mov x11, #-1\nmov x12, #-1\nmov x13, #-1\nmov x14, #-1\nmov x15, #-1\n"
                     "mov x16, #-1\nmov x17, #-1\n" ::
                         : "x1", "x2", "x3", "x4", "x5", "x6", "x7", "x8", "x9", "x10", "x11",
                           "x12", "x13", "x14", "x15", "x16", "x17");
    __asm__ volatile(
        "movi v0.16b, #255\nmovi v1.16b, #255\nmovi v2.16b, #255\nmovi v3.16b, #255\n"
        "movi v4.16b, #255\nmovi v5.16b, #255\nmovi v6.16b, #255\nmovi v7.16b, #255\n"
        "movi v16.16b, #255\nmovi v17.16b, #255\nmovi v18.16b, #255\nmovi v19.16b, #255\n"
        "movi v20.16b, #255\nmovi v21.16b, #255\nmovi v22.16b, #255\nmovi v23.16b, #255\n"
        "movi v24.16b, #255\nmovi v25.16b, #255\nmovi v26.16b, #255\nmovi v27.16b, #255\n"
        "movi v28.16b, #255\nmovi v29.16b, #255\nmovi v30.16b, #255\nmovi v31.16b, #255\n"
        "mov v8.d[1], xzr\nmov v15.d[1], xzr\n"
        "mov x0, #0x1f\nmsr fpsr, x0\n" ::
            : "x0", "v0", "v1", "v2", "v3", "v4", "v5", "v6", "v7", "v16", "v17", "v18", "v19",
              "v20", "v21", "v22", "v23", "v24", "v25", "v26", "v27", "v28", "v29", "v30", "v31");
}

/* A promise that is kept: only general registers change. */
static void on_general(const struct sdt_event *event, void *data)
{
    (void)event;
    (void)data;
    hits++;
    __asm__ volatile("mov x9, #-1\nmov x16, #-1\nmov x17, #-1\nmov x30, #-1\n" ::
                         : "x9", "x16", "x17", "x30");
}

static void run_general(void)
{
    const uint64_t flags = (uint64_t)rand() << 28 & 0xf0000000;
    fill();
    memcpy(in + 31 * 8, &flags, sizeof flags);
    all_general(in, out);
    memcpy(in + 18 * 8, out + 18 * 8, 8);
#ifdef NOTES
    compare("general register", 32 * 8, 8);
#else
    compare("general register", 31 * 8, 8);
#endif
}

static void run_vectors(void)
{
    const uint64_t status = 0x8000001, control = 0x400000; /* QC, invalid operation; upwards */
    fill();
    memcpy(in + STATUS, &status, sizeof status);
    memcpy(in + CONTROL, &control, sizeof control);
    all_vectors(in, out);
    compare("vector register", 32 * 16, 16);
    compare("status", STATUS + 8, STATUS + 8);
    if (memcmp(in + CONTROL, out + CONTROL, 8) != 0)
        printf("control differs\n");
}

static void run_sve(void)
{
    uint64_t length;
    __asm__ volatile(".arch armv8.2-a+sve\nrdvl %0, #1" : "=r"(length));
    fill();
    memset(in + 32 * length + 16 * (length / 8), 0, length / 8);
    in[32 * length + 16 * (length / 8)] = 7; /* FFR: its first elements, or it would be no FFR */
    all_sve(in, out);
    compare("SVE register", 32 * length, length);
    for (size_t i = 0; i < 17; i++)
        if (memcmp(in + 32 * length + i * length / 8, out + 32 * length + i * length / 8,
                   length / 8) != 0)
            printf("predicate %zu differs\n", i);
}

extern struct sdt_probe __sdt_probe_regs___site __attribute__((visibility("hidden")));

static void run_late(int mode, int has_sve)
{
    void (*const runs[])(void) = {run_general, run_vectors, run_sve};
    unsigned count = 0;
    for (int i = 0; i < 2 + has_sve; i++)
        count += late_check(&__sdt_probe_regs___site, "regs:site", mode, on_hit, &has_sve, runs[i]);
    printf("%u late hits, SVE: %d\n", count, has_sve);
}

int main(int argc, char **argv)
{
    int mode = argc > 1 && strcmp(argv[1], "trap") == 0 ? SDT_MODE_TRAP : SDT_MODE_JUMP;
    int is_general = argc > 2, has_sve = (getauxval(AT_HWCAP) & SVE) != 0;
    int is_recorded = argc > 1 && strcmp(argv[1], "record") == 0;
    if (argc > 2 && strcmp(argv[2], "late") == 0) {
        run_late(mode, has_sve);
        return 0;
    }
    int id = is_recorded ? 1
                         : sdt_enable_mode("regs:site", is_general ? on_general : on_hit, &has_sve,
                                           mode | (is_general ? SDT_GENERAL_REGS : 0));
    if (id <= 0)
        printf("%s\n", sdt_strerror(id));
    for (int i = 0; i < (is_recorded ? 1000 : 3); i++) {
        run_general();
        run_vectors();
        if (has_sve)
            run_sve();
    }
    printf("%u hits, SVE: %d\n", hits, has_sve);
    return 0;
}
