/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Processed copies of all inputs that hold probes, made by worker processes in two steps: objects
 * and members of archives, then the archives that they are put into.
 */
#include "inputs.h"

#include "base/diag.h"
#include "base/status.h"
#include "forgotten.h"
#include "object_job.h"
#include "probes/chosen.h"
#include "probes/unmatched.h"
#include "process.h"
#include "repack.h"
#include "rewrite/bounds.h"
#include "scan.h"
#include "script.h"
#include "search.h"
#include "temporary.h"
#include "work.h"

#include <arch/tool_arch.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- scanning ---- */

/* A thread costs as much as scanning some thirty files, and slows down each scan a little. */
enum { FILES_PER_THREAD = 256, MAX_THREADS = 16 };

static size_t hash(const char *text)
{
    uint64_t value = UINT64_C(14695981039346656037); /* FNV-1a */
    for (; *text; text++)
        value = (value ^ (uint8_t)*text) * UINT64_C(1099511628211);
    return (size_t)(value ^ value >> 32);
}

/* Drivers name their libraries twice; it is enough to scan one of them, and to process one. */
static void find_repeated(struct line *line)
{
    size_t size = 1;
    while (size < line->input_count * 2)
        size *= 2;
    size_t *table = memory_zeroed(size, sizeof *table); /* input's index + 1 */
    for (size_t i = 0; i < line->input_count; i++) {
        struct line_input *input = &line->inputs[i];
        input->first = i;
        if (!input->path || input->option)
            continue;
        size_t at = hash(input->path) & (size - 1);
        while (table[at] && strcmp(line->inputs[table[at] - 1].path, input->path) != 0)
            at = (at + 1) & (size - 1);
        if (table[at])
            input->first = table[at] - 1;
        else
            table[at] = i + 1;
    }
    free(table);
}

struct scanners {
    struct line *line;
    atomic_size_t next;
};

static void *scan_some(void *data)
{
    struct scanners *scanners = data;
    size_t i, count = scanners->line->input_count;
    while ((i = atomic_fetch_add(&scanners->next, 1)) < count) {
        struct line_input *input = &scanners->line->inputs[i];
        if (input->path && input->first == i)
            input->error = scan_file(&scanners->line->rules, input->path, &input->found);
    }
    return NULL;
}

/* In this thread and, for many files, in more: as many as can be had. */
static void scan_all(struct line *line)
{
    struct scanners scanners = {.line = line};
    pthread_t threads[MAX_THREADS];
    size_t wanted = line->input_count / FILES_PER_THREAD, count = 0;
    if (wanted > 0 && wanted >= work_processors())
        wanted = work_processors() - 1;
    if (wanted > MAX_THREADS)
        wanted = MAX_THREADS;
    while (count < wanted && pthread_create(&threads[count], NULL, scan_some, &scanners) == 0)
        count++;
    scan_some(&scanners);
    while (count > 0)
        pthread_join(threads[--count], NULL);
}

int inputs_scan(struct line *line, unsigned *found)
{
    *found = 0;
    work_keep_memory();
    search_libraries(line);
    find_repeated(line);
    scan_all(line);
    for (size_t i = 0; i < line->input_count; i++) {
        struct line_input *input = &line->inputs[i];
        input->found = line->inputs[input->first].found;
        if (input->error) {
            errno = input->error;
            return diag_errno("cannot read %s", input->path);
        }
        if (input->first == i && (input->found & SCAN_SCRIPT) && script_scan(line, input) != 0)
            return -1;
        *found |= input->found;
    }
    if (!(*found & SCAN_FOREIGN))
        forgotten_warn(line);
    return 0;
}

/* Scripts and thin archives name others, and a linker writes objects of its own for bitcode. */
uint64_t inputs_size(const struct line *line)
{
    struct stat status;
    uint64_t size = 0;
    for (size_t i = 0; i < line->input_count; i++) {
        const struct line_input *input = &line->inputs[i];
        if (input->found & SCAN_LTO_PROBES)
            return UINT64_MAX;
        if (!(input->found & SCAN_PROBES) || input->first != i)
            continue;
        if (input->script || (input->found & SCAN_THIN) || stat(input->path, &status) != 0)
            return UINT64_MAX;
        size += (uint64_t)status.st_size;
    }
    return size;
}

