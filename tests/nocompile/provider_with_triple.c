/* SPDX-License-Identifier: BSD-2-Clause */
/* expect: SDT_PROBE: neither provider nor name may contain ___ */
#include <sdt/probe.h>

void probe(int x);
void probe(int x)
{
#ifdef FIXED
    SDT_PROBE(my__app, get, x);
#else
    SDT_PROBE(my___app, get, x);
#endif
}
