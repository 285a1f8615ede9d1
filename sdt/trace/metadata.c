/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The lines of a trace's metadata that are for us:
 *
 *   / * sdt-recording 1 * /
 *   / * sdt-process PID PROGRAM HOSTNAME * /
 *   / * sdt-rings thread * /                     rings belong to threads; else to CPUs
 *   / * sdt-file BUILD-ID PATH * /               of the next event's site
 *   / * sdt-event ID PROVIDER NAME FILE:LINE FUNCTION MODULE FIELD:TYPE FIELD:TYPE ... * /
 *       before them perhaps thread:context, the ids of a trace and a span (process/context.h);
 *       a TYPE perhaps with :=UNIT and :VALUE=NAME, of enumerators, after it
 *   / * sdt-module START END BASE BUILD-ID FILE * /, START, END and BASE in hexadecimal
 *       freq = N;  offset_s = N;  offset = N;       of the clock
 *
 * (without the blanks in the marks of comments). One blank stands between words; in a word every
 * byte but letters, digits and _.:/+,~@=- is spelt %XX, and an empty word is `-`. Other lines are
 * TSDL and not for us. Nothing is trusted: the program may have been killed in mid-line.
 */
#include "metadata.h"

#include "base/diag.h"
#include "base/text.h"
#include "print/label.h"

#include <stdlib.h>
#include <string.h>

enum { ID_LIMIT = 1 << 20, MAX_FIELDS = 256, MAX_NAME = 1023, MAX_FIELD_NAME = 255 };
#define CUT "…"

struct metadata_reader {
    struct recording *recording;
    struct trace *trace;
    const char *path;
    size_t line;
    bool is_ours, has_process;
    const char *build_id, *file; /* of the next class; NULL: unknown */
    struct event_class class;    /* under construction */
    struct field fields[MAX_FIELDS + TRACE_IDS + 1];
};

static const struct {
    const char *name;
    enum field_kind kind;
    unsigned size;
} types[] = {
    {"int8", FIELD_SIGNED, 1},     {"int16", FIELD_SIGNED, 2},    {"int32", FIELD_SIGNED, 4},
    {"int64", FIELD_SIGNED, 8},    {"uint8", FIELD_UNSIGNED, 1},  {"uint16", FIELD_UNSIGNED, 2},
    {"uint32", FIELD_UNSIGNED, 4}, {"uint64", FIELD_UNSIGNED, 8}, {"hex8", FIELD_HEX, 1},
    {"hex16", FIELD_HEX, 2},       {"hex32", FIELD_HEX, 4},       {"hex64", FIELD_HEX, 8},
    {"bool", FIELD_BOOL, 1},       {"pointer", FIELD_POINTER, 8}, {"float", FIELD_FLOAT, 8},
    {"double", FIELD_DOUBLE, 8},   {"string", FIELD_STRING, 0},   {"bytes", FIELD_BYTES, 0},
};
enum { TYPES = sizeof types / sizeof types[0], MAX_MODULES = 1 << 20 };
static const char callers[] = "callers";        /* a type, of the last field only */
static const char context[] = "thread:context"; /* before the fields: 24 bytes */

/* A warning about the current line, which is then passed over. */
static int damaged(struct metadata_reader *reader, const char *problem)
{
    char *text = memory_format("line %zu: %s", reader->line, problem);
    diag_warn(&(struct diag_place){.file = reader->path}, text, NULL);
    free(text);
    reader->recording->is_damaged = true;
    return -1;
}

/* Decode WORD in place: it only gets shorter. */
static void decode_word(char *word)
{
    char *to = word;
    if (!strcmp(word, "-"))
        *word = '\0';
    for (const char *c = word; *c; c++) {
        int high = *c == '%' ? hex_digit(c[1]) : -1, low = high >= 0 ? hex_digit(c[2]) : -1;
        bool is_code = low >= 0 && (high || low); /* a NUL would cut the word off */
        *to++ = is_code ? (char)(high * 16 + low) : *c;
        c += is_code ? 2 : 0;
    }
    *to = '\0';
}

/* The next word of *REST, which goes on after it; NULL: no more. */
static char *raw_word(char **rest)
{
    char *word = *rest + strspn(*rest, " ");
    size_t length = strcspn(word, " ");
    if (!length)
        return NULL;
    *rest = word + length + (word[length] ? 1 : 0);
    word[length] = '\0';
    return word;
}

char *metadata_word(char **rest)
{
    char *word = raw_word(rest);
    if (word)
        decode_word(word);
    return word;
}

/*
 * WORD, of which MOST bytes are kept. Every event is shown with its names: long ones would make a
 * report of a small file that fills the disk.
 */
