/* SPDX-License-Identifier: BSD-2-Clause */
#include "header.h"

#include "describe.h"
#include "text.h"

#include <string.h>

/* _PROBES_H for dir/probes.h, as DTrace writes it. */
static void add_guard(struct bytes *text, const char *path)
{
    const char *slash = strrchr(path, '/');
    bytes_append(text, "_", 1);
    for (const char *c = slash ? slash + 1 : path; *c; c++) {
        bool is_kept = (*c >= '0' && *c <= '9') || (*c >= 'A' && *c <= 'Z');
        char shown = *c >= 'a' && *c <= 'z' ? (char)(*c - 'a' + 'A') : is_kept ? *c : '_';
        bytes_append(text, &shown, 1);
    }
}

/* The declared arguments: word by word, so that neither comments nor newlines come along. */
static void add_declared(struct bytes *text, const struct source *source, struct span declared)
{
    struct span word;
    size_t at = declared.begin;
    while (at < declared.end && lexer_next(source, &at, &word) != LEXEME_END &&
           word.end <= declared.end) {
        const char *begin = (const char *)source->text.data + word.begin;
        if (*begin != ',')
            bytes_append(text, " ", 1);
        bytes_append(text, begin, word.end - word.begin);
    }
}

/*
 * The counters. Volatile, or a loop would read them once. Hidden, as those of -G are: a library has
 * its own, and what is known to be in the same file needs no load from the GOT.
 */
static void add_semaphores(struct bytes *text, const struct providers *providers,
                           const struct options *options)
{
    text_add(text, "#if defined(__cplusplus)\nextern \"C\" {\n#endif\n");
    if (!options->has_old_visibility)
        text_add(text, "#if !defined(STAP_SDT_V2)\n#pragma GCC visibility push(hidden)\n#endif\n");
    for (size_t i = 0; i < providers->count; i++) {
        const struct provider_probe *probe = &providers->list[i];
        if (!probe->is_again)
            text_add(text,
                     "extern volatile unsigned short %.*s_%.*s_semaphore "
                     "__attribute__ ((section (\".probes\")));\n",
                     TEXT_SLICE(probe->provider), TEXT_SLICE(probe->name));
    }
    if (!options->has_old_visibility)
        text_add(text, "#if !defined(STAP_SDT_V2)\n#pragma GCC visibility pop\n#endif\n");
    text_add(text, "#if defined(__cplusplus)\n}\n#endif\n");
}

static void add_names(struct bytes *text, const char *before, size_t count)
{
    for (size_t i = 1; i <= count; i++)
        text_add(text, "%sarg%zu", i == 1 ? before : ", ", i);
}

static void add_probe(struct bytes *text, const struct source *source,
                      const struct provider_probe *probe)
{
    text_add(text, "\n/* %s (", probe->macro);
    if (probe->count)
        add_declared(text, source, probe->declared);
    text_add(text, " ) */\n#define %s_ENABLED() __builtin_expect (%.*s_%.*s_semaphore, 0)\n",
             probe->macro, TEXT_SLICE(probe->provider), TEXT_SLICE(probe->name));
    text_add(text, "#define %s(", probe->macro);
    add_names(text, "", probe->count);
    text_add(text, ") \\\nDTRACE_PROBE");
    if (probe->count)
        text_add(text, "%zu", probe->count);
    text_add(text, " (%.*s, %.*s", TEXT_SLICE(probe->provider), TEXT_SLICE(probe->name));
    add_names(text, ", ", probe->count);
    text_add(text, ")\n");
}

/*
 * The names and types of arguments, for sdtlink: in a section that no linker puts into a program.
 * A statement for each: the strings of old dialects are short.
 */
static void add_descriptions(struct bytes *text, const struct providers *providers)
{
    text_add(text, "\n#if defined(__x86_64__) && defined(__ELF__) && !defined(SDT_NO_NAMES)\n");
    for (size_t i = 0; i < providers->count; i++) {
        struct bytes line = {0};
        if (!providers->list[i].is_again)
            describe_probe(&line, providers->source, &providers->list[i]);
        if (line.size)
            text_add(text,
                     "__asm__ (\".pushsection .sdt_described, \\\"e\\\"\\n\"\n"
                     "  \".ascii \\\"%.*s\\\\n\\\"\\n\"\n"
                     "  \".popsection\\n\");\n",
                     (int)line.size, (const char *)line.data);
        bytes_free(&line);
    }
    text_add(text, "#endif\n");
}

void header_text(struct bytes *text, const struct providers *providers,
                 const struct options *options)
{
    text_add(text, "/* Made by sdt-dtrace -h; changes will be lost. */\n#ifndef ");
    add_guard(text, options->output);
    text_add(text, "\n#define ");
    add_guard(text, options->output);
    text_add(text, "\n\n#ifndef _SDT_HAS_SEMAPHORES\n#define _SDT_HAS_SEMAPHORES 1\n#endif\n"
                   "#ifndef STAP_HAS_SEMAPHORES\n#define STAP_HAS_SEMAPHORES 1\n#endif\n\n"
                   "#include <sys/sdt.h>\n\n");
    add_semaphores(text, providers, options);
    for (size_t i = 0; i < providers->count; i++)
        if (!providers->list[i].is_again)
            add_probe(text, providers->source, &providers->list[i]);
    add_descriptions(text, providers);
    text_add(text, "\n#endif\n");
}

int header_write(const struct providers *providers, const struct options *options,
                 struct output *output)
{
    struct bytes text = {0};
    header_text(&text, providers, options);
    int result = output_put(output, text.data, text.size, 0);
    if (result == 0)
        result = output_finish(output, text.size);
    bytes_free(&text);
    return result;
}
