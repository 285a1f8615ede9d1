/* SPDX-License-Identifier: BSD-2-Clause */
#include "names.h"

#include <sdt/format.h>
#include <string.h>

/* Not <ctype.h>: C identifiers do not depend on the locale. */
static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool has_identifier_letters(struct slice part)
{
    for (size_t i = 0; i < part.length; i++)
        if (!is_letter(part.text[i]) && !is_digit(part.text[i]))
            return false;
    return true;
}

static bool is_identifier(struct slice part)
{
    return part.length && !is_digit(part.text[0]) && has_identifier_letters(part);
}

/* Cut *REST at its first "___" into *PART and what follows; false if there is none. */
static bool cut(struct slice *rest, struct slice *part)
{
    const char *at = strstr(rest->text, "___");
    if (!at)
        return false;
    *part = (struct slice){rest->text, (size_t)(at - rest->text)};
    *rest = (struct slice){at + 3, rest->length - part->length - 3};
    return true;
}

static const char *split(struct slice rest, struct probe_name *name)
{
    if (!cut(&rest, &name->provider))
        return "there is no \"___\" between provider and name";
    if (cut(&rest, &name->module)) {
        if (!cut(&rest, &name->function))
            return "three parts; a name has two (provider, name) or four";
        if (strstr(rest.text, "___"))
            return "more than four parts";
    }
    name->name = rest;
    return NULL;
}

static const char *problem_of(const struct probe_name *name)
{
    if (!is_identifier(name->provider))
        return "the provider is not a C identifier";
    if (name->provider.text[name->provider.length - 1] == '_')
        return "the provider ends in \"_\"";
    if (!is_identifier(name->name))
        return "the probe's name is not a C identifier";
    if (!has_identifier_letters(name->module) || !has_identifier_letters(name->function))
        return "module or function contains characters other than letters, digits and \"_\"";
    return NULL;
}

/* What follows the words for people, where there are any, and a name does follow. */
static const char *skip_remedy(const char *rest)
{
    const char *after = rest + strlen(SDT_SYMBOL_REMEDY);
    bool is_there = !strncmp(rest, SDT_SYMBOL_REMEDY, strlen(SDT_SYMBOL_REMEDY));
    return is_there && strstr(after, "___") ? after : rest;
}

static const struct {
    const char *prefix;
    enum sdt_use use;
} families[] = {
    {SDT_SYMBOL_CALL, SDT_USE_CALL},
    {SDT_SYMBOL_INLINE, SDT_USE_INLINE},
    {SDT_SYMBOL_ENABLED, SDT_USE_ENABLED},
};
enum { FAMILIES = sizeof families / sizeof families[0] };

enum names_result names_parse(const char *symbol, struct probe_name *name, const char **why)
{
    for (size_t i = 0; i < FAMILIES; i++) {
        size_t length = strlen(families[i].prefix);
        if (strncmp(symbol, families[i].prefix, length) != 0)
            continue;
        *name = (struct probe_name){.use = families[i].use};
        *why = "it is longer than 4095 bytes";
        if (strnlen(symbol, MAX_NAME_BYTES + 1) > MAX_NAME_BYTES)
            return NAMES_BAD;
        const char *rest = skip_remedy(symbol + length);
        *why = split((struct slice){rest, strlen(rest)}, name);
        if (!*why)
            *why = problem_of(name);
        return *why ? NAMES_BAD : NAMES_PROBE;
    }
    return NAMES_OTHER;
}

/* ---- names that objcopy has changed ---- */

/* Where the name begins whose words for people are at REMEDY, not before START; NULL: there is
 * none. */
static const char *family_before(const char *start, const char *remedy)
{
    for (size_t i = 0; i < FAMILIES; i++) {
        size_t length = strlen(families[i].prefix);
        if ((size_t)(remedy - start) >= length &&
            !memcmp(remedy - length, families[i].prefix, length))
            return remedy - length;
    }
    return NULL;
}

bool names_have_prefix(const uint8_t *strings, size_t size)
{
    if (size == 0)
        return false;
    const char *start = (const char *)strings, *end = start + size, *at = start;
    size_t length = strlen(SDT_SYMBOL_REMEDY);
    while ((at = memmem(at, (size_t)(end - at), SDT_SYMBOL_REMEDY, length))) {
        const char *name = family_before(start, at);
        if (name && name > start && name[-1] != '\0')
            return true;
        at += length;
    }
    return false;
}

const char *names_without_prefix(const char *symbol)
{
    const char *at = strstr(symbol, SDT_SYMBOL_REMEDY);
    const char *name = at ? family_before(symbol, at) : strstr(symbol, SDT_SYMBOL_MARK);
    return name ? name : symbol;
}
