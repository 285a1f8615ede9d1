/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Markers, which <sdt/marker.h> lists in a section of the object.
 */
#ifndef SDTLINK_REWRITE_MARKERS_H
#define SDTLINK_REWRITE_MARKERS_H

#include "probes/sites.h"

#define MARKERS_SECTION ".markers"
#define MARKERS_PROVIDER "marker"

/* One entry in the object: what is there, and what will be. */
struct marker_entry {
    Elf64_Rela *relocation;
    uint8_t *length_at;
    uint32_t home;     /* the section of the entry */
    struct place site; /* what it means */
    int64_t addend;
    uint8_t length;
};

struct markers {
    struct bytes entries; /* struct marker_entry */
};

/* Which site each entry of .markers means. 0, or -1 after saying why not. */
int markers_find(struct markers *markers, const struct object *object, const struct sites *sites);
/* Put the places and lengths of the sites into the entries. */
void markers_settle(struct object *object, const struct markers *markers);
void markers_free(struct markers *markers);

#endif
