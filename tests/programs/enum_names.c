/* SPDX-License-Identifier: BSD-2-Clause */
#include "enum_names.h"

#include <sdt/runtime.h>
#include <stdio.h>

void change(enum state old, unsigned mode, unsigned char flags);
__attribute__((noinline)) void change(enum state old, unsigned mode, unsigned char flags)
{
    SDT_PROBE(names, change, SDT_NAMED("from", old), mode, flags);
    SDT_PROBE(names, byte, SDT_HEX(flags), mode);
}

static void on_hit(const struct sdt_event *event, void *data)
{
    (void)data;
    printf("%s:%s %s:%s\n", sdt_arg_name(event, 0), sdt_arg_type(event, 0), sdt_arg_name(event, 1),
           sdt_arg_type(event, 1));
}

int main(int argc, char **argv)
{
    int id = argc > 1 ? sdt_enable("names", on_hit, NULL) : 1;
    (void)argv;
    change(STATE(IDLE), 0, 'a');
    change(STATE(BUSY), 1u << 31, 4);
    change(STATE(LOST), ~0u, 255);
    change((enum state)7, 3, 0);
    return id > 0 ? 0 : 1;
}
