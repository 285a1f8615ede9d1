/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Subscriptions of the recorder with a condition: it decides in the hit whether the event is
 * recorded, or whether a snapshot is taken. The code that decides belongs to bytecode/, and knows
 * nothing of rings.
 */
#ifndef SDT_RECORDER_CONDITIONAL_H
#define SDT_RECORDER_CONDITIONAL_H

#include "hit.h"

struct conditional;
/* Calls conditional->then(EVENT, CONDITIONAL, NS) if the condition holds, instead of returning an
 * answer: so a condition that does not hold returns at once. NS is how long a latency took; 0: it
 * is none. */
typedef void conditional_decision(const struct sdt_event *event,
                                  const struct conditional *conditional);
typedef void conditional_action(const struct sdt_event *event,
                                const struct conditional *conditional, uint64_t ns);

struct conditional {
    conditional_decision *decide;
    conditional_action *then;
    const void *condition;
    const struct rings *rings;
};

/* CONDITIONAL for RINGS: all hits record; or, with IS_TRIGGER, ask for a snapshot. */
void conditional_make(struct conditional *conditional, const struct rings *rings, bool is_trigger);

/* Handlers, of general registers only, that do the same; DATA is a struct conditional. That of a
 * trigger belongs after whatever records the probe: the event itself is part of the snapshot. */
void conditional_hit(const struct sdt_event *event, void *data);
void conditional_trigger(const struct sdt_event *event, void *data);

/* As conditional_hit(); whether the condition held. */
bool conditional_record(const struct sdt_event *event, const struct conditional *conditional);

/* Whether HANDLER records. */
static inline bool conditional_records(sdt_handler *handler)
{
    return handler == recorder_hit || handler == conditional_hit;
}

/* Have the contents of RINGS written to disk because of EVENT, a latency of NS or 0, unless a
 * flight recorder waits for that already (snapshot.h). Async-signal-safe; errno is changed. */
void conditional_snapshot(const struct rings *rings, const struct sdt_event *event, uint64_t ns);

#endif
