/* SPDX-License-Identifier: BSD-2-Clause */
/* expect: SDT_PROBE.takes.at.most.12.arguments.after.the.name */
#include <sdt/probe.h>

void probe(int x);
void probe(int x)
{
#ifdef FIXED
    SDT_PROBE(app, many, x, x);
#else
    SDT_PROBE(app, many, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x,
              x, x, x);
#endif
}
