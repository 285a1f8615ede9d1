/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * `sdtlink list FILE…`: every probe and site of objects, executables and libraries, processed by
 * us or not, and of any program with stapsdt notes. A file that cannot be read is reported, the
 * others are listed all the same, and the exit status says so.
 */
#include "list.h"

#include "diag.h"
#include "list_elf.h"
#include "list_site.h"
#include "memory.h"
#include "names.h"
#include "run.h"

#include <getopt.h>
#include <sdt/format.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct list_site *list_add(struct list *list, const char *file)
{
    if (list->count == list->room) {
        list->room = list->room ? 2 * list->room : 64;
        list->sites = memory_resize(list->sites, list->room, sizeof *list->sites);
    }
    struct list_site *site = &list->sites[list->count++];
    *site = (struct list_site){.file = memory_format("%s", file)};
    return site;
}

/* Forget the sites behind the first COUNT. */
static void truncate_list(struct list *list, size_t count)
{
    while (list->count > count) {
        struct list_site *site = &list->sites[--list->count];
        free(site->file);
        free(site->provider);
        free(site->name);
        free(site->module);
        free(site->function);
        free(site->section);
        free(site->symbol);
        free(site->args);
    }
}

void list_free(struct list *list)
{
    truncate_list(list, 0);
    free(list->sites);
    *list = (struct list){0};
}

char *list_text(const char *text)
{
    struct slice slice = slice_of(text);
    return memory_format("%.*s", (int)slice.length, slice.text);
}

const char *list_basename(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static int by_place(const void *left, const void *right)
{
    const struct list_site *a = left, *b = right;
    int order = strcmp(a->section ? a->section : "", b->section ? b->section : "");
    if (a->has_address && b->has_address && a->address != b->address)
        return a->address < b->address ? -1 : 1;
    if (order)
        return order;
    if (a->offset != b->offset)
        return a->offset < b->offset ? -1 : 1;
    order = strcmp(a->provider, b->provider);
    return order ? order : strcmp(a->name, b->name);
}

/* The notes at sites that the set lists, too, say nothing new. Sites are sorted by place. */
static void drop_notes_of_sites(struct list *list, size_t first)
{
    size_t kept = first;
    for (size_t i = first; i < list->count; i++) {
        size_t other = i;
        while (other > first && by_place(&list->sites[other - 1], &list->sites[i]) == 0)
            other--;
        bool is_known = false;
        for (; other < list->count && by_place(&list->sites[other], &list->sites[i]) == 0; other++)
            is_known |= strcmp(list->sites[other].kind, "stapsdt") != 0;
        if (is_known && strcmp(list->sites[i].kind, "stapsdt") == 0)
            continue;
        list->sites[kept++] = list->sites[i];
    }
    list->count = kept;
}

/* Whether an object still holds symbols that sources leave undefined for the tool. */
static bool is_unprocessed(const struct list_elf *elf)
{
    static const char *const prefixes[] = {SDT_SYMBOL_CALL, SDT_SYMBOL_INLINE, SDT_SYMBOL_ENABLED};
    if (elf->type != ET_REL || elf->machine != EM_X86_64)
        return false;
    for (size_t i = 0; i < sizeof prefixes / sizeof prefixes[0]; i++)
        if (list_elf_has_undefined(elf, prefixes[i]))
            return true;
    return false;
}

static int list_file(const char *path, struct list *list)
{
    struct list_elf elf;
    size_t before = list->count;
    int result = -1;
    if (list_elf_open(&elf, path) == 0 && list_read_set(&elf, list) == 0 &&
        list_read_notes(&elf, list) == 0)
        result = is_unprocessed(&elf) ? list_read_calls(path, list) : 0;
    list_elf_close(&elf);
    if (result != 0)
        truncate_list(list, before);
    else if (list->count > before)
        qsort(list->sites + before, list->count - before, sizeof *list->sites, by_place);
    drop_notes_of_sites(list, before);
    return result;
}

static const char usage[] =
    "Usage: sdtlink list [--json] FILE...\n"
    "List the probe sites of objects, executables and libraries: provider, module,\n"
    "function, name, where (address, or section+offset), kind, and arguments.\n"
    "\n"
    "      --json   an array of site objects\n"
    "  -h, --help   print this and exit\n"
    "\n"
    "Exit status: 0 all files were read; 1 one could not be; 2 the command line is wrong.\n";

static int refuse_usage(void)
{
    fputs("Try 'sdtlink list --help'.\n", stderr);
    return STATUS_USAGE;
}

int list_main(int argc, char **argv)
{
    static const struct option options[] = {
        {"json", no_argument, NULL, 'j'}, {"help", no_argument, NULL, 'h'}, {NULL, 0, NULL, 0}};
    static char name[] = "sdtlink list"; /* for getopt's messages */
    struct list list = {0};
    bool is_json = false;
    int option, status = 0;
    argv[0] = name;
    while ((option = getopt_long(argc, argv, "h", options, NULL)) != -1) {
        if (option == 'j') {
            is_json = true;
            continue;
        }
        if (option != 'h')
            return refuse_usage();
        fputs(usage, stdout);
        return STATUS_DONE;
    }
    if (optind == argc) {
        diag_error("list: no file given");
        return refuse_usage();
    }
    for (int i = optind; i < argc; i++) {
        size_t before = list.count;
        if (list_file(argv[i], &list) != 0)
            status = 1;
        else if (list.count == before && !is_json)
            fprintf(stderr, "sdtlink: %s: no probes\n", argv[i]);
    }
    if (is_json)
        list_print_json(&list);
    else
        list_print_text(&list);
    list_free(&list);
    return status;
}
