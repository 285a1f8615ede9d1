/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Sites with every register in use (asm/riscv64_registers.S), and a handler that changes all that a
 * function may change (registers.h). Prints the registers that came out other than they went in.
 * With -DNOTES the sites are those of <sys/sdt.h>: t1 may be in use as well, and there are two
 * arguments. With the argument "late", each hit finds other subscriptions than those by which it
 * came (late.h).
 */
#define _GNU_SOURCE
#include "late.h"
#include "registers.h"

#include <sys/auxv.h>

void all_general(const void *in, void *out);
void all_floats(const void *in, void *out);
void all_vectors(const void *in, void *out);

enum { VECTORS = 1 << ('v' - 'a'), STATUS = 32 * 8 };

static void spoil(int has_vectors)
{
    if (has_vectors)
        __asm__ volatile(".option push\n.option arch, +v\n"
                         "vsetvli t0, zero, e64, m8, ta, ma\n"
                         "vmv.v.i v0, -1\nvmv.v.i v8, -2\nvmv.v.i v16, -3\nvmv.v.i v24, -4\n"
                         "csrwi vcsr, 1\nvsetivli t0, 1, e8, m1, ta, ma\n.option pop\n" ::
                             : "t0", "memory");
    __asm__ volatile("li t0, -1\nli t1, -1\nli t2, -1\nli a0, -1\nli a1, -1\nli a2, -1\n"
                     "li a3, -1\nli a4, -1\nli a5, -1\nli a6, -1\nli a7, -1\nli t3, -1\n"
                     "li t4, -1\nli t5, -1\nli t6, -1\n" ::
                         : "t0", "t1", "t2", "a0", "a1", "a2", "a3", "a4", "a5", "a6", "a7", "t3",
                           "t4", "t5", "t6");
    __asm__ volatile(".irp n, 0, 1, 2, 3, 4, 5, 6, 7, 10, 11, 12, 13, 14, 15, 16, 17, 28, 29, 30, "
                     "31\nfcvt.d.w f\\n, zero\n.endr\nli t0, 0x1f\nfscsr t0\n" ::
                         : "t0", "ft0", "ft1", "ft2", "ft3", "ft4", "ft5", "ft6", "ft7", "fa0",
                           "fa1", "fa2", "fa3", "fa4", "fa5", "fa6", "fa7", "ft8", "ft9", "ft10",
                           "ft11");
}

static void run_general(void)
{
#ifdef NOTES
    static const uint8_t untouched[] = {0, 2, 3, 4};
#else
    static const uint8_t untouched[] = {0, 2, 3, 4, 6};
#endif
    fill();
    all_general(in, out);
    for (size_t i = 0; i < sizeof untouched; i++)
        memcpy(in + 8 * untouched[i], out + 8 * untouched[i], 8);
    compare("general register", 32 * 8, 8);
}

static void run_floats(void)
{
    const uint64_t status = 0x61; /* rounds up; inexact */
    fill();
    memcpy(in + STATUS, &status, sizeof status);
    all_floats(in, out);
    compare("floating-point register", STATUS + 8, 8);
}

/* VTYPE: for four elements of 32 bits; or one that no hart accepts, which is kept as such. */
static void run_vectors(uint64_t vtype, uint64_t vl)
{
    size_t bytes;
    __asm__ volatile(".option push\n.option arch, +v\ncsrr %0, vlenb\n.option pop" : "=r"(bytes));
    fill();
    const uint64_t state[] = {vl, vtype, 6, 0};
    memcpy(in + 32 * bytes, state, sizeof state);
    all_vectors(in, out);
    compare("vector register", 32 * bytes, bytes);
    for (size_t i = 0; i < 4; i++)
        if (memcmp(in + 32 * bytes + 8 * i, out + 32 * bytes + 8 * i, 8) != 0)
            printf("vector state %zu differs\n", i);
}

static void run_four(void)
{
    run_vectors(0xd0, 3); /* e32, m1, ta, ma */
}

extern struct sdt_probe __sdt_probe_regs___site __attribute__((visibility("hidden")));

static void run_late(int mode, int has_vectors)
{
    void (*const runs[])(void) = {run_general, run_floats, run_four};
    unsigned count = 0;
    for (int i = 0; i < 2 + has_vectors; i++)
        count +=
            late_check(&__sdt_probe_regs___site, "regs:site", mode, on_hit, &has_vectors, runs[i]);
    printf("%u late hits, vectors: %d\n", count, has_vectors);
}

int main(int argc, char **argv)
{
    int mode = argc > 1 && strcmp(argv[1], "trap") == 0 ? SDT_MODE_TRAP : SDT_MODE_JUMP;
    int has_vectors = (getauxval(AT_HWCAP) & VECTORS) != 0;
    if (argc > 2 && strcmp(argv[2], "late") == 0) {
        run_late(mode, has_vectors);
        return 0;
    }
    int id = sdt_enable_mode("regs:site", on_hit, &has_vectors, mode);
    if (id <= 0)
        printf("%s\n", sdt_strerror(id));
    for (int i = 0; i < 3; i++) {
        run_general();
        run_floats();
        if (has_vectors)
            run_four();
        if (has_vectors)
            run_vectors((uint64_t)1 << 63, 0); /* vill */
    }
    printf("%u hits, vectors: %d\n", hits, has_vectors);
    return 0;
}
