/* SPDX-License-Identifier: BSD-2-Clause */
#include "filter.h"

#include "base/memory.h"
#include "command/mark.h"
#include "print/text.h"

#include <shared/suggest.h>
#include <shared/words.h>
#include <stdlib.h>
#include <string.h>

static int parse(struct filter *filter, const char *text, struct grammar_error *error)
{
    *filter = (struct filter){.expression = text ? expression_parse(text, error) : NULL};
    return text && !filter->expression ? -1 : 0;
}

int filter_try(struct filter *filter, const char *text)
{
    struct grammar_error error = {0};
    return parse(filter, text, &error);
}

int filter_parse(struct filter *filter, const char *text)
{
    struct grammar_error error = {0};
    return parse(filter, text, &error) == 0 ? 0 : mark_error(text, error.offset, error.problem);
}

void filter_text(struct bytes *to, const struct term *value)
{
    if (value->kind == TERM_TEXT)
        bytes_append(to, value->text.text, value->text.length);
    else if (value->kind == TERM_INTEGER && value->integer < 0)
        text_integer(to, (int64_t)value->integer);
    else if (value->kind == TERM_INTEGER)
        text_natural(to, (uint64_t)value->integer);
    else
        text_real(to, value->real);
}

void filter_free(struct filter *filter)
{
    expression_free(filter->expression);
    filter->expression = NULL;
}

enum { EVENT_PROVIDER, EVENT_NAME, EVENT_FUNCTION, EVENT_MODULE, EVENT_CPU, EVENT_PID, EVENT_TID };

static const char *const event_names[] = {"provider", "name", "function", "module",
                                          "cpu",      "pid",  "tid"};
enum { EVENT_NAMES = sizeof event_names / sizeof event_names[0] };

/* What NAME is of every event; EVENT_NAMES: it is an argument's. */
static int find_event_name(const struct expression_name *name)
{
    int i = name->is_argument ? EVENT_NAMES : 0;
    while (i < EVENT_NAMES && strcmp(name->name, event_names[i]) != 0)
        i++;
    return i;
}

static bool has_argument(const struct recording *recording, const char *name)
{
    for (size_t i = 0; i < recording->trace_count; i++)
        for (size_t id = 0; id < recording->traces[i].class_limit; id++) {
            const struct event_class *class = recording->traces[i].classes[id];
            for (size_t k = 0; class && k < class->field_count; k++)
                if (!strcmp(class->fields[k].name, name))
                    return true;
        }
    return false;
}

/* Whether a field of this NAME is text. */
static bool has_text(const struct recording *recording, const char *name)
{
    for (size_t i = 0; i < recording->trace_count; i++)
        for (size_t id = 0; id < recording->traces[i].class_limit; id++) {
            const struct event_class *class = recording->traces[i].classes[id];
            for (size_t k = 0; class && k < class->field_count; k++)
                if (!strcmp(class->fields[k].name, name) &&
                    (class->fields[k].kind == FIELD_STRING || class->fields[k].kind == FIELD_BYTES))
                    return true;
        }
    return false;
}

/* Whether str() takes NAME: text that was recorded. */
static bool is_text(const struct expression_name *name, const struct recording *recording)
{
    return find_event_name(name) <= EVENT_MODULE ||
           (find_event_name(name) == EVENT_NAMES && has_text(recording, name->name));
}

enum wrong { WRONG_NOT, WRONG_NAME, WRONG_CALL, WRONG_TEXT, WRONG_MEMBER };

static enum wrong check(const struct expression_name *names, size_t i,
                        const struct recording *recording)
{
    const struct expression_name *name = &names[i];
    if (name->is_member)
        return WRONG_MEMBER;
    if (!name->is_call)
        return find_event_name(name) < EVENT_NAMES || has_argument(recording, name->name)
                   ? WRONG_NOT
                   : WRONG_NAME;
    if (code_function(slice_of(name->name)) == FUNCTIONS)
        return WRONG_CALL;
    bool has_text = strcmp(name->name, "str") != 0 ||
                    (name->of != SIZE_MAX && is_text(&names[name->of], recording));
    return has_text ? WRONG_NOT : WRONG_TEXT;
}

/* An argument or a name of all events that is called nearly so. */
static struct suggestion suggest(const char *name, const struct recording *recording)
{
    struct suggestion suggestion;
    suggest_begin(&suggestion, name, strlen(name));
    for (size_t i = 0; i < recording->trace_count; i++)
        for (size_t id = 0; id < recording->traces[i].class_limit; id++) {
            const struct event_class *class = recording->traces[i].classes[id];
            for (size_t k = 0; class && k < class->field_count; k++)
                suggest_offer_word(&suggestion, class->fields[k].name);
        }
    for (int i = 0; i < EVENT_NAMES; i++)
        suggest_offer_word(&suggestion, event_names[i]);
    return suggestion;
}

