/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A module with handlers whose parameters are those of the probes; with others it would not
 * compile. Detaching waits until no thread is in a handler, so the module may be unmapped.
 */
#include <inttypes.h>
#include <sdt/systemtap_attach.h>
#include <stdio.h>
#include <string.h>

static int sessions[3];
static unsigned long asked;

static void on_asked(int64_t count, const char *town)
{
    (void)count, (void)town;
    __atomic_fetch_add(&asked, 1, __ATOMIC_RELAXED);
}

static void on_sold(const char *town, const char *buyer, int64_t count, int64_t left)
{
    if (strcmp(town, "Oslo") != 0)
        printf("%s: %s gets %" PRId64 ", %" PRId64 " left\n", town, buyer, count, left);
}

static void on_refused(const char *town, const char *buyer, int64_t missing)
{
    if (strcmp(town, "Oslo") != 0)
        printf("%s: no tickets for %s, %" PRId64 " too many\n", town, buyer, missing);
}

__attribute__((constructor)) static void attach(void)
{
    sessions[0] = systemtap_attach_NS(asked, on_asked);
    sessions[1] = systemtap_attach_SSNN(sold, on_sold);
    sessions[2] = systemtap_attach_SSN(refused, on_refused);
    for (int i = 0; i < 3; i++)
        if (sessions[i] < 0)
            fprintf(stderr, "watch: %s\n", sdt_strerror(sessions[i]));
}

__attribute__((destructor)) static void detach(void)
{
    for (int i = 0; i < 3; i++)
        systemtap_detach(sessions[i]);
    if (asked < 2)
        fprintf(stderr, "watch: not called\n");
}
