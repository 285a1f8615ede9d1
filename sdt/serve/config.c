/* SPDX-License-Identifier: BSD-2-Clause */
/* See config.h. */
#include "config.h"

#include "base/diag.h"
#include "base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MAX_SIZE = 1 << 20 };

/* ---- The file. ---- */

static int read_all(int fd, const char *file, struct bytes *text)
{
    struct stat status;
    if (fstat(fd, &status) != 0)
        return diag_errno("%s", file);
    if (!S_ISREG(status.st_mode))
        return diag_error("%s: this is no file", file);
    for (;;) {
        bytes_reserve(text, MAX_SIZE / 16);
        ssize_t n = read(fd, text->data + text->size, MAX_SIZE / 16);
        if (n < 0)
            return diag_errno("%s", file);
        text->size += (size_t)n;
        if (text->size > MAX_SIZE)
            return diag_error("%s: more than 1 MiB: this is no configuration", file);
        if (n == 0)
            break;
    }
    if (memchr(text->data, '\0', text->size))
        return diag_error("%s: it has a NUL byte: this is no configuration", file);
    bytes_append(text, "", 1);
    return 0;
}

static int read_file(const char *file, struct bytes *text)
{
    int fd = open(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (fd < 0)
        return diag_errno("%s", file);
    int result = read_all(fd, file, text);
    close(fd);
    return result;
}

/* ---- Lines. ---- */

/* A line, continued ones included, without its comment and its end. */
struct line {
    size_t number; /* where it begins */
    char quote;    /* that is open at its end; 0: none */
    struct bytes text;
};

/* Take a character that is quoted by nothing, or a pair that begins with a backslash; whether there
 * is more in the line. */
static const char *take_plain(struct line *line, const char *at, bool is_start)
{
    if (*at == '#' && is_start)
        return at + strcspn(at, "\n");
    if (*at == '\'' || *at == '"')
        line->quote = *at;
    text_char(&line->text, *at);
    return at + 1;
}

/* Take a line at AT, which is in line *NUMBER; returns where the next one begins. */
static const char *take_line(struct line *line, const char *at, size_t *number)
{
    bool is_start = true; /* of a word */
    *line = (struct line){.number = *number};
    while (*at && *at != '\n') {
        bool is_escaped = *at == '\\' && at[1];
        if (is_escaped && at[1] == '\n') {
            text_char(&line->text, ' ');
            ++*number;
            at += 2;
            continue;
        }
        bool is_next_start = !line->quote && strchr(" \t\r", *at);
        if (is_escaped) {
            bytes_append(&line->text, at, 2);
            at += 2;
        } else if (line->quote) {
            if (*at == line->quote)
                line->quote = 0;
            text_char(&line->text, *at++);
        } else {
            at = take_plain(line, at, is_start);
        }
        is_start = is_next_start;
    }
    bytes_append(&line->text, "", 1);
    ++*number;
    return *at ? at + 1 : at;
}

static int add_rule(struct config *config, const char *file, const struct line *line)
{
    struct words words = {0};
    if (line->quote)
        return diag_error("%s:%zu: a quote (%c) is not closed in its line", file, line->number,
                          line->quote);
    words_split(&words, (const char *)line->text.data);
    if (words.count && strcmp(words.list[0], "sdt") == 0) /* as it was in the terminal */
        memmove(words.list, words.list + 1, words.count-- * sizeof *words.list);
    if (words.count == 0) {
        words_free(&words);
        return 0;
    }
    struct rule *rule = rule_parse(file, line->number, &words);
    if (!rule)
        return -1;
    for (size_t i = 0; i < config->count; i++)
        if (rule_is_twin(config->rules[i], rule)) {
            diag_error("%s: this gives the same series as line %zu: tell them apart by "
                       "--label=NAME=VALUE",
                       rule->place, config->rules[i]->line);
            rule_free(rule);
            return -1;
        }
    config->rules = memory_resize(config->rules, config->count + 1, sizeof *config->rules);
    config->rules[config->count++] = rule;
    return 0;
}

static int read_lines(struct config *config, const char *file, const char *text)
{
    int result = 0;
    for (size_t number = 1; *text;) {
        struct line line;
        text = take_line(&line, text, &number);
        if (add_rule(config, file, &line) != 0)
            result = -1;
        bytes_free(&line.text);
    }
    if (result == 0 && config->count == 0)
        result = diag_error("%s: there is no command in it: see sdt-serve(1)", file);
    return result;
}

int config_read(struct config *config, const char *file)
{
    struct bytes text = {0};
    *config = (struct config){0};
    int result = read_file(file, &text);
    if (result == 0)
        result = read_lines(config, file, (const char *)text.data);
    bytes_free(&text);
    if (result != 0)
        config_free(config);
    return result;
}

/* ---- Two of them. ---- */

static void swap_rules(struct rule **one, struct rule **other)
{
    struct rule *rule = *one, *before = *other;
    char *place = before->place;
    before->place = rule->place;
    before->line = rule->line;
    rule->place = place;
    *one = before;
    *other = rule;
}

void config_take_over(struct config *now, struct config *before)
{
    for (size_t i = 0; i < now->count; i++)
        for (size_t k = 0; k < before->count; k++)
            if (strcmp(now->rules[i]->text, before->rules[k]->text) == 0) {
                swap_rules(&now->rules[i], &before->rules[k]);
                break;
            }
}

void config_free(struct config *config)
{
    for (size_t i = 0; i < config->count; i++)
        rule_free(config->rules[i]);
    free(config->rules);
    *config = (struct config){0};
}
