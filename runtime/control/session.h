/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Sessions: which tools are attached, and what they have requested. Only the listener calls this,
 * except for the last functions.
 */
#ifndef SDT_CONTROL_SESSION_H
#define SDT_CONTROL_SESSION_H

#include "exchange/page.h"
#include "wanted.h"

#include <stdbool.h>

struct conditional;
struct live_aggregation;
struct sdt_recorder;

/* One thing that a session has asked for. */
struct session_item {
    struct session_item *next;
    uint64_t session;                     /* 0: in the background */
    int id;                               /* of the subscription; what the tool knows it by */
    struct live_aggregation *aggregation; /* its data, or NULL */
    struct sdt_recorder *recorder;        /* made for it, or NULL */
    bool follows;                         /* also in children that are forked later */
    struct wanted wanted;                 /* then */
    struct sdt_recorder *added_to;        /* it records into that one, which must outlive it */
    struct conditional *conditional;      /* its data then, or NULL */
};

/* Keep what SESSION has asked for. False: out of memory; it is the caller's then. */
bool session_keep(struct live_page *page, const struct session_item *item);
/* The recorder that SESSION has asked for, or any session; NULL: none. */
struct sdt_recorder *session_recorder(uint64_t session, bool is_any);
/* End what has number ID. 0, or an error. */
int session_end(struct live_page *page, int id);
/* End all of SESSION; of all sessions, if it is 0. How many. */
int session_end_all(struct live_page *page, uint64_t session);
/* End what belongs to sessions that are gone, or whose tools have not changed `beat`. Whether there
 * is anything to check again. */
bool session_check(struct live_page *page);

/*
 * In the child of a fork, before it has a page: what is not to be followed belongs to the parent.
 * The rest lasts as long as PAGE, the parent's, says. Returns whether the page must stay mapped for
 * that; it is unmapped when it is no longer needed.
 */
bool session_after_fork_child(struct live_page *page);
/* Whether anything was inherited from the parent, to be watched or given up. */
bool session_is_inherited(void);
/* Whether subscription ID has been asked for by a tool. */
bool session_has(int id);
/* End all that was followed, as its end could not be noticed. */
void session_end_followed(struct live_page *page);
/* Say in PAGE, which is new, how much there is. */
void session_publish(struct live_page *page);

#endif
