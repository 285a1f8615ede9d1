/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Markers, which <sdt/marker.h> lists in a section of the object.
 */
#ifndef SDTLINK_REWRITE_MARKERS_H
#define SDTLINK_REWRITE_MARKERS_H

struct object;
struct sites;

#define MARKERS_SECTION ".markers"
#define MARKERS_PROVIDER "marker"

/* Put the places and lengths of the sites into the entries of .markers. */
int markers_settle(struct object *object, const struct sites *sites);

#endif
