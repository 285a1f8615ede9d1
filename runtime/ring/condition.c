/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See condition.h. It runs as any handler does, with the program's vector registers saved, so there
 * are doubles as well.
 */
#define _GNU_SOURCE
#include "condition.h"

#include "hit/argument.h"
#include "hit/sync.h"
#include "process/context.h"
#include "shared/describe.h"

#include <errno.h>
#include <sched.h>
#include <site/field.h>
#include <string.h>
#include <unistd.h>

/* ---- From the text. ---- */

/* Make SLICE one of the condition's own text. */
static bool keep(struct condition *to, struct slice *slice, bool is_written)
{
    char *text = to->text + to->text_size;
    if (slice->length > CONDITION_TEXT - to->text_size)
        return false;
    if (is_written)
        slice->length = grammar_text(*slice, text);
    else
        memcpy(text, slice->text, slice->length);
    slice->text = text;
    to->text_size += (unsigned)slice->length;
    return true;
}

/* Whether there is no such function, or str() has what is no text. */
static bool is_wrong_call(const struct condition *to, const struct grammar_step *step)
{
    enum function function = code_function(step->name);
    return function == FUNCTIONS ||
           (function == FUNCTION_STR &&
            (step->first_count != 1 || to->steps[step->first].code != CODE_NAME));
}

static bool add_step(void *data, const struct grammar_step *given)
{
    struct condition *to = data;
    bool is_call = given->code == CODE_CALL || given->code == CODE_CALL_TWO;
    struct condition_step step = {
        .code = (uint8_t)given->code, .is_argument = given->is_argument, .term = given->constant};
    if (given->code == CODE_NAME)
        step.term.text = given->name;
    if (is_call) {
        step.function = (uint8_t)code_function(given->name);
        to->has_wrong_call = to->has_wrong_call || is_wrong_call(to, given);
    }
    if (given->code == CODE_MEMBER) /* what a type has, only debug information says */
        to->has_wrong_call = true;
    to->stack += 1 - (unsigned)code_operands(given->code);
    if (to->count == CONDITION_STEPS || to->stack > CONDITION_STACK ||
        ((given->code == CODE_NAME || step.term.kind == TERM_TEXT) &&
         !keep(to, &step.term.text, given->code == CODE_CONSTANT)))
        return false;
    to->steps[to->count++] = step;
    return true;
}

int condition_parse(const char *text, struct condition *condition)
{
    struct grammar_error error;
    condition->count = condition->text_size = condition->stack = 0;
    condition->has_wrong_call = false;
    if (!grammar_parse(text, CONDITION_DEPTH, add_step, condition, &error))
        return error.is_size ? -E2BIG : -EINVAL;
    return condition->has_wrong_call ? -EINVAL : 0;
}

/* ---- At a hit. ---- */

enum { ROOM = 1024 }; /* for texts of the event */

/* A hit that is being judged. */
struct look {
    const struct sdt_event *event;
    const struct site *site;
    const struct rings *rings;
    size_t used;
    uint64_t words[SDT_MAX_ARGS];
    char room[ROOM + 16]; /* whole words are copied */
};

static const struct term missing = {.kind = TERM_MISSING};
static const char fault[] = "<fault>"; /* what a text has that cannot be read */

static struct term integer(__int128 number, uint32_t unit)
{
    return (struct term){.kind = TERM_INTEGER, .unit = unit, .integer = number};
}

static struct term text(const char *start, size_t length)
{
    return (struct term){.kind = TERM_TEXT, .text = {start, length}};
}

static struct term text_of(const char *string)
{
    return text(string ? string : "", string ? strlen(string) : 0);
}

/* That of a probe, in which - may be written as __. */
static struct term name_of(const char *string)
{
    struct term name = text_of(string);
    name.is_spelled = true;
    return name;
}

/* What is at ADDRESS, up to a NUL if IS_TEXT: of each byte a copy, as it is recorded. */
static struct term copied(struct look *look, uintptr_t address, size_t most, bool is_text)
{
    size_t left = ROOM - look->used;
    most = most < look->rings->text ? most : look->rings->text;
    if (most > left)
        return missing;
    char *to = look->room + look->used;
    long length = hit_copy(look->rings, to, address, most, is_text);
    if (length < 0)
        return is_text ? text_of(address ? fault : "<null>") : text("", 0);
    look->used += (size_t)length;
    return text(to, (size_t)length);
}

static struct term view(struct look *look, uintptr_t address)
{
    uint64_t words[sizeof(struct sdt_text) / 8 + 2];
    long n = hit_copy(look->rings, (char *)words, address, sizeof(struct sdt_text), false);
    if (n != (long)sizeof(struct sdt_text))
        return text_of(fault);
    return words[1] ? copied(look, words[0], words[1], true) : text("", 0);
}

static struct term array(struct look *look, uintptr_t address, uint64_t count,
                         const struct field *field)
{
    uint64_t most = look->rings->text / field->element_size;
    struct term bytes =
        copied(look, address, (count < most ? count : most) * field->element_size, false);
    if (bytes.kind == TERM_MISSING)
        return missing;
    struct term array = integer((__int128)(bytes.text.length / field->element_size), 0);
    array.element =
        (uint8_t)(field->element_size | (field->element_kind == FIELD_FLOAT    ? TERM_FLOAT
                                         : field->element_kind == FIELD_SIGNED ? TERM_SIGNED
                                                                               : 0));
    array.elements = bytes.text;
    return array;
}

