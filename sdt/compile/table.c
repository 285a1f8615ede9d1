/* SPDX-License-Identifier: BSD-2-Clause */
#include "table.h"

#include <bytecode/validate.h>

#include <stdio.h>
#include <string.h>

struct live_table_spec compile_table(const struct compiled *program)
{
    const struct live_types *types = &program->types;
    bool is_latency = compiled_program(program)->action >= LIVE_START;
    struct live_table_spec spec = {.value =
                                       (uint8_t)live_value_type(compiled_program(program), types)};
    memcpy(spec.key, types->key, sizeof spec.key);
    spec.flights = is_latency ? COMPILE_FLIGHTS : 0;
    if (spec.key[0])
        spec.keys = spec.value ? COMPILE_HIST_KEYS : COMPILE_COUNT_KEYS;
    if (spec.key[0] == LIVE_STRING || spec.key[1] == LIVE_STRING)
        spec.key_text = COMPILE_KEY_TEXT;
    return spec;
}

/* BY may be NULL. */
static int compile(const struct compile_request *of, enum live_action action,
                   const char *const by[2], struct compiled *compiled, struct compile_error *error)
{
    struct compile_request request = *of;
    request.action = action;
    request.key[0] = by ? by[0] : NULL;
    request.key[1] = by ? by[1] : NULL;
    return compile_program(&request, compiled, error);
}

/* What matches must be of one type: the key of a flight is a number, or a text's hash. */
static bool is_match(const struct latency *latency)
{
    bool is_text = latency->begin.types.value == LIVE_STRING;
    return is_text == (latency->end.types.value == LIVE_STRING);
}

int compile_latency(const struct compile_request *begin, const struct compile_request *end,
                    const char *const by[2], struct latency *latency, struct compile_error *error)
{
    struct compile_error at_end;
    bool is_at_end = compile(end, LIVE_STOP, by, &latency->end, &at_end) == 0;
    latency->has_key = is_at_end ? &latency->end : &latency->begin;
    /* Without a key for both, the error may have another cause: then it is reported. */
    if (!is_at_end && (!by[0] || compile(end, LIVE_STOP, NULL, &latency->end, error) != 0)) {
        *error = at_end;
        return -1;
    }
    if (compile(begin, LIVE_START, is_at_end ? NULL : by, &latency->begin, error) != 0)
        return -1;
    if (is_match(latency))
        return 0;
    *error = (struct compile_error){.text = end->value ? end->value : "tid"};
    snprintf(error->problem, sizeof error->problem,
             "a text at one end and a number at the other do not match");
    return -1;
}
