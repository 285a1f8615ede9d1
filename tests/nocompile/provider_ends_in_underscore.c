/* SPDX-License-Identifier: BSD-2-Clause */
/* expect: SDT_PROBE: a provider must not end in _ */
#include <sdt/probe.h>

void probe(int x);
void probe(int x)
{
#ifdef FIXED
    SDT_PROBE(app, get, x);
#else
    SDT_PROBE(app_, get, x);
#endif
}
