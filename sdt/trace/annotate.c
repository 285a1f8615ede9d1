/* SPDX-License-Identifier: BSD-2-Clause */
/* See annotate.h. The recorded values do not change, only their description. */
#include "annotate.h"

#include "base/described.h"
#include "base/diag.h"
#include "print/label.h"

#include <stdlib.h>
#include <string.h>

struct annotation {
    const char *path; /* of the file */
    struct event_class *class;
    const struct describe_probe *probe;
    bool is_second; /* a trace had this probe before, and the warning was given */
};

static bool is_integer(const struct field *field)
{
    return field->kind == FIELD_SIGNED || field->kind == FIELD_UNSIGNED ||
           field->kind == FIELD_HEX || field->kind == FIELD_BOOL || field->kind == FIELD_POINTER;
}

static void set_type(struct field *field, enum field_kind kind, const struct describe_field *as)
{
    field->kind = kind;
    field->type = describe_type(as->kind, as->size);
    if (as->kind != 'f' && as->size < field->width) /* a float is stored as a double */
        field->width = as->size;
}

/* Text is where the program was: its address is all that there is. */
static void warn_lost(const struct annotation *annotation, const struct field *field)
{
    if (annotation->is_second)
        return;
    char *probe = label_of(annotation->class->provider, annotation->class->name);
    char *problem =
        memory_format("%s: '%s' was recorded as an address, not as %s", probe, field->name, "text");
    free(probe);
    diag_warn(&(struct diag_place){.file = annotation->path}, problem,
              "record again with sdt record --describe");
    free(problem);
}

static void retype(const struct annotation *annotation, struct field *field,
                   const struct describe_field *as)
{
    bool is_real = field->kind == FIELD_FLOAT || field->kind == FIELD_DOUBLE;
    if (is_real && as->kind == 'f')
        set_type(field, as->size == 4 ? FIELD_FLOAT : FIELD_DOUBLE, as);
    if (!is_integer(field))
        return;
    switch (as->kind) {
    case 'i':
        set_type(field, FIELD_SIGNED, as);
        break;
    case 'u':
        set_type(field, FIELD_UNSIGNED, as);
        break;
    case 'x':
        set_type(field, FIELD_HEX, as);
        break;
    case 'b':
        set_type(field, FIELD_BOOL, as);
        break;
    case 'p':
        set_type(field, FIELD_POINTER, as);
        break;
    case 'f':
        if (as->size == 8 && field->size == 8)
            set_type(field, FIELD_DOUBLE, as);
        break;
    case 's':
    case 't':
    case 'y':
        warn_lost(annotation, field);
        field->kind = FIELD_POINTER;
        break;
    default:
        break;
    }
}

static bool has_field(const struct event_class *class, const char *name)
{
    for (size_t i = 0; i < class->field_count; i++)
        if (!strcmp(class->fields[i].name, name))
            return true;
    return false;
}

static void annotate_field(const struct annotation *annotation, struct field *field,
                           const struct describe_field *as)
{
    if (as->name && !has_field(annotation->class, as->name))
        field->name = as->name;
    if (as->unit)
        field->unit = as->unit;
    if (as->kind)
        retype(annotation, field, as);
    if (as->label_count) {
        field->labels = as->labels;
        field->label_count = as->label_count;
    }
}

static void annotate_class(const struct annotation *annotation)
{
    const struct describe_probe *probe = annotation->probe;
    struct event_class *class = annotation->class;
    unsigned next = 0;
    for (size_t i = 0; i < class->field_count && next < probe->count; i++) {
        const struct describe_field *as = &probe->fields[next++];
        enum field_kind kind = class->fields[i].kind;
        /* An argument that is the length of the one before has no field of its own. */
        next += kind == FIELD_BYTES || (kind == FIELD_STRING && as->kind == 't');
        if (kind == FIELD_ARRAY) /* its length, and an element */
            next += 2;
        annotate_field(annotation, &class->fields[i], as);
    }
}

static bool annotate_trace(const struct trace *trace, const char *path,
                           const struct description *description, bool *warned)
{
    bool is_any = false;
    for (size_t id = 0; id < trace->class_limit; id++) {
        struct event_class *class = trace->classes[id];
        const struct describe_probe *probe =
            class ? describe_find(description, class->provider, class->name) : NULL;
        if (!probe)
            continue;
        size_t number = (size_t)(probe - description->probes);
        struct annotation annotation = {path, class, probe, warned[number]};
        annotate_class(&annotation);
        warned[number] = true;
        is_any = true;
    }
    return is_any;
}

int annotate_recording(struct recording *recording, const char *path)
{
    if (!path)
        return 0;
    if (described_read(path, &recording->description) != 0)
        return -1;
    bool is_any = false;
    bool *warned = memory_zeroed(recording->description->count + 1, sizeof *warned);
    for (size_t i = 0; i < recording->trace_count; i++)
        if (annotate_trace(&recording->traces[i], path, recording->description, warned))
            is_any = true;
    free(warned);
    if (!is_any)
        diag_warn(&(struct diag_place){.file = path}, "describes no probe of this recording",
                  "names are those of sdt report: provider:name");
    return 0;
}
