/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See metadata.h. Fields begin with an underscore, as the specification prescribes for names that
 * could be keywords of its language; readers remove it.
 *
 * Everything that comes from the program is written so that it can end neither a string nor a
 * comment.
 */
#define _GNU_SOURCE
#include "metadata.h"

#include "clock.h"
#include "unwind/stack.h"

#include <inttypes.h>
#include <sdt/format.h>
#include <string.h>

static const char packets[] = "    packet.header := struct {\n"
                              "        integer { size = 32; align = 8; base = 16; } magic;\n"
                              "        integer { size = 8; align = 8; base = 16; } uuid[16];\n"
                              "        integer { size = 32; align = 8; } stream_id;\n"
                              "    };\n"
                              "};\n\n";

static const char streams[] =
    "stream {\n"
    "    id = 0;\n"
    "    packet.context := struct {\n"
    "        integer { size = 64; align = 8; map = clock.sdt.value; } timestamp_begin;\n"
    "        integer { size = 64; align = 8; map = clock.sdt.value; } timestamp_end;\n"
    "        integer { size = 64; align = 8; } content_size;\n"
    "        integer { size = 64; align = 8; } packet_size;\n"
    "        integer { size = 64; align = 8; } packet_seq_num;\n"
    "        integer { size = 64; align = 8; } events_discarded;\n"
    "        integer { size = 32; align = 8; } %s;\n"
    "    };\n"
    "    event.header := struct {\n"
    "        integer { size = 44; align = 64; map = clock.sdt.value; } timestamp;\n"
    "        integer { size = 20; align = 1; } id;\n"
    "    };\n"
    "    event.context := struct {\n"
    "        integer { size = 22; align = 32; } vpid;\n"
    "        integer { size = 22; align = 32; } vtid;\n"
    "    };\n"
    "};\n\n";

/* ---- Text from outside. ---- */

/* Of a comment: a token, in which all that could mean something is in hexadecimal. */
static void put_token(FILE *out, const char *text, size_t length)
{
    static const char plain[] = "_.:/+,~@=-";
    if (length == 0)
        fputs(" -", out);
    else
        fputc(' ', out);
    for (size_t i = 0; i < length; i++) {
        unsigned char c = (unsigned char)text[i];
        bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                        (c >= '0' && c <= '9') || (c && strchr(plain, c));
        /* A star and a slash would end the comment: a star is never plain. */
        fprintf(out, is_plain ? "%c" : "%%%02x", c);
    }
}

static void put_word(FILE *out, const char *text)
{
    put_token(out, text ? text : "", text ? strlen(text) : 0);
}

/* Of the language: a string. */
static void put_string(FILE *out, const char *text)
{
    fputc('"', out);
    for (; text && *text; text++) {
        unsigned char c = (unsigned char)*text;
        if (c < 0x20 || c == 0x7f)
            fprintf(out, "\\%03o", c);
        else
            fprintf(out, c == '"' || c == '\\' ? "\\%c" : "%c", c);
    }
    fputc('"', out);
}

/* ---- The clock. ---- */

/* Numbers have room to be changed later: blanks, since a zero in front would make them octal. */
#define FREQUENCY "    freq = %-12" PRIu64 ";\n"
#define OFFSET "    offset_s = %-12" PRId64 ";\n    offset = %-20" PRId64 ";\n"

static int print_clock(char *text, size_t room, const struct ring_file *file, uint64_t frequency)
{
    int64_t seconds, cycles;
    clock_offset(file, frequency, &seconds, &cycles);
    return snprintf(text, room, FREQUENCY OFFSET, frequency, seconds, cycles);
}

bool metadata_set_clock(char *text, size_t length, const struct ring_file *file, uint64_t frequency)
{
    char old[256], new[sizeof old];
    int n = print_clock(old, sizeof old, file, file->frequency);
    int same = print_clock(new, sizeof new, file, frequency);
    char *place = memmem(text, length, old, (size_t)n);
    if (!place || n != same)
        return false;
    memcpy(place, new, (size_t)n);
    return true;
}

