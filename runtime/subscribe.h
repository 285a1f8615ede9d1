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

/* What it takes to be subscribed. */
enum subscribe_when {
    SUBSCRIBE_NOW,     /* a site that is armed */
    SUBSCRIBE_PENDING, /* the same, but if nothing matches, nothing has to */
    SUBSCRIBE_ANYHOW   /* nothing; the environment's, which is not asked again */
};

/* Added to the mode: for a tool that looks into this process (live/); not for its children. */
#define SUBSCRIBE_FOR_TOOL 0x400

/* > 0: the id. */
int subscribe(const char *text, size_t length, sdt_handler *handler, void *data, int mode,
              enum subscribe_when when);
int unsubscribe(int id);
/* Take the lock, with every object indexed; 0 or an error, without it. lock_release() follows. */
int subscribe_begin(void);

/* What a door for tools (live/) must be told; each without the lock, but for counters_go(). */
struct subscribe_door {
    void (*before_fork)(void);
    void (*after_fork_parent)(void);
    void (*after_fork_child)(void);
    void (*counters_go)(void); /* counters are about to be used again: what tools know is old */
};
/* Tools may look into this process: have forks handled before the first use, tell all in TOLD, and
 * count where they see it. 0 or an error. */
int subscribe_prepare(const struct subscribe_door *told);
/* End all subscriptions that were made for tools, but those that IS_KEPT. In the child of a fork.
 */
void subscribe_end_tools(bool (*is_kept)(int id));

/*
 * An object comes or goes. Coming, it is only put on a list, unless subscriptions are in force or
 * it is a companion.
 */
void subscribe_object(struct sdt_dso *dso);
void unsubscribe_object(struct sdt_dso *dso);
/* The same for one whose memory is not there any more, but for what DSO is in. Locked. Whether it
 * was indexed: then its annex is freed later. */
bool unsubscribe_gone(struct sdt_dso *dso);
/* Only put it on the list: no lock. And: look at the list now. */
void subscribe_push(struct sdt_dso *dso);
void subscribe_adopt(void);
/* The same, locked. */
void subscribe_index(void);
/* From now on LOOK is called, locked, before that: it pushes what has come without registering
 * itself, and removes what has gone. Locked. */
void subscribe_look_around(void (*look)(void));

#endif
