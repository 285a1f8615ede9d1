/* SPDX-License-Identifier: BSD-2-Clause */
/* See debug_info.h. */
#include "debug_info.h"

#include "dwarf/enums.h"
#include "module_file.h"

#include <stdlib.h>
#include <string.h>

/* What was asked once: "BUILD-ID FUNCTION NAME", and the answer, perhaps that there is none. */
struct answer {
    char *question;
    struct describe_label *labels;
    size_t count;
};

static struct {
    struct answer *items; /* by question, up to SORTED */
    size_t sorted, count, capacity;
} known;

static int by_question(const void *left, const void *right)
{
    const struct answer *a = left, *b = right;
    return strcmp(a->question, b->question);
}

static const struct answer *find_answer(const char *question)
{
    const struct answer key = {.question = (char *)question};
    return known.items ? bsearch(&key, known.items, known.sorted, sizeof key, by_question) : NULL;
}

static void keep_answer(const struct dwarf_wish *wish)
{
    struct answer answer = {.question = wish->of, .count = wish->label_count};
    answer.labels = memory_zeroed(wish->label_count + 1, sizeof *answer.labels);
    for (size_t i = 0; i < wish->label_count; i++)
        answer.labels[i] = (struct describe_label){(uint64_t)wish->labels[i].value,
                                                   memory_format("%s", wish->labels[i].name)};
    known.items = memory_with_room(known.items, known.count, &known.capacity, sizeof *known.items);
    known.items[known.count++] = answer;
}

/* ---- A file. ---- */

struct wishes {
    struct dwarf_wish *items;
    size_t count, capacity;
};

static bool is_wanted(const struct field *field)
{
    return !field->label_count && (field->kind == FIELD_SIGNED || field->kind == FIELD_UNSIGNED ||
                                   field->kind == FIELD_HEX);
}

static char *question_of(const struct event_class *class, const char *name)
{
    return memory_format("%s %s %s", class->build_id, class->function, name);
}

static void wish_for(struct wishes *wishes, const struct event_class *class,
                     const struct field *field)
{
    char *question = question_of(class, field->name);
    if (find_answer(question)) {
        free(question);
        return;
    }
    wishes->items =
        memory_with_room(wishes->items, wishes->count, &wishes->capacity, sizeof *wishes->items);
    wishes->items[wishes->count++] =
        (struct dwarf_wish){.function = class->function, .name = field->name, .of = question};
}

static bool is_of(const struct event_class *class, const struct event_class *file)
{
    return class && class->file && !strcmp(class->file, file->file) &&
           !strcmp(class->build_id, file->build_id);
}

static void open_file(struct dwarf *dwarf, const struct trace *trace,
                      const struct event_class *file)
{
    dwarf_open(dwarf, file->file);
    char *kept = strcmp(dwarf->build_id, file->build_id) != 0
                     ? module_file_kept(trace->path, file->build_id)
                     : NULL;
    if (!kept)
        return;
    dwarf_close(dwarf);
    dwarf_open(dwarf, kept);
    free(kept);
}

/* Ask for all classes of TRACE that are of the same file as FILE, one of them. */
static void ask(const struct trace *trace, const struct event_class *file)
{
    struct wishes wishes = {0};
    struct dwarf dwarf;
    for (size_t id = 0; id < trace->class_limit; id++) {
        const struct event_class *class = trace->classes[id];
        for (size_t i = 0; is_of(class, file) && i < class->field_count; i++)
            if (is_wanted(&class->fields[i]))
                wish_for(&wishes, class, &class->fields[i]);
    }
    if (!wishes.count)
        return;
    open_file(&dwarf, trace, file);
    if (!strcmp(dwarf.build_id, file->build_id))
        dwarf_find_enums(&dwarf, wishes.items, wishes.count);
    for (size_t i = 0; i < wishes.count; i++)
        keep_answer(&wishes.items[i]);
    dwarf_close(&dwarf);
    dwarf_free_wishes(wishes.items, wishes.count);
    known.sorted = known.count;
    qsort(known.items, known.count, sizeof *known.items, by_question);
}

/* ---- Recordings. ---- */

static bool has_file(const struct event_class *class)
{
    return class && class->file && *class->file == '/' && *class->build_id;
}

static bool is_first_of_file(const struct trace *trace, size_t id)
{
    for (size_t i = 0; i < id; i++)
        if (is_of(trace->classes[i], trace->classes[id]))
            return false;
    return true;
}

static void set_labels(struct event_class *class)
{
    for (size_t i = 0; i < class->field_count; i++) {
        struct field *field = &class->fields[i];
        if (!is_wanted(field))
            continue;
        char *question = question_of(class, field->name);
        const struct answer *answer = find_answer(question);
        if (answer && answer->count) {
            field->labels = answer->labels;
            field->label_count = answer->count;
        }
        free(question);
    }
}

int debug_info_annotate(struct recording *recording)
{
    for (size_t i = 0; i < recording->trace_count; i++) {
        const struct trace *trace = &recording->traces[i];
        for (size_t id = 0; id < trace->class_limit; id++)
            if (has_file(trace->classes[id]) && is_first_of_file(trace, id))
                ask(trace, trace->classes[id]);
        for (size_t id = 0; id < trace->class_limit; id++)
            if (has_file(trace->classes[id]))
                set_labels(trace->classes[id]);
    }
    return 0;
}