/* ---- The beginning. ---- */

static void put_uuid(FILE *out, const uint8_t uuid[16])
{
    for (unsigned i = 0; i < 16; i++)
        fprintf(out, "%s%02x", i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "", uuid[i]);
}

static void put_environment(FILE *out, const struct recorded_process *process)
{
    fputs("env {\n    domain = \"ust\";\n    tracer_name = \"sdt\";\n    hostname = ", out);
    put_string(out, process->host);
    fputs(";\n    procname = ", out);
    put_string(out, process->program);
    fprintf(out, ";\n    vpid = %d;\n};\n\n", process->pid);
}

/* Whose clock it is: traces of one boot have the same, and in one namespace a number is one
 * process. The last word is the wall clock less CLOCK_MONOTONIC, which changes only when that is
 * set. */
static void put_machine(FILE *out, const struct ring_file *file,
                        const struct recorded_process *process)
{
    fputs("/* sdt-machine ", out);
    for (unsigned i = 0; i < sizeof file->boot; i++)
        fprintf(out, "%02x", file->boot[i]);
    fprintf(out, " %" PRIu64 " %" PRIu64 " %" PRId64 " */\n", process->pid_space,
            process->time_space, (int64_t)(file->epoch - file->monotonic));
}

void metadata_begin(FILE *out, const struct ring_file *file, const struct recorded_process *process)
{
    char clock[256];
    print_clock(clock, sizeof clock, file, file->frequency);
    fputs("/* CTF 1.8 */\n\n/* sdt-recording 1 */\n", out);
    fprintf(out, "/* sdt-process %d", process->pid);
    put_word(out, process->program);
    put_word(out, process->host);
    fputs(" */\n", out);
    put_machine(out, file, process);
    fprintf(out, "%s\ntrace {\n    major = 1;\n    minor = 8;\n    uuid = \"",
            file->is_per_thread ? "/* sdt-rings thread */\n" : "");
    put_uuid(out, file->uuid);
    fprintf(out, "\";\n    byte_order = le;\n%s", packets);
    put_environment(out, process);
    /* Since 1970, so that traces of several processes may be read as one: babeltrace2 2.1 asks. */
    fprintf(out,
            "clock {\n    name = \"sdt\";\n    description = \"%s\";\n    absolute = true;\n"
            "%s};\n\n",
            file->is_tsc ? "time-stamp counter" : "CLOCK_MONOTONIC", clock);
    /* Readers take a `cpu_id` for what its name says. */
    fprintf(out, streams, file->is_per_thread ? "ring_id" : "cpu_id");
}

/* ---- Classes. ---- */

static void put_integer(FILE *out, const struct field *field)
{
    const char *attributes = field->kind == FIELD_SIGNED     ? " signed = true;"
                             : field->kind == FIELD_UNSIGNED ? ""
                                                             : " base = 16;";
    fprintf(out, "integer { size = %u; align = 8;%s }", field->size * 8u, attributes);
}

static bool is_integer(const struct field *field)
{
    return field->kind == FIELD_SIGNED || field->kind == FIELD_UNSIGNED || field->kind == FIELD_HEX;
}

/* What a field of that type has of VALUE, in *SHOWN; false: less than all of it. */
static bool reduce(const struct field *field, uint64_t value, uint64_t *shown)
{
    unsigned shift = 64 - field->size * 8u;
    *shown = field->kind == FIELD_SIGNED ? (uint64_t)((int64_t)(value << shift) >> shift)
                                         : value << shift >> shift;
    return *shown == value;
}

static void put_value(FILE *out, const struct field *field, uint64_t value)
{
    if (field->kind == FIELD_SIGNED)
        fprintf(out, "%" PRId64, (int64_t)value);
    else
        fprintf(out, "%" PRIu64, value);
}

