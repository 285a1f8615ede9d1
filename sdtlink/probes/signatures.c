/* SPDX-License-Identifier: BSD-2-Clause */
/* See signatures.h. */
#include "signatures.h"

#include <shared/lower_bound.h>
#include <stdlib.h>
#include <string.h>

/* A line about an argument. */
struct argument {
    uint8_t type;
    const char *place, *name; /* "-": none */
};

struct signature {
    const char *symbol;
    unsigned count;
    bool has_result, is_doubtful;
    struct argument arguments[SDT_MAX_ARGS - 1], result;
};

struct signatures {
    struct signature *list; /* by symbol */
    size_t count, capacity;
};

/* ---- What is said. ---- */

static bool read_argument(char *rest, struct argument *argument)
{
    const char *type = strsep(&rest, " "), *place = strsep(&rest, " ");
    char *end;
    unsigned long number = place ? strtoul(type, &end, 10) : 0;
    if (!place || !rest || *end || number == 0 || number > UINT8_MAX || strlen(place) < 2)
        return false;
    *argument = (struct argument){(uint8_t)number, place, rest};
    return true;
}

static void read_line(struct signatures *signatures, char *line)
{
    struct signature *last = signatures->count ? &signatures->list[signatures->count - 1] : NULL;
    char *rest = line[0] && line[1] == ' ' ? line + 2 : NULL;
    if (!rest || (!last && line[0] != 'f'))
        return;
    switch (line[0]) {
    case 'f':
        signatures->list = memory_with_room(signatures->list, signatures->count,
                                            &signatures->capacity, sizeof *signatures->list);
        signatures->list[signatures->count++] = (struct signature){.symbol = rest};
        break;
    case 'a':
        if (last->count < SDT_MAX_ARGS - 1 && read_argument(rest, &last->arguments[last->count]))
            last->count++;
        break;
    case 'r':
        last->has_result = read_argument(rest, &last->result);
    }
}

static int by_symbol(const void *left, const void *right)
{
    const struct signature *a = left, *b = right;
    return strcmp(a->symbol, b->symbol);
}

static bool is_same_argument(const struct argument *a, const struct argument *b)
{
    return a->type == b->type && !strcmp(a->place, b->place) && !strcmp(a->name, b->name);
}

static bool is_same(const struct signature *a, const struct signature *b)
{
    bool is_same = a->count == b->count && a->has_result == b->has_result &&
                   (!a->has_result || is_same_argument(&a->result, &b->result));
    for (unsigned i = 0; i < a->count && is_same; i++)
        is_same = is_same_argument(&a->arguments[i], &b->arguments[i]);
    return is_same;
}

/* Objects that were joined may have several static functions of one name. */
static void merge(struct signatures *signatures)
{
    size_t kept = 0;
    if (signatures->count)
        qsort(signatures->list, signatures->count, sizeof *signatures->list, by_symbol);
    for (size_t i = 0; i < signatures->count; i++) {
        const struct signature *next = &signatures->list[i];
        struct signature *last = kept ? &signatures->list[kept - 1] : NULL;
        if (!last || strcmp(last->symbol, next->symbol) != 0)
            signatures->list[kept++] = *next;
        else
            last->is_doubtful |= !is_same(last, next);
    }
    signatures->count = kept;
}

static const struct signature *find(const struct signatures *signatures, const char *symbol)
{
    size_t low = LOWER_BOUND(i, signatures->count, strcmp(signatures->list[i].symbol, symbol) < 0);
    const struct signature *found = low < signatures->count ? &signatures->list[low] : NULL;
    return found && !strcmp(found->symbol, symbol) && !found->is_doubtful ? found : NULL;
}

/* ---- Descriptors. ---- */

/* A descriptor in the making: see sites.h. */
struct making {
    struct bytes operands, spelling;
    struct descriptor *to;
};

static void add(struct making *making, uint8_t type, const char *operand, const char *spelled)
{
    struct descriptor *to = making->to;
    to->types[to->nargs] = type;
    to->nargs++;
    bytes_append(&making->operands, operand, strlen(operand) + 1);
    bytes_append(&making->spelling, ",", 1);
    bytes_append(&making->spelling, spelled, strlen(spelled));
}

/* One that the machine does not know ends the list: what is said is damaged. */
static bool add_argument(struct making *making, const struct tool_arch *arch,
                         const struct argument *argument)
{
    char operand[ARCH_PLACE_SIZE];
    unsigned long number = strtoul(argument->place + 1, NULL, 10);
    bool is_known = number < UINT8_MAX &&
                    arch->put_function_place(operand, argument->place[0], (unsigned)number);
    if (is_known)
        add(making, argument->type, operand, argument->name);
    return is_known;
}

/* What a site at the entry of a function has, or before a return that comes next (HAS_RESULT). */
static void describe(struct arena *arena, struct site *site, const struct tool_arch *arch,
                     bool is_entry, const struct signature *signature)
{
    static const char no_place[] = "\nfunction"; /* and the name of the probe: fields.h */
    struct making making = {.to = &site->arguments};
    site->arguments = (struct descriptor){.is_given = true};
    memset(site->arguments.places, ARCH_NO_REGISTER, sizeof site->arguments.places);
    bytes_append(&making.spelling, no_place, sizeof no_place - 1);
    add(&making, 8, arch->function_frame, "SDT_HEX(" SDT_FUNCTION_FRAME ")");
    for (unsigned i = 0; signature && is_entry && i < signature->count; i++)
        if (!add_argument(&making, arch, &signature->arguments[i]))
            break;
    if (signature && !is_entry && signature->has_result && site->kind == SDT_KIND_FUNCTION_RETURN)
        add_argument(&making, arch, &signature->result);
    bytes_append(&making.spelling, "", 1);
    site->arguments.operands = arena_keep(arena, making.operands.data, making.operands.size);
    site->arguments.spelling = arena_keep(arena, making.spelling.data, making.spelling.size);
    bytes_free(&making.operands);
    bytes_free(&making.spelling);
}

void signatures_attach(struct sites *sites, const struct object *o, char *text)
{
    struct signatures signatures = {0};
    for (char *line; text && (line = strsep(&text, "\n"));)
        read_line(&signatures, line);
    merge(&signatures);
    for (uint32_t i = 0; i < sites->count; i++) {
        struct site *site = &sites->items[i];
        if (!site_has_frame(sites, site))
            continue;
        bool is_entry = slice_is(sites->probes[site->probe].name, SDT_FUNCTION_ENTRY);
        describe(&sites->texts, site, o->arch, is_entry,
                 site->function ? find(&signatures, object_symbol_name(o, site->function)) : NULL);
    }
    free(signatures.list);
}
