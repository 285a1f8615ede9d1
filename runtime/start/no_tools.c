/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What lets tools see a process from outside, and what records it, for a machine that has none of
 * it: control/, recorder/, ring/, stock/, bytecode/, and a thread's context. It is refused, and the
 * message says so where the environment asks for it. No handler is the recorder's.
 */
#define _GNU_SOURCE
#include "control/attach.h"
#include "process/context.h"
#include "process/say.h"
#include "recorder/record_options.h"
#include "recorder/recorder.h"
#include "ring/conditional.h"
#include "ring/current.h"
#include "ring/recipe.h"
#include "start/stock.h"
#include "stock/build.h"

#include <errno.h>

/* ---- Tools. ---- */

int attach_start(void)
{
    return -ENOTSUP;
}

int attach_start_as(const char *value)
{
    (void)value;
    say("SDT_ATTACH: no tool can attach to this process: libsdt for this machine has no control "
        "page. SDT_ENABLE and sdt_enable(3) work");
    return -ENOTSUP;
}

int attach_hand_over(const char *value)
{
    (void)value;
    return -ENOTSUP;
}

void attach_object_came(void) {}

int context_use(const void *slot)
{
    (void)slot;
    return -ENOTSUP;
}

/* ---- Stock binaries. ---- */

void stock_start(void) {}

struct stock_tally stock_tally(void)
{
    return (struct stock_tally){0};
}

void stock_unbuild(struct annex *annex)
{
    (void)annex;
}

/* ---- The recorder. ---- */

static int create(const char *directory, const struct sdt_record_options *options,
                  struct sdt_recorder **recorder)
{
    (void)directory, (void)options, (void)recorder;
    return -ENOTSUP;
}

static int add(struct sdt_recorder *recorder, const char *pattern)
{
    (void)recorder, (void)pattern;
    return -ENOTSUP;
}

static int when(struct sdt_recorder *recorder, const char *pattern, const char *condition)
{
    (void)recorder, (void)pattern, (void)condition;
    return -ENOTSUP;
}

static int switch_on(struct sdt_recorder *recorder, int on)
{
    (void)recorder, (void)on;
    return -ENOTSUP;
}

static int flush_or_destroy(struct sdt_recorder *recorder)
{
    (void)recorder;
    return -ENOTSUP;
}

static int stats(const struct sdt_recorder *recorder, struct sdt_record_stats *result)
{
    (void)recorder, (void)result;
    return -ENOTSUP;
}

const struct recording recorder_functions = {
    create, add, when, switch_on, flush_or_destroy, stats, flush_or_destroy};
struct sdt_recorder *recorder_initial;
struct sdt_recorder *_Atomic recorder_current;

/* create() is what refuses. */
bool record_options_parse(const char *text, struct sdt_record_options *options)
{
    (void)text;
    *options = (struct sdt_record_options){.size = sizeof *options};
    return true;
}

int storage_check_watched(const char *directory)
{
    (void)directory;
    return 0;
}

void *recorder_data(struct sdt_recorder *recorder)
{
    return recorder;
}

void recorder_hit(const struct sdt_event *event, void *data)
{
    (void)event, (void)data;
}

void conditional_hit(const struct sdt_event *event, void *data)
{
    (void)event, (void)data;
}

bool conditional_record(const struct sdt_event *event, const struct conditional *conditional)
{
    (void)event, (void)conditional;
    return false;
}

int recorder_describe(struct site *site)
{
    (void)site;
    return -ENOTSUP;
}

int recorder_described(void)
{
    return 0;
}

void recorder_after_fork_child(void) {}

void recipe_forget(struct object *object)
{
    (void)object;
}
