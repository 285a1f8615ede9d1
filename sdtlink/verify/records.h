/* SPDX-License-Identifier: BSD-2-Clause */
/* The site set as it stands in the file: records, the probes and stubs they name. */
#ifndef SDT_VERIFY_RECORDS_H
#define SDT_VERIFY_RECORDS_H

#include "image.h"

struct record {
    struct place self; /* in sdt_sites or sdt_companion */
    struct place patch, pc, probe, stub;
    char label[96]; /* "provider:name" for messages */
    unsigned kind, nargs, flags;
    const char *function; /* or NULL */
    const char *args;     /* or NULL */
    bool is_companion;    /* the file still holds the call */
    bool is_external;     /* companion object: the site is in another object */
    bool is_sound;        /* places and kind can be relied on */
};

struct probe {
    struct place self, stub;
    char label[96];
};

struct records {
    struct record *all; /* in file order until records_sort() */
    size_t count;
    struct probe *probes; /* sorted by place */
    size_t nprobes;
};

/* Read the set; every malformed record is reported. -1 only when memory runs out. */
int records_read(struct image *image, struct records *records);
void records_free(struct records *records);

#endif
