/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Calls of functions in traced processes, as they add to tables of LIVE_CALLS (exchange/table.h):
 * asking for them, and reading them as one tree.
 */
#ifndef SDT_TREE_CALLS_H
#define SDT_TREE_CALLS_H

#include "graph/nodes.h"
#include "measure/measure_table.h"
#include "target/target.h"

enum { CALLS_PATHS = 1 << 14 }; /* usually */

struct calls_request {
    const char *pattern; /* of the entries where a tree may begin; NULL: anywhere */
    unsigned depth;      /* up to LIVE_MAX_DEPTH */
    uint32_t paths;      /* for which there is room */
};

/* What is in no node. */
struct calls_lost {
    uint64_t roomless;   /* calls for whose path there was no room */
    uint64_t threadless; /* hits of threads for which there was none */
    uint64_t unreturned; /* calls that ended by an exception or longjmp() */
    uint64_t deeper;     /* calls below the depth */
};

struct calls_process; /* one that was asked */
struct calls {
    struct calls_request request;
    struct target *target;
    struct calls_process *processes;
    size_t count;
};

/*
 * The words of a command line that name functions, as PATTERN, the caller's, and as what a request
 * says, *WANTED. A status, after a message of COMMAND.
 */
int calls_pattern(const char *command, char **words, char **pattern, const char **wanted);

/* Ask. A status, after a message if it is not 0. */
int calls_begin(struct calls *calls, struct target *target, const struct calls_request *request);
/* Ask new processes, and for what was loaded since. The same. */
int calls_look(struct calls *calls);
/* All processes as one, until now; WHOLE is the caller's to free. */
void calls_read(const struct calls *calls, struct tree_node *whole, struct calls_lost *lost);
/* Whether any process has been asked: one that has such functions. */
bool calls_were_asked(const struct calls *calls);
/* End the requests that are in force. */
void calls_end(struct calls *calls);
void calls_free(struct calls *calls);

#endif
