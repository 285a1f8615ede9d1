/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See environment.h.
 *
 * AT_SECURE (set-user-ID programs and the like): the caller must not be able to change how the
 * program runs, so nothing is read.
 */
#define _GNU_SOURCE
#include "environment.h"

#include "early.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

const char *environment_value(const char *name)
{
    const char *value = getauxval(AT_SECURE) ? NULL : getenv(name);
    return value && *value ? value : NULL;
}

/*
 * Whether variable NAME is set and not "0"; remembered in *ANSWER. Whoever reads it reads the same.
 * A sanitizer in the program calls our sigaction() before the C library has an environment: that is
 * no answer yet.
 */
static bool is_set(const char *name, atomic_int *answer)
{
    enum { NOT_READ, SET, NOT_SET };
    if (atomic_load(answer) == NOT_READ) {
        if (!environ)
            return false;
        const char *value = environment_value(name);
        atomic_store(answer, value && strcmp(value, "0") != 0 ? SET : NOT_SET);
    }
    return atomic_load(answer) == SET;
}

bool environment_forbids(void)
{
    static SDT_EARLY atomic_int answer;
    return is_set("SDT_DISABLE_RUNTIME", &answer);
}

bool environment_allows_unlocking(void)
{
    static SDT_EARLY atomic_int answer;
    return is_set("SDT_UNLOCK_TEXT", &answer) && !environment_locks_text();
}

bool environment_locks_text(void)
{
    static SDT_EARLY atomic_int answer;
    return is_set("SDT_LOCK_TEXT", &answer);
}

bool environment_wants_stock(void)
{
    static SDT_EARLY atomic_int answer;
    return is_set("SDT_STOCK", &answer) && !environment_forbids();
}

bool environment_may_arm(void)
{
    static SDT_EARLY atomic_int enable, attach;
    return !environment_forbids() && (is_set("SDT_ENABLE", &enable) ||
                                      is_set("SDT_ATTACH", &attach) || environment_wants_stock());
}

bool environment_debugs(void)
{
    static SDT_EARLY atomic_int answer;
    return is_set("SDT_DEBUG", &answer);
}

static size_t length_without(const char *entry, size_t length, const char *suffix)
{
    size_t n = strlen(suffix);
    return length > n && memcmp(entry + length - n, suffix, n) == 0 ? length - n : 0;
}

size_t environment_pattern_length(const char *entry, size_t length, bool *records)
{
    size_t recorded = length_without(entry, length, "=record");
    if (records)
        *records = recorded != 0;
    return recorded ? recorded : length_without(entry, length, "=count");
}
