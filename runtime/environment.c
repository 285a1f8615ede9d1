/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See environment.h. The constructor may run before or after those of the objects with sites: a
 * subscription made here covers objects that register later. It runs before main, when there is
 * normally one thread, so getenv is safe.
 *
 * AT_SECURE (set-user-ID programs and the like): the caller must not be able to change how the
 * program runs, so nothing is read.
 */
#define _GNU_SOURCE
#include "environment.h"

#include "live/attach.h"
#include "recorder/hit.h"
#include "recorder/recorder.h"
#include "recorder/wish.h"
#include "rendezvous.h"
#include "report.h"
#include "stock/stock.h"
#include "subscribe.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>

static const char *variable(const char *name)
{
    const char *value = getauxval(AT_SECURE) ? NULL : getenv(name);
    return value && *value ? value : NULL;
}

/* Whether variable NAME is set and not "0"; remembered in *ANSWER. Whoever reads it reads the
 * same.*/
static bool is_set(const char *name, atomic_int *answer)
{
    enum { NOT_READ, SET, NOT_SET };
    if (atomic_load(answer) == NOT_READ) {
        const char *value = variable(name);
        atomic_store(answer, value && strcmp(value, "0") != 0 ? SET : NOT_SET);
    }
    return atomic_load(answer) == SET;
}

bool environment_forbids(void)
{
    static atomic_int answer;
    return is_set("SDT_DISABLE_RUNTIME", &answer);
}

bool environment_allows_unlocking(void)
{
    static atomic_int answer;
    return is_set("SDT_UNLOCK_TEXT", &answer) && !environment_locks_text();
}

bool environment_locks_text(void)
{
    static atomic_int answer;
    return is_set("SDT_LOCK_TEXT", &answer);
}

bool environment_wants_stock(void)
{
    static atomic_int answer;
    return is_set("SDT_STOCK", &answer) && !environment_forbids();
}

void environment_link(void) {}

bool environment_debugs(void)
{
    static atomic_int answer;
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

static struct sdt_recorder *recorder; /* that SDT_RECORD wishes for; written once, before main */

struct sdt_recorder *environment_recorder(void)
{
    return recorder;
}

/* That one, made when an entry first wants it. */
static int find_recorder(const struct runtime *runtime, struct sdt_recorder **found)
{
    static int error;
    struct sdt_record_options options;
    const char *directory = variable("SDT_RECORD");
    if (!recorder && !error) {
        error = !directory || !wish_parse(variable("SDT_RECORD_OPTIONS"), &options)
                    ? -EINVAL
                    : runtime->recording->create(directory, &options, &recorder);
        if (error)
            report_no_recorder(directory, error);
        else
            recorder_tell(recorder);
    }
    *found = recorder;
    return error;
}

static int enable_entry(const struct runtime *runtime, const char *entry, size_t length)
{
    bool records;
    struct sdt_recorder *found = NULL;
    size_t pattern = environment_pattern_length(entry, length, &records);
    int error = !pattern ? -EINVAL : records ? find_recorder(runtime, &found) : 0;
    if (error)
        return error;
    return records ? runtime->enable_early(entry, pattern, recorder_hit, recorder_data(found))
                   : runtime->enable_early(entry, pattern, SDT_COUNT, NULL);
}

/* All entries; how many are in force. */
static int enable_entries(const struct runtime *runtime, const char *text, int *first_error)
{
    int n = 0;
    while (*text) {
        size_t length = strcspn(text, ";");
        int result = length ? enable_entry(runtime, text, length) : 0;
        n += result > 0;
        if (result < 0 && *first_error == 0)
            *first_error = result;
        text += length + (text[length] == ';');
    }
    return n;
}

__attribute__((constructor)) static void environment_start(void)
{
    const char *entries = variable("SDT_ENABLE");
    const char *attach = variable("SDT_ATTACH");
    const struct runtime *runtime;
    int error = 0, n = 0;
    if (entries || attach || environment_debugs() || environment_wants_stock()) {
        error = rendezvous(&runtime);
        if (!error && rendezvous_is_leader() && environment_wants_stock())
            stock_start();
        if (attach && !error && rendezvous_is_leader())
            attach_start_as(attach);
        if (entries && !error && rendezvous_is_leader())
            n = enable_entries(runtime, entries, &error);
    }
    if (environment_debugs() && rendezvous_is_leader())
        report_start(entries, n, error);
}
