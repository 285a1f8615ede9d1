/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See describe.h: reading a file. No recursion, and no word is longer than its bound: a hostile
 * file takes time and memory in proportion to its length, and the number of probes is limited.
 */
#include "describe.h"

#include "slice.h"
#include "words.h"

#include <stdlib.h>
#include <string.h>

struct parser {
    const char *text, *at, *end;
    struct description *made;
    size_t probe_capacity, label_capacity;
    char *free; /* of the strings: twice the text, since a `-` becomes two */
    struct describe_error error;
};

static bool fail_at(struct parser *p, const char *at, const char *problem)
{
    if (!p->error.problem)
        p->error = (struct describe_error){(size_t)(at - p->text), problem};
    return false;
}

static bool fail(struct parser *p, const char *problem)
{
    return fail_at(p, p->at, problem);
}

static const char out_of_memory[] = "out of memory";

/* ---- words ---- */

static void skip(struct parser *p)
{
    while (p->at < p->end) {
        if (*p->at == '#')
            while (p->at < p->end && *p->at != '\n')
                p->at++;
        else if (*p->at && strchr(" \t\r\n", *p->at))
            p->at++;
        else
            break;
    }
}

/* The next character that is none to skip; 0 at the end. */
static char next_char(struct parser *p)
{
    skip(p);
    return p->at < p->end ? *p->at : 0;
}

static bool take(struct parser *p, char c)
{
    if (next_char(p) != c || !c)
        return false;
    p->at++;
    return true;
}

/* Letters, digits and, if WITH_HYPHENS, hyphens; of length 0: something else is there. */
static struct slice take_word(struct parser *p, bool with_hyphens)
{
    skip(p);
    const char *begin = p->at;
    if (p->at < p->end && (word_is_letter(*p->at) || (with_hyphens && word_is_digit(*p->at))))
        while (p->at < p->end &&
               (word_is_letter(*p->at) || word_is_digit(*p->at) || (with_hyphens && *p->at == '-')))
            p->at++;
    return (struct slice){begin, (size_t)(p->at - begin)};
}

/* A copy that ends with a NUL, and has `__` for each hyphen. */
static const char *keep(struct parser *p, struct slice word, bool has_hyphens)
{
    char *kept = p->free;
    for (size_t i = 0; i < word.length; i++) {
        bool is_hyphen = has_hyphens && word.text[i] == '-';
        if (is_hyphen)
            *p->free++ = '_';
        *p->free++ = is_hyphen ? '_' : word.text[i];
    }
    *p->free++ = '\0';
    return kept;
}

static bool take_name(struct parser *p, bool with_hyphens, const char *problem, const char **name)
{
    struct slice word = take_word(p, with_hyphens);
    if (!word.length)
        return fail(p, problem);
    if (word.length > DESCRIBE_MAX_NAME)
        return fail_at(p, word.text, "the name is longer than 64 bytes");
    *name = keep(p, word, with_hyphens);
    return true;
}

/* How many bytes of well-formed UTF-8 a character at TEXT takes; 0: it is none, or a control. */
static size_t character(const char *text, const char *end)
{
    const unsigned char *c = (const unsigned char *)text;
    size_t left = (size_t)(end - text);
    size_t length = c[0] < 0x80 ? 1 : c[0] < 0xc2 ? 0 : c[0] < 0xe0 ? 2 : c[0] < 0xf0 ? 3 : 4;
    if (!length || length > left || c[0] < 0x20 || c[0] == 0x7f || c[0] > 0xf4)
        return 0;
    for (size_t i = 1; i < length; i++)
        if ((c[i] & 0xc0) != 0x80)
            return 0;
    bool is_wrong = (c[0] == 0xc2 && c[1] < 0xa0) || (c[0] == 0xe0 && c[1] < 0xa0) ||
                    (c[0] == 0xed && c[1] > 0x9f) || (c[0] == 0xf0 && c[1] < 0x90) ||
                    (c[0] == 0xf4 && c[1] > 0x8f);
    return is_wrong ? 0 : length;
}

/* After an opening quote. */
static bool take_string(struct parser *p, size_t most, const char **string)
{
    const char *begin = p->at;
    while (p->at < p->end && *p->at != '"') {
        size_t length = *p->at == '\\' ? 0 : character(p->at, p->end);
        if (!length)
            return fail(p, "a text is UTF-8 without control characters or backslashes and ends "
                           "with a quote on the same line");
        p->at += length;
    }
    struct slice word = {begin, (size_t)(p->at - begin)};
    if (p->at == p->end)
        return fail_at(p, begin - 1, "this text does not end: a quote is missing");
    if (word.length > most || !word.length)
        return fail_at(p, begin - 1, word.length ? "this text is too long" : "this text is empty");
    p->at++;
    *string = keep(p, word, false);
    return true;
}

