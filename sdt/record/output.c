/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See output.h. As long as we hold the lock of the directory, programs leave their rings to us, and
 * we write the files, also for the last program that ends.
 */
#include "output.h"

#include "base/diag.h"
#include "base/memory.h"
#include "clock_note.h"
#include "report/snapshot_text.h"
#include "trace/machines.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { LATE_LOOKS = 5 };
/* What takes more than some seconds to read again, is left to sdt report. */
#define MAX_TOLD ((uint64_t)1 << 30)

int record_make_output(struct record *record)
{
    record->made_output = access(record->output, F_OK) != 0;
    int directory = storage_recording(record->output);
    if (directory == -EEXIST)
        return diag_error("%s exists and is not a recording: name another directory with -o",
                          record->output);
    if (directory < 0)
        return diag_error("%s: %s", record->output, strerror(-directory));
    record->watch.path = record->output;
    record->watch.directory = directory;
    int error = storage_watch(directory, &record->lock);
    return error ? diag_error("%s: %s", record->output, strerror(-error)) : 0;
}

/* Nothing came into it: as if it had not been made. */
void record_remove_output(const struct record *record)
{
    if (record->made_clock)
        unlinkat(record->watch.directory, CLOCK_FILE, 0);
    if (!record->made_output)
        return;
    unlinkat(record->watch.directory, ".sdt-recording", 0);
    if (rmdir(record->output) == 0)
        return;
    /* A process that the program started and that outlives it has begun to record meanwhile. */
    int mark =
        openat(record->watch.directory, ".sdt-recording", O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
    if (mark >= 0)
        close(mark);
}

/*
 * A program that ends while we hold the lock leaves its rings to us; it may have done so after our
 * last pass. One that ends from now on writes them itself.
 */
void record_watch_late(struct record *record)
{
    const struct timespec pause = {.tv_nsec = RECORD_PAUSE};
    clock_note(record->watch.directory);
    close(record->lock);
    record->lock = -1;
    for (int i = 0; i < LATE_LOOKS && watch_look(&record->watch) >= 0; i++) {
        watch_drain(&record->watch);
        if (!record->watch.first)
            break;
        nanosleep(&pause, NULL);
    }
}

static char *size_text(uint64_t bytes)
{
    static const char *const units[] = {"bytes", "KiB", "MiB", "GiB", "TiB"};
    double size = (double)bytes;
    unsigned unit = 0;
    for (; size >= 1024 && unit < 4; unit++)
        size /= 1024;
    return memory_format(unit ? "%.1f %s" : "%.0f %s", size, units[unit]);
}

/* With snapshots, what comes while one is written is lost as a rule, and rarely what is wanted. */
static void warn_of_losses(const struct record *record)
{
    static const char remedy[] =
        "--ring=SIZE, such as 64M, makes more room on each CPU; a pattern or a predicate records "
        "less";
    const struct watch *watch = &record->watch;
    if (!watch->lost || record->has_when)
        return;
    char *problem = memory_format("%llu of %llu events were lost: there was no room in the rings",
                                  (unsigned long long)watch->lost,
                                  (unsigned long long)(watch->events + watch->lost));
    diag_warn(&(struct diag_place){.file = record->output}, problem, remedy);
    free(problem);
}

void record_summarize(const struct record *record)
{
    const struct watch *watch = &record->watch;
    char *size = size_text(watch->bytes);
    char *snapshots = record->has_when
                          ? memory_format(", %llu snapshot%s", (unsigned long long)watch->snapshots,
                                          watch->snapshots == 1 ? "" : "s")
                          : memory_format("%s", "");
    if (record->has_when && watch->snapshots && watch->bytes <= MAX_TOLD)
        snapshot_text_tell(record->output);
    if (watch->traces || record->target.who || record->target.command)
        fprintf(stderr, "sdt: %s: %llu event%s, %llu lost, %s%s\n", record->output,
                (unsigned long long)watch->events, watch->events == 1 ? "" : "s",
                (unsigned long long)watch->lost, size, snapshots);
    else
        diag_error("%s recorded nothing: it has no probes, or not the library libsdt; see "
                   "'sdtlink list %s'",
                   record->command[0], record->command[0]);
    warn_of_losses(record);
    bool may_be_child = record->target.command && !record->target.follows;
    if (watch->traces && !watch->events && !watch->lost)
        diag_warn(&(struct diag_place){.file = record->output}, "no matching probe was hit",
                  may_be_child ? "if the command starts the program that has the probe: --follow"
                               : "with SDT_DEBUG=1, the program says what each pattern matches");
    free(snapshots);
    free(size);
}
