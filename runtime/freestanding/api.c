/* SPDX-License-Identifier: BSD-2-Clause */
/* The functions of <sdt/kernel.h>, and those of <sdt/runtime.h> that are not for handlers. */
#include "freestanding/module.h"
#include "patch/patch.h"
#include "patch/resolve.h"
#include "process/lock.h"
#include "registry/registry.h"
#include "shared/lower_bound.h"
#include "site/image.h"
#include "site/record.h"
#include "subscribe/inspect.h"
#include "subscribe/objects.h"
#include "subscribe/subscribe.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* 0, or why the lock cannot be had here. Where it cannot, memory must not be asked for either. */
static int ask_lock(void)
{
    int error = lock_acquire();
    if (!error)
        lock_release();
    return error;
}

/* ---- Modules. ---- */

/* A record that is wrong may still have a name. */
static void tell_refused(const struct sdt_kernel_module *module, const struct object *object)
{
    struct image image = {0};
    image_of(object->dso, &image); /* without memory, it holds no names */
    for (size_t i = 0; i < object->n; i++) {
        const struct site *site = &object->sites[i];
        bool has_name = record_has_name(site->record, &image);
        if (site->is_bad)
            sdt_kernel_refused(module, has_name ? record_name(site->record) : "", site_pc(site),
                               site->error);
    }
    image_free(&image);
}

static void forget_module(struct sdt_kernel_module *module)
{
    free(module->runtime);
    module->runtime = NULL;
}

int sdt_add(struct sdt_kernel_module *module)
{
    int error = ask_lock();
    struct added *added = error ? NULL : calloc(1, sizeof *added);
    if (!added)
        return error ? error : -ENOMEM;
    added->module = module;
    module->runtime = added;
    objects_push(&added->dso);
    error = subscribe_begin();
    const struct object *object = registry_object(&added->dso);
    if (!error && object)
        tell_refused(module, object);
    if (!error)
        lock_release();
    if (object)
        return 0;
    subscribe_object_left(&added->dso);
    forget_module(module);
    return error ? error : -EILSEQ;
}

void sdt_remove(struct sdt_kernel_module *module)
{
    struct added *added = module->runtime;
    if (!added || ask_lock() != 0)
        return;
    subscribe_object_left(&added->dso);
    subscribe_collect();
    forget_module(module);
}

/* SITE is off, and stays so. */
static void retire_site(struct site *site)
{
    struct object *object = site->probe->object;
    if (!site->is_alias) {
        site->probe->firing -= site_fires(site);
        object->enabled_sites -= !site_fires(site);
    }
    site->is_bad = true;
    site->error = -ESTALE;
}

void sdt_forget(struct sdt_kernel_module *module, const void *begin, const void *end)
{
    struct added *added = module->runtime;
    struct patch patch;
    if (!added || lock_acquire() != 0)
        return;
    struct object *object = registry_object(&added->dso);
    struct site *sites = object->sites;
    size_t first = LOWER_BOUND(i, object->n, sites[i].patch < (uintptr_t)begin);
    size_t last = LOWER_BOUND(i, object->n, sites[i].patch < (uintptr_t)end);
    patch_begin(&patch, SDT_MODE_OFF);
    for (size_t i = first; i < last; i++)
        patch_site(&patch, &sites[i]);
    patch_end(&patch);
    for (size_t i = first; i < last; i++)
        if (!sites[i].is_bad)
            retire_site(&sites[i]);
    lock_release();
}

/* ---- Breakpoints. ---- */

struct sdt_resume sdt_breakpoint(uintptr_t address)
{
    struct trap_answer answer = resolve_trap(address);
    switch (answer.verdict) {
    case TRAP_CALL:
        return (struct sdt_resume){SDT_RESUME_CALL, answer.stub, answer.resume, answer.patch};
    case TRAP_ENTER:
        return (struct sdt_resume){SDT_RESUME_JUMP, answer.stub + SDT_STUB_AT, 0, answer.patch};
    case TRAP_RESUME:
        return (struct sdt_resume){SDT_RESUME_AT, answer.resume, 0, 0};
    case TRAP_RETURN:
        return (struct sdt_resume){SDT_RESUME_RETURN, 0, 0, 0};
    default:
        return (struct sdt_resume){SDT_RESUME_FOREIGN, 0, 0, 0};
    }
}

/* ---- Subscriptions. ---- */

int sdt_enable_mode(const char *pattern, sdt_handler *handler, void *data, int mode)
{
    int error = subscribe_accepts(pattern, handler, mode) ? ask_lock() : -EINVAL;
    if (error)
        return error;
    return subscribe(pattern, strlen(pattern), handler, data,
                     (mode & ~SDT_PENDING) | SUBSCRIBE_GENERAL_REGS, subscribe_needs(mode));
}

int sdt_enable(const char *pattern, sdt_handler *handler, void *data)
{
    return sdt_enable_mode(pattern, handler, data, SDT_MODE_AUTO);
}

int sdt_disable(int subscription)
{
    return unsubscribe(subscription);
}

int sdt_foreach(const char *pattern, int (*visit)(const struct sdt_probe_info *site, void *data),
                void *data)
{
    int error = pattern && visit ? ask_lock() : -EINVAL;
    return error ? error : inspect_foreach(pattern, visit, data);
}

uint64_t sdt_hits(const char *pattern)
{
    uint64_t hits = 0;
    if (pattern && ask_lock() == 0)
        inspect_hits(pattern, &hits);
    return hits;
}
