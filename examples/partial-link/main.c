/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * calc [-t] EXPRESSION...: a calculator.
 *
 * With -t it shows its work: a handler on calc:operation prints each step as it happens, and the
 * number of tokens is counted.
 */
#include "calc.h"

#include <inttypes.h>
#include <sdt/runtime.h>
#include <stdio.h>
#include <string.h>

static void show_step(const struct sdt_event *event, void *data)
{
    (void)data;
    printf("  %g %c %g = %g\n", sdt_arg_double(event, 1), (int)sdt_arg(event, 0),
           sdt_arg_double(event, 2), sdt_arg_double(event, 3));
}

int main(int argc, char **argv)
{
    int trace = argc > 1 && strcmp(argv[1], "-t") == 0;
    int status = 0;

    if (trace && (sdt_enable("calc:operation", show_step, NULL) < 0 ||
                  sdt_enable("calc:*", SDT_COUNT, NULL) < 0)) {
        fprintf(stderr, "calc: cannot turn the probes on\n");
        return 1;
    }
    for (int i = 1 + trace; i < argc; i++) {
        double value;
        if (calc_evaluate(argv[i], &value) == 0) {
            printf("%g\n", value);
        } else {
            fprintf(stderr, "calc: cannot read \"%s\"\n", argv[i]);
            status = 1;
        }
    }
    if (trace) {
        printf("calc:token %" PRIu64 "\n", sdt_hits("calc:token"));
        printf("calc:error %" PRIu64 "\n", sdt_hits("calc:error"));
    }
    return status;
}
