/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A recording as a tree of calls (graph/nodes.h), as `sdt tree` counts it in a process: calls of
 * functions, and slices of other pairs (pairs.h), below what their thread was in when they began.
 *
 * A slice that ends after the one that it began in is outermost, and so is one of a pair that has
 * an expression, which belongs to no thread. Which ones end too late is known at their ends only;
 * so the recording is read twice. Memory grows with paths, up to a limit, with what is open, and
 * by a bit for each event.
 */
#ifndef SDT_CALL_TREE_H
#define SDT_CALL_TREE_H

#include "event_set.h"
#include "graph/nodes.h"
#include "pairing.h"
#include "tracks.h"

enum { CALL_TREE_PATHS = 1 << 16 };

struct call_tree_request {
    const char *roots; /* where trees begin: functions or names of slices, globs, with commas
                          between them; NULL: anywhere */
    unsigned depth;    /* up to LIVE_MAX_DEPTH; 0: that */
    bool by_thread;    /* outermost are threads */
};

/* What is in no number, or not where it belongs. */
struct call_tree_lost {
    uint64_t roomless;  /* beyond so many paths */
    uint64_t deeper;    /* below the depth */
    uint64_t endless;   /* what they were in has ended, or another call has their frame */
    uint64_t open;      /* at the end of the recording */
    uint64_t beginless; /* ends of what began before the recording, or is lost */
    uint64_t late;      /* outermost, since they ended after what they were in */
};

struct call_tree {
    struct call_tree_request asked;
    const struct pairs *pairs;
    struct tree_node whole;
    size_t paths;
    struct call_tree_lost lost;
    struct event_set late; /* these begin a slice that ends too late */
    struct tracks numbers; /* of threads: places in */
    struct call_thread *threads;
    size_t thread_capacity;
    signed char **roots; /* of each trace and class: 1, it is a root; 0, not known yet; -1 */
    size_t trace_count;
};

void call_tree_start(struct call_tree *tree, const struct call_tree_request *asked,
                     const struct pairs *pairs);
/* The first pass over EVENT, which has that NUMBER. */
void call_tree_look(struct call_tree *tree, const struct event *event, const struct paired *paired,
                    uint64_t number);
/* Before the second. */
void call_tree_again(struct call_tree *tree);
void call_tree_take(struct call_tree *tree, const struct event *event, const struct paired *paired,
                    uint64_t number);
/* After it: WHOLE is sorted, and LOST is complete. */
void call_tree_end(struct call_tree *tree);
void call_tree_free(struct call_tree *tree);

/* What LOST says, as texts: how many. They are the caller's. */
enum { CALL_TREE_NOTES = 6 };
size_t call_tree_notes(const struct call_tree *tree, char *notes[CALL_TREE_NOTES]);

#endif
