/* SPDX-License-Identifier: BSD-2-Clause */
#include "plan.h"

#include "base/diag.h"
#include "probes/args.h"
#include "probes/functions.h"

#include <shared/describe.h>
#include <stdlib.h>
#include <string.h>

/* The stub of a probe that the text planned last has, where texts have their own. */
struct near_stub {
    const struct planned_text *text;
    uint64_t at;
};

/* A plan in the making. */
struct making {
    struct plan *plan;
    struct bytes text;               /* a descriptor */
    uint32_t function;               /* the symbol of the one named last … */
    bool is_piece;                   /* … the sort of its name … */
    struct slice function_name;      /* … and that, since sites follow each other in a function */
    struct stapsdt_names names;      /* of the object's symbols */
    struct description *description; /* of the arguments of <sys/sdt.h>'s probes */
    struct near_stub *stubs;         /* of all probes */
};

static void plan_bytes(const struct plan *plan, struct planned_site *planned)
{
    const struct site *site = planned->site;
    memcpy(planned->before, plan->object->sections[site->place.section].data + site->place.offset,
           site->length);
    memcpy(planned->after, planned->before, sizeof planned->after);
    if (!plan->wishes.is_companion && !planned->is_moved)
        plan->object->arch->encode_off(planned->kind, planned->after);
    if (site->is_sled)
        plan->object->arch->fill_sled(planned->kind, planned->after);
}

const struct arch_code *plan_loader_code(const struct plan *plan, const struct planned_site *site)
{
    if (!site->is_moved)
        return &plan->code->loader;
    return site->form->is_enabled_test ? &plan->code->moved_enabled : &plan->code->moved_site;
}

/*
 * What a site leads to that is its own: the entry, where registers are live; a tail's or jcc's way
 * to the stub, or what an is-enabled jcc is led to instead.
 */
static void plan_own_code(const struct plan *plan, struct planned_text *text,
                          struct planned_site *planned)
{
    planned->has_entry = kind_has_entry(planned->kind);
    bool is_tail = planned->form->returns && planned->form->keeps_branch;
    planned->has_loader = !planned->has_entry && (is_tail || planned->is_moved);
    if (planned->has_entry) {
        planned->own_code_at = text->entry_size;
        text->entry_size += plan->code->entry.size;
    }
    if (!planned->has_loader)
        return;
    planned->own_code_at = text->loader_size;
    text->loader_size += plan_loader_code(plan, planned)->size;
    text->has_moved |= planned->is_moved;
}

static void plan_stub(struct making *making, struct planned_text *text,
                      struct planned_site *planned)
{
    const struct plan *plan = making->plan;
    struct near_stub *stub = &making->stubs[planned->site->probe];
    if (planned->has_entry || !plan_has_near_stubs(plan))
        return;
    if (stub->text != text) {
        *stub = (struct near_stub){text, text->stub_size};
        text->stub_size += plan->code->stub.size;
    }
    planned->stub_at = stub->at;
}

static void plan_args(struct making *making, struct planned_site *planned)
{
    struct plan *plan = making->plan;
    struct bytes *text = &making->text;
    text->size = 0;
    planned->nargs = (uint8_t)args_append_text(text, plan->object->arch, planned->site);
    planned->args = arena_keep(&plan->pieces, text->data, text->size);
    planned->args_size = (uint32_t)text->size;
    if (planned->nargs && !planned->site->arguments.is_given)
        planned->flags |= SDT_SITE_UNTYPED;
}

static const struct describe_probe *find_described(const struct description *description,
                                                   const struct stapsdt_note *note)
{
    char *provider = memory_format("%.*s", (int)note->provider.length, note->provider.text);
    char *name = memory_format("%.*s", (int)note->name.length, note->name.text);
    const struct describe_probe *found = describe_find(description, provider, name);
    free(provider);
    free(name);
    return found;
}

/* The asm may be any, where no descriptor shows that it is ours: then the flags may be needed. */
static void plan_stapsdt(struct making *making, struct planned_site *planned)
{
    struct plan *plan = making->plan;
    const struct stapsdt_note *note = planned->site->stapsdt;
    struct stapsdt_args args;
    free(stapsdt_read_args(&args, plan->object, &making->names, note->args)); /* no problem */
    if (planned->site->arguments.is_given)
        args_tell_note(&args, &planned->site->arguments);
    else if (making->description)
        stapsdt_name_args(&args, find_described(making->description, note));
    planned->args_size = (uint32_t)args.size;
    planned->args = arena_keep(&plan->pieces, args.text, planned->args_size);
    planned->nargs = args.count;
    planned->target_count = args.target_count;
    planned->targets =
        arena_keep(&plan->pieces, args.targets, args.target_count * sizeof *args.targets);
    free(args.text);
    if (!planned->site->arguments.is_given || plan->code->note_entry.size)
        planned->flags |= SDT_SITE_LIVE_FLAGS;
    if (note->semaphore.symbol)
        planned->flags |= stapsdt_is_indirect(plan->object, &note->semaphore)
                              ? SDT_SITE_SEMAPHORE | SDT_SITE_INDIRECT
                              : SDT_SITE_SEMAPHORE;
}

/* What cannot be served stays what it is: companion_check() and freestanding_check() refuse it. */
static void plan_kind(const struct plan *plan, struct planned_site *planned)
{
    const struct tool_arch *arch = plan->object->arch;
    struct arch_made made = {planned->site->kind, planned->site->is_moved};
    if (plan->wishes.is_companion)
        made = arch->companion(made.kind, made.is_moved);
    if (plan->wishes.is_freestanding && arch->freestanding)
        made = arch->freestanding(made.kind);
    planned->kind = made.kind ? made.kind : planned->site->kind;
    planned->is_moved = made.is_moved;
    planned->form = arch->form(planned->kind);
}

