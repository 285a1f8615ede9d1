/* SPDX-License-Identifier: BSD-2-Clause */
/* See live_enums.h. In a list, names of values are `;0=idle;1=busy` after an argument's type. */
#include "live_enums.h"

#include "base/memory.h"
#include "dwarf/enums.h"
#include "site_arguments.h"
#include "target/process_file.h"

#include <inttypes.h>
#include <shared/lower_bound.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- What was asked once. ---- */

/* "FILE FUNCTION NAME", and the names, or "". */
struct answer {
    char *question, *labels;
};

static struct {
    struct answer *list; /* by question */
    size_t count, capacity;
} known;

/* Where QUESTION is, or belongs. */
static size_t place_of(const char *question, bool *is_there)
{
    size_t low = LOWER_BOUND(i, known.count, strcmp(known.list[i].question, question) < 0);
    *is_there = low < known.count && !strcmp(known.list[low].question, question);
    return low;
}

static const char *answer_of(const char *question)
{
    bool is_there;
    size_t place = place_of(question, &is_there);
    return is_there ? known.list[place].labels : NULL;
}

/* Both become KNOWN's. */
static void keep_answer(char *question, char *labels)
{
    bool is_there;
    size_t place = place_of(question, &is_there);
    if (is_there) {
        free(question);
        free(labels);
        return;
    }
    known.list = memory_with_room(known.list, known.count, &known.capacity, sizeof *known.list);
    memmove(&known.list[place + 1], &known.list[place], (known.count - place) * sizeof *known.list);
    known.list[place] = (struct answer){question, labels};
    known.count++;
}

static char *question_of(const struct process_map *file, const char *function, const char *name)
{
    return memory_format("%x:%x:%" PRIu64 " %s %s", file->major, file->minor, file->inode, function,
                         name);
}

/* ---- Asking. ---- */

/* An integer that has no names yet. */
static bool is_wanted(const struct compile_argument *argument)
{
    const char *type = argument->type;
    return !argument->label_count && *argument->name && !strchr(type, '[') &&
           (!strncmp(type, "int", 3) || !strncmp(type, "uint", 4) || !strncmp(type, "hex", 3));
}

/* What is wanted of one file. */
struct wishes {
    const struct process_map *file;
    struct dwarf_wish *list;
    size_t count, capacity;
};

static void wish(struct wishes *wishes, const struct live_site *site, const char *name)
{
    char *question = question_of(wishes->file, site->function, name);
    if (answer_of(question)) {
        free(question);
        return;
    }
    wishes->list =
        memory_with_room(wishes->list, wishes->count, &wishes->capacity, sizeof *wishes->list);
    wishes->list[wishes->count++] = (struct dwarf_wish){
        .function = site->function, .name = memory_format("%s", name), .of = question};
}

static void wish_for(struct wishes *wishes, const struct live_site *site)
{
    struct site_arguments *arguments = site_arguments_read(site->arguments);
    for (size_t i = 0; i < arguments->count; i++)
        if (is_wanted(&arguments->list[i]))
            wish(wishes, site, arguments->list[i].name);
    site_arguments_free(arguments);
}

static char *labels_of(const struct dwarf_wish *wish)
{
    struct bytes text = {0};
    for (size_t i = 0; i < wish->label_count; i++) {
        char *one = memory_format(";%" PRId64 "=%s", wish->labels[i].value, wish->labels[i].name);
        bytes_append(&text, one, strlen(one));
        free(one);
    }
    return bytes_take_text(&text);
}

/* Read the file of WISHES, and keep what it says, also if that is nothing. */
static void ask(const struct process_maps *maps, struct wishes *wishes)
{
    char path[64] = "";
    struct dwarf dwarf;
    int fd = wishes->count ? process_file_open(maps, wishes->file) : -1;
    if (fd >= 0)
        snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    dwarf_open(&dwarf, path);
    dwarf_find_enums(&dwarf, wishes->list, wishes->count);
    for (size_t i = 0; i < wishes->count; i++) {
        struct dwarf_wish *one = &wishes->list[i];
        keep_answer(one->of, labels_of(one));
        free((char *)(uintptr_t)one->name);
    }
    dwarf_close(&dwarf);
    dwarf_free_wishes(wishes->list, wishes->count);
    if (fd >= 0)
        close(fd);
}

static bool is_same_file(const struct process_map *a, const struct process_map *b)
{
    return a && b && process_map_is_same_file(a, b);
}

