/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The main function of the tool: what happens to an object, from its name to the one-line summary.
 */
#include "process.h"

#include "base/diag.h"
#include "base/output.h"
#include "base/status.h"
#include "commands.h"
#include "elf/add.h"
#include "elf/beside.h"
#include "elf/foreign.h"
#include "elf/overlap.h"
#include "elf/reindex.h"
#include "elf/writer.h"
#include "probes/chosen.h"
#include "probes/signatures.h"
#include "probes/sites_find.h"
#include "rewrite/companion.h"
#include "rewrite/companion_text.h"
#include "rewrite/entries.h"
#include "rewrite/fat_lto.h"
#include "rewrite/freestanding.h"
#include "rewrite/markers.h"
#include "rewrite/notes.h"
#include "rewrite/orc.h"
#include "rewrite/plan_print.h"
#include "rewrite/rewrite.h"
#include "rewrite/set_build.h"
#include "rewrite/spellings.h"
#include "rewrite/stubs.h"
#include "untouched.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Open the output, and let the kernel copy the input into it while we read it. */
static int begin_output(const struct options *options, struct object *object, struct output *output)
{
    if (options->dry_run)
        return options->output ? output_check(options->output) : 0;
    if (options->companion)
        return 0; /* what it gets is not a copy */
    if ((options->is_private ? output_open_private(output, options->output)
                             : output_open(output, options->output, object->mode)) != 0)
        return -1;
    writer_begin(object, output);
    return 0;
}

static void summarize(const struct options *options, const struct object *object,
                      const struct sites *sites)
{
    diag_summary("%s: %u probe%s, %u site%s -> %s", object->path, sites->probe_count,
                 sites->probe_count == 1 ? "" : "s", sites->count, sites->count == 1 ? "" : "s",
                 options->output);
}

/* Refuse what is understood, and cannot be done. Changes nothing. */
static int check(const struct plan *plan)
{
    const struct object *object = plan->object;
    if (plan->wishes.is_companion)
        return companion_check(plan);
    if (plan->wishes.is_freestanding && freestanding_check(plan) != 0)
        return -1;
    if (overlap_check(object) != 0 || fat_lto_check(object) != 0)
        return -1;
    return reindex_check(object);
}

/* Add everything that the processed object carries; format.h says what that is. */
static void add_set(struct set *set, struct object *object, const struct plan *plan)
{
    set_begin(set, object, plan);
    orc_begin(set);
    if (plan->has_notes)
        notes_find(set);
    set_add_probes(set);
    stubs_add_near(set);
    stubs_add_loaders(set);
    entries_add(set);
    set_add_sites(set);
    if (plan->has_notes)
        notes_add(set);
    stubs_add_taken(set);
    if (plan->count)
        set_add_registration(set);
    orc_end(set);
    set_finish(set);
}

static int rewrite(struct object *object, const struct plan *plan, const struct markers *markers,
                   struct output *output)
{
    struct set set;
    fat_lto_remove(object);
    markers_settle(object, markers);
    if (plan->wishes.has_no_notes)
        notes_release(object);
    add_set(&set, object, plan);
    spellings_blank(object, plan);
    rewrite_prepare(&set);
    reindex(object);
    /* From here on section and symbol indexes are final. */
    rewrite_sites(&set);
    int result = writer_write(object, output);
    if (result == 0)
        result = rewrite_check(&set, output->fd);
    if (result == 0 && object->is_fat)
        diag_summary("%s: its intermediate code is left out: a later link cannot optimise it "
                     "further",
                     object->path);
    set_free(&set);
    return result;
}

static int write_companion_text(const struct options *options, const struct plan *plan,
                                struct output *output)
{
    struct bytes text = {0};
    companion_text(plan, &text);
    int result = output_open(output, options->output, plan->object->mode & 0666);
    if (result == 0)
        result = output_put(output, text.data, text.size, 0);
    if (result == 0)
        result = output_finish(output, text.size);
    bytes_free(&text);
    return result;
}

static int write_companion(const struct options *options, const struct plan *plan,
                           struct output *output)
{
    if (plan->wishes.is_text)
        return write_companion_text(options, plan, output);
    struct object companion;
    object_create(&companion, options->output, plan->object->arch);
    companion_build(&companion, plan);
    reindex(&companion);
    int result = output_open(output, options->output, companion.mode);
    if (result == 0)
        result = writer_write(&companion, output);
    object_close(&companion);
    return result;
}

