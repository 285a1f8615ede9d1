/* SPDX-License-Identifier: BSD-2-Clause */
/* See compile.h: which arguments of a hit are kept. */
#include "compile.h"

#include <string.h>

/* Of an array with elements of TYPE. */
static unsigned keep_array(const char *type)
{
    size_t digits = strcspn(type, "0123456789[");
    unsigned log = !strncmp(type + digits, "8[", 2)    ? 0
                   : !strncmp(type + digits, "16[", 3) ? 1
                   : !strncmp(type + digits, "32[", 3) ? 2
                   : !strncmp(type, "float[", 6)       ? 2
                                                       : 3;
    return LIVE_KEEP_ARRAY + log;
}

static unsigned keep_one(const struct compile_argument *argument, bool has_length)
{
    const char *type = argument->type;
    if (!compile_is_shown(argument))
        return LIVE_KEEP_NOTHING;
    if (strchr(type, '['))
        return has_length ? keep_array(type) : LIVE_KEEP_NOTHING;
    if (!strcmp(type, "string_view"))
        return LIVE_KEEP_VIEW;
    if (!strcmp(type, "string"))
        return has_length ? LIVE_KEEP_TEXT_N : LIVE_KEEP_TEXT;
    if (!strcmp(type, "bytes"))
        return has_length ? LIVE_KEEP_BYTES : LIVE_KEEP_NOTHING;
    return LIVE_KEEP_WORD;
}

uint64_t compile_kept(const struct compile_argument *arguments, size_t count)
{
    uint64_t kept = 0;
    unsigned texts = 0;
    for (size_t i = 0; i < count && i < LIVE_LABEL_SHIFT / 4; i++) {
        bool has_length = i + 1 < count && !strcmp(arguments[i + 1].type, "length");
        unsigned keep = keep_one(&arguments[i], has_length);
        if (keep > LIVE_KEEP_WORD && texts++ >= LIVE_SIDE_TEXTS)
            keep = LIVE_KEEP_NOTHING;
        kept |= (uint64_t)keep << 4 * i;
    }
    return kept;
}
