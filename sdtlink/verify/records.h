/* SPDX-License-Identifier: BSD-2-Clause */
/* The site set as it is in the file: records, the probes and stubs they name. */
#ifndef SDT_VERIFY_RECORDS_H
#define SDT_VERIFY_RECORDS_H

#include "image.h"

/* "provider:name", cut: for messages, and to find notes of a place. */
enum { LABEL_SIZE = 96 };
void records_label(char label[LABEL_SIZE], const char *provider, const char *name);

/* Whether a site of this kind answers a question, and makes no call. */
bool kind_is_question(unsigned kind);
/* Whether a note that was there became the site. */
bool kind_is_of_note(unsigned kind);
bool kind_is_of_function(unsigned kind);
/* Whether its record leads not to the probe's stub but to an entry of its own. */
bool kind_has_entry(unsigned kind);

struct record {
    struct place self; /* in sdt_sites or sdt_companion */
    struct place pc, probe, stub;
    char label[LABEL_SIZE];
    const char *name; /* the same, whole: in the file. NULL: it has none, and is not sound */
    unsigned kind, nargs, flags;
    const char *function; /* or NULL */
    const char *args;     /* or NULL */
    struct place args_place;
    bool is_companion;   /* the file still holds the call */
    bool is_external;    /* companion object: the site is in another object */
    bool is_sound;       /* places and kind can be relied on */
    bool is_moved;       /* a branch in the text leads to it … */
    struct place branch; /* … the (last found) one of these, set by check_sites(); of a companion's,
                            the one that start-up will lead to it … */
    bool has_branch;     /* … if that is in this file */
    unsigned branch_length; /* of one in the text */
    size_t branches;
};

/* Whether the site is still a branch as compiled, which start-up takes out. */
static inline bool record_is_compiled(const struct record *record)
{
    return record->is_companion && !record->is_moved;
}

/* The instruction of the text that RECORD stands for. */
struct place record_place(const struct record *record);

/*
 * A probe, as far as one sort of sites comes to it, and its stub. In companion mode the calls of
 * is-enabled sites stand until start-up, and lead to a second stub of the probe, which answers 0:
 * that makes two of these with one `self`.
 */
struct probe_record {
    struct place self, stub; /* section 0: no record names its stub */
    const char *prefix;      /* what its symbol begins with, by the sort of its sites */
    const char *name;        /* "provider:name" */
    bool is_companion, answers;
    bool is_stub_near; /* one of several: there is a record here for each */
    char label[LABEL_SIZE];
};

struct records {
    struct record *all; /* in file order until records_sort() */
    size_t count;
    struct probe_record *probes; /* sorted by place, the one that answers last */
    size_t nprobes;
    bool has_near_stubs;
};

/* Read the set; every malformed record is reported. -1 only when memory runs out. */
int records_read(struct image *image, struct records *records);
void records_free(struct records *records);
/* The first record at or after PLACE; they must be sorted by site, as check_sites() leaves them. */
size_t records_first(const struct records *records, struct place place);
/* The probe, with the stub, that RECORD must name; NULL if it is not sound. */
const struct probe_record *records_probe(const struct records *records,
                                         const struct record *record);
/* What the symbol of RECORD's probe begins with. */
const char *records_prefix(const struct record *record);
/* How many names of probes there are. */
size_t records_count_probes(const struct records *records);

#endif
