/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The table of contents: what happens to an object, from its name to the one-line summary.
 */
#include "run.h"

#include "companion.h"
#include "diag.h"
#include "output.h"
#include "rewrite.h"

#include <stdio.h>

/* No probe: the output is a copy of the input, bit by bit. */
static int copy_input(const struct options *options, const struct object *object)
{
    struct output output = {.fd = -1};
    int result = -1;
    if (options->dry_run) {
        printf(options->json ? "[]\n" : "");
        result = 0;
    } else if (options->companion) {
        diag_error("%s: no probe to make a companion for", options->input);
    } else if (output_open(&output, options->output, object->mode) == 0 &&
               output_copy(&output, object->fd, object->image, 0, object->size, 0) == 0 &&
               output_commit(&output) == 0) {
        diag_summary("%s: no probe to process; copied to %s", options->input, options->output);
        result = 0;
    }
    output_abandon(&output);
    if (result != 0)
        return STATUS_FAILED;
    return options->require_probes ? STATUS_NO_PROBES : STATUS_DONE;
}

/* Add everything that the processed object carries; format.h says what that is. */
static void add_set(struct object *object, struct plan *plan)
{
    struct set set;
    set_begin(&set, object, plan);
    set_add_probes(&set);
    set_add_sites(&set, plan);
    stubs_add_loaders(&set, plan);
    stubs_add_taken(&set);
    if (plan->count)
        set_add_registration(&set);
    stubs_add_stack_note(&set);
    set_finish(&set);
}

/* PLAN is NULL for an object that holds no site itself. */
static int write_object(const struct options *options, struct object *object,
                        const struct plan *plan)
{
    struct output output;
    int result = -1;
    if (output_open(&output, options->output, object->mode) == 0 &&
        writer_write(object, &output) == 0 &&
        (!plan || rewrite_check(object, plan, output.fd) == 0))
        result = output_commit(&output);
    output_abandon(&output);
    return result;
}

static int rewrite(const struct options *options, struct object *object, struct plan *plan)
{
    add_set(object, plan);
    rewrite_prepare(object, plan);
    if (reindex(object) != 0)
        return -1;
    /* From here on section and symbol indexes are final. */
    rewrite_sites(object, plan);
    return write_object(options, object, plan);
}

static int make_companion(const struct options *options, const struct plan *plan)
{
    struct object companion;
    if (companion_check(plan) != 0)
        return -1;
    object_create(&companion, options->output);
    companion_build(&companion, plan);
    int result = reindex(&companion);
    if (result == 0)
        result = write_object(options, &companion, NULL);
    object_close(&companion);
    return result;
}

int sdtlink_run(const struct options *options)
{
    struct object object;
    struct sites sites = {0};
    struct plan plan = {0};
    int status = STATUS_FAILED;

    /* Refuses everything that is not an intact x86-64 object with native code. */
    if (object_open(&object, options->input) != 0)
        return STATUS_FAILED;
    /* Refuses every use of a probe that is not fully understood. */
    if (sites_find(&sites, &object) != 0)
        goto done;
    if (sites_is_empty(&sites)) {
        status = copy_input(options, &object);
        goto done;
    }
    plan_build(&plan, &object, &sites, options->companion);
    if (options->dry_run) {
        plan_print(&plan, options->json);
        status = STATUS_DONE;
        goto done;
    }
    /* From here on the image in memory differs from the input file. */
    if ((options->companion ? make_companion(options, &plan) : rewrite(options, &object, &plan)) !=
        0)
        goto done;
    diag_summary("%s: %u probes, %u sites -> %s", options->input, sites.probe_count, sites.count,
                 options->output);
    status = STATUS_DONE;
done:
    plan_free(&plan);
    sites_free(&sites);
    object_close(&object);
    return status;
}