static int unknown_name(const char *text, const struct expression_name *name,
                        const struct recording *recording)
{
    struct suggestion suggestion = suggest(name->name, recording);
    char *problem =
        *suggestion.best
            ? memory_format("no probe of this recording has an argument '%s'; did you mean '%s'?",
                            name->name, suggestion.best)
            : memory_format("no probe of this recording has an argument '%s'", name->name);
    mark_error(text, name->offset, problem);
    free(problem);
    return -1;
}

/* What is wrong with the first name of which something is. */
static enum wrong find_wrong(const struct filter *filter, const struct recording *recording,
                             const struct expression_name **name)
{
    const struct expression_name *names;
    size_t count = filter->expression ? expression_names(filter->expression, &names) : 0;
    enum wrong wrong = WRONG_NOT;
    for (size_t i = 0; i < count; i++) {
        enum wrong this = check(names, i, recording);
        if (this != WRONG_NOT && (wrong == WRONG_NOT || names[i].offset < (*name)->offset)) {
            wrong = this;
            *name = &names[i];
        }
    }
    return wrong;
}

bool filter_knows(const struct filter *filter, const struct recording *recording)
{
    const struct expression_name *name;
    return find_wrong(filter, recording, &name) == WRONG_NOT;
}

int filter_check(const struct filter *filter, const char *text, const struct recording *recording)
{
    const struct expression_name *name;
    switch (find_wrong(filter, recording, &name)) {
    case WRONG_NOT:
        return 0;
    case WRONG_CALL:
        return mark_error(text, name->offset, "there are only int(), len() and str() here");
    case WRONG_TEXT:
        return mark_error(
            text, name->offset,
            "here, str() takes an argument that was recorded as text: the memory is gone");
    case WRONG_MEMBER:
        return mark_error(text, name->offset,
                          "members are read from the running process: this is no recording's");
    default:
        return unknown_name(text, name, recording);
    }
}

static struct term text_operand(const char *text)
{
    return (struct term){.kind = TERM_TEXT, .text = slice_of(text)};
}

static struct term name_operand(const char *name)
{
    struct term operand = text_operand(name);
    operand.is_spelled = true;
    return operand;
}

static struct term number_operand(uint64_t number)
{
    return (struct term){.kind = TERM_INTEGER, .integer = number};
}

static struct term event_operand(const struct event *event, int which)
{
    switch (which) {
    case EVENT_PROVIDER:
        return name_operand(event->class->provider);
    case EVENT_NAME:
        return name_operand(event->class->name);
    case EVENT_FUNCTION:
        return text_operand(event->class->function);
    case EVENT_MODULE:
        return text_operand(event->class->module);
    case EVENT_CPU:
        if (event->cpu == NO_CPU)
            return (struct term){.kind = TERM_MISSING};
        return number_operand(event->cpu);
    case EVENT_PID:
        return number_operand(event->pid);
    default:
        return number_operand(event->tid);
    }
}

static struct term array_operand(const struct field *field, const struct value *value)
{
    bool is_real = field->element_kind == FIELD_FLOAT || field->element_kind == FIELD_DOUBLE;
    struct term operand = number_operand(value->text.length / field->element_size);
    operand.element = (uint8_t)(field->element_size | (is_real ? TERM_FLOAT : 0) |
                                (field->element_kind == FIELD_SIGNED ? TERM_SIGNED : 0));
    operand.elements = value->text;
    return operand;
}

static struct term value_operand(const struct field *field, const struct value *value)
{
    switch (field->kind) {
    case FIELD_SIGNED:
        return (struct term){.kind = TERM_INTEGER, .integer = value->number};
    case FIELD_FLOAT:
    case FIELD_DOUBLE:
        return (struct term){.kind = TERM_REAL, .real = value->real};
    case FIELD_STRING:
    case FIELD_BYTES:
        return (struct term){.kind = TERM_TEXT, .text = value->text};
    case FIELD_ARRAY:
        return array_operand(field, value);
    default:
        return number_operand(value->natural);
    }
}

struct term filter_field(const struct field *field, const struct value *value)
{
    struct term operand = value_operand(field, value);
    if (field->unit && !operand.element && field->unit[word_unit(field->unit, &operand.unit)])
        operand.unit = 0; /* not of time */
    const char *label = field->label_count ? decode_label(field, value) : NULL;
    if (label) {
        operand.has_label = true;
        operand.label = slice_of(label);
    }
    return operand;
}

static void look_up(void *scope, size_t index, const struct expression_name *name,
                    struct term *value)
{
    const struct event *event = scope;
    int which = find_event_name(name);
    (void)index;
    if (which < EVENT_NAMES) {
        *value = event_operand(event, which);
        return;
    }
    for (size_t i = 0; i < event->value_count; i++)
        if (!strcmp(event->class->fields[i].name, name->name)) {
            *value = filter_field(&event->class->fields[i], &event->values[i]);
            return;
        }
}

bool filter_passes(const struct filter *filter, const struct event *event)
{
    return !filter->expression ||
           expression_holds(filter->expression, look_up, (void *)(uintptr_t)event);
}

struct term filter_value(const struct filter *filter, const struct event *event)
{
    return expression_value(filter->expression, look_up, (void *)(uintptr_t)event);
}
