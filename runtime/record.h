/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Which records are valid. A probe system must not stop the program that it observes, so a wrong
 * record costs only its own site.
 */
#ifndef SDT_SITE_RECORD_H
#define SDT_SITE_RECORD_H

#include "registry.h"

/* The mapped parts of one object of the program. */
struct image {
    struct segment {
        uintptr_t begin, end;
        bool writable, executable;
    } * segments;
    size_t n;
    struct segment relro; /* made read-only after relocation */
    char *path;           /* of its file; "" for the program itself */
    char build_id[41];    /* that the linker gave it, in hexadecimal; "": none, or a longer one */
    struct annex *annex;  /* what else belongs to it; NULL: nothing */
};

/* What the runtime has made for an object that came without records (stock/): it counts as a part
 * of that object. */
struct annex {
    struct annex *next;
    uintptr_t object; /* an address in the object */
    struct segment code, data;
};
/* Locked. */
void image_add_annex(struct annex *annex);
void image_remove_annex(struct annex *annex);

/* Find the object that ADDRESS lies in. 0, -ENOENT, -ENOMEM. image_free() takes a zeroed one. */
int image_find(const void *address, struct image *image);
/* The same for the object of DSO, with its annex, if there is one. Locked. */
int image_of(const struct sdt_dso *dso, struct image *image);
void image_free(struct image *image);
/* Whether [ADDRESS, ADDRESS + SIZE) lies in one segment, of the given kind. */
bool image_holds(const struct image *image, uintptr_t address, size_t size);
bool image_holds_text(const struct image *image, uintptr_t address, size_t size);
bool image_holds_data(const struct image *image, uintptr_t address, size_t size);

/* Whether RECORD overrides the object's module, and by what; NULL: no. */
const char *record_module(const struct sdt_site *record);
/* The counter that RECORD names; 0: none, or one that cannot be written. */
uintptr_t record_semaphore(const struct sdt_site *record, const struct image *image);

/*
 * Two checks of RECORD against IMAGE and the bytes of text; they read, never write.
 *
 * record_has_probe: it names a probe, whose stub agrees, and its strings are strings.
 * record_check: after that, also the kind, the site's own bytes and the loader's are right, and the
 * descriptor is one: 0 and *ARGS, or -EILSEQ.
 */
bool record_has_probe(const struct sdt_site *record, const struct image *image);
int record_check(const struct sdt_site *record, const struct image *image, struct args *args);

#endif
