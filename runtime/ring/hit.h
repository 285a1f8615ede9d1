/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What happens when a probe that is recorded is hit.
 */
#ifndef SDT_RECORDER_HIT_H
#define SDT_RECORDER_HIT_H

#include "ring.h"

#include <process/context.h>
#include <sdt/runtime.h>
#include <site/field.h>

/* What a recipe has to record. */
enum recipe_way {
    WAY_REGISTERS, /* integers and the like that are in general registers */
    WAY_FIXED,     /* integers and the like only: all of one size */
    WAY_STRING,    /* beside these one text, */
    WAY_TEXT,      /* one with its length, */
    WAY_ARRAY,     /* or one array */
    WAY_ANY
};

/* How one site is recorded. Constant once it is published (site->recipe), and never freed. */
struct recipe {
    const struct site *site;
    const struct fetch *fetch; /* how its arguments are fetched */
    uint64_t class;            /* its number in the recording, where it is in the first word */
    uint8_t count;             /* arguments */
    uint8_t memory;            /* of these, the text or array, */
    uint8_t after;             /* and the first after it that is no part of it */
    uint8_t way;               /* enum recipe_way */
    uint16_t fixed;            /* place[count] */
    uint16_t place[SDT_MAX_ARGS + 1]; /* where they begin after two words, and the last ends */
    uint8_t from[SDT_MAX_ARGS];       /* WAY_REGISTERS: where they are in struct registers */
    uint8_t kind[SDT_MAX_ARGS];       /* enum field_kind */
    uint8_t size[SDT_MAX_ARGS];       /* bytes in the recording; 0: not always the same */
    uint8_t shift[SDT_MAX_ARGS];      /* of an array: its elements have 1 << so many bytes */
    uint8_t callers;                  /* that follow the arguments, at most; 0: none do */
    bool has_context;                 /* that of the thread is before the arguments, */
    uint16_t moved[CONTEXT_WORDS + SDT_MAX_ARGS + 1]; /* and these are the places of all */
    uint32_t generation;                              /* of the recorder whose it is */
};

enum { RECORD_MAX_TEXT = 1024 }; /* bytes of a string */

/* What hits need of the recorder. */
struct rings {
    /* For ring_record(): */
    char *first; /* ring */
    size_t stride;
    uint64_t mask;        /* of a position: its place in a ring */
    uint64_t packet_mask; /* its packet */
    uint64_t cpus;        /* 0: it does not serve these rings */

    const struct ring_file *file; /* NULL: nothing is being recorded */
    bool is_per_thread; /* a ring is a thread's, since there are no restartable sequences */
    uint32_t text;      /* most bytes of a string */
    const int *pid;     /* 0 in a forked child, until it is looked up */
    bool is_guarded;    /* fault_guard() */
    bool is_direct;     /* it is, and rings are of CPUs: text may be copied in the sequence */
    _Atomic bool is_on;
    bool is_tsc;
    uint32_t generation; /* recipes of others are of no recording, or of an earlier one */
};

/* At most MOST bytes at FROM, with IS_TEXT up to a NUL, to TO, which has room for 15 more. Returns
 * how many, or -1: they cannot be read. */
long hit_copy(const struct rings *rings, char *to, uintptr_t from, size_t most, bool is_text);

/* Handler, of general registers only; DATA is a struct rings. */
void recorder_hit(const struct sdt_event *event, void *data);

/* *CAUSE of a snapshot: EVENT, of a latency of NS or 0, asks for it at NOW. */
void recorder_cause(const struct rings *rings, const struct sdt_event *event, uint64_t now,
                    uint64_t ns, struct ring_cause *cause);

/*
 * The same as recorder_hit(), called by entry_record and by trampoline_record instead of
 * dispatch_event(), at probes that are only recorded. recorder_rings is the recorder's, or NULL.
 */
void recorder_dispatch(struct sdt_event *event);
void recorder_dispatch_call(struct sdt_event *event);
extern const struct rings *_Atomic recorder_rings;

/*
 * Record an event in one step, if it fits in the packet; in the machine's ring.S. COUNT words after
 * the first two of WORDS; CLASS is already shifted to its place in the first word, the second is
 * filled in. False: not done.
 */
bool ring_record(const struct rings *rings, const uint64_t *words, size_t count,
                 const uint16_t *places, uint64_t class);

/* The same for arguments that are in REGISTERS, at RECIPE's WAY_REGISTERS; SECOND is the second
 * word.
 */
struct registers;
bool ring_record_registers(const struct rings *rings, uint64_t second, const struct recipe *recipe,
                           const struct registers *registers);

/*
 * The same for an event with one text or array, which is copied in the same step: BYTES at FROM, or
 * up to a NUL. In RECIPE's places, it and its parts (length, element) take no room, and their words
 * are ignored. Whole words are loaded, as far as BYTES goes: they must be in a page that was found
 * to be readable. False also if the page cannot be read any more, or if a text is longer than BYTES
 * and, without IS_ALL, may have more. The second word is without a length.
 */
bool ring_record_array(const struct rings *rings, const uint64_t *words,
                       const struct recipe *recipe, uintptr_t from, size_t bytes, size_t length);
bool ring_record_text(const struct rings *rings, const uint64_t *words, const struct recipe *recipe,
                      uintptr_t from, size_t bytes, bool is_all);

/*
 * An event. Each word is stored where PLACES says, counted from after the first two; its excess
 * bytes are overwritten by the next word, those of the last one by zeros. A text is several words.
 */
struct ring_fields {
    uint64_t head, next, last;
    uint64_t *to;
    uint64_t count;         /* of words after the first two */
    const uint16_t *places; /* one more */
    uint64_t *words;
};

/*
 * In the machine's ring.S: if the head of RING is still the one that is passed, store everything.
 * False: not done; read the ring again. The first two functions store only if the thread stays on
 * CPU and is not interrupted.
 */
bool ring_commit_fields(struct ring *ring, const struct ring_fields *fields, unsigned cpu);
bool ring_commit(struct ring *ring, const struct ring_write *write, unsigned cpu);
bool ring_commit_fields_alone(struct ring *ring, const struct ring_fields *fields);
bool ring_commit_alone(struct ring *ring, const struct ring_write *write);

#endif
