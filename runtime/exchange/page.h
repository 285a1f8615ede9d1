/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The control page: how a tool sends requests to a running process. docs/live.md has it byte by
 * byte, and the protocol.
 *
 * It is a memfd of the traced process, found by the tool through /proc/PID/fd. Both sides write to
 * it, and neither trusts the other: everything is copied first, then checked. Sizes and places are
 * fixed, so nothing needs checking before the first load.
 */
#ifndef SDT_EXCHANGE_PAGE_H
#define SDT_EXCHANGE_PAGE_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#define LIVE_MAGIC UINT64_C(0x316576696c746473) /* "sdtlive1" */
#define LIVE_ABI 3
#define LIVE_PAGE_NAME "sdt-control" /* of the page's memfd */
#define LIVE_RESULT "sdt-result"     /* of one with an answer that is long */
#define LIVE_COUNTERS "sdt-counters" /* of one with words that hits are counted in */
#define LIVE_TABLES "sdt-table"      /* of one with a table (table.h) */
#define LIVE_RINGS "sdt-rings"       /* of one with the rings of a recording (ring/handed.h) */

enum {
    LIVE_SESSIONS = 8,
    LIVE_REQUESTS = 2 * LIVE_SESSIONS,
    LIVE_REQUEST_TEXT = 1024,    /* of a pattern or directory, with its end */
    LIVE_REQUEST_PROGRAM = 4096, /* bytes */
    LIVE_MESSAGE = 80
};

/* How long a session lasts after its tool has last changed `beat`, and how often tools do that. */
enum { LIVE_LEASE_MS = 1500, LIVE_BEAT_MS = 250 };

/* What a process says at its gate: that it has come, or with which errno it has no page. */
#define LIVE_GATE_READY 'r'
#define LIVE_GATE_FAILED 0x80

/* What live_page.state says. */
enum { LIVE_STARTING, LIVE_SERVING, LIVE_UNSERVED };

struct live_session {
    _Atomic uint64_t id;   /* random, set by compare and exchange; 0: free */
    _Atomic uint64_t beat; /* changes while the tool lives */
    uint32_t pid;          /* of the tool, as it sees itself */
    uint32_t reserved;
    char name[40]; /* of the tool */
};

/*
 * The states of a request. The tool makes FREE to POSTED, the process POSTED to RUNNING to DONE,
 * the tool DONE to FREE. The requests of place N of the sessions are 2N and 2N + 1, so that no two
 * tools ever want the same.
 */
enum { LIVE_FREE, LIVE_POSTED, LIVE_RUNNING, LIVE_DONE };

enum live_op {
    LIVE_LIST = 1,     /* text: a pattern. A descriptor: the sites that match, a line each */
    LIVE_ENABLE = 2,   /* text: a pattern. Without a program, count; with one (program.h), argument:
                          the table. Result: an id */
    LIVE_DISABLE = 3,  /* argument: the id */
    LIVE_TABLE = 4,    /* program: a struct live_table_spec. A descriptor; result: its number */
    LIVE_RECORD = 5,   /* text: directory, NUL, ':' and options, NUL, pattern, which may be empty.
                          Result: an id */
    LIVE_FLUSH = 6,    /* write what the recorder's rings have */
    LIVE_RESET = 7,    /* end everything of all sessions */
    LIVE_DETACH = 8,   /* end everything of this session */
    LIVE_EXTEND = 9,   /* to what LIVE_RECORD of this session records; text: pattern, NUL, number.
                          Result: an id */
    LIVE_DESCRIBE = 10 /* program: a part of a description of probes (sdt-describe(5)), argument:
                          where it begins there; for the next LIVE_RECORD with LIVE_HAND */
};

/* For LIVE_ENABLE: also if nothing matches yet. */
#define LIVE_PENDING 1u
/* … and: it stays when the session ends, until LIVE_DISABLE or LIVE_RESET. */
#define LIVE_BACKGROUND 2u

/* For LIVE_EXTEND: do not record, but take a snapshot. */
#define LIVE_SNAPSHOT 4u
/* For LIVE_ENABLE with a program or in the background, LIVE_RECORD and LIVE_EXTEND: children that
 * are forked later do the same, until that or the session ends. */
#define LIVE_FOLLOW 8u

/* For LIVE_RECORD: the directory is not to be used, the rings are handed over. A descriptor. */
#define LIVE_HAND 16u

struct live_request {
    _Atomic uint32_t state;
    uint32_t op;
    uint64_t session;
    uint64_t argument;
    uint32_t flags;
    uint32_t program_size;
    int32_t result;     /* 0 or more, or a negative error */
    int32_t descriptor; /* in the process; -1: none */
    uint64_t inode;     /* of the descriptor */
    char message[LIVE_MESSAGE];
    char text[LIVE_REQUEST_TEXT];
    unsigned char program[LIVE_REQUEST_PROGRAM];
};

struct live_page {
    uint64_t magic;
    uint32_t abi;
    uint32_t size;
    uint32_t pid; /* in its own namespace */
    _Atomic uint32_t state;
    uint64_t id;                 /* random */
    _Atomic uint64_t generation; /* changes when objects with probes come */
    _Atomic uint64_t freed;      /* … when they are gone, before counters are used again */
    _Atomic uint32_t bell;       /* a futex: changed and woken after a request was posted */
    _Atomic uint32_t enabled;    /* subscriptions in force that tools have asked for */
    char version[32];            /* of the library */
    _Atomic uint32_t passed;     /* a futex: changed and woken when a gate is opened */
    _Atomic uint32_t resets;     /* changes at LIVE_RESET: children that follow end as well */
    uint32_t problem;            /* errno: why it is not served; with LIVE_UNSERVED */
    char reserved[28];
    struct live_session sessions[LIVE_SESSIONS];
    char reserved_too[384];
    struct live_request requests[LIVE_REQUESTS];
};

_Static_assert(sizeof(struct live_session) == 64, "docs/live.md");
_Static_assert(offsetof(struct live_page, sessions) == 128, "docs/live.md");
_Static_assert(offsetof(struct live_page, requests) == 1024, "docs/live.md");
_Static_assert(sizeof(struct live_request) == 5248, "docs/live.md");

#endif
