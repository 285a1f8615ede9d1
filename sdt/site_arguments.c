/* SPDX-License-Identifier: BSD-2-Clause */
/* See site_arguments.h. */
#include "site_arguments.h"

#include "memory.h"

#include <stdlib.h>
#include <string.h>

static void take(struct site_arguments *arguments, char *word)
{
    struct compile_argument *argument = &arguments->list[arguments->count];
    unsigned label_count = 0;
    char *colon = strchr(word, ':'), *labels = colon ? strchr(colon, ';') : NULL;
    if (!colon)
        return;
    if (labels) {
        arguments->labels[arguments->count] = describe_read_labels(labels, &label_count);
        *labels = '\0';
    }
    *colon = '\0';
    *argument = (struct compile_argument){.name = word, .type = colon + 1};
    argument->labels = arguments->labels[arguments->count++];
    argument->label_count = label_count;
}

struct site_arguments *site_arguments_read(const char *text)
{
    struct site_arguments *arguments = memory_zeroed(1, sizeof *arguments);
    char *rest = arguments->text = memory_format("%s", text);
    for (char *word; (word = strsep(&rest, " ")) && arguments->count < SITE_MOST_ARGUMENTS;)
        take(arguments, word);
    return arguments;
}

void site_arguments_free(struct site_arguments *arguments)
{
    for (size_t i = 0; i < arguments->count; i++)
        free(arguments->labels[i]);
    free(arguments->text);
    free(arguments);
}

char *site_arguments_short(const char *text)
{
    char *brief = memory_format("%s", text), *to = brief;
    for (; *text; text += *text == ';' ? strcspn(text, " ") : 0)
        if (*text != ';')
            *to++ = *text++;
    *to = '\0';
    return brief;
}
