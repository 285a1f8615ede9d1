/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Subscriptions of the recorder with a condition: it decides in the hit whether the event is
 * recorded, or whether a snapshot is taken. The code that decides belongs to bytecode/, and knows
 * nothing of rings.
 */
#ifndef SDT_RECORDER_CHOSEN_H
#define SDT_RECORDER_CHOSEN_H

#include "hit.h"

struct chosen;
/* Calls chosen->then(EVENT, CHOSEN, NS) if the condition holds, instead of returning an answer: so
 * a condition that does not hold returns at once. NS is how long a latency took; 0: it is none. */
typedef void chosen_condition(const struct sdt_event *event, const struct chosen *chosen);
typedef void chosen_action(const struct sdt_event *event, const struct chosen *chosen, uint64_t ns);

struct chosen {
    chosen_condition *look;
    chosen_action *then;
    const void *condition;
    const struct rings *rings;
};

/* CHOSEN for RINGS: all hits record; or, with IS_TRIGGER, ask for a snapshot. */
void chosen_make(struct chosen *chosen, const struct rings *rings, bool is_trigger);

/* Handlers, of general registers only, that do the same; DATA is a struct chosen. That of a trigger
 * belongs after whatever records the probe: the event itself is part of the snapshot. */
void chosen_hit(const struct sdt_event *event, void *data);
void chosen_trigger(const struct sdt_event *event, void *data);

/* As chosen_hit(); whether the hit was chosen. */
bool chosen_record(const struct sdt_event *event, const struct chosen *chosen);

/* Whether HANDLER records. */
static inline bool chosen_records(sdt_handler *handler)
{
    return handler == recorder_hit || handler == chosen_hit;
}

/* Have the contents of RINGS written to disk because of EVENT, a latency of NS or 0, unless a
 * flight recorder waits for that already (snapshot.h). Async-signal-safe; errno is changed. */
void chosen_snapshot(const struct rings *rings, const struct sdt_event *event, uint64_t ns);

#endif
