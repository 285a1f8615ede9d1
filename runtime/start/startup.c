/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Before main: what the environment asks for. It is done when the first object registers, as the
 * constructors of that object may hit its probes; in a program with libsdt.a this is before its
 * library's own constructor. A subscription made here covers whoever registers later. It runs in
 * the only thread that there normally is, so getenv is safe.
 */
#define _GNU_SOURCE
#include "startup.h"

#include "control/attach.h"
#include "patch/trap.h"
#include "process/early.h"
#include "process/environment.h"
#include "process/msan.h"
#include "recorder/record_options.h"
#include "recorder/recorder.h"
#include "rendezvous.h"
#include "report.h"
#include "ring/current.h"
#include "ring/hit.h"
#include "ring/storage.h"
#include "stock.h"
#include "subscribe/subscribe.h"

#include <errno.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

/* Whether `sdt record` has this process record for it, as the directory that it watches is not the
 * one that has this name here, or we may not write there. */
static bool is_handed_over(const char *directory)
{
    static bool is_asked, is_done;
    const char *gate = is_asked ? NULL : environment_value("SDT_RECORD_GATE");
    is_asked = true;
    if (gate && directory &&
        (storage_check_watched(directory) != 0 || access(directory, W_OK) != 0))
        is_done = attach_hand_over(gate) == 0 && recorder_current;
    return is_done;
}

/* The recorder that SDT_RECORD describes, made when the first entry of SDT_ENABLE wants it. NULL:
 * a tool has another one made. */
static int find_recorder(const struct leader_functions *leader, struct sdt_recorder **found)
{
    static int error;
    struct sdt_recorder *recorder = recorder_initial;
    struct sdt_record_options options;
    const char *directory = environment_value("SDT_RECORD");
    if (!recorder && !error && !is_handed_over(directory)) {
        error =
            !directory || !record_options_parse(environment_value("SDT_RECORD_OPTIONS"), &options)
                ? -EINVAL
                : leader->recording->create(directory, &options, &recorder);
        if (error)
            report_no_recorder(directory, error);
        else
            recorder_initial = recorder;
    }
    *found = recorder;
    return error;
}

static int enable_entry(const struct leader_functions *leader, const char *entry, size_t length)
{
    bool records;
    struct sdt_recorder *found = NULL;
    size_t pattern = environment_pattern_length(entry, length, &records);
    int error = !pattern ? -EINVAL : records ? find_recorder(leader, &found) : 0;
    if (error)
        return error;
    if (records && !found)
        return 1; /* the tool has asked for all of them */
    return records ? leader->subscribe_early(entry, pattern, recorder_hit, recorder_data(found))
                   : leader->subscribe_early(entry, pattern, SDT_COUNT, NULL);
}

/* All entries; how many are in force. */
static int enable_entries(const struct leader_functions *leader, const char *text, int *first_error)
{
    int n = 0;
    while (*text) {
        size_t length = strcspn(text, ";");
        int result = length ? enable_entry(leader, text, length) : 0;
        n += result > 0;
        if (result < 0 && *first_error == 0)
            *first_error = result;
        text += length + (text[length] == ';');
    }
    return n;
}

void leader_start(void)
{
    MSAN_LOOKS_AWAY;
    static atomic_bool has_led;
    const char *entries = environment_value("SDT_ENABLE");
    const char *attach = environment_value("SDT_ATTACH");
    int error = 0, n = 0;
    if (atomic_exchange(&has_led, true))
        return;
    if (environment_may_arm()) {
        trap_keep_for_good();
        trap_unblock(); /* whoever has started us may have left it blocked */
    }
    if (environment_wants_stock())
        stock_start();
    if (attach)
        attach_start_as(attach);
    if (entries)
        n = enable_entries(&leader_functions, entries, &error);
    if (recorder_initial)
        report_recording();
    if (environment_debugs())
        report_start(entries, n, error);
}

void startup_begin(void)
{
    static SDT_EARLY atomic_bool has_begun;
    const struct leader_functions *leader;
    if (atomic_exchange(&has_begun, true))
        return;
    bool is_wanted = environment_value("SDT_ENABLE") || environment_value("SDT_ATTACH") ||
                     environment_debugs() || environment_wants_stock();
    if (is_wanted && rendezvous(&leader) == 0)
        leader->start();
}

__attribute__((constructor(101))) static void start(void)
{
    MSAN_LOOKS_AWAY;
    startup_begin();
}
