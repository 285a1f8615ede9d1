/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The table of contents: what happens to an object, from its name to the one-line summary.
 */
#include "run.h"

#include "base/diag.h"
#include "base/output.h"
#include "base/status.h"
#include "elf/foreign.h"
#include "elf/image.h"
#include "elf/overlap.h"
#include "elf/reindex.h"
#include "elf/writer.h"
#include "probes/find.h"
#include "rewrite/companion.h"
#include "rewrite/fat_lto.h"
#include "rewrite/markers.h"
#include "rewrite/notes.h"
#include "rewrite/rewrite.h"
#include "untouched.h"

#include <stdio.h>

/* Open the output, and let the kernel copy the input into it while we read it. */
static int begin_output(const struct options *options, struct object *object, struct output *output)
{
    if (options->dry_run)
        return options->output ? output_check(options->output) : 0;
    if (options->companion)
        return 0; /* what it gets is not a copy */
    if (output_open(output, options->output, object->mode) != 0)
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

/* Add everything that the processed object carries; format.h says what that is. */
static void add_set(struct object *object, struct plan *plan)
{
    struct set set;
    set_begin(&set, object, plan);
    if (plan->has_notes)
        notes_find(&set);
    set_add_probes(&set);
    stubs_add_loaders(&set, plan);
    entries_add(&set, plan);
    set_add_sites(&set, plan);
    if (plan->has_notes)
        notes_add(&set, plan);
    stubs_add_taken(&set);
    if (plan->count)
        set_add_registration(&set);
    set_finish(&set);
}

/*
 * The object as it will be written, but for the sites' own bytes. Everything that an input can be
 * refused for happens in here, so that --dry-run, which goes this far, refuses the same.
 */
static int prepare(struct object *object, struct plan *plan)
{
    if (overlap_check(object) != 0 || fat_lto_check(object) != 0)
        return -1;
    fat_lto_remove(object);
    if (markers_settle(object, plan->found) != 0)
        return -1;
    add_set(object, plan);
    rewrite_prepare(object, plan);
    return reindex(object);
}

static int rewrite(const struct options *options, struct object *object, struct plan *plan,
                   struct output *output)
{
    if (prepare(object, plan) != 0)
        return -1;
    if (options->dry_run)
        return 0;
    /* From here on section and symbol indexes are final. */
    rewrite_sites(object, plan);
    if (writer_write(object, output) != 0 || rewrite_check(object, plan, output->fd) != 0)
        return -1;
    if (object->is_fat)
        diag_summary("%s: its intermediate code is left out: a later link cannot optimise it "
                     "further",
                     object->path);
    summarize(options, object, plan->found);
    return output_deliver(output);
}

/* Write COMPANION, that of OBJECT. */
static int write_companion(const struct options *options, const struct object *object,
                           const struct plan *plan, struct object *companion, struct output *output)
{
    if (output_open(output, options->output, companion->mode) != 0 ||
        writer_write(companion, output) != 0)
        return -1;
    summarize(options, object, plan->found);
    return output_deliver(output);
}

static int make_companion(const struct options *options, const struct object *object,
                          const struct plan *plan, struct output *output)
{
    struct object companion;
    if (companion_check(plan) != 0)
        return -1;
    image_create(&companion, options->output ? options->output : options->input, object->arch);
    companion_build(&companion, plan);
    int result = reindex(&companion);
    if (result == 0 && !options->dry_run)
        result = write_companion(options, object, plan, &companion, output);
    object_close(&companion);
    return result;
}

int sdtlink_run(const struct options *options)
{
    struct object object;
    struct output output = {.fd = -1};
    struct sites sites = {0};
    struct plan plan = {0};
    int status = STATUS_FAILED, result;

    if (foreign_has_no_probes(options->input))
        return untouched_foreign(options);
    /* Refuses everything that is no object for a machine that we know. */
    if (object_map(&object, options->input, options->name ? options->name : options->input) != 0)
        goto done;
    if (begin_output(options, &object, &output) != 0)
        goto done;
    /* Refuses what is not intact, or without native code. */
    if (object_read(&object) != 0)
        goto done;
    /* Refuses every use of a probe that is not fully understood. */
    if (sites_find(&sites, &object, !options->companion && !options->ignore_stapsdt) != 0)
        goto done;
    if (sites_is_empty(&sites)) {
        status = untouched_object(options, &object, &output);
        goto done;
    }
    plan_build(&plan, &object, &sites, options->companion);
    plan.is_bounded = options->bounded;
    plan.has_late_notes = options->late_notes;
    if (!options->companion && !options->no_notes)
        plan_notes(&plan);
    /* From here on the image in memory differs from the input file. */
    result = options->companion ? make_companion(options, &object, &plan, &output)
                                : rewrite(options, &object, &plan, &output);
    if (result != 0)
        goto done;
    if (options->dry_run)
        plan_print(&plan, options->json);
    status = STATUS_DONE;
done:
    output_abandon(&output);
    plan_free(&plan);
    sites_free(&sites);
    object_close(&object);
    return status;
}