static const char *keep_name(struct metadata_reader *reader, char *word, size_t most)
{
    if (strlen(word) > most)
        memcpy(word + most - strlen(CUT), CUT, sizeof CUT);
    return arena_keep(&reader->recording->arena, word, strlen(word) + 1);
}

static const char *next_word(struct metadata_reader *reader, char **rest)
{
    char *word = metadata_word(rest);
    return word ? keep_name(reader, word, MAX_NAME) : NULL;
}

/* All of TEXT as a number up to MOST. */
static bool read_number(const char *text, uint64_t most, uint64_t *number)
{
    uint64_t value = 0;
    if (!text || !*text)
        return false;
    for (; *text; text++) {
        if (*text < '0' || *text > '9' || __builtin_mul_overflow(value, 10, &value) ||
            __builtin_add_overflow(value, (uint64_t)(*text - '0'), &value))
            return false;
    }
    *number = value;
    return value <= most;
}

static int read_process(struct metadata_reader *reader, char *rest)
{
    uint64_t pid;
    if (!read_number(raw_word(&rest), UINT32_MAX, &pid))
        return damaged(reader, "the process has no number");
    reader->trace->pid = (uint32_t)pid;
    const char *program = next_word(reader, &rest), *host = next_word(reader, &rest);
    reader->trace->program = program ? program : "";
    reader->trace->host = host ? host : "";
    reader->has_process = true;
    return 0;
}

/* Numbers may be elements of an array: int32[]. False: there is no such TYPE. */
bool metadata_type(const char *type, struct field *field)
{
    size_t length = strcspn(type, "[");
    if (!strcmp(type, callers)) {
        *field = (struct field){.name = field->name,
                                .type = field->type,
                                .kind = FIELD_ARRAY,
                                .element_kind = FIELD_POINTER,
                                .element_size = 8};
        return true;
    }
    bool is_array = !strcmp(type + length, "[]");
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        if (strncmp(type, types[i].name, length) != 0 || types[i].name[length] ||
            (type[length] && !(is_array && types[i].size)))
            continue;
        field->kind = is_array ? FIELD_ARRAY : types[i].kind;
        field->size = field->width = is_array ? 0 : types[i].size;
        field->element_kind = types[i].kind;
        field->element_size = types[i].kind == FIELD_FLOAT ? 4 : types[i].size;
        return true;
    }
    return false;
}

/* TEXT is a number of 64 bits, of which negative ones have their sign. */
static bool read_value(const char *text, uint64_t *value)
{
    bool is_negative = *text == '-';
    if (!read_number(text + is_negative, UINT64_MAX, value))
        return false;
    *value = is_negative ? -*value : *value;
    return true;
}

/*
 * What follows a type: `:=UNIT`, and `:VALUE=NAME` for each enumerator. What is neither is of some
 * later version, and passed over.
 */
static void read_parts(struct metadata_reader *reader, struct field *field, char *rest)
{
    struct arena *arena = &reader->recording->arena;
    struct describe_label *labels = NULL;
    while (rest) {
        char *part = rest, *next = strchr(part, ':'), *name;
        uint64_t value = 0;
        if (next)
            *next = '\0';
        rest = next ? next + 1 : NULL;
        name = strchr(part, '=');
        if (!name)
            continue;
        *name++ = '\0';
        decode_word(name);
        if (*part && !read_value(part, &value))
            continue;
        name = arena_keep(arena, name, strlen(name) + 1);
        if (!*part) {
            field->unit = name;
            continue;
        }
        labels = memory_resize(labels, field->label_count + 1, sizeof *labels);
        labels[field->label_count++] = (struct describe_label){value, name};
    }
    if (labels)
        field->labels = arena_keep(arena, labels, field->label_count * sizeof *labels);
    free(labels);
}

/* WORD is FIELD:TYPE, perhaps with more. The parts are decoded after they are separated. */
static int read_field(struct metadata_reader *reader, char *word)
{
    struct arena *arena = &reader->recording->arena;
    struct event_class *class = &reader->class;
    char *type = strchr(word, ':');
    if (class->field_count == 0 && !strcmp(word, context)) {
        class->has_context = true;
        return 0;
    }
    if (!type)
        return damaged(reader, "a field without a type");
    if (class->field_count == MAX_FIELDS)
        return damaged(reader, "an event with too many fields");
    *type++ = '\0';
    size_t known = 0, length = strcspn(type, ":");
    while (known < TYPES &&
           !(strlen(types[known].name) == length && !strncmp(types[known].name, type, length)))
        known++;
    char *rest = known < TYPES && type[length] ? type + length + 1 : NULL;
    if (rest)
        type[length] = '\0';
    decode_word(word);
    decode_word(type);
    struct field *field = &reader->fields[class->field_count++];
    *field = (struct field){.name = keep_name(reader, word, MAX_FIELD_NAME),
                            .type = arena_keep(arena, type, strlen(type) + 1)};
    if (metadata_type(type, field)) {
        read_parts(reader, field, rest);
        return 0;
    }
    char *probe = label_of(class->provider, class->name);
    char *problem =
        memory_format("%s: '%s' has type '%s', which this version cannot read", probe, word, type);
    free(probe);
    damaged(reader, problem);
    free(problem);
    return 0;
}

