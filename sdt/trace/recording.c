/* SPDX-License-Identifier: BSD-2-Clause */
#include "recording.h"

#include "base/demangle.h"
#include "base/diag.h"
#include "base/texts.h"
#include "machines.h"
#include "metadata.h"
#include "noted.h"
#include "packet.h"
#include "print/text.h"
#include "rings.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sdt/format.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* No program has that many sites, and no name is too long for a message of Protocol Buffers. */
enum { MAX_METADATA = 1 << 26 };

static int read_all(int fd, const char *path, struct bytes *text)
{
    struct stat status;
    if (fstat(fd, &status) != 0 || !S_ISREG(status.st_mode))
        return diag_error("%s: not a regular file", path);
    if (status.st_size > MAX_METADATA)
        return diag_error("%s: too long for metadata", path);
    bytes_reserve(text, (size_t)status.st_size + 1);
    while (text->size < (size_t)status.st_size) {
        ssize_t size = read(fd, text->data + text->size, (size_t)status.st_size - text->size);
        if (size < 0 && errno == EINTR)
            continue;
        if (size < 0)
            return diag_errno("cannot read %s", path);
        if (size == 0)
            break;
        text->size += (size_t)size;
    }
    bytes_append(text, "", 1);
    return 0;
}

static int read_metadata(struct recording *recording, struct trace *trace)
{
    struct bytes text = {0};
    char *path = memory_format("%s/metadata", trace->path);
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    int result = fd < 0 ? diag_errno("cannot read %s", path) : read_all(fd, path, &text);
    if (result == 0)
        result = metadata_read(recording, trace, path, text);
    if (fd >= 0)
        close(fd);
    bytes_free(&text);
    free(path);
    return result;
}

/* cpu0, cpu1 ... */
static int is_stream(const struct dirent *entry)
{
    const char *number = entry->d_name + 3;
    return !strncmp(entry->d_name, "cpu", 3) && *number && strlen(number) < 10 &&
           number[strspn(number, "0123456789")] == '\0';
}

static int by_number(const struct dirent **a, const struct dirent **b)
{
    return (int)(strtol((*a)->d_name + 3, NULL, 10) - strtol((*b)->d_name + 3, NULL, 10));
}

static int open_streams(struct recording *recording, struct trace *trace)
{
    struct dirent **entries;
    int count = scandir(trace->path, &entries, is_stream, by_number);
    if (count < 0)
        return diag_errno("cannot read %s", trace->path);
    trace->streams = memory_zeroed((size_t)count, sizeof *trace->streams);
    for (int i = 0; i < count; i++) {
        struct stream *stream = &trace->streams[trace->stream_count];
        if (stream_open(stream, recording, trace, entries[i]->d_name) == 0)
            trace->stream_count++;
        else
            recording->is_damaged = true;
        free(entries[i]);
    }
    free(entries);
    return 0;
}

static void trace_close(struct trace *trace)
{
    for (size_t i = 0; i < trace->stream_count; i++)
        stream_close(&trace->streams[i]);
    free(trace->streams);
    free(trace->classes);
    free(trace->modules);
    free(trace->pairs);
    free(trace->snapshots);
    free(trace->path);
}

static int read_trace(struct recording *recording, struct trace *trace, bool with_rings)
{
    struct rings rings = {.are_there = false};
    if (with_rings)
        rings_open(&rings, trace->path);
    int result = read_metadata(recording, trace);
    if (result == 0)
        result = open_streams(recording, trace);
    if (result == 0)
        rings_read(&rings, recording, trace);
    if (result == 0)
        noted_read(recording, trace);
    rings_close(&rings);
    return result;
}

/* Takes PATH. A trace that cannot be read does not keep us from the others. */
static void add_trace(struct recording *recording, char *path, const char *directory,
                      bool with_rings)
{
    struct trace trace = {.path = path, .name = basename(path), .directory = directory};
    if (read_trace(recording, &trace, with_rings) != 0) {
        recording->is_damaged = true;
        trace_close(&trace);
        return;
    }
    size_t count = recording->trace_count + 1;
    recording->traces = memory_resize(recording->traces, count, sizeof trace);
    recording->traces[recording->trace_count++] = trace;
}

/*
 * Whether PATH is a trace. One whose metadata are empty has no events: the machine stopped before
 * they were on disk. (The library writes them first and then gives them their name.)
 */