/* ---- processing ---- */

/* What is done with a line's inputs. */
struct batch {
    struct object_jobs jobs;
    struct repack *repacks;
    size_t repack_count, repack_capacity;
    const struct scan_rules *rules;
    bool is_bounded, no_notes, late_notes;
    struct unmatched *unmatched; /* NULL: nothing is said of it */
};

/* Write a member out beside its place, so that it can be processed as a file. */
static char *extract(const struct object_job *job)
{
    char *path = memory_format("%s.member", job->output);
    FILE *file = fopen(path, "we");
    bool is_written = file && fwrite(job->data, 1, job->size, file) == job->size;
    if ((file && fclose(file) != 0) || !is_written) {
        diag_errno("cannot write %s", path);
        free(path);
        return NULL;
    }
    return path;
}

static int process(size_t index, void *data)
{
    const struct batch *batch = data;
    const struct object_job *job = &batch->jobs.list[index];
    char *member = job->file ? NULL : extract(job);
    if (!job->file && !member)
        return STATUS_FAILED;
    struct options options = {.input = member ? member : job->file,
                              .output = job->output,
                              .name = job->name,
                              .is_private = true,
                              .ignore_stapsdt = batch->rules->notes == NOTES_OF_NONE,
                              .functions = batch->rules->functions,
                              .unmatched = batch->unmatched,
                              .bounded = batch->is_bounded,
                              .no_notes = batch->no_notes,
                              .late_notes = batch->late_notes};
    if (!diag_is_verbose())
        diag_set_level(DIAG_QUIET);
    int status = process_object(&options);
    if (member)
        unlink(member);
    free(member);
    return status;
}

static int write_archive(size_t index, void *data)
{
    const struct batch *batch = data;
    return repack_write(&batch->repacks[index]) == 0 ? STATUS_DONE : STATUS_FAILED;
}

static int plan_input(struct batch *batch, struct line_input *input);

/* All that is known of the copies of what it names is their names: so it can be written at once. */
static int plan_script(struct batch *batch, struct line_input *input)
{
    char *output = temporary_path(input->path);
    for (size_t i = 0; output && i < input->script->count; i++) {
        struct line_input *named = &input->script->files[i].input;
        if ((named->found & SCAN_PROBES) && plan_input(batch, named) != 0)
            return -1;
    }
    if (!output || script_write(input->script, output) != 0)
        return -1;
    input->replacement =
        input->option ? words_keep(memory_format("%s%s", input->option, output)) : output;
    return 0;
}

static int plan_input(struct batch *batch, struct line_input *input)
{
    if (input->script)
        return plan_script(batch, input);
    if (input->found & SCAN_ARCHIVE) {
        batch->repacks = memory_with_room(batch->repacks, batch->repack_count,
                                          &batch->repack_capacity, sizeof *batch->repacks);
        struct repack *repack = &batch->repacks[batch->repack_count++];
        if (repack_open(repack, input->path, batch->rules, &batch->jobs) != 0)
            return -1;
        input->replacement = repack->output;
        return 0;
    }
    input->replacement = temporary_path(input->path);
    if (!input->replacement)
        return -1;
    object_jobs_add(&batch->jobs, &(struct object_job){.name = input->path,
                                                       .file = input->path,
                                                       .output = input->replacement});
    return 0;
}

static int plan_inputs(struct batch *batch, struct line *line)
{
    for (size_t i = 0; i < line->input_count; i++) {
        struct line_input *input = &line->inputs[i];
        if (!(input->found & SCAN_PROBES))
            continue;
        input->replacement = line->inputs[input->first].replacement;
        if (!input->replacement && plan_input(batch, input) != 0)
            return -1;
    }
    return 0;
}

