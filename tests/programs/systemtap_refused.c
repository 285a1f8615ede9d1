/* SPDX-License-Identifier: BSD-2-Clause */
/* What attaching answers where there is nothing to attach to; prints the errors. */
#include <sdt/systemtap.h>
#include <sdt/systemtap_attach.h>
#include <stdio.h>

static void on_nothing(void) {}
static void on_number(int64_t a)
{
    (void)a;
}
static void on_pair(int64_t a, const char *b)
{
    (void)a, (void)b;
}

static void say(const char *what, int result)
{
    printf("%s: %s\n", what, result > 0 ? "attached" : sdt_strerror(result));
}

int main(void)
{
    systemtap_handler_N *none = NULL;
    SYSTEMTAP_PROBE(opened, 1, "path");
    /* Not made by systemtap.h: its name says one number. */
    SDT_PROBE(systemtap, real__1N, 2.5);
    SDT_PROBE(systemtap, narrow__1N, 'c');
    SDT_PROBE(systemtap, more__1N, 1L, 2L);
    say("right", systemtap_attach_NS(opened, on_pair));
    say("types", systemtap_attach_N(opened, on_number));
    say("count", systemtap_attach(opened, on_nothing));
    say("unknown", systemtap_attach(closed, on_nothing));
    say("function", systemtap_attach_in_NS("", "work", opened, on_pair));
    say("module", systemtap_attach_in_NS("libwork.so", "", opened, on_pair));
    say("real", systemtap_attach_N(real, on_number));
    say("narrow", systemtap_attach_N(narrow, on_number));
    say("more", systemtap_attach_N(more, on_number));
    say("no handler", systemtap_attach_N(opened, none));
    say("no session", systemtap_detach(12345));
    return 0;
}