/* The enumerators that the field can have. */
static void put_labels(FILE *out, const struct field *field, const struct describe_field *described)
{
    const char *separator = " ";
    fputs("enum : ", out);
    put_integer(out, field);
    fputs(" {", out);
    for (unsigned i = 0; i < described->label_count; i++) {
        uint64_t value;
        if (!reduce(field, described->labels[i].value, &value))
            continue;
        fputs(separator, out);
        put_string(out, described->labels[i].text);
        fputs(" = ", out);
        put_value(out, field, value);
        separator = ", ";
    }
    fputs(" }", out);
}

static bool has_labels(const struct field *field, const struct describe_field *described)
{
    uint64_t value;
    for (unsigned i = 0; described && is_integer(field) && i < described->label_count; i++)
        if (reduce(field, described->labels[i].value, &value))
            return true;
    return false;
}

static void put_type(FILE *out, const struct field *field)
{
    switch (field->kind) {
    case FIELD_STRING:
    case FIELD_TEXT:
    case FIELD_VIEW:
        fputs("string { encoding = UTF8; }", out);
        break;
    case FIELD_FLOAT:
        fputs("floating_point { exp_dig = 11; mant_dig = 53; align = 8; }", out);
        break;
    case FIELD_BOOL:
        fputs("enum : integer { size = 8; align = 8; } { \"false\" = 0, \"true\" = 1 }", out);
        break;
    default:
        put_integer(out, field);
    }
}

/* Unlike a float that is a field, one in an array is as it is in memory. */
static void put_element(FILE *out, const struct field *field)
{
    static const char narrow[] = "floating_point { exp_dig = 8; mant_dig = 24; align = 8; }";
    struct field element = {.kind = field->element_kind, .size = field->element_size};
    if (element.kind == FIELD_FLOAT && element.size == 4)
        fputs(narrow, out);
    else
        put_type(out, &element);
}

static void put_field(FILE *out, const struct field *field, const struct describe_field *described)
{
    static const struct field byte = {.element_kind = FIELD_HEX, .element_size = 1};
    int length = field->name_length;
    if (field_is_part(field))
        return; /* of a field before */
    fputs("        ", out);
    if (field->kind == FIELD_BYTES || field->kind == FIELD_ARRAY) {
        fprintf(out, "integer { size = 16; align = 8; } __%.*s_length;\n        ", length,
                field->name);
        put_element(out, field->kind == FIELD_BYTES ? &byte : field);
        fprintf(out, " _%.*s[__%.*s_length];\n", length, field->name, length, field->name);
    } else {
        if (has_labels(field, described))
            put_labels(out, field, described);
        else
            put_type(out, field);
        fprintf(out, " _%.*s;\n", length, field->name);
    }
}

/* A part of a token, between colons: what is not a letter, digit or _ is in hexadecimal. */
static void put_part(FILE *out, const char *text)
{
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        bool is_plain =
            (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
        fprintf(out, is_plain ? "%c" : "%%%02x", c);
    }
}

/* `:=UNIT` and `:VALUE=NAME` for each enumerator. */
static void put_description(FILE *out, const struct field *field,
                            const struct describe_field *described)
{
    if (!described)
        return;
    if (described->unit) {
        fputs(":=", out);
        put_part(out, described->unit);
    }
    for (unsigned i = 0; has_labels(field, described) && i < described->label_count; i++) {
        uint64_t value;
        if (!reduce(field, described->labels[i].value, &value))
            continue;
        fputc(':', out);
        put_value(out, field, value);
        fputc('=', out);
        put_part(out, described->labels[i].text);
    }
}

/* Where readers find what is known of the class. A library may have another name for a module. */
static void put_file(FILE *out, const struct event_class *class)
{
    if (!class->file || !class->build_id || !*class->build_id)
        return;
    fputs("/* sdt-file", out);
    put_word(out, class->build_id);
    put_word(out, class->file);
    fputs(" */\n", out);
}

