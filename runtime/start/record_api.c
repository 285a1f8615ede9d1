/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The functions of <sdt/record.h>: arguments checked, work passed on to the copy of this library
 * that is in charge of the process (rendezvous.h).
 */
#include "prepare.h"
#include "process/msan.h"
#include "recorder/recorder.h"
#include "rendezvous.h"

#include <errno.h>

/* What does the work, if the arguments ARE_RIGHT. 0 or an error. */
static int find(bool are_right, const struct recording **recording)
{
    const struct leader_functions *leader;
    int error = rendezvous(&leader);
    if (!error)
        *recording = leader->recording;
    return are_right ? error : -EINVAL;
}

int sdt_record_create(const char *directory, const struct sdt_record_options *options,
                      struct sdt_recorder **recorder)
{
    MSAN_LOOKS_AWAY;
    const struct recording *recording;
    prepare_to_enable();
    bool is_right =
        directory && *directory && recorder && (!options || options->size >= sizeof options->size);
    int error = find(is_right, &recording);
    if (is_right)
        msan_knows(recorder, sizeof *recorder);
    return error ? error : recording->create(directory, options, recorder);
}

int sdt_record_add(struct sdt_recorder *recorder, const char *pattern)
{
    MSAN_LOOKS_AWAY;
    const struct recording *recording;
    int error = find(recorder && pattern, &recording);
    return error ? error : recording->add(recorder, pattern);
}

int sdt_snapshot_when(struct sdt_recorder *recorder, const char *pattern, const char *condition)
{
    MSAN_LOOKS_AWAY;
    const struct recording *recording;
    int error = find(recorder && pattern && condition, &recording);
    return error ? error : recording->when(recorder, pattern, condition);
}

static int switch_on(struct sdt_recorder *recorder, int on)
{
    MSAN_LOOKS_AWAY;
    const struct recording *recording;
    int error = find(recorder, &recording);
    return error ? error : recording->switch_on(recorder, on);
}

int sdt_record_start(struct sdt_recorder *recorder)
{
    return switch_on(recorder, 1);
}

int sdt_record_stop(struct sdt_recorder *recorder)
{
    return switch_on(recorder, 0);
}

int sdt_record_flush(struct sdt_recorder *recorder)
{
    MSAN_LOOKS_AWAY;
    const struct recording *recording;
    int error = find(recorder, &recording);
    return error ? error : recording->flush(recorder);
}

int sdt_record_stats(const struct sdt_recorder *recorder, struct sdt_record_stats *stats)
{
    MSAN_LOOKS_AWAY;
    const struct recording *recording;
    bool is_right = recorder && stats && stats->size >= sizeof stats->size;
    int error = find(is_right, &recording);
    if (is_right)
        msan_knows(stats, stats->size);
    return error ? error : recording->stats(recorder, stats);
}

int sdt_record_destroy(struct sdt_recorder *recorder)
{
    MSAN_LOOKS_AWAY;
    const struct recording *recording;
    int error = find(recorder, &recording);
    return error ? error : recording->destroy(recorder);
}