/* The launcher has looked before: what it processes has probes. */
static bool has_no_probes(const struct options *options)
{
    return !options->is_private && foreign_has_no_probes(options->input);
}

static struct plan_wishes wishes_of(const struct options *options)
{
    return (struct plan_wishes){.is_companion = options->companion,
                                .is_text = options->is_text,
                                .has_no_notes = options->no_notes,
                                .has_late_notes = options->late_notes,
                                .is_bounded = options->bounded,
                                .is_freestanding = options->freestanding};
}

static bool has_debug_information(const struct object *object)
{
    for (uint32_t i = 1; i < object->section_count; i++)
        if (!strcmp(object->sections[i].name, ".debug_info") ||
            !strcmp(object->sections[i].name, ".zdebug_info"))
            return true;
    return false;
}

/* What functions take and return, by the object's debug information. */
static void tell_functions(const struct options *options, const struct object *object,
                           struct sites *sites)
{
    bool has_any = false;
    for (uint32_t i = 0; i < sites->count; i++)
        has_any |= site_has_frame(sites, &sites->items[i]);
    bool is_told = has_any && object->arch->put_function_place && has_debug_information(object);
    bool is_there = true;
    char *text = is_told ? signatures_command(options->input, &is_there) : NULL;
    if (!is_there)
        diag_warn(&(struct diag_place){.file = object->path},
                  "its functions have no arguments: sdtlink-list, which reads debug information, "
                  "cannot be started",
                  "install sdtlink again: it belongs into libexec/sdtlink");
    if (has_any)
        signatures_attach(sites, object, text);
    free(text);
}

/* As the launcher does for its own option of that name. */
static int check_functions(const struct options *options)
{
    const char *problem = options->functions ? chosen_problem(options->functions) : NULL;
    return problem ? diag_error("--functions=%s: %s", options->functions, problem) : 0;
}

static int process(const struct options *options)
{
    const struct plan_wishes wishes = wishes_of(options);
    const struct functions_asked functions = {options->functions, options->unmatched};
    struct object object;
    struct output output = {.fd = -1};
    struct sites sites = {0};
    struct plan plan = {0};
    struct markers markers = {0};
    struct beside beside = {0};
    int status = STATUS_FAILED;

    /* Refuses everything that is no object for a machine that we know. */
    if (object_map(&object, options->input, options->name ? options->name : options->input) != 0)
        goto done;
    if (options->names_from && beside_open(&beside, options->names_from) != 0)
        goto done;
    object.beside = &beside;
    if (begin_output(options, &object, &output) != 0)
        goto done;
    /* Refuses what is not intact, or without native code. */
    if (object_read(&object) != 0)
        goto done;
    if (!options->companion && freestanding_check_earlier(&object, options->freestanding) != 0)
        goto done;
    /* Refuses every use of a probe that is not fully understood. */
    if (sites_find(&sites, &object, !options->companion && !options->ignore_stapsdt,
                   options->functions ? &functions : NULL) != 0)
        goto done;
    if (sites_is_empty(&sites)) {
        status = untouched_object(options, &object, &output);
        goto done;
    }
    tell_functions(options, &object, &sites);
    plan_build(&plan, &object, &sites, &wishes);
    if (check(&plan) != 0)
        goto done;
    /* Refuses an entry of .markers that means no site; a companion leaves them alone. */
    if (!options->companion && markers_find(&markers, &object, &sites) != 0)
        goto done;
    /* From here on nothing is refused. */
    if (options->dry_run) {
        plan_print(&plan, options->json);
        status = STATUS_DONE;
        goto done;
    }
    /* From here on the image in memory differs from the input file. */
    if ((options->companion ? write_companion(options, &plan, &output)
                            : rewrite(&object, &plan, &markers, &output)) != 0)
        goto done;
    summarize(options, &object, &sites);
    if (output_deliver(&output) == 0)
        status = STATUS_DONE;
done:
    output_abandon(&output);
    markers_free(&markers);
    plan_free(&plan);
    sites_free(&sites);
    object_close(&object);
    beside_close(&beside);
    return status;
}

int process_object(const struct options *options)
{
    if (check_functions(options) != 0)
        return STATUS_USAGE;
    return has_no_probes(options) ? untouched_foreign(options) : process(options);
}