static void put_summary(FILE *out, const struct event_class *class)
{
    put_file(out, class);
    fprintf(out, "/* sdt-event %u", class->number);
    put_word(out, class->provider);
    put_word(out, class->name);
    put_word(out, class->source);
    if (class->source)
        fprintf(out, ":%u", class->line);
    put_word(out, class->function);
    put_word(out, class->module);
    if (class->has_context)
        fputs(" thread:context", out);
    for (unsigned i = 0; i < class->count; i++)
        if (!field_is_part(&class->fields[i])) {
            const char *type =
                class->fields[i].kind == FIELD_VIEW ? "string" : field_type(&class->fields[i]);
            put_token(out, class->fields[i].name, class->fields[i].name_length);
            /* Of an array, the brackets are not plain. */
            fprintf(out, class->fields[i].kind == FIELD_ARRAY ? ":%.*s%%5b%%5d" : ":%.*s",
                    (int)strcspn(type, "["), type);
            put_description(out, &class->fields[i], class->described[i]);
        }
    if (class->callers) {
        put_word(out, class->callers);
        fputs(":callers", out);
    }
    fputs(" */\n", out);
}

/* As an array of addresses. */
static void put_callers(FILE *out, const char *name)
{
    const struct field field = {.name = name,
                                .name_length = (uint8_t)strlen(name),
                                .kind = FIELD_ARRAY,
                                .element_kind = FIELD_HEX,
                                .element_size = 8};
    put_field(out, &field, NULL);
}

void metadata_module(FILE *out, const struct stack_file *module)
{
    fprintf(out, "/* sdt-module %" PRIx64 " %" PRIx64 " %" PRIx64 " ", module->start, module->end,
            module->base);
    for (size_t i = 0; i < module->id_length; i++)
        fprintf(out, "%02x", module->id[i]);
    if (module->id_length == 0)
        fputc('-', out);
    put_word(out, module->path);
    fputs(" */\n", out);
}

static bool is_function(const struct event_class *class)
{
    return class->function && *class->function && !strcmp(class->provider, SDT_FUNCTION_PROVIDER) &&
           (!strcmp(class->name, SDT_FUNCTION_ENTRY) || !strcmp(class->name, SDT_FUNCTION_RETURN));
}

/*
 * All functions have the same two names, and readers show no more of a class than its name and its
 * fields. So the function is a field, which takes no room: the rest of the event's length, of which
 * every value has that label.
 */
static void put_function(FILE *out, const char *function)
{
    fputs("        enum : integer { size = 10; align = 1; } { ", out);
    put_string(out, function);
    fputs(" = 0 ... 1023 } function;\n", out);
}

/* What an event has beside its arguments. Ids are shown as numbers of 64 bits: readers show arrays
 * of bytes one by one. */
static void put_context(FILE *out, const struct event_class *class)
{
    static const char ids[] =
        "        integer { size = 64; align = 64; base = 16; byte_order = be; } trace_id[2];\n"
        "        integer { size = 64; align = 64; base = 16; byte_order = be; } span_id;\n";
    if (!class->has_context && !is_function(class))
        return;
    fputs("    context := struct {\n", out);
    if (is_function(class))
        put_function(out, class->function);
    fputs(class->has_context ? ids : "", out);
    fputs("    };\n", out);
}

void metadata_event(FILE *out, const struct event_class *class)
{
    put_summary(out, class);
    fprintf(out, "event {\n    id = %u;\n    stream_id = 0;\n    name = \"%s:%s\";\n",
            class->number, class->provider, class->name);
    put_context(out, class);
    fputs("    fields := struct {\n", out);
    for (unsigned i = 0; i < class->count; i++)
        put_field(out, &class->fields[i], class->described[i]);
    if (class->callers)
        put_callers(out, class->callers);
    fputs("    } align(64);\n};\n\n", out);
}
