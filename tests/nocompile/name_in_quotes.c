/* SPDX-License-Identifier: BSD-2-Clause */
/* expect: pasting */
#include <sdt/probe.h>

void probe(int x);
void probe(int x)
{
#ifdef FIXED
    SDT_PROBE(app, get, x);
#else
    SDT_PROBE(app, "get", x);
#endif
}
