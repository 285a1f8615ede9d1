/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See calls.h. A process is asked for two things: that each return takes a call off its thread's
 * stack, and that each entry puts one on. The second request says at which entries a tree may
 * begin, by address, as a hit has no time to compare names; so it is made anew when a library
 * brings another such function.
 */
#include "calls.h"

#include "base/diag.h"
#include "base/function_name.h"
#include "base/memory.h"
#include "base/probe_words.h"
#include "command/command.h"
#include "compile/site_arguments.h"
#include "target/live_sites.h"
#include "target/patterns.h"

#include <errno.h>
#include <sdt/format.h>
#include <shared/pattern.h>
#include <stdlib.h>
#include <string.h>

#define ENTRIES SDT_FUNCTION_PROVIDER ":" SDT_FUNCTION_ENTRY
#define RETURNS SDT_FUNCTION_PROVIDER ":" SDT_FUNCTION_RETURN

/* The function that begins at PC. */
struct named_place {
    uint64_t pc;
    char *function;
};

struct calls_process {
    struct attached *process;
    uint64_t generation; /* of its page, when its sites were last listed */
    bool is_asked;
    struct measure_part part;
    uint64_t entries; /* the ID of the request, there; 0: not yet */
    uint64_t roots[LIVE_MAX_ROOTS];
    size_t root_count;
    struct named_place *places; /* by pc */
    size_t place_count;
};

/* ---- Words. ---- */

int calls_pattern(const char *command, char **words, char **pattern, const char **wanted)
{
    bool is_all = false;
    if (!*words)
        return command_wrong(command, "name a function, or all by '*'");
    for (; *words; words++) {
        struct probe_words parts;
        if (!probe_words_function(&parts, *words, SDT_FUNCTION_PROVIDER))
            return command_wrong(command, "a function is a name or a glob, without commas, "
                                          "slashes, and colons other than those of '::'");
        is_all |= strcmp(*words, "*") == 0;
        char *before = *pattern;
        *pattern = memory_format("%s%s" SDT_FUNCTION_PROVIDER ":%s:%s:" SDT_FUNCTION_ENTRY,
                                 before ? before : "", before ? "," : "", parts.word[WORD_MODULE],
                                 parts.word[WORD_FUNCTION]);
        probe_words_free(&parts);
        free(before);
    }
    *wanted = is_all ? NULL : *pattern;
    return STATUS_DONE;
}

/* ---- What the process has. ---- */

static int compare_places(const void *one, const void *other)
{
    const struct named_place *a = one, *b = other;
    return a->pc != b->pc ? (a->pc < b->pc ? -1 : 1) : 0;
}

static const struct named_place *find_place(const struct calls_process *of, uint64_t pc)
{
    const struct named_place key = {.pc = pc};
    return of->place_count ? bsearch(&key, of->places, of->place_count, sizeof key, compare_places)
                           : NULL;
}

/* The functions of SITES; those that have gone since stay. */
static void note_places(struct calls_process *of, const struct live_sites *sites)
{
    size_t known = of->place_count;
    of->places = memory_resize(of->places, known + sites->count + 1, sizeof *of->places);
    for (size_t i = 0; i < sites->count; i++) {
        const struct live_site *site = &sites->site[i];
        const struct named_place key = {.pc = site->pc};
        struct named_place *old =
            known ? bsearch(&key, of->places, known, sizeof key, compare_places) : NULL;
        if (old)
            free(old->function);
        else
            old = &of->places[of->place_count++];
        *old = (struct named_place){site->pc, memory_format("%s", site->function)};
    }
    qsort(of->places, of->place_count, sizeof *of->places, compare_places);
}

static int compare_numbers(const void *one, const void *other)
{
    uint64_t a = *(const uint64_t *)one, b = *(const uint64_t *)other;
    return a != b ? (a < b ? -1 : 1) : 0;
}

/* Whether a tree may begin at SITE, an entry, if that is at PATTERN. */
static bool is_root(const struct live_site *site, const char *pattern)
{
    char *copy = memory_format("%s", pattern), *rest = copy;
    bool is_any = false;
    for (char *part; !is_any && (part = probe_words_next(&rest));) {
        struct probe_words words;
        is_any = probe_words_split(&words, part, SDT_FUNCTION_PROVIDER) == 4 &&
                 pattern_part(words.word[WORD_MODULE], site->module) &&
                 function_name_part(words.word[WORD_FUNCTION], site->function);
        probe_words_free(&words);
    }
    free(copy);
    return is_any;
}

/* Where a tree may begin, of SITES; -1: there are too many. *HAS_CHANGED: not as before. */
static int find_roots(const struct calls *calls, struct calls_process *of,
                      const struct live_sites *sites, bool *has_changed)
{
    uint64_t roots[LIVE_MAX_ROOTS] = {0};
    size_t count = 0;
    const char *text = calls->request.pattern;
    for (size_t i = 0; text && i < sites->count && count < LIVE_MAX_ROOTS + 1; i++)
        if (is_root(&sites->site[i], text)) {
            if (count < LIVE_MAX_ROOTS)
                roots[count] = sites->site[i].pc;
            count++;
        }
    if (count > LIVE_MAX_ROOTS)
        return diag_error("%s: more than %d functions match: name fewer, or all by '*'", text,
                          (int)LIVE_MAX_ROOTS);
    qsort(roots, count, sizeof *roots, compare_numbers);
    *has_changed = count != of->root_count || memcmp(roots, of->roots, count * sizeof *roots) != 0;
    of->root_count = count;
    memcpy(of->roots, roots, count * sizeof *roots);
    return 0;
}