/*
 * A bounded set is exact under --gc-sections (bounds.h). lld needs no help, and extracts members
 * of archives when the last object of the line has been read already. gold refuses to drop what a
 * note of <sys/sdt.h> is about: that links only as long as the sites of such notes are kept.
 */
static bool can_be_bounded(const struct line *line)
{
    enum { SITES_OF_NOTES = SCAN_NOTES | SCAN_PROBES };
    if (!line->collects_garbage || line->flavour == FLAVOUR_LLD || line->ends_binary)
        return false;
    for (size_t i = 0; i < line->input_count; i++) {
        unsigned found = line->inputs[i].found;
        if ((found & (SCAN_PROCESSED | SCAN_LTO)) ||
            (line->flavour == FLAVOUR_GOLD && (found & SITES_OF_NOTES) == SITES_OF_NOTES))
            return false;
    }
    return true;
}

static bool keeps_notes(const struct line *line)
{
    return line->flavour == FLAVOUR_GOLD || line->flavour == FLAVOUR_MOLD;
}

/* Whether finalize_file() could put the output right. */
static bool can_be_finalized(const struct line *line)
{
    return tool_arch_class(line->arch) == ELFCLASS64;
}

/* gold and mold keep the notes of what they drop, which is put right after the link. */
static bool has_late_notes(const struct line *line)
{
    return keeps_notes(line) && can_be_finalized(line) && can_be_bounded(line);
}

/* The output is to have none, or a script sees to it, or they would be wrong. */
static bool has_no_notes(const struct launcher_options *launch, const struct line *line)
{
    unsigned found = 0;
    for (size_t i = 0; i < line->input_count; i++)
        found |= line->inputs[i].found;
    bool is_wrong = keeps_notes(line) && !can_be_finalized(line);
    if (!launch->no_notes && (found & SCAN_DISCARDS))
        diag_summary("no notes for tracers: a linker script discards .note.stapsdt");
    else if (!launch->no_notes && is_wrong)
        diag_warn(&(struct diag_place){.file = line->output},
                  "no notes: gold and mold keep those of code that they drop from a 32-bit file",
                  "tracers will not see its probes; link with bfd or lld");
    return launch->no_notes || is_wrong || (found & SCAN_DISCARDS);
}

static int write_bound(const struct line *line, struct words *words, const char *name,
                       enum bound bound)
{
    char *path = temporary_path(name);
    if (!path || bounds_write(path, bound, line->arch) != 0)
        return -1;
    words_add(words, path);
    return 0;
}

/* What link-time optimisation makes is not seen here, so nothing is said of it. */
static bool is_all_seen(const struct line *line)
{
    unsigned found = 0;
    for (size_t i = 0; i < line->input_count; i++)
        found |= line->inputs[i].found;
    return line->rules.functions && !(found & SCAN_LTO);
}

int inputs_process(const struct launcher_options *launch, struct line *line, struct words *at_start,
                   struct words *at_end)
{
    bool no_notes = has_no_notes(launch, line);
    line->has_late_notes = !no_notes && has_late_notes(line);
    struct batch batch = {.rules = &line->rules,
                          .is_bounded = can_be_bounded(line),
                          .no_notes = no_notes,
                          .late_notes = line->has_late_notes,
                          .unmatched =
                              is_all_seen(line) ? chosen_watch(line->rules.functions) : NULL};
    int result = STATUS_FAILED;
    if (batch.is_bounded && (write_bound(line, at_start, "sdt_begin.o", BOUND_BEGIN) != 0 ||
                             write_bound(line, at_end, "sdt_end.o", BOUND_END) != 0))
        goto done;
    if (plan_inputs(&batch, line) != 0)
        goto done;
    result = work_run(process, batch.jobs.count, &batch);
    if (result == 0)
        result = work_run(write_archive, batch.repack_count, &batch);
    if (result == 0 && batch.unmatched)
        chosen_warn(batch.unmatched, line->rules.functions, line->output);
done:
    unmatched_end(batch.unmatched);
    for (size_t i = 0; i < batch.repack_count; i++)
        repack_close(&batch.repacks[i]);
    free(batch.repacks);
    free(batch.jobs.list);
    return result;
}