/* With the name of an enumerator, if it is one. */
static struct term labelled(struct look *look, const struct field *field, struct term number)
{
    char *to = look->room + look->used;
    size_t length;
    if (describe_find_label(field->labels, (uint64_t)number.integer, field->size, to,
                            ROOM - look->used, &length)) {
        number.has_label = true;
        number.label = (struct slice){to, length};
        look->used += length;
    }
    return number;
}

static struct term real(uint64_t word)
{
    struct term real = {.kind = TERM_REAL};
    memcpy(&real.real, &word, sizeof real.real);
    return real;
}

static struct term argument(struct look *look, const struct field *field, unsigned i)
{
    uint64_t word = look->words[i];
    uint64_t next = i + 1 < look->site->args.count ? look->words[i + 1] : 0;
    switch (field->kind) {
    case FIELD_SIGNED:
        return labelled(look, field, integer((int64_t)word, 0));
    case FIELD_FLOAT:
        return real(word);
    case FIELD_STRING:
        return copied(look, word, SIZE_MAX, true);
    case FIELD_TEXT:
    case FIELD_BYTES:
        return copied(look, word, next, field->kind == FIELD_TEXT);
    case FIELD_VIEW:
        return view(look, word);
    case FIELD_ARRAY:
        return array(look, word, next, field);
    case FIELD_LENGTH:
    case FIELD_ELEMENT:
        return missing;
    case FIELD_SECONDS:
        return integer((int64_t)word, 1000000000);
    case FIELD_MILLISECONDS:
        return integer((int64_t)word, 1000000);
    case FIELD_MICROSECONDS:
        return integer((int64_t)word, 1000);
    case FIELD_NANOSECONDS:
        return integer((int64_t)word, 1);
    default:
        return labelled(look, field, integer(word, 0));
    }
}

/* What every event has; false: NAME is nothing of it. */
static bool look_up_event(const struct look *look, struct slice name, struct term *value)
{
    if (slice_is(name, "provider"))
        *value = name_of(sdt_provider(look->event));
    else if (slice_is(name, "name"))
        *value = name_of(sdt_name(look->event));
    else if (slice_is(name, "function"))
        *value = text_of(sdt_function(look->event));
    else if (slice_is(name, "module"))
        *value = text_of(sdt_module(look->event));
    else if (slice_is(name, "cpu"))
        *value = integer(sched_getcpu(), 0);
    else if (slice_is(name, "pid"))
        *value = integer(getpid(), 0);
    else if (slice_is(name, "tid"))
        *value = integer(sync_thread(), 0);
    else
        return false;
    return true;
}

/* What the thread's context has: NAME is an id of it. */
static struct term id_of_thread(struct look *look, struct slice name)
{
    const struct pages_way way = {look->rings->is_guarded, look->rings->is_tsc};
    bool is_span = slice_is(name, "span_id");
    unsigned first = is_span ? 2 : 0, end = is_span ? 3 : 2;
    uint64_t words[CONTEXT_ROOM];
    char *to = look->room + look->used;
    size_t length = 16u * (end - first);
    if ((!is_span && !slice_is(name, "trace_id")) || length > ROOM - look->used ||
        !context_read(way, words))
        return missing;
    for (unsigned half = 0; half < 2 * (end - first); half++) {
        uint64_t word = words[first + half / 2];
        uint64_t digits = context_digits(half % 2 ? word >> 32 : word & UINT32_MAX);
        memcpy(to + half * sizeof digits, &digits, sizeof digits);
    }
    look->used += length;
    return text(to, length);
}

static struct term look_up(struct look *look, const struct condition_step *step)
{
    struct term value = missing;
    struct slice name = step->term.text;
    if (!step->is_argument && look_up_event(look, name, &value))
        return value;
    const char *descriptor = (const char *)record_target(&look->site->record->args);
    for (unsigned i = 0; i < look->site->args.count; i++) {
        struct field field = field_at(&look->site->args, descriptor, i);
        if (field.name_length == name.length && !memcmp(field.name, name.text, name.length))
            return argument(look, &field, i);
    }
    return step->is_argument ? missing : id_of_thread(look, name);
}

static struct term apply(const struct condition_step *step, const struct term *operands)
{
    bool has_two = step->code == CODE_CALL_TWO;
    if (has_two || step->code == CODE_CALL)
        return code_call((enum function)step->function, &operands[0],
                         has_two ? &operands[1] : NULL);
    return code_apply((enum code)step->code, &operands[0], &operands[1]);
}

bool condition_holds(const struct condition *condition, const struct sdt_event *event,
                     const struct rings *rings)
{
    struct term stack[CONDITION_STACK + 1], *top = stack;
    struct look look; /* no initialiser: most of it is room */
    look.event = event;
    look.site = event_site(event);
    look.rings = rings;
    look.used = 0;
    if (!look.site || look.site->is_bad)
        return false;
    sdt_args(event, look.words, SDT_MAX_ARGS);
    for (unsigned i = 0; i < condition->count; i++) {
        const struct condition_step *step = &condition->steps[i];
        top -= code_operands((enum code)step->code);
        *top = step->code == CODE_CONSTANT ? step->term
               : step->code == CODE_NAME   ? look_up(&look, step)
                                           : apply(step, top);
        top++;
    }
    return code_is_true(&stack[0]);
}
