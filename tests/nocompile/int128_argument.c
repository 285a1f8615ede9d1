/* SPDX-License-Identifier: BSD-2-Clause */
/* expect: SDT_PROBE.*argument( 1 must be |_must_be_).*double.*(<1| .of a.* pass a ) */
#include <sdt/probe.h>

void probe(int x);
void probe(int x)
{
#ifdef FIXED
    SDT_PROBE(app, wide, (long)x);
#else
    SDT_PROBE(app, wide, (__int128)x);
#endif
}
