/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A site in streaming mode (SME), with all its vector registers in use (asm/aarch64_registers.S):
 * what ran, and what did not come out as it went in.
 *
 *     aarch64_streaming MODE HANDLER
 *
 * MODE is jump or trap. HANDLER is ordinary, which must not be called there; general, which
 * promises to use general registers only; or count. Before, the thread hits once in the ordinary
 * mode.
 */
#include <sdt/runtime.h>

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>

void all_general(const void *in, void *out);
uint64_t all_streaming(const void *in, void *out);

enum { SME = 1 << 23, IS_STREAMING = 1, HAS_ZA = 2, TURNS = 3, ROOM = 37 * 256 };
static uint8_t in[ROOM] __attribute__((aligned(16))), out[ROOM] __attribute__((aligned(16)));
static unsigned ordinary, streaming;

static uint64_t state(void)
{
    uint64_t svcr;
    __asm__ volatile("mrs %0, s3_3_c4_c2_2" : "=r"(svcr));
    return svcr;
}

static void on_hit(const struct sdt_event *event, void *data)
{
    (void)event;
    (void)data;
    if (state() & IS_STREAMING)
        streaming++;
    else
        ordinary++;
}

static void run(void)
{
    for (size_t i = 0; i < sizeof in; i++)
        in[i] = (uint8_t)(rand() >> 7);
    memset(out, 0, sizeof out);
    uint64_t length = all_streaming(in, out), svcr;
    if (memcmp(in, out, 32 * length + 2 * length) != 0)
        printf("registers differ\n");
    if (memcmp(in, out + 35 * length, length) != 0)
        printf("ZA differs\n");
    memcpy(&svcr, out + 36 * length, sizeof svcr);
    if (svcr != (IS_STREAMING | HAS_ZA))
        printf("SVCR is %d\n", (int)svcr);
}

int main(int argc, char **argv)
{
    if (argc < 3 || !(getauxval(AT_HWCAP2) & SME)) {
        printf("no SME\n");
        return 2;
    }
    int mode = strcmp(argv[1], "trap") == 0 ? SDT_MODE_TRAP : SDT_MODE_JUMP;
    int promise = strcmp(argv[2], "general") == 0 ? SDT_GENERAL_REGS : 0;
    int counts = strcmp(argv[2], "count") == 0;
    int id = sdt_enable_mode("regs:site", counts ? SDT_COUNT : on_hit, NULL, mode | promise);
    if (id <= 0)
        printf("%s\n", sdt_strerror(id));
    all_general(in, out);
    for (int i = 0; i < TURNS; i++)
        run();
    printf("%u ordinary, %u streaming, %d counted\n", ordinary, streaming,
           (int)sdt_hits("regs:site"));
    return sdt_disable(id);
}
