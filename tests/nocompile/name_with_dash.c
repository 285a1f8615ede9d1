/* SPDX-License-Identifier: BSD-2-Clause */
/* expect: SDT_PROBE: provider and name must be C identifiers|before .-. token */
#include <sdt/probe.h>

void probe(int x);
void probe(int x)
{
#ifdef FIXED
    SDT_PROBE(app, get__done, x);
#else
    SDT_PROBE(app, get - done, x);
#endif
}
