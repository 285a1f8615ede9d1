/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Records hits of many values, and prints a line for each: a digit for each argument, 1 if it is a
 * condition that holds. Reaches into the library, which is linked statically.
 */
#include <ring/condition.h>
#include <sdt/probe.h>
#include <sdt/record.h>
#include <stdio.h>
#include <stdlib.h>

SDT_ENUM_NAMES(web, hyphen__ated, state, {-2, "broken"}, {0, "in 100 %"}, {1, "busy"});

static struct condition *conditions;
static int count;

/* Hits of another file, if it is linked. */
void more_hits(void) __attribute__((weak));

static void look(const struct sdt_event *event, void *data)
{
    (void)data;
    for (int i = 0; i < count; i++)
        putchar(condition_holds(&conditions[i], event, recorder_rings) ? '1' : '0');
    putchar('\n');
}

int main(int argc, char **argv)
{
    struct sdt_recorder *recorder;
    count = argc - 1;
    conditions = calloc((size_t)argc, sizeof *conditions);
    for (int i = 0; i < count; i++)
        if (condition_parse(argv[i + 1], &conditions[i]) != 0) {
            fprintf(stderr, "no condition: %s\n", argv[i + 1]);
            return 1;
        }
    if (sdt_record_create("rec", NULL, &recorder) != 0 || sdt_record_add(recorder, "*") != 0 ||
        sdt_enable("*", look, NULL) < 0)
        return 1;
    static const char *const texts[] = {"", "/index", "/", "a b", NULL, (const char *)64000};
    for (int i = 0; i < 6; i++) {
        int n = i - 2;
        unsigned long long u = 0 - (unsigned long long)i;
        double d = i == 5 ? __builtin_nan("") : i / 4.0 - 0.5;
        const char *s = texts[i];
        SDT_PROBE(web, first, n, u, d, s);
        unsigned char name = (unsigned char)i;
        _Bool ok = i % 2;
        short odd = (short)(2 * i + 1);
        const float halves[] = {0.5F, -0.5F, 2.5F};
        const long numbers[] = {-1, i, 1L << 40};
        SDT_PROBE(web, second, SDT_HEX(u), ok, name, (char)-i, odd, s, SDT_BYTES(texts[1], i));
        SDT_PROBE(web, hyphen__ated, SDT_ARRAY(numbers, i % 4), SDT_ARRAY(halves, i % 3),
                  SDT_NAMED("state", n));
    }
    if (more_hits)
        more_hits();
    return sdt_record_destroy(recorder) == 0 ? 0 : 1;
}