static void plan_site(struct making *making, struct planned_site *planned, const struct site *site)
{
    const struct plan *plan = making->plan;
    planned->site = site;
    plan_kind(plan, planned);
    plan_bytes(plan, planned);
    planned->module = site_module(plan->found, site);
    planned->function = site_function(plan->found, site);
    if (!planned->function.length && site->function) {
        bool is_piece = site_is_function(plan->found, site);
        if (site->function != making->function || is_piece != making->is_piece)
            making->function_name = is_piece ? function_piece_name(plan->object, site->function)
                                             : function_name(plan->object, site->function);
        making->function = site->function;
        making->is_piece = is_piece;
        planned->function = making->function_name;
    }
    if (site->stapsdt)
        plan_stapsdt(making, planned);
    else
        plan_args(making, planned);
    if (plan->wishes.is_companion)
        planned->flags |= SDT_SITE_COMPANION;
    if (plan->wishes.is_freestanding)
        planned->flags |= SDT_SITE_FREESTANDING | SDT_FORMAT_VERSION << SDT_SITE_VERSION_SHIFT;
    if (planned->is_moved)
        planned->flags |= SDT_SITE_MOVED;
}

/* How many arguments each probe has, by its first site with a descriptor; 0: untyped, or none. */
static uint8_t *count_arguments(const struct plan *plan)
{
    uint8_t *counts = memory_zeroed(plan->found->probe_count, sizeof *counts);
    bool *is_known = memory_zeroed(plan->found->probe_count, sizeof *is_known);
    for (uint32_t i = 0; i < plan->count; i++) {
        const struct planned_site *site = &plan->sites[i];
        uint32_t probe = site->site->probe;
        if (site->form->is_enabled_test || (site->flags & SDT_SITE_UNTYPED) || is_known[probe])
            continue;
        is_known[probe] = true;
        counts[probe] = site->nargs;
    }
    for (uint32_t p = 0; p < plan->found->probe_count; p++)
        if (!is_known[p])
            counts[p] = UNTYPED_ARGS;
    free(is_known);
    return counts;
}

static void warn_of_counts(const struct plan *plan, const struct planned_site *site)
{
    const struct object *o = plan->object;
    char *function = memory_format("%.*s", (int)site->function.length, site->function.text);
    struct diag_place place = {
        .file = o->path,
        .section = o->sections[site->site->place.section].name,
        .offset = site->site->place.offset,
        .function = *function ? function : NULL,
        .symbol = object_symbol_name(o, site_symbol(plan->found, site->site)->symbol)};
    diag_warn(
        &place, "the probe has a different number of arguments at other sites",
        "tracers assume one number for all sites: use the same number everywhere, or another name");
    free(function);
}

/* Give each site that fires a note. */
static void plan_notes(struct plan *plan)
{
    uint8_t *counts = count_arguments(plan);
    for (uint32_t t = 0; t < plan->text_count; t++) {
        struct planned_text *text = &plan->texts[t];
        for (uint32_t i = text->first; i < text->first + text->count; i++) {
            struct planned_site *site = &plan->sites[i];
            unsigned expected = counts[site->site->probe];
            if (site->form->is_enabled_test || kind_is_of_note(site->site->kind) ||
                site_is_function(plan->found, site->site))
                continue;
            bool is_untyped = site->flags & SDT_SITE_UNTYPED;
            site->flags |= SDT_SITE_NOTE;
            text->has_notes = plan->has_notes = true;
            site->note_args = is_untyped ? (uint8_t)expected : site->nargs;
            if (site->note_args != expected)
                warn_of_counts(plan, site);
        }
    }
    free(counts);
}

static void plan_texts(struct making *making)
{
    struct plan *plan = making->plan;
    const struct sites *sites = plan->found;
    for (uint32_t i = 0; i < sites->count; i++) {
        const struct site *site = &sites->items[i];
        if (i == 0 || site->place.section != sites->items[i - 1].place.section)
            plan->texts[plan->text_count++] =
                (struct planned_text){.section = site->place.section, .first = i};
        struct planned_text *text = &plan->texts[plan->text_count - 1];
        text->count++;
        plan_site(making, &plan->sites[i], site);
        if (plan->wishes.is_companion)
            continue;
        plan_own_code(plan, text, &plan->sites[i]);
        plan_stub(making, text, &plan->sites[i]);
    }
}

void plan_build(struct plan *plan, const struct object *object, const struct sites *sites,
                const struct plan_wishes *wishes)
{
    struct making making = {.plan = plan};
    *plan =
        (struct plan){.object = object, .found = sites, .count = sites->count, .wishes = *wishes};
    plan->code = wishes->is_freestanding && object->arch->freestanding_code
                     ? object->arch->freestanding_code
                     : &object->arch->code;
    plan->sites = memory_zeroed(sites->count, sizeof *plan->sites);
    plan->texts = memory_zeroed(sites->count, sizeof *plan->texts);
    making.stubs = memory_zeroed(sites->probe_count, sizeof *making.stubs);
    if (sites->stapsdt.count)
        making.description = stapsdt_read_description(object);
    plan_texts(&making);
    bytes_free(&making.text);
    free(making.stubs);
    stapsdt_free_names(&making.names);
    describe_free(making.description);
    if (!wishes->is_companion && !wishes->has_no_notes)
        plan_notes(plan);
}

void plan_free(struct plan *plan)
{
    arena_free(&plan->pieces);
    free(plan->sites);
    free(plan->texts);
    *plan = (struct plan){0};
}
