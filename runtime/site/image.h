/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The objects of the program as they are mapped: which addresses may be read, written, run.
 */
#ifndef SDT_IMAGE_H
#define SDT_IMAGE_H

#include <sdt/format.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The mapped parts of one object of the program. */
struct image {
    struct segment {
        uintptr_t begin, end;
        bool writable, executable;
    } * segments;
    size_t n;
    struct segment relro; /* made read-only after relocation */
    /* Its records; image_find() does not know them. */
    const struct sdt_site *sites_begin, *sites_end;
    uintptr_t base;      /* what the loader adds to the file's addresses */
    char *path;          /* of its file; "" for the program itself */
    char build_id[41];   /* that the linker gave it, in hexadecimal; "": none, or a longer one */
    struct annex *annex; /* what also belongs to it; NULL: nothing */
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
/* The segment that [ADDRESS, ADDRESS + SIZE) lies in; NULL: none. */
const struct segment *image_segment(const struct image *image, uintptr_t address, size_t size);
/* Whether [ADDRESS, ADDRESS + SIZE) lies in one segment, of the given kind. */
bool image_holds(const struct image *image, uintptr_t address, size_t size);
bool image_holds_text(const struct image *image, uintptr_t address, size_t size);
bool image_holds_data(const struct image *image, uintptr_t address, size_t size);

#endif
