/* SPDX-License-Identifier: BSD-2-Clause */
/* expect: SDT_PROBE: neither provider nor name may contain ___ */
#include <sdt/probe.h>

void probe(int x);
void probe(int x)
{
#ifdef FIXED
    if (SDT_PROBE_ENABLED(app, get__done))
        SDT_PROBE(app, get, x);
#else
    if (SDT_PROBE_ENABLED(app, get___done))
        SDT_PROBE(app, get, x);
#endif
}