/* ---- types ---- */

/* Whether a field of SIZE bytes can have VALUE, which is negative or not. */
static bool is_in_range(const struct describe_field *field, bool is_negative, uint64_t value)
{
    if (!field->kind) /* any type that there is */
        return true;
    if (field->kind != 'i')
        return !is_negative && (field->size == 8 || value >> (field->size * 8) == 0);
    int64_t least = -((int64_t)1 << (field->size * 8 - 2)) * 2;
    return is_negative ? (int64_t)value >= least : value <= (uint64_t) - (least + 1);
}

/* Decimal, or hexadecimal after 0x; perhaps negative. */
static bool take_value(struct parser *p, const struct describe_field *field, uint64_t *value)
{
    skip(p);
    const char *begin = p->at;
    bool is_negative = take(p, '-');
    unsigned base = p->end - p->at > 2 && p->at[0] == '0' && p->at[1] == 'x' ? 16 : 10;
    p->at += base == 16 ? 2 : 0;
    const char *digits = p->at;
    uint64_t number = 0;
    bool is_too_large = false;
    for (; p->at < p->end && word_digit(*p->at) < base; p->at++)
        is_too_large |= __builtin_mul_overflow(number, base, &number) ||
                        __builtin_add_overflow(number, word_digit(*p->at), &number);
    if (p->at == digits)
        return fail_at(p, begin, "expected the number of an enumerator, as in {0 idle, 1 busy}");
    if (is_negative && number > (uint64_t)1 << 63)
        is_too_large = true;
    *value = is_negative ? -number : number;
    if (is_too_large || !is_in_range(field, is_negative && number, *value))
        return fail_at(p, begin, "this number does not fit into the field's type");
    return true;
}

static bool grow(struct parser *p, void **array, size_t count, size_t *capacity, size_t size)
{
    if (count < *capacity)
        return true;
    size_t more = *capacity ? 2 * *capacity : 16;
    void *larger = reallocarray(*array, more, size);
    if (!larger)
        return fail(p, out_of_memory);
    *array = larger;
    *capacity = more;
    return true;
}

static bool is_used(const struct describe_label *labels, size_t count,
                    const struct describe_label *label)
{
    for (size_t i = 0; i < count; i++)
        if (labels[i].value == label->value || !strcmp(labels[i].text, label->text))
            return true;
    return false;
}

static bool take_label(struct parser *p, struct describe_field *field)
{
    struct description *made = p->made;
    struct describe_label label;
    skip(p);
    const char *begin = p->at;
    if (!take_value(p, field, &label.value))
        return false;
    if (take(p, '"')
            ? !take_string(p, DESCRIBE_MAX_NAME, &label.text)
            : !take_name(p, false, "expected the enumerator's name after its number", &label.text))
        return false;
    if (field->label_count == DESCRIBE_MAX_LABELS)
        return fail_at(p, begin, "more than 256 enumerators");
    if (field->label_count > 0 &&
        is_used(made->labels + field->first_label, field->label_count, &label))
        return fail_at(p, begin, "this enumerator's number or name is a duplicate");
    if (!grow(p, (void **)&made->labels, made->label_count, &p->label_capacity, sizeof label))
        return false;
    made->labels[made->label_count++] = label;
    field->label_count++;
    return true;
}

/* After `enum`. */
static bool take_labels(struct parser *p, struct describe_field *field)
{
    if (next_char(p) != '{') {
        const char *begin = p->at;
        struct slice word = take_word(p, false);
        if (!describe_set_type(field, word.text, word.length) || !strchr("iux", field->kind))
            return fail_at(p, begin,
                           "expected '{' or the enumeration's type: int8 ... int64, uint8 ... "
                           "uint64, hex8 ... hex64");
    }
    if (!take(p, '{'))
        return fail(p, "expected '{' and the enumerators");
    field->first_label = p->made->label_count;
    do {
        if (field->label_count && next_char(p) == '}')
            break; /* a comma may be the last */
        if (!take_label(p, field))
            return false;
    } while (take(p, ','));
    return take(p, '}') || fail(p, "expected ',' or '}' after an enumerator");
}

static bool take_type(struct parser *p, struct describe_field *field)
{
    struct slice word = take_word(p, false);
    if (slice_is(word, "enum"))
        return take_labels(p, field);
    return describe_set_type(field, word.text, word.length) ||
           fail_at(p, word.text,
                   "expected a type: int8 ... int64, uint8 ... uint64, hex8 ... hex64, bool, "
                   "pointer, float, double, string, bytes, length, enum");
}

/* ---- probes ---- */

