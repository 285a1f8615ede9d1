/* SPDX-License-Identifier: BSD-2-Clause */
/* See recipe.h. */
#include "recipe.h"

#include "hit.h"
#include "hit/argument.h"

#include <errno.h>
#include <machine/layout.h>
#include <stdlib.h>

/* A recipe, and whose it is. */
struct owned_recipe {
    struct recipe recipe; /* first */
    struct owned_recipe *older;
};

static bool is_copied(const struct field *field)
{
    return field->kind == FIELD_STRING || field->kind == FIELD_TEXT || field->kind == FIELD_VIEW ||
           field->kind == FIELD_BYTES || field->kind == FIELD_ARRAY;
}

static uint8_t size_of(const struct field *field)
{
    return is_copied(field) || field_is_part(field) ? 0
           : field->kind == FIELD_FLOAT             ? 8
                                                    : field->size;
}

/* By which way an event of CLASS is recorded whose COPIED fields, the first number I, have PARTS.
 */
static uint8_t find_way(const struct event_class *class, unsigned copied, unsigned i,
                        unsigned parts)
{
    const struct field *fields = class->fields;
    bool has_length = i + 1 < class->count && fields[i + 1].kind == FIELD_LENGTH;
    bool has_element = i + 2 < class->count && fields[i + 2].kind == FIELD_ELEMENT;
    if (copied + parts == 0)
        return WAY_FIXED;
    if (copied != 1)
        return WAY_ANY;
    if (fields[i].kind == FIELD_STRING && parts == 0)
        return WAY_STRING;
    if (fields[i].kind == FIELD_TEXT && parts == 1 && has_length)
        return WAY_TEXT;
    if ((fields[i].kind == FIELD_BYTES && parts == 1 && has_length) ||
        (fields[i].kind == FIELD_ARRAY && parts == 2 && has_length && has_element))
        return WAY_ARRAY;
    return WAY_ANY;
}

/* Whether all arguments of SITE, which are integers and the like, are in general registers, of
 * which the first bytes are recorded; where those are kept then. */
static bool find_registers(struct recipe *recipe, const struct site *site,
                           const struct event_class *class)
{
    const struct fetch *fetch = site_fetch(site);
    if (!MACHINE_RECORDS_REGISTERS || !kind_has_entry(site->kind) || fetch == fetch_unread ||
        class->count == 0 || class->count > fetch->count)
        return false;
    for (unsigned i = 0; i < class->count; i++) {
        const struct operand *operand = &fetch->operands[i];
        unsigned size = site->args.type[i] & SDT_ARG_SIZE;
        if (operand->kind != OPERAND_REGISTER || !operand_is_readable(operand, size) ||
            class->fields[i].kind == FIELD_FLOAT || recipe->size[i] > size)
            return false;
        recipe->from[i] = fetch->place[i];
    }
    return true;
}

static void add_context(struct recipe *recipe)
{
    recipe->has_context = true;
    for (unsigned i = 0; i < CONTEXT_WORDS; i++)
        recipe->moved[i] = (uint16_t)(8 * i);
    for (unsigned i = 0; i <= recipe->count; i++)
        recipe->moved[CONTEXT_WORDS + i] = (uint16_t)(8 * CONTEXT_WORDS + recipe->place[i]);
}

static void fill_recipe(struct recipe *recipe, const struct site *site,
                        const struct event_class *class, unsigned callers)
{
    recipe->site = site;
    recipe->fetch = site_fetch(site);
    recipe->class = ring_first_word(0, class->number);
    recipe->count = (uint8_t) class->count;
    unsigned copied = 0, parts = 0;
    for (unsigned i = 0; i < class->count; i++) {
        const struct field *field = &class->fields[i];
        recipe->kind[i] = field->kind;
        recipe->size[i] = size_of(field);
        recipe->place[i + 1] = (uint16_t)(recipe->place[i] + recipe->size[i]);
        recipe->shift[i] =
            field->kind == FIELD_ARRAY ? (uint8_t)__builtin_ctz(field->element_size) : 0;
        parts += field_is_part(field);
        if (is_copied(field) && copied++ == 0)
            recipe->memory = (uint8_t)i;
    }
    recipe->fixed = recipe->place[class->count];
    recipe->after = (uint8_t)(recipe->memory + 1 + parts);
    recipe->callers = (uint8_t)callers;
    recipe->way = recipe->callers ? WAY_ANY : find_way(class, copied, recipe->memory, parts);
    if (class->has_context) {
        add_context(recipe);
        return;
    }
    if (recipe->way == WAY_FIXED && find_registers(recipe, site, class))
        recipe->way = WAY_REGISTERS;
}

/* Where the recipe of SITE is; NULL: out of memory. */
static _Atomic(const struct recipe *) *recipe_place(struct site *site)
{
    struct object *object = site->probe->object;
    if (!object->recipes)
        object->recipes = calloc(object->n, sizeof *object->recipes);
    if (!object->recipes)
        return NULL;
    if (!site->probe->recipes) { /* later, hits are reading them */
        site->probe->records = object->records;
        site->probe->recipes = object->recipes;
    }
    return &object->recipes[site->record - object->records];
}

bool recipe_is_there(const struct site *site, uint32_t generation)
{
    const struct object *object = site->probe->object;
    const struct owned_recipe *found =
        object->recipes
            ? (const struct owned_recipe *)object->recipes[site->record - object->records]
            : NULL;
    return found && found->recipe.generation == generation;
}

int recipe_make(struct site *site, const struct event_class *class, unsigned callers,
                uint32_t generation)
{
    _Atomic(const struct recipe *) *place = recipe_place(site);
    struct owned_recipe *new = place ? calloc(1, sizeof *new) : NULL;
    if (!new)
        return -ENOMEM;
    fill_recipe(&new->recipe, site, class, callers);
    new->older = (struct owned_recipe *)*place;
    new->recipe.generation = generation;
    atomic_store_explicit(place, &new->recipe, memory_order_release);
    if (site->probe->firing == 1)
        atomic_store_explicit(&site->probe->only_recipe, &new->recipe, memory_order_release);
    return 0;
}

void recipe_forget(struct object *object)
{
    for (size_t i = 0; object->recipes && i < object->n; i++)
        for (struct owned_recipe *recipe = (struct owned_recipe *)object->recipes[i]; recipe;) {
            struct owned_recipe *older = recipe->older;
            free(recipe);
            recipe = older;
        }
    free(object->recipes);
}
