/* SPDX-License-Identifier: BSD-2-Clause */
/* See image.h. What is mapped where, the loader knows. */
#define _GNU_SOURCE
#include "image.h"

#include "process/loaded.h"
#include "shared/build_id.h"
#include "target.h"

#include <errno.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct search {
    uintptr_t address;
    struct image *image;
    int error;
};

/* The loader rounds its end down: a page that holds something else as well stays writable. */
static struct segment relro_of(const struct dl_phdr_info *object)
{
    struct segment relro = {0, 0, false, false};
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    for (unsigned i = 0; i < object->dlpi_phnum; i++)
        if (object->dlpi_phdr[i].p_type == PT_GNU_RELRO) {
            relro.begin = object->dlpi_addr + object->dlpi_phdr[i].p_vaddr;
            relro.end = (relro.begin + object->dlpi_phdr[i].p_memsz) & ~(page - 1);
        }
    return relro;
}

static void find_build_id(struct image *image, const struct dl_phdr_info *object)
{
    for (unsigned i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &object->dlpi_phdr[i];
        uintptr_t begin = object->dlpi_addr + segment->p_vaddr;
        if (segment->p_type == PT_NOTE && !*image->build_id &&
            image_holds(image, begin, segment->p_memsz))
            build_id_text((const uint8_t *)begin, segment->p_memsz, image->build_id,
                          sizeof image->build_id);
    }
}

static int visit_object(struct dl_phdr_info *object, size_t size, void *data)
{
    struct search *search = data;
    struct image *image = search->image;
    (void)size;
    if (!loaded_segment(object, search->address, 1, 0))
        return 0;
    image->segments = calloc(object->dlpi_phnum + 2u, sizeof *image->segments);
    image->path = strdup(object->dlpi_name ? object->dlpi_name : "");
    image->relro = relro_of(object);
    image->base = object->dlpi_addr;
    search->error = image->segments && image->path ? 0 : -ENOMEM;
    for (unsigned i = 0; !search->error && i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &object->dlpi_phdr[i];
        uintptr_t begin = object->dlpi_addr + segment->p_vaddr;
        if (segment->p_type == PT_LOAD && (segment->p_flags & PF_R))
            image->segments[image->n++] =
                (struct segment){begin, begin + segment->p_memsz, (segment->p_flags & PF_W) != 0,
                                 (segment->p_flags & PF_X) != 0};
    }
    if (!search->error)
        find_build_id(image, object);
    return 1;
}

static struct annex *annexes;

void image_add_annex(struct annex *annex)
{
    annex->next = annexes;
    annexes = annex;
}

void image_remove_annex(struct annex *annex)
{
    struct annex **link = &annexes;
    while (*link && *link != annex)
        link = &(*link)->next;
    if (*link)
        *link = annex->next;
}

static struct annex *annex_of(uintptr_t address)
{
    struct annex *annex = annexes;
    while (annex && (address < annex->code.begin || address >= annex->data.end))
        annex = annex->next;
    return annex;
}

int image_find(const void *address, struct image *image)
{
    struct search search = {(uintptr_t)address, image, -ENOENT};
    *image = (struct image){0};
    loaded_visit(visit_object, &search);
    if (search.error)
        image_free(image);
    return search.error;
}

int image_of(const struct sdt_dso *dso, struct image *image)
{
    struct annex *annex = annex_of((uintptr_t)dso);
    int error = image_find(annex ? (const void *)annex->object : dso, image);
    image->sites_begin = (const void *)record_target(&dso->sites_begin);
    image->sites_end = (const void *)record_target(&dso->sites_end);
    if (annex && !error) {
        image->annex = annex;
        image->segments[image->n++] = annex->code;
        image->segments[image->n++] = annex->data;
    }
    return error;
}

void image_free(struct image *image)
{
    free(image->segments);
    free(image->path);
    *image = (struct image){0};
}
