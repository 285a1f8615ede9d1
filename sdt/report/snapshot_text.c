/* SPDX-License-Identifier: BSD-2-Clause */
/* See snapshot_text.h. */
#include "snapshot_text.h"

#include "base/json.h"
#include "print/text.h"
#include "trace/annotate.h"
#include "trace/debug_info.h"
#include "trace/recording.h"
#include "trace/value_text.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

struct snapshot *snapshot_text_keep(struct snapshots *snapshots, const struct event *event,
                                    uint64_t number)
{
    struct snapshot *one = snapshots_at(snapshots, number);
    struct bytes text = {0};
    if (!one)
        return NULL;
    char **place = &one->arguments[number == one->end];
    event_append(&text, event);
    free(*place);
    *place = bytes_take_text(&text);
    return one;
}

static bool is_end(const struct snapshot *snapshot, uint64_t number)
{
    return number == snapshot->end;
}

void snapshot_text_append(struct bytes *to, const struct snapshot *snapshot, uint64_t number)
{
    text_append(to, "  ^ snapshot ");
    text_natural(to, snapshot->number);
    if (!is_end(snapshot, number)) {
        text_append(to, " begins");
    } else if (snapshot->ns) {
        text_append(to, ": ");
        text_latency(to, (double)snapshot->ns);
        text_append(to, " since ");
        text_append(to, snapshot->arguments[0] ? snapshot->arguments[0]
                                               : "a begin that is not in the recording");
    }
    text_char(to, '\n');
}

void snapshot_text_json(struct bytes *to, const struct snapshot *snapshot, uint64_t number)
{
    json_open(to, "snapshot", '{');
    json_natural(to, "number", snapshot->number);
    json_string(to, "is", is_end(snapshot, number) ? "end" : "begin");
    if (snapshot->ns)
        json_natural(to, "latency", snapshot->ns);
    json_close(to, '}');
}

/* Latency, when, whose, and both of its events. */
static void append_row(struct bytes *to, const struct snapshot *one)
{
    const char *separator = "  ";
    if (one->ns) {
        text_append(to, "  ");
        text_latency(to, (double)one->ns);
    }
    text_append(to, one->ns ? "  until " : "  at ");
    text_time(to, one->time);
    text_append(to, "  thread ");
    if (one->begin != SNAPSHOT_NO_EVENT && one->begin_tid != one->tid) {
        text_natural(to, one->begin_tid);
        text_append(to, " to ");
    }
    text_natural(to, one->tid);
    text_char(to, '\n');
    for (size_t i = 0; i < 2; i++)
        if (one->arguments[i]) {
            text_append(to, separator);
            text_append(to, "  ");
            text_append(to, one->arguments[i]);
            text_char(to, '\n');
        }
    if (!one->arguments[1])
        text_append(to, "    its event was lost\n");
}

static void append_all(struct bytes *to, const struct snapshots *snapshots, size_t most)
{
    for (size_t i = 0; i < snapshots->count && i < most; i++) {
        const struct snapshot *one = snapshots->by_time[i];
        text_append(to, "snapshot ");
        text_natural(to, one->number);
        append_row(to, one);
    }
    if (snapshots->count > most) {
        text_natural(to, snapshots->count - most);
        text_append(to, " more snapshots: sdt report --summary\n");
    }
}

void snapshot_text_table(const struct snapshots *snapshots, size_t most)
{
    struct bytes text = {0};
    append_all(&text, snapshots, most);
    if (text.size)
        fwrite(text.data, 1, text.size, stdout);
    bytes_free(&text);
}

/* ---- After recording. ---- */

static void tell(struct recording *recording, struct pairs *pairs)
{
    enum { MOST = 10 };
    struct snapshots snapshots = {.count = 0};
    struct bytes text = {0};
    snapshots_find(&snapshots, recording, pairs, NULL);
    if (snapshots.count) {
        struct merge merge;
        struct event event;
        merge_start(&merge, recording);
        for (uint64_t number = 0; merge_next(&merge, &event); number++)
            snapshot_text_keep(&snapshots, &event, number);
        merge_end(&merge);
        append_all(&text, &snapshots, MOST);
        fwrite(text.data, 1, text.size, stderr);
        bytes_free(&text);
    }
    snapshots_free(&snapshots);
}

void snapshot_text_tell(const char *directory)
{
    struct recording recording;
    struct pairs pairs = {.count = 0};
    if (recording_follow(&recording, directory) == 0 && debug_info_annotate(&recording) == 0 &&
        pairs_resolve(&pairs, &recording) == 0)
        tell(&recording, &pairs);
    pairs_free(&pairs);
    recording_close(&recording);
}
