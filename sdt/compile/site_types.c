/* SPDX-License-Identifier: BSD-2-Clause */
/* See site_types.h. */
#include "site_types.h"

#include "base/memory.h"
#include "target/process_file.h"

#include <sdt/format.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Those that were opened, and what they are. */
struct known_file {
    struct process_map map; /* its identity */
    struct dwarf dwarf;
    struct known_file *next;
};

static struct known_file *known;

static struct known_file *open_file(const struct process_maps *maps, const struct process_map *map)
{
    struct known_file *file = memory_zeroed(1, sizeof *file);
    char path[64] = "";
    int fd = map ? process_file_open(maps, map) : -1;
    if (fd >= 0)
        snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    dwarf_open(&file->dwarf, path);
    if (fd >= 0)
        close(fd);
    file->map = map ? *map : (struct process_map){0};
    file->map.path = NULL;
    file->next = known;
    return known = file;
}

const struct dwarf *site_types_file(const struct site_types *types)
{
    struct process_maps maps;
    process_maps_read(&maps, types->process->pid);
    const struct process_map *map = process_maps_find(&maps, types->site->pc);
    struct known_file *file = known;
    while (file && map && !process_map_is_same_file(&file->map, map))
        file = file->next;
    if (!file || !map)
        file = open_file(&maps, map);
    process_maps_free(&maps);
    return &file->dwarf;
}

enum dwarf_answer site_types_find(const struct site_types *types, const char *name,
                                  struct dwarf_type *type)
{
    const struct live_site *site = types->site;
    bool is_function = !strcmp(site->provider, SDT_FUNCTION_PROVIDER);
    return dwarf_find_variable(site_types_file(types), site->function, name, is_function, type);
}
