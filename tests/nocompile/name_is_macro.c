/* SPDX-License-Identifier: BSD-2-Clause */
/* expect: SDT_PROBE: provider and name must be C identifiers */
#include <sdt/probe.h>

#define STATUS 200
void probe(int x);
void probe(int x)
{
#ifdef FIXED
    SDT_PROBE(app, status, x);
#else
    SDT_PROBE(app, STATUS, x);
#endif
}
