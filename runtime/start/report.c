/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See report.h. Which sites an entry of SDT_ENABLE matches is not known when the entry is read:
 * constructors of libraries run before those of the program, which registers its sites last. So the
 * report is made when the program has registered its sites; if it has none, before the first object
 * is removed, and at the latest when this library's destructors run.
 */
#define _GNU_SOURCE
#include "report.h"

#include "patch/stray.h"
#include "patch/trap.h"
#include "process/early.h"
#include "process/environment.h"
#include "process/msan.h"
#include "process/say.h"
#include "shared/suggest.h"
#include "site/record.h"
#include "stock.h"
#include "subscribe/inspect.h"

#include <errno.h>
#include <sdt/format.h>
#include <sdt/runtime.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>

enum { PATTERN_MAX = 512 }; /* longer ones are not reported */

static const char *unreported; /* the entries of SDT_ENABLE; written once, before main */
static SDT_EARLY atomic_bool is_waiting;

/* ---- What matches, and similar names. ---- */

struct tally {
    size_t sites, armed;
    int error; /* of the first site that is not armed */
};

static int count_site(const struct sdt_probe_info *site, void *data)
{
    struct tally *tally = data;
    if (*site->provider == '\0') /* a damaged record, which is visited whatever the pattern */
        return 0;
    tally->sites++;
    tally->armed += site->mode == SDT_MODE_TRAP || site->mode == SDT_MODE_JUMP;
    if (tally->error == 0 && site->mode == SDT_MODE_BLOCKED)
        tally->error = site->error;
    return 0;
}

static int offer_site(const struct sdt_probe_info *site, void *data)
{
    if (*site->provider)
        suggest_offer(data, site->provider, site->name);
    return 0;
}

static struct tally count_sites(const char *pattern)
{
    struct tally tally = {0, 0, 0};
    int error = inspect_foreach(pattern, count_site, &tally);
    if (error)
        tally.error = error;
    return tally;
}

struct strays {
    struct stray object[STRAY_MAX];
    size_t n;
};

/* An object with a registered site is not a stray: remove it. */
static int strike_out(const struct sdt_probe_info *site, void *data)
{
    struct strays *strays = data;
    uintptr_t pc = (uintptr_t)site->pc;
    for (size_t i = 0; i < strays->n; i++)
        if (pc >= strays->object[i].low && pc < strays->object[i].high)
            strays->object[i].high = 0;
    return 0;
}

static void report_strays(void)
{
    struct strays strays;
    strays.n = stray_candidates(strays.object);
    inspect_foreach("*", strike_out, &strays);
    for (size_t i = 0; i < strays.n; i++)
        if (strays.object[i].high)
            say("%s has probes, but has not registered them: its constructors have not run yet "
                "(SDT_PENDING waits for them), or it does not find this libsdt (link libsdt.so, or "
                "export __sdt_register and __sdt_unregister)",
                *strays.object[i].name ? strays.object[i].name : "the program");
}

/* Suggest a probe for PATTERN, which has no commas. WHO asked for it. */
static void explain_one(const char *who, const char *pattern)
{
    struct suggestion suggestion;
    suggest_begin(&suggestion, pattern, strlen(pattern));
    inspect_foreach("*", offer_site, &suggestion);
    if (*suggestion.best)
        say("%s: %s: no site matches; did you mean %s?", who, pattern, suggestion.best);
    else if (count_sites("*").sites)
        say("%s: %s: no site matches", who, pattern);
    else
        say("%s: %s: no site matches; no probes are registered with this runtime", who, pattern);
}

/* The same for each alternative of PATTERN that matches nothing. */
static void explain(const char *who, const char *pattern)
{
    char one[PATTERN_MAX];
    for (const char *next = pattern; *next;) {
        size_t length = strcspn(next, ",");
        if (length < sizeof one) {
            memcpy(one, next, length);
            one[length] = '\0';
            struct tally tally = count_sites(one);
            if (tally.sites == 0 && tally.error == 0)
                explain_one(who, one);
        }
        next += length + (next[length] == ',');
    }
}

void report_no_match(const char *pattern)
{
    if (!environment_debugs())
        return;
    explain("sdt_enable", pattern);
    report_strays();
}

/* ---- SDT_ENABLE. ---- */

