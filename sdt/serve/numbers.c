/* SPDX-License-Identifier: BSD-2-Clause */
#include "numbers.h"

#include "base/now.h"
#include "print/text.h"

#include <stdlib.h>

/* The head of a family. A counter is called by its samples in Prometheus' format, and without
 * `_total` in OpenMetrics. */
static void begin(struct bytes *to, enum openmetrics_form form, const char *name, bool is_counter,
                  const char *help)
{
    const char *suffix = is_counter && form == OPENMETRICS_PROMETHEUS ? "_total" : "";
    char *text = memory_format("# TYPE %s%s %s\n# HELP %s%s %s\n", name, suffix,
                               is_counter ? "counter" : "gauge", name, suffix, help);
    text_append(to, text);
    free(text);
}

static void sample(struct bytes *to, const char *name, const char *labels, uint64_t value)
{
    text_append(to, name);
    text_append(to, labels);
    text_char(to, ' ');
    text_natural(to, value);
    text_char(to, '\n');
}

static void append_lost(struct bytes *to, const struct numbers *numbers, enum openmetrics_form form)
{
    static const char *const why[LOST_REASONS] = {
        [LOST_KEYS] = "{reason=\"no room for the key\"}",
        [LOST_VALUE] = "{reason=\"no value or key\"}",
        [LOST_END] = "{reason=\"end without begin\"}",
        [LOST_BEGIN] = "{reason=\"begin without end\"}",
        [LOST_OPEN] = "{reason=\"too many are open\"}",
    };
    begin(to, form, "sdt_serve_hits_lost", true, "Hits that are in no other metric.");
    for (unsigned i = 0; i < LOST_REASONS; i++)
        sample(to, "sdt_serve_hits_lost_total", why[i], numbers->lost.hits[i]);
}

static void append_left_out(struct bytes *to, const struct numbers *numbers,
                            enum openmetrics_form form)
{
    static const char processes[] = "sdt_serve_processes_left_out";
    static const char series[] = "sdt_serve_series_left_out";
    begin(to, form, processes, false, "Processes that should be measured and are not.");
    sample(to, processes, "{reason=\"not attachable\"}", numbers->refused);
    sample(to, processes, "{reason=\"limit\"}", numbers->left_out);
    begin(to, form, series, false, "Series that are not in this exposition.");
    sample(to, series, "{reason=\"limit\"}", numbers->dropped);
    sample(to, series, "{reason=\"duplicate\"}", numbers->duplicates);
}

void numbers_append(struct bytes *to, const struct numbers *numbers, enum openmetrics_form form)
{
    const struct {
        const char *name, *help;
        uint64_t value;
        bool is_counter;
    } rows[] = {
        {"sdt_serve_processes", "Processes that are measured.", numbers->processes, false},
        {"sdt_serve_rules", "Lines of the configuration.", numbers->rules, false},
        {"sdt_serve_series", "Series of this exposition, without these.", numbers->series, false},
        {"sdt_serve_config_last_reload_successful",
         "Whether the configuration could be read when that was last asked for.",
         numbers->is_reloaded, false},
        {"sdt_serve_config_last_reload_success_timestamp_seconds",
         "When the configuration was last read.", (uint64_t)(numbers->reloaded / SECOND), false},
        {"sdt_serve_attached", "Processes that were attached to.", numbers->attached, true},
        {"sdt_serve_ended", "Processes that have ended since.", numbers->ended, true},
        {"sdt_serve_sessions_lost", "Processes that have ended the session themselves.",
         numbers->sessions_lost, true},
        {"sdt_serve_failures", "Lines that could not be applied to a process.", numbers->failures,
         true},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        begin(to, form, rows[i].name, rows[i].is_counter, rows[i].help);
        sample(to, rows[i].name, rows[i].is_counter ? "_total" : "", rows[i].value);
    }
    append_left_out(to, numbers, form);
    append_lost(to, numbers, form);
}
