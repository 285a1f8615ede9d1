/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See loaded.h. dl_iterate_phdr() knows only the namespace of its caller. If there are others,
 * glibc (2.35 and later) has a list of them for debuggers, and in each a list of objects; it
 * changes both under the lock that dl_iterate_phdr() holds. Program headers are not in there: they
 * are found after the ELF header, which begins what was mapped unless a linker was told otherwise.
 * Nothing is believed that cannot be read, or that does not agree with where the loader found the
 * dynamic section.
 */
#define _GNU_SOURCE
#include "loaded.h"

#include "peek.h"

#include <string.h>
#include <sys/auxv.h>

#pragma weak _r_debug

/* From r_version 2 on, which means that there are several. */
struct namespaces {
    struct r_debug own;
    const struct namespaces *next;
};

struct walk {
    int (*visit)(struct dl_phdr_info *object, size_t size, void *data);
    void *data;
    int result;
};

static const struct namespaces *several(void)
{
    const void *first = &_r_debug;
    __asm__("" : "+r"(first)); /* it is larger than <link.h> says, and the compiler knows that */
    return first && __atomic_load_n((const int *)first, __ATOMIC_ACQUIRE) >= 2 ? first : NULL;
}

/* Whether the segments of OBJECT are those of MAP, whose dynamic section the loader has found. */
static bool agrees(const struct dl_phdr_info *object, const struct link_map *map)
{
    for (unsigned i = 0; i < object->dlpi_phnum; i++)
        if (object->dlpi_phdr[i].p_type == PT_DYNAMIC)
            return object->dlpi_addr + object->dlpi_phdr[i].p_vaddr == (uintptr_t)map->l_ld;
    return false;
}

static void find_segments(struct dl_phdr_info *object, const struct link_map *map)
{
    ElfW(Ehdr) header;
    ElfW(Phdr) last;
    if (peek(&header, map->l_addr, sizeof header) != 0 ||
        memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_phnum == 0 ||
        header.e_phentsize != sizeof last)
        return;
    uintptr_t begin = map->l_addr + header.e_phoff;
    if (peek(&last, begin, sizeof last) != 0 ||
        peek(&last, begin + (header.e_phnum - 1u) * sizeof last, sizeof last) != 0)
        return;
    object->dlpi_phdr = (const void *)begin;
    object->dlpi_phnum = header.e_phnum;
}

/* What dl_iterate_phdr() would say of MAP, if it were in our namespace. */
static struct dl_phdr_info describe(const struct link_map *map, bool is_program)
{
    struct dl_phdr_info object = {.dlpi_addr = map->l_addr, .dlpi_name = map->l_name};
    if (is_program) {
        object.dlpi_phdr = (const void *)getauxval(AT_PHDR); /* l_addr may be 0 */
        object.dlpi_phnum = (ElfW(Half))getauxval(AT_PHNUM);
    } else if (map->l_addr) {
        find_segments(&object, map);
    }
    return object;
}

/* Called once, for any object. */
static int visit_all(struct dl_phdr_info *any, size_t size, void *data)
{
    struct walk *walk = data;
    const struct namespaces *first = several();
    for (const struct namespaces *space = first; space; space = space->next)
        for (struct link_map *map = space->own.r_map; map; map = map->l_next) {
            struct dl_phdr_info object = describe(map, space == first && map == first->own.r_map);
            object.dlpi_adds = any->dlpi_adds;
            object.dlpi_subs = any->dlpi_subs;
            if (!agrees(&object, map))
                continue;
            walk->result = walk->visit(&object, size, walk->data);
            if (walk->result)
                return 1;
        }
    return 1;
}

int loaded_visit(int (*visit)(struct dl_phdr_info *object, size_t size, void *data), void *data)
{
    struct walk walk = {visit, data, 0};
    if (several())
        dl_iterate_phdr(visit_all, &walk);
    return walk.result ? walk.result : dl_iterate_phdr(visit, data); /* some perhaps again */
}

/* ---- One of them. ---- */

const ElfW(Phdr) * loaded_segment(const struct dl_phdr_info *object, uintptr_t address, size_t size,
                                  unsigned flags)
{
    for (unsigned i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &object->dlpi_phdr[i];
        uintptr_t offset = address - (object->dlpi_addr + segment->p_vaddr);
        if (segment->p_type == PT_LOAD && (segment->p_flags & flags) == flags &&
            offset < segment->p_memsz && segment->p_memsz - offset >= size)
            return segment;
    }
    return NULL;
}

void loaded_extent(const struct dl_phdr_info *object, unsigned flags, uintptr_t *low,
                   uintptr_t *high)
{
    *low = UINTPTR_MAX;
    *high = 0;
    for (unsigned i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &object->dlpi_phdr[i];
        uintptr_t begin = object->dlpi_addr + segment->p_vaddr, end = begin + segment->p_memsz;
        if (segment->p_type != PT_LOAD || (segment->p_flags & flags) != flags)
            continue;
        *low = begin < *low ? begin : *low;
        *high = end > *high ? end : *high;
    }
}

/* ---- The program. ---- */

struct place {
    uintptr_t address;
    bool is_in;
};

static int visit_program(struct dl_phdr_info *object, size_t size, void *data)
{
    struct place *place = data;
    (void)size;
    if (object->dlpi_phdr != (const void *)getauxval(AT_PHDR))
        return 0;
    place->is_in = loaded_segment(object, place->address, 1, 0) != NULL;
    return 1;
}

bool loaded_is_program(const void *address)
{
    struct place place = {(uintptr_t)address, false};
    loaded_visit(visit_program, &place);
    return place.is_in;
}