/* What goes with the field before: a length, which makes that what it is the length of. */
static bool join(struct parser *p, const char *at, struct describe_probe *probe)
{
    struct describe_field *before = probe->count ? &probe->fields[probe->count - 1] : NULL;
    bool is_length = probe->fields[probe->count].kind == 'n';
    if (before && before->kind == 'y' && !is_length)
        return fail_at(p, at, "a field of bytes is followed by its length: data: bytes, n: length");
    if (is_length && (!before || !strchr("ys", before->kind) || !before->kind))
        return fail_at(p, at, "a length follows a field of bytes or a string");
    if (is_length && before->kind == 's')
        before->kind = 't';
    return true;
}

static bool take_field(struct parser *p, struct describe_probe *probe)
{
    skip(p);
    const char *begin = p->at;
    if (probe->count == SDT_MAX_ARGS)
        return fail(p, "more than 12 fields");
    struct describe_field *field = &probe->fields[probe->count];
    *field = (struct describe_field){0};
    if (!take_name(p, false, "expected the name of a field, or '_' to leave it as it is",
                   &field->name))
        return false;
    if (field->name && !strcmp(field->name, "_"))
        field->name = NULL;
    for (unsigned i = 0; field->name && i < probe->count; i++)
        if (probe->fields[i].name && !strcmp(probe->fields[i].name, field->name))
            return fail_at(p, begin, "another field has this name");
    if (take(p, ':') && !take_type(p, field))
        return false;
    if (take(p, '"') && !take_string(p, DESCRIBE_MAX_UNIT, &field->unit))
        return false;
    if (!join(p, begin, probe))
        return false;
    probe->count++;
    return true;
}

static bool take_fields(struct parser *p, struct describe_probe *probe)
{
    if (!take(p, '('))
        return fail(p, "expected '(' and the fields");
    if (take(p, ')'))
        return true;
    do {
        if (!take_field(p, probe))
            return false;
    } while (take(p, ','));
    if (next_char(p) != ')')
        return fail(p, "expected ',' or ')' after a field");
    if (probe->fields[probe->count - 1].kind == 'y')
        return fail(p, "a field of bytes is followed by its length: data: bytes, n: length");
    p->at++;
    return true;
}

static bool take_probe(struct parser *p)
{
    struct description *made = p->made;
    struct describe_probe probe = {.offset = (size_t)(p->at - p->text)};
    if (made->count == DESCRIBE_MAX_PROBES)
        return fail(p, "more than 10000 probes");
    struct slice word = take_word(p, false);
    if (!slice_is(word, "probe"))
        return fail_at(p, word.text, "expected 'probe', as in: probe app:read (fd: int32)");
    if (!take_name(p, true, "expected the probe's provider", &probe.provider))
        return false;
    if (!take(p, ':'))
        return fail(p, "expected ':' between provider and name");
    if (!take_name(p, true, "expected the probe's name; patterns are not possible here",
                   &probe.name) ||
        !take_fields(p, &probe) ||
        !grow(p, (void **)&made->probes, made->count, &p->probe_capacity, sizeof probe))
        return false;
    take(p, ';');
    made->probes[made->count++] = probe;
    return true;
}

static int compare_probes(const void *left, const void *right)
{
    const struct describe_probe *a = left, *b = right;
    int order = describe_compare(a, b->provider, b->name);
    return order ? order : (a->offset > b->offset) - (a->offset < b->offset);
}

static bool finish(struct parser *p)
{
    struct description *made = p->made;
    if (made->count)
        qsort(made->probes, made->count, sizeof *made->probes, compare_probes);
    for (size_t i = 0; i < made->count; i++) {
        struct describe_probe *probe = &made->probes[i];
        if (i && describe_compare(&made->probes[i - 1], probe->provider, probe->name) == 0)
            return fail_at(p, p->text + probe->offset, "this probe is described twice");
        for (unsigned k = 0; k < probe->count; k++)
            if (probe->fields[k].label_count)
                probe->fields[k].labels = made->labels + probe->fields[k].first_label;
    }
    return true;
}

struct description *describe_parse(const char *text, size_t length, struct describe_error *error)
{
    struct parser p = {.text = text, .at = text, .end = text + length};
    *error = (struct describe_error){0};
    if (length > DESCRIBE_MAX_BYTES) {
        *error = (struct describe_error){DESCRIBE_MAX_BYTES, "the file is longer than 1 MiB"};
        return NULL;
    }
    p.made = calloc(1, sizeof *p.made);
    p.free = malloc(2 * length + 2);
    if (p.made)
        p.made->strings = p.free;
    bool is_right = (p.made && p.free) || fail(&p, out_of_memory);
    while (is_right && (next_char(&p) || p.at < p.end))
        is_right = take_probe(&p);
    if (is_right && finish(&p))
        return p.made;
    *error = p.error;
    if (!p.made)
        free(p.free);
    describe_free(p.made);
    return NULL;
}