static bool is_trace(const char *path)
{
    struct stat status;
    char *metadata = memory_format("%s/metadata", path);
    bool is_there = stat(metadata, &status) == 0;
    bool is_empty = is_there && S_ISREG(status.st_mode) && status.st_size == 0;
    if (is_empty)
        diag_warn(&(struct diag_place){.file = metadata}, "this trace is empty: it is left out",
                  "sdt recover removes it");
    free(metadata);
    return is_there && !is_empty;
}

static int is_visible(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

static int find_traces(struct recording *recording, const char *named, bool with_rings)
{
    const char *directory = arena_keep(&recording->arena, named, strlen(named) + 1);
    struct dirent **entries;
    if (is_trace(directory)) {
        add_trace(recording, memory_format("%s", directory), directory, with_rings);
        return 0;
    }
    int count = scandir(directory, &entries, is_visible, alphasort);
    if (count < 0)
        return diag_errno("cannot read %s", directory);
    for (int i = 0; i < count; i++) {
        char *path = memory_format("%s/%s", directory, entries[i]->d_name);
        if (is_trace(path))
            add_trace(recording, path, directory, with_rings);
        else
            free(path);
        free(entries[i]);
    }
    free(entries);
    return 0;
}

int trace_compare_probes(const struct trace_probe *a, const struct trace_probe *b)
{
    int order = strcmp(a->provider, b->provider);
    order = order ? order : strcmp(a->name, b->name);
    return order ? order : strcmp(a->function ? a->function : "", b->function ? b->function : "");
}

/* The entry or the return of a function that is known. */
static bool is_function(const struct event_class *class)
{
    return *class->function && !strcmp(class->provider, SDT_FUNCTION_PROVIDER) &&
           (!strcmp(class->name, SDT_FUNCTION_ENTRY) || !strcmp(class->name, SDT_FUNCTION_RETURN));
}

static struct trace_probe probe_of(const struct event_class *class)
{
    return (struct trace_probe){.provider = class->provider,
                                .name = class->name,
                                .function = is_function(class) ? class->function : NULL,
                                .first = class,
                                .is_uniform = true};
}

static int compare_classes(const void *a, const void *b)
{
    const struct trace_probe one = probe_of(*(struct event_class *const *)a);
    const struct trace_probe other = probe_of(*(struct event_class *const *)b);
    return trace_compare_probes(&one, &other);
}

bool trace_same_fields(const struct event_class *a, const struct event_class *b)
{
    if (a->field_count != b->field_count)
        return false;
    for (size_t i = 0; i < a->field_count; i++)
        if (strcmp(a->fields[i].name, b->fields[i].name) != 0 ||
            strcmp(a->fields[i].type, b->fields[i].type) != 0)
            return false;
    return true;
}

const char *recording_label(struct recording *recording, const char *provider, const char *name)
{
    struct bytes text = {0};
    text_name(&text, provider);
    text_char(&text, ':');
    text_name(&text, name);
    text_char(&text, '\0');
    const char *label = arena_keep(&recording->arena, text.data, text.size);
    bytes_free(&text);
    return label;
}

static const char *title_of(struct recording *recording, const char *function)
{
    char *name = demangle(function);
    const char *shown = name ? name : function;
    const char *title = arena_keep(&recording->arena, shown, strlen(shown) + 1);
    free(name);
    return title;
}

/* As a pattern has it, but for C++ names, which are those of the source. */
static const char *function_label(struct recording *recording, const struct event_class *class)
{
    char *text = memory_format("%s::%s:%s", class->provider, class->title, class->name);
    const char *label = arena_keep(&recording->arena, text, strlen(text) + 1);
    free(text);
    return label;
}

/* Sites of one probe may have fields of different types: each keeps its own. */
static void join_sites(struct recording *recording, struct event_class **classes, size_t count)
{
    recording->probes = memory_zeroed(count, sizeof *recording->probes);
    for (size_t i = 0; i < count; i++) {
        struct event_class *class = classes[i];
        if (i == 0 || compare_classes(&classes[i - 1], &class) != 0) {
            struct trace_probe new = probe_of(class);
            class->title = new.function ? title_of(recording, new.function) : NULL;
            new.label = class->title ? function_label(recording, class)
                                     : recording_label(recording, class->provider, class->name);
            recording->probes[recording->probe_count++] = new;
        }
        struct trace_probe *probe = &recording->probes[recording->probe_count - 1];
        class->title = probe->first->title;
        probe->is_uniform = probe->is_uniform && trace_same_fields(probe->first, class);
        class->probe = (unsigned)(recording->probe_count - 1);
    }
}

static void find_probes(struct recording *recording)
{
    size_t count = 0, most = 0;
    for (size_t i = 0; i < recording->trace_count; i++)
        most += recording->traces[i].class_limit;
    struct event_class **classes = memory_zeroed(most, sizeof *classes);
    for (size_t i = 0; i < recording->trace_count; i++)
        for (size_t id = 0; id < recording->traces[i].class_limit; id++)
            if (recording->traces[i].classes[id])
                classes[count++] = recording->traces[i].classes[id];
    qsort(classes, count, sizeof(struct event_class *), compare_classes);
    join_sites(recording, classes, count);
    free(classes);
}

static int join_traces(struct recording *recording)
{
    if (machines_find(recording) != 0)
        return -1;
    /* Not before: the array of traces does not move any more. */
    for (size_t i = 0; i < recording->trace_count; i++)
        for (size_t k = 0; k < recording->traces[i].stream_count; k++)
            recording->traces[i].streams[k].trace = &recording->traces[i];
    find_probes(recording);
    return 0;
}

/* Add the traces of DIRECTORY, of which some must be readable. */
static int add_directory(struct recording *recording, const char *directory, bool with_rings)
{
    size_t before = recording->trace_count;
    bool was_damaged = recording->is_damaged;
    recording->is_damaged = false;
    if (find_traces(recording, directory, with_rings) != 0)
        return -1;
    bool is_damaged = recording->is_damaged;
    recording->is_damaged = is_damaged || was_damaged;
    if (recording->trace_count > before)
        return 0;
    return is_damaged ? -1 : diag_error("%s: there is no recording", directory);
}

/* The events of a recording that is there twice would be. */
static int check_copies(const struct recording *recording)
{
    struct texts known = {0}; /* numbered as in `first` */
    size_t *first = memory_zeroed(recording->trace_count + 1, sizeof *first);
    int result = 0;
    for (size_t i = 0; result == 0 && i < recording->trace_count; i++) {
        const struct trace *trace = &recording->traces[i];
        size_t count = known.count, number = texts_number(&known, slice_of(trace->uuid));
        if (number == count)
            first[number] = i;
        const struct trace *other = &recording->traces[first[number]];
        if (*trace->uuid && other->directory != trace->directory)
            result = diag_error("%s is a copy of %s: name one of the two recordings", trace->path,
                                other->path);
    }
    texts_free(&known);
    free(first);
    return result;
}

static bool is_file(const char *path, const struct stat *file)
{
    struct stat status;
    return stat(path, &status) == 0 && status.st_dev == file->st_dev &&
           status.st_ino == file->st_ino;
}

static int refuse_twice(char *const *directories, const char *again, const struct stat *file)
{
    while (*directories != again && !is_file(*directories, file))
        directories++;
    return diag_error("%s and %s are one recording", *directories, again);
}

int recording_check_names(char *const *directories)
{
    struct texts known = {0};
    int result = 0;
    for (char *const *one = directories; result == 0 && *one; one++) {
        struct stat status;
        if (stat(*one, &status) != 0)
            continue;
        const uint64_t file[] = {status.st_dev, status.st_ino};
        size_t count = known.count;
        if (texts_number(&known, (struct slice){(const char *)file, sizeof file}) < count)
            result = refuse_twice(directories, *one, &status);
    }
    texts_free(&known);
    return result;
}

static int open_all(struct recording *recording, char *const *directories, bool with_rings)
{
    *recording = (struct recording){0};
    if (recording_check_names(directories) != 0)
        return -1;
    for (; *directories; directories++)
        if (add_directory(recording, *directories, with_rings) != 0)
            return -1;
    if (check_copies(recording) != 0 || join_traces(recording) != 0)
        return -1;
    if (with_rings)
        machines_warn(recording);
    return 0;
}

int recording_follow(struct recording *recording, const char *directory)
{
    return open_all(recording, (char *[]){(char *)directory, NULL}, false);
}

int recording_open(struct recording *recording, const char *directory)
{
    return open_all(recording, (char *[]){(char *)directory, NULL}, true);
}

int recording_open_all(struct recording *recording, char *const *directories)
{
    return open_all(recording, directories, true);
}

void recording_close(struct recording *recording)
{
    for (size_t i = 0; i < recording->trace_count; i++)
        trace_close(&recording->traces[i]);
    free(recording->traces);
    free(recording->machines);
    free(recording->probes);
    describe_free(recording->description);
    arena_free(&recording->arena);
    *recording = (struct recording){0};
}
