/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The recorder of this process: <sdt/record.h>, for the copy of this library that is in charge.
 */
#ifndef SDT_RECORDER_RECORDER_H
#define SDT_RECORDER_RECORDER_H

#include <sdt/record.h>
#include <site/site.h>

struct sdt_recorder;

/* What <sdt/record.h> says; rendezvous.h passes calls on to it. */
struct recording {
    int (*create)(const char *directory, const struct sdt_record_options *options,
                  struct sdt_recorder **recorder);
    int (*add)(struct sdt_recorder *recorder, const char *pattern);
    int (*when)(struct sdt_recorder *recorder, const char *pattern, const char *condition);
    int (*switch_on)(struct sdt_recorder *recorder, int on);
    int (*flush)(struct sdt_recorder *recorder);
    int (*stats)(const struct sdt_recorder *recorder, struct sdt_record_stats *stats);
    int (*destroy)(struct sdt_recorder *recorder);
};
extern const struct recording recorder_functions;

/*
 * Make one whose *RINGS a tool opens, which makes all files (ring/handed.h). The descriptor is the
 * caller's, the DESCRIPTION of probes (NULL: none) the recorder's.
 */
struct description;
int recorder_hand_over(const struct sdt_record_options *options, struct description *description,
                       struct sdt_recorder **recorder, int *rings);

/* The data of a subscription that records. */
void *recorder_data(struct sdt_recorder *recorder);

/* The one that SDT_RECORD requests, written once, before main; NULL: none. A message is printed if
 * its events cannot be written at the end. */
extern struct sdt_recorder *recorder_initial;

/* If it records callers or contexts: see which modules are loaded now. Not locked; 0 or an error.
 */
int recorder_refresh(struct sdt_recorder *recorder);

#endif
