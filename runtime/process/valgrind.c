/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See valgrind.h. Valgrind runs translations of a program's code, and keeps them. It does not check
 * whether code that belongs to a file has changed (--smc-check=all-non-file), so a site that has
 * run once would stay as it was then.
 *
 * The unwind tables of entries have operators that valgrind does not know. It prints a line for
 * each such table of this library, without saying whose it is; so it is said here, once, where
 * valgrind's own lines are. That is the one thing that this library prints without being asked.
 */
#include "valgrind.h"

#include <machine/valgrind.h>
#include <stdarg.h>

/* valgrind.h, enum Vg_ClientRequest: numbers that stay. */
enum { RUNNING_ON_VALGRIND = 0x1001, DISCARD_TRANSLATIONS = 0x1002, PRINT = 0x1403 };

void valgrind_forget(const void *text, size_t n)
{
    const uint64_t request[6] = {DISCARD_TRANSLATIONS, (uintptr_t)text, n};
    valgrind_request(request);
}

static __attribute__((format(printf, 1, 2))) void print(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const uint64_t request[6] = {PRINT, (uintptr_t)format, (uintptr_t)&arguments};
    valgrind_request(request);
    va_end(arguments);
}

static __attribute__((constructor)) void explain(void)
{
    const uint64_t request[6] = {RUNNING_ON_VALGRIND};
    if (valgrind_request(request))
        print("libsdt: \"%s\" is harmless: probes work, and stack traces end where one is hit\n",
              "DWARF2 CFI reader: unhandled DW_OP_");
}
