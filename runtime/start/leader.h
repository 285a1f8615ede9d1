/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What the copy of this library that is in charge (rendezvous.h) does for all copies in the
 * process.
 */
#ifndef SDT_LEADER_H
#define SDT_LEADER_H

#include <sdt/runtime.h>

struct recording;
struct sdt_dso;
struct trap_keeper;

/* Part of the agreement between copies of one version (COPY_VERSION). */
struct leader_functions {
    /* What sdt_enable_mode() does. */
    int (*subscribe)(const char *pattern, sdt_handler *handler, void *data, int mode);
    /* The same of an entry of SDT_ENABLE, whether or not there is a probe that matches yet. */
    int (*subscribe_early)(const char *pattern, size_t length, sdt_handler *handler, void *data);
    int (*unsubscribe)(int subscription);
    int (*foreach)(const char *pattern, int (*visit)(const struct sdt_probe_info *, void *),
                   void *data);
    int (*hits)(const char *pattern, uint64_t *hits);
    void (*add_object)(struct sdt_dso *dso);
    void (*remove_object)(struct sdt_dso *dso);
    const struct recording *recording;    /* recorder/recorder.h */
    int (*attach_start)(void);            /* let tools attach to the process */
    struct trap_keeper *trap_keeper;      /* patch/trap.h */
    void (*index_now)(void);              /* do at once what objects that were only listed need */
    void (*start)(void);                  /* do what the environment asks for, if it is not done */
    int (*use_context)(const void *slot); /* process/context.h */
};

/* Those of this copy. */
extern const struct leader_functions leader_functions;
/* One of them, which needs all of the library: startup.c. */
void leader_start(void);

#endif
