/* SPDX-License-Identifier: BSD-2-Clause */
/* How snapshots are shown beside events, and as a table. */
#ifndef SDT_SNAPSHOT_TEXT_H
#define SDT_SNAPSHOT_TEXT_H

#include "snapshots.h"

/* EVENT has that NUMBER: if a snapshot begins or ends with it, keep what it is as text. Returns the
 * snapshot; NULL: there is none. */
struct snapshot *snapshot_text_keep(struct snapshots *snapshots, const struct event *event,
                                    uint64_t number);
/* Append a line for below event NUMBER, which SNAPSHOT begins or ends with. */
void snapshot_text_append(struct bytes *to, const struct snapshot *snapshot, uint64_t number);
/* Append the same as a member of the event's object. */
void snapshot_text_json(struct bytes *to, const struct snapshot *snapshot, uint64_t number);
/* Print a row for each, of those after the first MOST only their number. */
void snapshot_text_table(const struct snapshots *snapshots, size_t most);

/* sdt record: the snapshots in DIRECTORY, on standard error. Nothing is said if it cannot be read.
 */
void snapshot_text_tell(const char *directory);

#endif
