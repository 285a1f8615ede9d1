/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Target: command lines. Response files are taken apart, quoted and taken apart again; then their
 * words are a linker's command line, and a compiler's. The launcher never frees words, since it
 * ends with its command: so leaks are not looked for.
 */
#include "launch/command.h"
#include "launch/compose.h"
#include "target.h"

#include <stdlib.h>
#include <string.h>

const char *__asan_default_options(void);

const char *__asan_default_options(void)
{
    return "detect_leaks=0";
}

static void free_words(struct words *words)
{
    for (size_t i = 0; i < words->count; i++)
        free(words->list[i]);
    free(words->list);
}

static void check_quoting(const struct words *words)
{
    struct bytes text = {0};
    struct words again = {0};
    for (size_t i = 0; i < words->count; i++)
        words_quote(&text, words->list[i]);
    bytes_append(&text, "", 1);
    words_split(&again, (const char *)text.data);
    target_require(again.count == words->count, "as many words as were quoted");
    for (size_t i = 0; i < words->count; i++)
        target_require(!strcmp(again.list[i], words->list[i]), "each word is as it was");
    free_words(&again);
    bytes_free(&text);
}

/* Nothing is replaced: the composed line is the one that was read. */
static void check_line(const struct words *words, const char *linker)
{
    struct line line;
    struct words composed = {0}, none = {0};
    line_read(&line, words->list, linker);
    compose_words(&line, &composed, &none, &none, &none);
    target_require(composed.count >= line.words.count, "no word is lost");
    for (size_t i = 0; i < line.input_count; i++)
        target_require(line.inputs[i].word < line.words.count, "inputs are words");
    free(composed.list);
    line_free(&line);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct words words = {0};
    char *text = malloc(size + 1), linker[] = "ld", driver[] = "gcc";
    target_require(text, "there is memory");
    if (size)
        memcpy(text, data, size);
    text[size] = '\0';
    words_split(&words, text);
    check_quoting(&words);

    struct words command = {0};
    words_add(&command, linker);
    for (size_t i = 0; i < words.count; i++)
        words_add(&command, words.list[i]);
    check_line(&command, size % 2 ? "ld.bfd" : "ld.lld");
    struct command kind;
    command.list[0] = driver;
    command_read(&kind, command.list);
    command_free(&kind);
    free(command.list);
    free_words(&words);
    free(text);
    return 0;
}
