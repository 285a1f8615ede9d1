/* SPDX-License-Identifier: BSD-2-Clause */
/* expect: SDT_PROBE: neither provider nor name may contain ___ */
#include <sdt/probe.h>

void probe(int x);
void probe(int x)
{
#ifdef FIXED
    SDT_PROBE(app, get__done, x);
#else
    SDT_PROBE(app, get___done, x);
#endif
}
