/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A library to preload: one line on the standard error output for each execution of a probe, in any
 * program that was processed by sdtlink, and in its libraries.
 *
 *     LD_PRELOAD=libsdt-trace.so SDT_TRACE='shop:*' ./program
 *
 * Its constructor runs before those of the program, by which the program's probes are registered:
 * nothing matches at that time, and SDT_PENDING says that something will. The probes become known
 * to libsdt.so, which comes with this library, also where the program was linked without.
 */
#include <inttypes.h>
#include <sdt/runtime.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* Small numbers as such, others as addresses. Strings are not followed: they may be no strings. */
static int print_argument(char *to, size_t room, uint64_t value, unsigned index)
{
    const char *comma = index ? ", " : "";
    int64_t number = (int64_t)value;
    if (number > -1000000 && number < 1000000)
        return snprintf(to, room, "%s%" PRId64, comma, number);
    return snprintf(to, room, "%s%#" PRIx64, comma, value);
}

/* Handlers run in the thread that hit the probe; one write is one line, whatever others write. */
static void print(const struct sdt_event *event, void *data)
{
    char line[512];
    const size_t room = sizeof line - 1; /* without the newline */
    size_t n = (size_t)snprintf(line, room, "%s:%s(", sdt_provider(event), sdt_name(event));
    (void)data;
    for (unsigned i = 0; i < sdt_nargs(event) && n < room; i++)
        n += (size_t)print_argument(line + n, room - n, sdt_arg(event, i), i);
    if (n < room)
        n += (size_t)snprintf(line + n, room - n, ") in %s", sdt_function(event));
    n = n < room ? n : room - 1;
    line[n++] = '\n';
    if (write(STDERR_FILENO, line, n) < 0)
        return; /* the program has closed it */
}

__attribute__((constructor)) static void start(void)
{
    const char *wanted = getenv("SDT_TRACE");
    const char *pattern = wanted && *wanted ? wanted : "*";
    int id = sdt_enable_mode(pattern, print, NULL, SDT_MODE_AUTO | SDT_PENDING);
    if (id < 0)
        fprintf(stderr, "libsdt-trace: %s: %s\n", pattern, sdt_strerror(id));
}