/* The ids, between the arguments and the callers; how many fields there are then. */
static size_t add_context(struct metadata_reader *reader)
{
    static const char *const names[] = {"trace_id", "span_id"};
    size_t count = reader->class.field_count, callers_at = count - reader->class.has_callers;
    reader->fields[callers_at + TRACE_IDS] = reader->fields[callers_at];
    for (size_t i = 0; i < TRACE_IDS; i++)
        reader->fields[callers_at + i] =
            (struct field){.name = names[i], .type = "string", .kind = FIELD_STRING};
    return count + TRACE_IDS;
}

/* The arrays grow by factors; the numbers of sites are small and dense. */
static void keep_class(struct metadata_reader *reader)
{
    struct trace *trace = reader->trace;
    struct event_class *class = &reader->class;
    if (class->id >= trace->class_limit) {
        size_t limit = trace->class_limit ? trace->class_limit : 64;
        while (limit <= class->id)
            limit *= 2;
        trace->classes = memory_resize(trace->classes, limit, sizeof *trace->classes);
        for (size_t i = trace->class_limit; i < limit; i++)
            trace->classes[i] = NULL;
        trace->class_limit = limit;
    }
    size_t count = class->field_count;
    class->has_callers = count && !strcmp(reader->fields[count - 1].type, callers);
    if (class->has_context)
        count = class->field_count = add_context(reader);
    class->fields =
        arena_keep(&reader->recording->arena, reader->fields, count * sizeof *class->fields);
    if (count > reader->recording->field_most)
        reader->recording->field_most = count;
    class->field_count -= class->has_callers;
    trace->classes[class->id] = arena_keep(&reader->recording->arena, class, sizeof *class);
}

static int read_event(struct metadata_reader *reader, char *rest)
{
    uint64_t id;
    struct event_class *class = &reader->class;
    *class = (struct event_class){.file = reader->file, .build_id = reader->build_id};
    reader->file = reader->build_id = NULL;
    if (!read_number(raw_word(&rest), ID_LIMIT - 1, &id) || id == 0)
        return damaged(reader, "an event without a number");
    class->id = (uint32_t)id;
    class->provider = next_word(reader, &rest);
    class->name = next_word(reader, &rest);
    class->place = next_word(reader, &rest);
    class->function = next_word(reader, &rest);
    class->module = next_word(reader, &rest);
    if (!class->module)
        return damaged(reader, "an event with too few words");
    if (id < reader->trace->class_limit && reader->trace->classes[id])
        return damaged(reader, "a second event of the same number");
    for (char *word; (word = raw_word(&rest));)
        if (read_field(reader, word) != 0)
            return -1;
    keep_class(reader);
    return 0;
}

/* All of TEXT as a hexadecimal number. */
static bool read_hex(const char *text, uint64_t *number)
{
    *number = 0;
    size_t length = text ? strlen(text) : 0;
    for (size_t i = 0; i < length; i++) {
        int digit = hex_digit(text[i]);
        if (digit < 0)
            return false;
        *number = *number << 4 | (uint64_t)digit;
    }
    return length > 0 && length <= 16;
}

static int read_module(struct metadata_reader *reader, char *rest)
{
    struct trace *trace = reader->trace;
    struct trace_module module;
    if (!read_hex(raw_word(&rest), &module.start) || !read_hex(raw_word(&rest), &module.end) ||
        !read_hex(raw_word(&rest), &module.base) || trace->module_count == MAX_MODULES)
        return damaged(reader, "a module without valid addresses");
    module.id = next_word(reader, &rest);
    module.path = next_word(reader, &rest);
    if (!module.path)
        return damaged(reader, "a module without a file");
    trace->modules = memory_resize(trace->modules, trace->module_count + 1, sizeof module);
    trace->modules[trace->module_count++] = module;
    return 0;
}

static const char *keep_text(struct metadata_reader *reader, const char *text, size_t length)
{
    char *copy = memory_format("%.*s", (int)length, text);
    const char *kept = arena_keep(&reader->recording->arena, copy, length + 1);
    free(copy);
    return kept;
}

