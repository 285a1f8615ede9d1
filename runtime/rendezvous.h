/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * One runtime in a process, however many copies of this library were linked into it.
 */
#ifndef SDT_RENDEZVOUS_H
#define SDT_RENDEZVOUS_H

#include <sdt/runtime.h>
#include <stdbool.h>

struct recording;
struct sdt_dso;

/* What the copy in charge does for all. Part of the agreement between copies of one version. */
struct runtime {
    int (*enable)(const char *pattern, sdt_handler *handler, void *data, int mode);
    int (*enable_early)(const char *pattern, size_t length, sdt_handler *handler, void *data);
    int (*disable)(int subscription);
    int (*foreach)(const char *pattern, int (*visit)(const struct sdt_probe_info *, void *),
                   void *data);
    int (*hits)(const char *pattern, uint64_t *hits);
    void (*add_object)(struct sdt_dso *dso);
    void (*remove_object)(struct sdt_dso *dso);
    const struct recording *recording; /* recorder/recorder.h */
    int (*attachable)(void);           /* let tools look into the process */
    void (*adopt)(void); /* do at once what objects that were only put on a list need */
};

/* The runtime in charge; elects one if there is none. 0 or -EEXIST. */
int rendezvous(const struct runtime **runtime);
/* Whether that is this copy (after rendezvous() succeeded). */
bool rendezvous_is_leader(void);

void rendezvous_register(struct sdt_dso *dso);
void rendezvous_unregister(struct sdt_dso *dso);

#endif
