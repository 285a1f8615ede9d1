/* SPDX-License-Identifier: BSD-2-Clause */
/* expect: SDT_PROBE: provider and name must be C identifiers */
#include <sdt/probe.h>

void probe(int x);
void probe(int x)
{
#ifdef FIXED
    SDT_PROBE(app, n1, x);
#else
    SDT_PROBE(app, 1, x);
#endif
}
