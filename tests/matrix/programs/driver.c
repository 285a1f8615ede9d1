/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Runs the workload with all probes off, on, and off again, and holds what the handler saw against
 * what the sites said. With MATRIX_HOST it is a program that loads the workload as a library.
 */
#include "matrix.h"

#include <dlfcn.h>
#include <sdt/runtime.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MATRIX_NAME(name) #name,
static const char *const names[] = {MATRIX_PROBES(MATRIX_NAME)};
static volatile struct matrix_state *state;
static unsigned long hits[MATRIX_COUNT];
static int failures;

static void fail(const char *what, unsigned probe, unsigned long found, unsigned long expected)
{
    printf("%s of %s: %lu, expected %lu\n", what, names[probe], found, expected);
    failures++;
}

static void on_hit(const struct sdt_event *event, void *data)
{
    unsigned probe = state->probe;
    (void)data;
    hits[probe]++;
    if (strcmp(sdt_provider(event), "matrix") != 0 || strcmp(sdt_name(event), names[probe]) != 0) {
        printf("%s:%s instead of %s\n", sdt_provider(event), sdt_name(event), names[probe]);
        failures++;
        return;
    }
    if (sdt_nargs(event) < state->nargs)
        fail("number of arguments", probe, sdt_nargs(event), state->nargs);
    for (unsigned i = 0; i < state->nargs; i++) {
        if (sdt_arg(event, i) != state->args[i])
            fail("argument", probe, sdt_arg(event, i), state->args[i]);
    }
}

static void round_of(void (*workload)(int), int n, int on)
{
    for (unsigned i = 0; i < MATRIX_COUNT; i++)
        hits[i] = state->ran[i] = state->asked[i] = state->answered[i] = 0;
    workload(n);
    for (unsigned i = 0; i < MATRIX_COUNT; i++) {
        if (hits[i] != (on ? state->ran[i] : 0))
            fail("hits", i, hits[i], on ? state->ran[i] : 0);
        if (state->answered[i] != (on ? state->asked[i] : 0))
            fail("answers", i, state->answered[i], on ? state->asked[i] : 0);
    }
}

static int visit(const struct sdt_probe_info *site, void *data)
{
    unsigned long *sites = data;
    if (site->mode == SDT_MODE_BLOCKED) {
        printf("%s in %s: %s\n", site->name, site->function, sdt_strerror(site->error));
        failures++;
    }
    ++*sites;
    return 0;
}

static void check(volatile struct matrix_state *(*workload_state)(void), void (*workload)(int))
{
    unsigned long sites = 0, ran = 0;
    int id;
    state = workload_state();
    round_of(workload, 1, 0);
    id = sdt_enable("matrix", on_hit, NULL);
    if (id < 0) {
        printf("sdt_enable: %s\n", sdt_strerror(id));
        failures++;
        return;
    }
    sdt_foreach("matrix", visit, &sites);
    for (int n = 2; n < 5; n++) {
        round_of(workload, n, 1);
        for (unsigned i = 0; i < MATRIX_COUNT; i++)
            ran += state->ran[i];
    }
    if (sdt_disable(id) != 0) {
        puts("sdt_disable");
        failures++;
    }
    round_of(workload, 6, 0);
    printf("sites %lu\nhits %lu\n", sites, ran);
}

#if defined(MATRIX_HOST)
int main(int argc, char **argv)
{
    void *library = dlopen(argv[argc - 1], RTLD_NOW | RTLD_LOCAL);
    volatile struct matrix_state *(*workload_state)(void);
    void (*workload)(int);
    if (library == NULL) {
        puts(dlerror());
        return 1;
    }
    *(void **)&workload_state = dlsym(library, "matrix_state");
    *(void **)&workload = dlsym(library, "matrix_round");
    check(workload_state, workload);
    if (dlclose(library) != 0)
        failures++;
#else
extern volatile struct matrix_state *matrix_state(void);
extern void matrix_round(int n);

int main(void)
{
    check(matrix_state, matrix_round);
#endif
    puts(failures == 0 ? "ok" : "failed");
    return failures != 0;
}
