/* SPDX-License-Identifier: BSD-2-Clause */
#include "table_spec.h"

#include <bytecode/validate.h>
#include <string.h>

struct live_table_spec compile_table_spec(const struct compiled *program)
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
