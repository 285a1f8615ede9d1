/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * An attachable process: finding it, opening its page, sending requests (docs/live.md).
 *
 * Everything read from the process is copied, then checked: the process may be hostile.
 */
#ifndef SDT_ATTACH_H
#define SDT_ATTACH_H

#include "process_name.h"

#include <exchange/page.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* A process with a control page; all zero but for the descriptors: none. */
struct attached {
    pid_t pid;
    int process;     /* a pidfd: readable when it has ended */
    unsigned number; /* of the page's descriptor, there */
    uint64_t inode;
    dev_t device;
    char name[PROCESS_NAME];
    struct live_page *page;
    int file;            /* the page's; -1: none */
    unsigned place;      /* of our session */
    uint64_t generation; /* of the page, when the target's command last checked */
    bool has_loaded;     /* since then, and may wait for target_go(), without a gate */
    bool is_late; /* it came while others were watched, and may have only just begun, or end at
                     any moment: that is no error */
    uint64_t session;
    int patience; /* ms that it may take to answer; 0: as usual */
    struct function_choice *choices; /* function_patterns.h */
    struct near_miss {
        char *pattern, *best; /* that matched nothing, and what may be meant, or "" */
        uint64_t generation;  /* of the page */
    } near;                   /* the last: there is no process to ask when a command says so */
};

/* Why a process has no page for us: values of attach_open(). */
enum {
    ATTACH_NONE = -1,    /* it has none: it is not attachable */
    ATTACH_DENIED = -2,  /* it is another user's, or not dumpable */
    ATTACH_GONE = -3,    /* no such process */
    ATTACH_VERSION = -4, /* of another version than this tool; name and page are there */
    ATTACH_WRONG = -5    /* what it has is not a control page */
};

/* ---- attach.c: its page. ---- */

/* Find and map the page of process PID. 0 or one of the above; no message. */
int attach_open(struct attached *to, pid_t pid);
/* Whether it has ended, or does within MS milliseconds, even if it has not been waited for. */
bool attach_ends_within(const struct attached *to, int ms);
static inline bool attach_has_ended(const struct attached *to)
{
    return attach_ends_within(to, 0);
}
/* Whether the process is still the one that was opened: it has not ended, nor become another
 * program. */
bool attach_is_there(const struct attached *to);
/* The same, or a child that it has forked continues what we have asked for (LIVE_FOLLOW). */
bool attach_is_followed(const struct attached *to);
/* Open file NUMBER of the process, which should be a memfd NAME with that INODE; HOW: O_RDONLY or
 * O_RDWR. */
int attach_file(const struct attached *to, int number, uint64_t inode, const char *name, int how);

/* ---- attach_session.c: a session with it, and what is asked in it. ---- */

/* Begin a session, once the process has started its thread; -1: a message was printed. Ended by
 * attach_leave() or attach_close(). */
int attach_begin(struct attached *to);
void attach_leave(struct attached *to);
/* End the session, and let go of the page. */
void attach_close(struct attached *to);
/* Tell the process that we live; at least once a second. False: it has ended the session. */
bool attach_beat(struct attached *to);
/* Let the process go on, which waits at the gate (docs/live.md). */
void attach_pass(struct attached *to);

/* What is asked, and the answer. */
struct attach_request {
    enum live_op op;
    uint32_t flags;
    uint64_t argument;
    const char *text; /* NULL: none */
    size_t length;    /* of the text, with its end; 0: as strlen() says */
    const void *program;
    size_t program_size;
    /* The answer. */
    int result;
    int file; /* a descriptor, to be closed; -1: none */
    char message[LIVE_MESSAGE];
};

/* Ask, and wait for the answer: 0, or -1 after a message: the process does not answer. */
int attach_send(struct attached *to, struct attach_request *request);

/* ---- attach_why.c: why not. ---- */

/* Report why attach_open() of PID had that RESULT; of ATTACH_VERSION, PROCESS is what it opened.
 * PROBLEM: errno of what the process itself could not do, if it has said so, else 0. Returns -1. */
int attach_explain(pid_t pid, int result, const struct attached *process, int problem);

/* ---- attach.c again: other processes. ---- */

/* Whether IS_WANTED is true of the inode of a control page that process PID has in its memory, its
 * descriptor open or not. */
bool attach_has_page(pid_t pid, bool (*is_wanted)(uint64_t inode, void *data), void *data);
/* Call VISIT for each process whose /proc/PID/fd can be read, until it returns something other than
 * 0. TO is closed afterwards. */
int attach_each(int (*visit)(struct attached *process, int result, void *data), void *data);

#endif