/* ---- Programs. ---- */

/* What ends a call, at sites like one of SITES that says its frame; false: none does. */
static bool compile_end(struct compiled *compiled, const struct live_sites *sites)
{
    bool is_done = false;
    for (size_t i = 0; i < sites->count && !is_done; i++) {
        struct site_arguments *arguments = site_arguments_read(sites->site[i].arguments);
        struct compile_request request = {.action = LIVE_LEAVE,
                                          .value = SDT_FUNCTION_FRAME,
                                          .arguments = arguments->list,
                                          .argument_count = arguments->count};
        struct compile_error error;
        is_done = compile_program(&request, compiled, &error) == 0;
        site_arguments_free(arguments);
    }
    return is_done;
}

/* The same becomes what begins one. */
static void make_begin(struct compiled *compiled, const struct calls *calls,
                       const struct calls_process *of)
{
    struct live_program *program = (struct live_program *)(void *)compiled->words;
    program->action = LIVE_ENTER;
    program->numbers = (uint8_t)of->root_count;
    program->kept = calls->request.depth | (uint64_t)of->root_count << LIVE_ROOTS_SHIFT;
    memcpy((void *)(uintptr_t)live_numbers(program), of->roots, of->root_count * sizeof *of->roots);
    program->size = (uint16_t)(program->size + of->root_count * sizeof *of->roots);
}

/* *ID of the request in the process. */
static int ask(const struct calls *calls, const struct calls_process *of, const char *pattern,
               const struct compiled *compiled, uint64_t *id)
{
    struct attach_request request = {.op = LIVE_ENABLE,
                                     .text = pattern,
                                     .argument = of->part.number,
                                     .flags =
                                         LIVE_PENDING | (calls->target->follows ? LIVE_FOLLOW : 0),
                                     .program = compiled->words,
                                     .program_size = compiled_program(compiled)->size};
    if (attach_send(of->process, &request) != 0)
        return STATUS_FAILED;
    if (request.result <= 0)
        return target_refused_by(of->process, pattern, &request);
    *id = (uint64_t)request.result;
    return STATUS_DONE;
}

static int cease(struct calls_process *of)
{
    struct attach_request request = {.op = LIVE_DISABLE, .argument = of->entries};
    bool is_there = of->entries && of->process->page && attach_is_there(of->process);
    of->entries = 0;
    return is_there && attach_send(of->process, &request) != 0 ? STATUS_FAILED : STATUS_DONE;
}

/* ---- Processes. ---- */

static int make_table(const struct calls *calls, struct calls_process *of)
{
    const struct live_table_spec spec = {
        .value = LIVE_CALLS, .key = {LIVE_UNSIGNED, LIVE_UNSIGNED}, .keys = calls->request.paths};
    return measure_part_make(&of->part, of->process, &spec) == 0 ? STATUS_DONE : STATUS_FAILED;
}

/* The returns first, so that nothing begins without an end. */
static int enable(const struct calls *calls, struct calls_process *of,
                  const struct live_sites *sites)
{
    struct compiled compiled;
    uint64_t id;
    int status = STATUS_DONE;
    if (!compile_end(&compiled, sites))
        return diag_error("process %d (%s): its functions do not say their frame, as those of "
                          "-finstrument-functions: build it by 'sdtlink --functions'",
                          (int)of->process->pid, of->process->name),
               STATUS_FAILED;
    if (!of->is_asked) {
        status = make_table(calls, of);
        if (status == STATUS_DONE)
            status = ask(calls, of, RETURNS, &compiled, &id);
        of->is_asked = of->part.size > 0;
    }
    make_begin(&compiled, calls, of);
    if (status == STATUS_DONE)
        status = cease(of);
    if (status == STATUS_DONE)
        status = ask(calls, of, ENTRIES, &compiled, &of->entries);
    if (status == STATUS_DONE)
        patterns_warn(of->process, ENTRIES "," RETURNS);
    return status;
}

static int look_at_sites(struct calls *calls, struct calls_process *of,
                         const struct live_sites *sites)
{
    bool has_changed;
    const char *pattern = calls->request.pattern;
    if (find_roots(calls, of, sites, &has_changed) != 0)
        return STATUS_FAILED;
    note_places(of, sites);
    if (pattern ? of->root_count > 0 : sites->count > 0)
        return has_changed || !of->entries ? enable(calls, of, sites) : STATUS_DONE;
    const struct attach_request none = {.result = -ENOENT};
    if (pattern)
        patterns_note_near_miss(of->process, pattern);
    return target_may_lack(calls->target, of->process)
               ? STATUS_DONE
               : target_refused_by(of->process, pattern ? pattern : ENTRIES, &none);
}

