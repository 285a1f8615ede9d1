/* SPDX-License-Identifier: BSD-2-Clause */
#include "instrumented.h"

#include <sdt/format.h>
#include <string.h>

static const struct {
    const char *symbol;
    const char *probe;
    enum sdt_use use;
} calls[] = {
    {"__fentry__", SDT_FUNCTION_ENTRY, SDT_USE_FUNCTION},
    {"__return__", SDT_FUNCTION_RETURN, SDT_USE_FUNCTION},
    {"__cyg_profile_func_enter", SDT_FUNCTION_ENTRY, SDT_USE_CALL},
    {"__cyg_profile_func_exit", SDT_FUNCTION_RETURN, SDT_USE_CALL},
};

bool instrumented_parse(const char *symbol, bool has_calls, struct probe_name *name)
{
    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++)
        if (strcmp(symbol, calls[i].symbol) == 0 &&
            (has_calls || calls[i].use != SDT_USE_FUNCTION)) {
            *name = (struct probe_name){.use = calls[i].use,
                                        .provider = slice_of(SDT_FUNCTION_PROVIDER),
                                        .name = slice_of(calls[i].probe)};
            return true;
        }
    return false;
}