/* BOOT PIDS TIMES WALL. A machine that does not know its boot has zeros there. */
static int read_machine(struct metadata_reader *reader, char *rest)
{
    struct trace *trace = reader->trace;
    const char *boot = raw_word(&rest), *pids = raw_word(&rest), *times = raw_word(&rest),
               *wall = raw_word(&rest);
    uint64_t number = 0;
    if (!wall || strlen(boot) > MAX_NAME || !read_number(pids, UINT64_MAX, &trace->pid_space) ||
        !read_number(times, UINT64_MAX, &trace->time_space) || !read_value(wall, &number))
        return damaged(reader, "a machine without valid numbers");
    trace->wall = (int64_t)number;
    trace->boot = boot[strspn(boot, "0")] ? keep_text(reader, boot, strlen(boot)) : "";
    return 0;
}

/* uuid = "..."; of the trace. */
static void read_uuid(struct metadata_reader *reader, const char *line)
{
    static const char before[] = "uuid = \"";
    line += strspn(line, " ");
    size_t length = strlen(before);
    if (strncmp(line, before, length) == 0)
        reader->trace->uuid = keep_text(reader, line + length, strcspn(line + length, "\""));
}

/* NAME = N; of the clock, with blanks anywhere. */
static void read_assignment(struct metadata_reader *reader, char *line)
{
    struct trace_clock *clock = &reader->trace->clock;
    const struct {
        const char *name;
        uint64_t *to;
    } known[] = {{"freq", &clock->frequency},
                 {"offset_s", &clock->offset_seconds},
                 {"offset", &clock->offset}};
    line += strspn(line, " ");
    size_t length = strcspn(line, " =;");
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (strlen(known[i].name) != length || strncmp(line, known[i].name, length) != 0)
            continue;
        char *number = line + length + strspn(line + length, " =");
        number[strcspn(number, " ;")] = '\0';
        if (!read_number(number, UINT64_MAX, known[i].to))
            damaged(reader, "a number that cannot be read");
    }
}

/* What the comment LINE says, up to its closing mark, if it begins with WORD; else NULL. */
static char *comment(char *line, const char *word)
{
    size_t length = strlen(word);
    if (strncmp(line, "/* ", 3) != 0 || strncmp(line + 3, word, length) != 0 ||
        line[3 + length] != ' ')
        return NULL;
    char *end = strstr(line, " */");
    if (!end || end < line + 3 + length)
        return NULL;
    *end = '\0';
    char *rest = line + 3 + length;
    return *rest ? rest + 1 : rest;
}

static int read_line(struct metadata_reader *reader, char *line)
{
    char *rest;
    if ((rest = comment(line, "sdt-recording"))) {
        if (strcmp(rest, "1") != 0)
            return diag_error("%s: the recording has version '%s'; this program reads version 1",
                              reader->path, rest);
        reader->is_ours = true;
        return 0;
    }
    if ((rest = comment(line, "sdt-process")))
        read_process(reader, rest);
    else if ((rest = comment(line, "sdt-machine")))
        read_machine(reader, rest);
    else if ((rest = comment(line, "sdt-rings")))
        reader->trace->is_per_thread = strcmp(rest, "thread") == 0;
    else if ((rest = comment(line, "sdt-file"))) {
        reader->build_id = next_word(reader, &rest);
        reader->file = next_word(reader, &rest);
    } else if ((rest = comment(line, "sdt-event")))
        read_event(reader, rest);
    else if ((rest = comment(line, "sdt-module")))
        read_module(reader, rest);
    else {
        read_uuid(reader, line);
        read_assignment(reader, line);
    }
    return 0;
}

/*
 * TEXT ends with a NUL, and holds others only if it is damaged. A line without its end is being
 * written, or was when the program was killed: no event of it can be in a stream.
 */
int metadata_read(struct recording *recording, struct trace *trace, const char *path,
                  struct bytes text)
{
    struct metadata_reader reader = {.recording = recording, .trace = trace, .path = path};
    char *line = (char *)text.data, *end;
    trace->uuid = trace->boot = "";
    while ((end = strchr(line, '\n'))) {
        *end = '\0';
        reader.line++;
        if (read_line(&reader, line) != 0)
            return -1;
        line = end + 1;
    }
    if (!reader.is_ours)
        return diag_error("%s: not a recording of sdt; babeltrace2 reads other CTF traces", path);
    if (!trace->clock.frequency || !reader.has_process)
        return diag_error("%s: the clock or the process is missing; the file is damaged", path);
    return 0;
}
