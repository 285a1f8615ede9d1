/* SPDX-License-Identifier: BSD-2-Clause */
/* See follow_format.h. */
#include "follow_format.h"

#include "print/label.h"
#include "print/text.h"
#include "trace/value_text.h"

#include <string.h>

const char *follow_format_check(const char *format)
{
    for (; *format; format++) {
        bool is_brace = *format == '{' || *format == '}';
        if (is_brace && format[1] == *format) {
            format++;
        } else if (is_brace) {
            size_t length = *format == '{' ? strcspn(format + 1, "{}") : 0;
            if (length == 0 || format[1 + length] != '}')
                return "a format has names in braces, {path}, and {{ for a brace";
            format += length + 1;
        }
    }
    return NULL;
}

static bool is_called(struct slice name, const char *text)
{
    return name.length == strlen(text) && !memcmp(name.text, text, name.length);
}

static bool append_argument(struct bytes *to, struct slice name, const struct event *event)
{
    for (size_t i = 0; i < event->value_count; i++)
        if (is_called(name, event->class->fields[i].name)) {
            /* Text is shown as it is, but for what a terminal would obey. */
            if (event->class->fields[i].kind == FIELD_STRING)
                text_escaped(to, event->values[i].text);
            else
                text_value(to, &event->class->fields[i], &event->values[i]);
            return true;
        }
    return false;
}

static void append_fact(struct bytes *to, struct slice name, const struct event *event)
{
    const struct event_class *class = event->class;
    if (is_called(name, "time"))
        text_time(to, event->time);
    else if (is_called(name, "cpu") && event->cpu != NO_CPU)
        text_natural(to, event->cpu);
    else if (is_called(name, "pid"))
        text_natural(to, event->pid);
    else if (is_called(name, "tid"))
        text_natural(to, event->tid);
    else if (is_called(name, "provider") || is_called(name, "name"))
        label_part_append(to, is_called(name, "name") ? class->name : class->provider);
    else if (is_called(name, "function"))
        text_function(to, class->function);
    else
        text_escaped(to, slice_of(is_called(name, "module") ? class->module : "?"));
}

void follow_format_append(struct bytes *to, const char *format, const struct event *event)
{
    for (; *format; format++) {
        bool is_brace = *format == '{' || *format == '}';
        if (!is_brace || format[1] == *format) {
            text_char(to, *format);
            format += is_brace;
            continue;
        }
        struct slice name = {format + 1, strcspn(format + 1, "}")};
        if (!append_argument(to, name, event))
            append_fact(to, name, event);
        format += name.length + 1;
    }
    text_char(to, '\n');
}
