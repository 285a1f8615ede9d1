/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Target: the parsers of text. Symbol names in the tool; patterns and argument descriptors in the
 * runtime, where the text comes from users and from the records of the program.
 */
#include "probes/names.h"
#include "shared/pattern.h"
#include "site/args.h"
#include "target.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static void parse_name(const char *text)
{
    struct probe_name name;
    const char *why = NULL;
    enum names_result result = names_parse(text, &name, &why);
    target_require((result == NAMES_BAD) == (why != NULL), "a bad name has a reason");
    if (result != NAMES_PROBE)
        return;
    target_require(name.provider.length && name.name.length, "provider and name are not empty");
    target_require(name.provider.text > text &&
                       name.name.text + name.name.length == text + strlen(text),
                   "the parts lie in the name, which ends with the last");
}

static void parse_pattern(const char *text, size_t length)
{
    int error = 0;
    struct pattern *pattern = pattern_parse(text, length, &error);
    target_require(pattern ? error == 0 : error == -EINVAL, "a pattern or an error");
    if (!pattern)
        return;
    bool matches = pattern_match(pattern, "provider", "module", "function", "name");
    target_require(!matches || pattern_may_match(pattern, "provider", "name"),
                   "what matches may match");
    pattern_match(pattern, "p", NULL, NULL, text);
    pattern_free(pattern);
}

/* As the format has it: COUNT arguments, of types that are known. */
static void parse_args(const char *text)
{
    for (unsigned count = 0; count <= SDT_MAX_ARGS + 1; count++) {
        struct args args;
        if (!args_parse(text, count, &args))
            continue;
        target_require(args.count == count && count <= SDT_MAX_ARGS, "as many as were asked for");
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1); /* of its own size: AddressSanitizer sees what is after it */
    target_require(text, "there is memory");
    if (size)
        memcpy(text, data, size);
    text[size] = '\0';
    parse_name(text);
    parse_pattern(text, strlen(text));
    parse_args(text);
    const char *second = text + strlen(text) / 2;
    pattern_glob(text, second);
    free(text);
    return 0;
}
