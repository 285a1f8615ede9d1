/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See clock.h. If the kernel uses the time-stamp counter as its clock, it has found it to be
 * constant and the same on all CPUs, and keeps checking.
 *
 * Its frequency is measured at the start, in a millisecond, which is good enough for a recording of
 * seconds; the writer of the end of a recording measures it again over the whole time.
 */
#include "clock.h"

#include "shared/wide.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { NS = 1000000000 };

static uint64_t read_clock(clockid_t id)
{
    struct timespec time;
    clock_gettime(id, &time);
    return (uint64_t)time.tv_sec * NS + (uint64_t)time.tv_nsec;
}

uint64_t clock_monotonic(void)
{
    return read_clock(CLOCK_MONOTONIC);
}

static bool kernel_uses_tsc(void)
{
    static const char *const sources[] = {MACHINE_CLOCK_SOURCES};
    char name[64] = "";
    int fd = open("/sys/devices/system/clocksource/clocksource0/current_clocksource",
                  O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? -1 : read(fd, name, sizeof name - 1);
    if (fd >= 0)
        close(fd);
    for (size_t i = 0; n > 0 && i < sizeof sources / sizeof *sources; i++)
        if (strcmp(name, sources[i]) == 0)
            return true;
    return false;
}

/* One moment by two clocks: of some tries, that which took least time. Returns ns. */
static uint64_t read_both(bool is_tsc, clockid_t id, uint64_t *cycles)
{
    uint64_t best = 0, least = UINT64_MAX;
    *cycles = 0;
    for (int i = 0; i < 10; i++) {
        uint64_t before = clock_read(is_tsc), now = read_clock(id), after = clock_read(is_tsc);
        if (after - before < least) {
            least = after - before;
            best = now;
            *cycles = before + (after - before) / 2;
        }
    }
    return best;
}

static uint64_t rate(uint64_t cycles, uint64_t ns)
{
    wide_unsigned rest;
    return ns ? (uint64_t)wide_divide_sizes((wide_unsigned)cycles * NS, ns, &rest) : NS;
}

/* What the kernel calls this start of itself; zeros if it does not say. */
static void read_boot(uint8_t boot[16])
{
    static const char digits[] = "0123456789abcdef";
    char text[64] = "";
    int fd = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);
    if (fd >= 0 && read(fd, text, sizeof text - 1) < 0)
        text[0] = '\0';
    if (fd >= 0)
        close(fd);
    memset(boot, 0, 16);
    for (size_t i = 0, n = 0; text[i] && n < 32; i++) {
        const char *digit = strchr(digits, text[i]);
        if (digit)
            boot[n / 2] = (uint8_t)(boot[n / 2] << 4 | (digit - digits));
        n += digit != NULL;
    }
}

void clock_start(struct ring_file *file)
{
    uint64_t cycles, then;
    read_boot(file->boot);
    file->is_tsc = kernel_uses_tsc();
    file->epoch = read_both(file->is_tsc, CLOCK_REALTIME, &file->cycles);
    file->monotonic = read_both(file->is_tsc, CLOCK_MONOTONIC, &then);
    /* Both say the same moment. */
    file->frequency = NS;
    if (!file->is_tsc) {
        file->monotonic += file->cycles - then;
        return;
    }
    uint64_t now;
    do
        now = read_both(true, CLOCK_MONOTONIC, &cycles);
    while (now - file->monotonic < NS / 1000);
    file->frequency = rate(cycles - then, now - file->monotonic);
    file->monotonic -= (then - file->cycles) * 1000 / (file->frequency / 1000000 + 1);
}

uint64_t clock_frequency(const struct ring_file *file)
{
    uint64_t cycles, now = read_both(file->is_tsc, CLOCK_MONOTONIC, &cycles);
    uint8_t boot[16];
    read_boot(boot);
    if (memcmp(boot, file->boot, sizeof boot) != 0)
        return file->frequency;
    if (!file->is_tsc || now <= file->monotonic + NS / 100 || cycles <= file->cycles)
        return file->frequency;
    return rate(cycles - file->cycles, now - file->monotonic);
}

uint64_t clock_period(const struct ring_file *file)
{
    wide_unsigned rest, frequency = file->frequency ? file->frequency : 1;
    return (uint64_t)wide_divide_sizes((wide_unsigned)NS << 32, frequency, &rest);
}

void clock_offset(const struct ring_file *file, uint64_t frequency, int64_t *seconds,
                  int64_t *cycles)
{
    if (!frequency) /* the file is damaged */
        frequency = NS;
    __int128 rest, epoch = (__int128)file->epoch * (__int128)frequency;
    __int128 total = wide_divide(epoch, NS, &rest) - (__int128)file->cycles;
    *seconds = (int64_t)wide_divide(total, (__int128)frequency, &rest);
    *cycles = (int64_t)rest;
    if (*cycles < 0) {
        *seconds -= 1;
        *cycles += (int64_t)frequency;
    }
}