static void report_entry(const char *entry, size_t length)
{
    char pattern[PATTERN_MAX];
    size_t pattern_length = environment_pattern_length(entry, length, NULL);
    if (pattern_length == 0 || pattern_length >= sizeof pattern) {
        say("SDT_ENABLE: %.*s: expected PATTERN=count or PATTERN=record", (int)length, entry);
        return;
    }
    memcpy(pattern, entry, pattern_length);
    pattern[pattern_length] = '\0';
    struct tally tally = count_sites(pattern);
    if (tally.sites && tally.error)
        say("SDT_ENABLE: %s: %zu armed of %zu that match, first error: %s", pattern, tally.armed,
            tally.sites, sdt_strerror(tally.error));
    else if (tally.sites)
        say("SDT_ENABLE: %s: %zu armed of %zu that match", pattern, tally.armed, tally.sites);
    else if (tally.error)
        say("SDT_ENABLE: %s: %s", pattern, sdt_strerror(tally.error));
    explain("SDT_ENABLE", pattern);
    if (tally.sites == 0 && tally.error == 0)
        report_strays();
}

void report_last_chance(void)
{
    if (!atomic_exchange(&is_waiting, false))
        return;
    for (const char *next = unreported; *next;) {
        size_t length = strcspn(next, ";");
        if (length)
            report_entry(next, length);
        next += length + (next[length] == ';');
    }
}

static int is_inside(const struct sdt_probe_info *site, void *data)
{
    return image_holds(data, (uintptr_t)site->pc, 1);
}

/* Whether the program has registered sites of its own. */
static bool program_is_there(void)
{
    struct image image = {0};
    if (image_find((const void *)getauxval(AT_ENTRY), &image) != 0)
        return false;
    bool is_there = inspect_foreach("*", is_inside, &image) > 0;
    image_free(&image);
    return is_there;
}

void report_start(const char *entries, int n, int error)
{
    if (environment_wants_stock()) {
        struct stock_tally tally = stock_tally();
        say("SDT_STOCK: %zu sites of %zu objects that sdtlink has not processed; %zu notes skipped",
            tally.sites, tally.objects, tally.skipped);
    }
    if (error)
        say("SDT_ENABLE: %d in force, first error: %s", n, sdt_strerror(error));
    else
        say("SDT_ENABLE: %d in force", n);
    if (!entries || environment_forbids())
        return;
    unreported = entries;
    atomic_store(&is_waiting, true);
    report_object();
}

static SDT_EARLY atomic_bool is_recording;

static void report_blocker(void)
{
    int thread = atomic_load(&is_recording) ? trap_take_blocker() : 0;
    if (thread)
        say("probes that need a breakpoint are not recorded: thread %d blocks SIGTRAP", thread);
}

void report_recording(void)
{
    atomic_store(&is_recording, true);
    report_blocker();
}

void report_refused(const struct sdt_dso *dso)
{
    static const struct sdt_dso *last; /* objects register twice */
    if (!environment_debugs() || !dso || dso->magic != SDT_FORMAT_MAGIC || dso == last ||
        (dso->version >= SDT_FORMAT_OLDEST && dso->version <= SDT_FORMAT_VERSION))
        return;
    last = dso;
    struct image image = {0};
    bool is_found = image_find(dso, &image) == 0;
    say("%s has probes of format %u, and this libsdt reads %u: %s",
        is_found && *image.path ? image.path : "the program", dso->version, SDT_FORMAT_VERSION,
        dso->version > SDT_FORMAT_VERSION ? "use the libsdt of the sdtlink that linked it"
                                          : "link it again with the sdtlink of this libsdt");
    if (is_found)
        image_free(&image);
}

void report_object(void)
{
    report_blocker();
    if (atomic_load(&is_waiting) && program_is_there())
        report_last_chance();
}

__attribute__((destructor)) static void report_end(void)
{
    MSAN_LOOKS_AWAY;
    report_last_chance();
}

static const char *record_problem(const char *directory, int error)
{
    if (!directory)
        return "SDT_RECORD is not set: the directory to record into";
    switch (-error) {
    case EINVAL:
        return "SDT_RECORD_OPTIONS is not [flight][,thread][,ring=SIZE][,packet=SIZE][,text=SIZE]"
               "[,describe=FILE]";
    case EBADMSG:
        return "the file that describes probes cannot be read or has an error: "
               "sdtlink list --describe=FILE says where";
    case EEXIST:
        return "it exists and is not a recording: name another directory";
    case ENOTSUP:
        return "libsdt for this machine has no recorder; SDT_ENABLE=PATTERN=count works";
    case ENOSPC:
        return "no room for the rings in /dev/shm and there: SDT_RECORD_OPTIONS=ring=SIZE takes "
               "less";
    default:
        return strerror(-error);
    }
}

void report_no_recorder(const char *directory, int error)
{
    say("nothing is recorded: %s%s%s", directory ? directory : "", directory ? ": " : "",
        record_problem(directory, error));
}
