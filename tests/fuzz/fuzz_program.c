/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Target: programs of live aggregations. Whatever a tool sends is refused with a sentence, or does
 * no harm at hits with all kinds of arguments, and adds at most one to its table for each.
 */
#include "live.h"
#include "target.h"

static void check_hits(struct live_aggregation *made, const struct table *table,
                       const uint64_t *numbers)
{
    static const char text[] = "a text";
    const uint64_t arguments[][6] = {
        {0, 1, (uintptr_t)text, UINT64_MAX, 8, 4},
        {(uintptr_t)text, (uintptr_t)text, (uintptr_t)text, (uintptr_t)text, (uintptr_t)text, 0},
        {numbers[0], numbers[1], numbers[2], numbers[3], numbers[4], numbers[5]}};
    enum { HITS = sizeof arguments / sizeof *arguments };
    struct live_sums sums = {0};
    struct live_key key;
    for (unsigned i = 0; i < HITS; i++)
        hit(made, arguments[i], 6);
    for (uint32_t row = 0; row < live_rows(&table->layout); row++)
        if (live_row_key(&table->view, row, &key))
            live_row_add(&table->view, row, &sums);
    target_require(sums.count <= HITS, "a hit counts once");
}

static void check_program(const uint8_t *data, size_t size, const struct live_types *types)
{
    const struct live_program *program = (const void *)data;
    bool is_latency = program->action == LIVE_START || program->action == LIVE_STOP;
    uint64_t numbers[6] = {0};
    struct live_table_spec spec = {.value = (uint8_t)live_value_type(program, types)};
    struct live_aggregation *made;
    memcpy(spec.key, types->key, sizeof spec.key);
    if (live_is_of_calls(program)) {
        spec.value = LIVE_CALLS;
        spec.key[0] = spec.key[1] = LIVE_UNSIGNED;
    }
    spec.keys = spec.key[0] ? 4 : 0;
    spec.key_text = spec.key[0] == LIVE_STRING || spec.key[1] == LIVE_STRING ? 16 : 0;
    spec.flights = is_latency ? 8 : 0;
    spec.outliers = is_latency ? 3 : 0;
    memcpy(numbers, data, size < sizeof numbers ? size : sizeof numbers);
    struct table table = table_new(spec, UINT32_MAX);
    const char *problem = live_aggregation_make(&made, data, size, table.memory, &table.layout);
    target_require(!problem, "what is right can be made");
    check_hits(made, &table, numbers);
    live_aggregation_free(made);
    table_free(&table);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct live_types types;
    uint8_t *copy = malloc(size + 1); /* of its own size: AddressSanitizer sees what is after it */
    target_require(copy, "there is memory");
    if (size)
        memcpy(copy, data, size);
    const char *problem = live_program_check(copy, size, &types);
    target_require(!problem || *problem, "a sentence");
    if (!problem)
        check_program(copy, size, &types);
    free(copy);
    return 0;
}
