/* SPDX-License-Identifier: BSD-2-Clause */
#include "provider.h"

#include "text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* PROVIDER_NAME in capitals; each `__` of the probe's name becomes `_`, none of the provider's. */
static char *macro_of(const struct provider_probe *probe)
{
    char *macro = memory_format("%.*s_", TEXT_SLICE(probe->provider));
    size_t length = strlen(macro);
    macro = memory_resize(macro, length + probe->name.length + 1, 1);
    for (size_t i = 0; i < probe->name.length; i++) {
        if (probe->name.text[i] == '_' && i + 1 < probe->name.length &&
            probe->name.text[i + 1] == '_')
            i++;
        macro[length++] = probe->name.text[i];
    }
    macro[length] = '\0';
    for (char *c = macro; *c; c++)
        if (*c >= 'a' && *c <= 'z')
            *c = (char)(*c - 'a' + 'A');
    return macro;
}

int provider_add(struct providers *providers, const struct provider_probe *probe)
{
    if (probe->count > PROVIDER_MAX_ARGUMENTS)
        return source_error(providers->source, probe->place,
                            "probe '%.*s' has %zu arguments; tracers read at most %d",
                            TEXT_SLICE(probe->name), probe->count, PROVIDER_MAX_ARGUMENTS);
    if (providers->count == providers->capacity) {
        providers->capacity = providers->capacity * 2 + 64;
        providers->list =
            memory_resize(providers->list, providers->capacity, sizeof *providers->list);
    }
    struct provider_probe *added = &providers->list[providers->count++];
    *added = *probe;
    added->macro = macro_of(added);
    return 0;
}

/* A name that the program will see, and the probe that it comes from. */
struct made {
    char *name;
    struct provider_probe *probe;
};

/* Equal names in the order of the file: the array of probes is. */
static int compare(const void *a, const void *b)
{
    const struct made *x = a, *y = b;
    int order = strcmp(x->name, y->name);
    return order ? order : (x->probe > y->probe) - (x->probe < y->probe);
}

static bool is_equal(struct slice a, struct slice b)
{
    return a.length == b.length && !memcmp(a.text, b.text, a.length);
}

/* Two probes make the same name. */
static int settle(const struct source *source, const char *name, const struct provider_probe *first,
                  struct provider_probe *second)
{
    bool is_same =
        is_equal(first->provider, second->provider) && is_equal(first->name, second->name);
    if (!is_same)
        return source_error(source, second->place,
                            "probe '%.*s' makes the name %s, and so does '%.*s' in line %zu",
                            TEXT_SLICE(second->name), name, TEXT_SLICE(first->name),
                            source_line(source, first->place));
    if (first->count != second->count)
        return source_error(source, second->place,
                            "probe '%.*s': the number of arguments is %zu here and %zu in line %zu",
                            TEXT_SLICE(second->name), second->count, first->count,
                            source_line(source, first->place));
    second->is_again = true;
    return 0;
}

/*
 * `a_b` and `a__b` have one macro; probe `c` of provider `a_b` and `b_c` of `a` one semaphore. A
 * compiler would report it later, in a generated file.
 */
static int check_names(struct providers *providers)
{
    size_t count = 0;
    int result = 0;
    struct made *made = memory_zeroed(3 * providers->count, sizeof *made);
    for (size_t i = 0; i < providers->count; i++) {
        struct provider_probe *probe = &providers->list[i];
        made[count++] = (struct made){memory_format("%s", probe->macro), probe};
        made[count++] = (struct made){memory_format("%s_ENABLED", probe->macro), probe};
        made[count++] =
            (struct made){memory_format("%.*s_%.*s_semaphore", TEXT_SLICE(probe->provider),
                                        TEXT_SLICE(probe->name)),
                          probe};
    }
    qsort(made, count, sizeof *made, compare);
    for (size_t i = 1; i < count && result == 0; i++)
        if (!strcmp(made[i - 1].name, made[i].name))
            result = settle(providers->source, made[i].name, made[i - 1].probe, made[i].probe);
    for (size_t i = 0; i < count; i++)
        free(made[i].name);
    free(made);
    return result;
}

int provider_parse(struct providers *providers, const struct source *source)
{
    *providers = (struct providers){.source = source};
    if (provider_parse_text(providers, source) != 0)
        return -1;
    return check_names(providers);
}

void provider_free(struct providers *providers)
{
    for (size_t i = 0; i < providers->count; i++)
        free(providers->list[i].macro);
    free(providers->list);
    *providers = (struct providers){0};
}