static int look_at(struct calls *calls, struct calls_process *of)
{
    struct live_sites sites;
    uint64_t generation = atomic_load(&of->process->page->generation);
    if (generation == of->generation)
        return STATUS_DONE;
    if (live_sites_ask(of->process, ENTRIES, &sites) != 0)
        return STATUS_FAILED;
    of->generation = generation;
    int status = look_at_sites(calls, of, &sites);
    live_sites_free(&sites);
    return status;
}

int calls_look(struct calls *calls)
{
    int status = STATUS_DONE;
    size_t count = target_count(calls->target);
    calls->processes = memory_resize(calls->processes, count, sizeof *calls->processes);
    for (; calls->count < count; calls->count++) {
        struct attached *process = target_at(calls->target, calls->count);
        /* Not in the initializer: gcc 10 then warns of the fields that are left out. */
        uint64_t generation = process->page ? atomic_load(&process->page->generation) - 1 : 0;
        calls->processes[calls->count] =
            (struct calls_process){.process = process, .generation = generation};
    }
    for (size_t i = 0; i < count && status == STATUS_DONE; i++) {
        struct calls_process *of = &calls->processes[i];
        if (of->process->page && attach_is_there(of->process))
            status = target_settle(of->process, look_at(calls, of));
    }
    return status;
}

int calls_begin(struct calls *calls, struct target *target, const struct calls_request *request)
{
    *calls = (struct calls){.request = *request, .target = target};
    int status = target_check_matches(target, request->pattern ? request->pattern : ENTRIES);
    return status == STATUS_DONE ? calls_look(calls) : status;
}

/* ---- Reading. ---- */

/* The rows of one process: of each its function and its time, its first child and the next child of
 * its caller; 0: none, else 1 more. */
struct row {
    uint64_t pc;
    struct live_sums sums;
    uint32_t child, sibling;
};

static void read_rows(const struct live_view *view, struct row *rows, uint32_t *first)
{
    uint32_t count = live_rows(&view->layout);
    struct live_key key;
    for (uint32_t i = 0; i < count; i++) {
        if (!live_row_key(view, i, &key) || key.number[0] > count)
            continue;
        uint32_t *at = key.number[0] ? &rows[key.number[0] - 1].child : first;
        rows[i].pc = key.number[1];
        rows[i].sibling = *at;
        *at = i + 1;
        live_row_add(view, i, &rows[i].sums);
    }
}

static char *function_at(const struct calls_process *of, uint64_t pc)
{
    const struct named_place *place = find_place(of, pc);
    return place && *place->function ? memory_format("%s", place->function)
                                     : memory_format("0x%llx", (unsigned long long)pc);
}

/* The row AT, and its siblings, and what is below them, which is no deeper than the process goes:
 * a table may hold anything. */
static void add_rows(const struct calls_process *of, const struct row *rows, uint32_t at,
                     struct tree_node *parent, unsigned depth)
{
    for (; at && depth < LIVE_MAX_DEPTH; at = rows[at - 1].sibling) {
        const struct row *row = &rows[at - 1];
        char *function = function_at(of, row->pc);
        struct tree_node *node = tree_child(parent, function);
        free(function);
        node->calls += row->sums.count;
        node->ns += row->sums.sum;
        node->max = row->sums.max > node->max ? row->sums.max : node->max;
        add_rows(of, rows, row->child, node, depth + 1);
    }
}

static void read_process(const struct calls_process *of, struct tree_node *whole,
                         struct calls_lost *lost)
{
    const struct live_view *view = &of->part.view;
    const struct live_table *table = (const void *)view->memory;
    struct row *rows = memory_zeroed(live_rows(&view->layout), sizeof *rows);
    uint32_t first = 0;
    read_rows(view, rows, &first);
    add_rows(of, rows, first, whole, 0);
    free(rows);
    lost->roomless += atomic_load(&table->overflow);
    lost->threadless += atomic_load(&table->unmatched);
    lost->unreturned += atomic_load(&table->restarted);
    lost->deeper += atomic_load(&table->evicted);
}

void calls_read(const struct calls *calls, struct tree_node *whole, struct calls_lost *lost)
{
    *whole = (struct tree_node){.count = 0};
    *lost = (struct calls_lost){0};
    for (size_t i = 0; i < calls->count; i++)
        if (calls->processes[i].is_asked)
            read_process(&calls->processes[i], whole, lost);
}

bool calls_were_asked(const struct calls *calls)
{
    for (size_t i = 0; i < calls->count; i++)
        if (calls->processes[i].is_asked)
            return true;
    return false;
}

void calls_end(struct calls *calls)
{
    for (size_t i = 0; i < calls->count; i++)
        cease(&calls->processes[i]);
}

void calls_free(struct calls *calls)
{
    for (size_t i = 0; i < calls->count; i++) {
        struct calls_process *of = &calls->processes[i];
        if (of->is_asked)
            measure_part_end(&of->part);
        for (size_t k = 0; k < of->place_count; k++)
            free(of->places[k].function);
        free(of->places);
    }
    free(calls->processes);
    *calls = (struct calls){.count = 0};
}
