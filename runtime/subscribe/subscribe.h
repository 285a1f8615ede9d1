/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Subscriptions: which handler wants which sites.
 *
 * Everything returns 0 or more, or -errno, and takes the lock by itself.
 */
#ifndef SDT_SUBSCRIBE_H
#define SDT_SUBSCRIBE_H

#include <sdt/runtime.h>
#include <stdbool.h>

struct sdt_dso;
struct tool_hooks; /* forks.h */

/* What a subscription needs to succeed. */
enum subscribe_when {
    SUBSCRIBE_NOW,     /* a site that is armed */
    SUBSCRIBE_PENDING, /* the same, or no site that matches */
    SUBSCRIBE_ANYHOW   /* nothing; for SDT_ENABLE, which is read only once */
};

/*
 * Added to the mode. The handler is one of ours that is compiled for general registers only:
 * SDT_GENERAL_REGS, also where that is 0, since programs cannot be made to keep the promise there.
 */
#define SUBSCRIBE_GENERAL_REGS 0x200
/* For a tool attached to this process (control/); not for its children. */
#define SUBSCRIBE_FOR_TOOL 0x400

/* Whether these are arguments of sdt_enable_mode(), and what its mode needs to succeed. */
static inline bool subscribe_accepts(const char *pattern, sdt_handler *handler, int mode)
{
    int how = mode & ~(SDT_PENDING | SDT_GENERAL_REGS);
    return pattern && handler && how >= SDT_MODE_AUTO && how <= SDT_MODE_JUMP;
}

static inline enum subscribe_when subscribe_needs(int mode)
{
    return mode & SDT_PENDING ? SUBSCRIBE_PENDING : SUBSCRIBE_NOW;
}

/* > 0: the id. */
int subscribe(const char *text, size_t length, sdt_handler *handler, void *data, int mode,
              enum subscribe_when when);
int unsubscribe(int id);
/* Take the lock, and index every object. 0, then lock_release() follows; or an error, unlocked. */
int subscribe_begin(void);

/* Tools may attach to this process from now on: have forks handled before the first use, HOOKS
 * called, and hits counted where tools see it. 0 or an error. */
int subscribe_prepare(const struct tool_hooks *hooks);
/* End all subscriptions made for tools, except for those that IS_KEPT. In the child of a fork. */
void subscribe_end_tools(bool (*is_kept)(int id));

/* DSO has come: it is put on a list (objects.h), and indexed at once only if subscriptions are in
 * force or it is a companion. */
void subscribe_object_came(struct sdt_dso *dso);
/* DSO is about to be unmapped: disarm its sites, and forget it. */
void subscribe_object_left(struct sdt_dso *dso);
/* Wait for a grace period, and free what has become garbage: also what was kept of objects that
 * have left. Else the end of a subscription does that. Not in a handler. */
void subscribe_collect(void);
/* Index what is on the list, and cover it by the subscriptions in force. */
void subscribe_index_now(void);
/* What subscribe_index_now() does, for a caller that holds the lock. */
void subscribe_index(void);

#endif
