/* SPDX-License-Identifier: BSD-2-Clause */
/* balance TEXT...: which texts are balanced, and where it was seen that they are not. */
#include "parse.h"

#include <inttypes.h>
#include <sdt/runtime.h>
#include <stdint.h>
#include <stdio.h>

/* The places of the markers `mismatch` that were hit, in order. */
static const void *places[3];

static void on_mismatch(const struct sdt_event *event, void *text)
{
    int i = 0;
    while (i < 2 && places[i] && places[i] != sdt_pc(event))
        i++;
    places[i] = sdt_pc(event);
    printf("%s: mismatch, place %d\n", *(const char **)text, i + 1);
}

int main(int argc, char **argv)
{
    const char *text;
    /* All three at once; and all markers of one function. */
    if (sdt_enable("marker:mismatch", on_mismatch, &text) < 0 ||
        sdt_enable("marker::parse_balanced:", SDT_COUNT, NULL) < 0) {
        fprintf(stderr, "balance: cannot turn the markers on\n");
        return 1;
    }
    for (int i = 1; i < argc; i++) {
        text = argv[i];
        if (parse_balanced(text))
            printf("%s: balanced\n", text);
    }
    printf("marker:begin %" PRIu64 "\n", sdt_hits("marker:begin"));
    printf("marker:push %" PRIu64 "\n", sdt_hits("marker:push"));
    printf("marker:mismatch %" PRIu64 "\n", sdt_hits("marker:mismatch"));
    return 0;
}