/* The file of each site, in FILES. */
static void ask_all(const struct process_maps *maps, const struct live_sites *sites,
                    const struct process_map **files)
{
    for (size_t i = 0; i < sites->count; i++)
        files[i] = process_maps_find(maps, sites->site[i].pc);
    for (size_t i = 0; i < sites->count; i++) {
        struct wishes wishes = {.file = files[i]};
        bool is_first = files[i] != NULL;
        for (size_t k = 0; k < i && is_first; k++)
            is_first = !is_same_file(files[k], files[i]);
        for (size_t k = i; k < sites->count && is_first; k++)
            if (is_same_file(files[k], files[i]) && !live_site_is_question(&sites->site[k]))
                wish_for(&wishes, &sites->site[k]);
        if (is_first)
            ask(maps, &wishes);
    }
}

/* ---- Probes. ---- */

/* A site of a probe, and what is known of its arguments. */
struct member {
    size_t site; /* number in the list */
    const struct process_map *file;
    struct site_arguments *arguments;
};

/* The names that the debug information has for argument NUMBER of MEMBER; NULL: none. */
static const char *labels_at(const struct live_sites *sites, const struct member *member,
                             size_t number)
{
    const struct compile_argument *argument = &member->arguments->list[number];
    if (!member->file || number >= member->arguments->count || !is_wanted(argument))
        return NULL;
    char *question = question_of(member->file, sites->site[member->site].function, argument->name);
    const char *labels = answer_of(question);
    free(question);
    return labels && *labels ? labels : NULL;
}

/* Those that argument NUMBER has at all COUNT sites of a probe; NULL: they differ, or have none. */
static const char *labels_of_all(const struct live_sites *sites, const struct member *members,
                                 size_t count, size_t number)
{
    const char *labels = labels_at(sites, &members[0], number);
    for (size_t i = 1; i < count && labels; i++) {
        const char *other = labels_at(sites, &members[i], number);
        bool is_same = other && !strcmp(other, labels) &&
                       !strcmp(members[i].arguments->list[number].type,
                               members[0].arguments->list[number].type);
        labels = is_same ? labels : NULL;
    }
    return labels;
}

/* TEXT with LABELS after its arguments' types; NULL: there are none. */
static char *with_labels(const char *text, const char *const *labels)
{
    struct bytes made = {0};
    bool is_any = false;
    for (size_t number = 0; *text; number++) {
        size_t length = strcspn(text, " ");
        bool has_labels = number < SITE_MAX_ARGUMENTS && labels[number];
        bytes_append(&made, text, length);
        if (has_labels)
            bytes_append(&made, labels[number], strlen(labels[number]));
        is_any = is_any || has_labels;
        text += length;
        if (*text)
            bytes_append(&made, text++, 1);
    }
    bytes_append(&made, "", 1);
    if (is_any)
        return (char *)made.data;
    bytes_free(&made);
    return NULL;
}

static void add_to_probe(struct live_sites *sites, const struct member *members, size_t count)
{
    const char *labels[SITE_MAX_ARGUMENTS];
    for (size_t number = 0; number < SITE_MAX_ARGUMENTS; number++)
        labels[number] = labels_of_all(sites, members, count, number);
    for (size_t i = 0; i < count; i++) {
        struct live_site *site = &sites->site[members[i].site];
        char *arguments = with_labels(site->arguments, labels);
        if (!arguments)
            continue;
        site->arguments = arguments;
        live_sites_keep(sites, arguments);
    }
}

static const struct live_sites *sorted; /* for qsort() */

static int by_probe(const void *left, const void *right)
{
    const struct member *a = left, *b = right;
    const struct live_site *one = &sorted->site[a->site], *other = &sorted->site[b->site];
    int order = strcmp(one->provider, other->provider);
    order = order ? order : strcmp(one->name, other->name);
    return order ? order : (a->site > b->site) - (a->site < b->site);
}

void live_enums_add(struct attached *process, struct live_sites *sites)
{
    struct process_maps maps;
    struct member *members = memory_zeroed(sites->count + 1, sizeof *members);
    const struct process_map **files = memory_zeroed(sites->count + 1, sizeof *files);
    size_t count = 0;
    process_maps_read(&maps, process->pid);
    ask_all(&maps, sites, files);
    for (size_t i = 0; i < sites->count; i++)
        if (!live_site_is_question(&sites->site[i]))
            members[count++] =
                (struct member){i, files[i], site_arguments_read(sites->site[i].arguments)};
    sorted = sites;
    if (count)
        qsort(members, count, sizeof *members, by_probe);
    for (size_t first = 0, end; first < count; first = end) {
        for (end = first + 1; end < count; end++)
            if (!live_site_is_same_probe(&sites->site[members[first].site],
                                         &sites->site[members[end].site]))
                break;
        add_to_probe(sites, &members[first], end - first);
    }
    for (size_t i = 0; i < count; i++)
        site_arguments_free(members[i].arguments);
    free(members);
    free(files);
    process_maps_free(&maps);
}
