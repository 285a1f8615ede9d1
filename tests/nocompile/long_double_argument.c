/* SPDX-License-Identifier: BSD-2-Clause */
/* expect: SDT_PROBE.*argument.must.be.*integer.*enum.*bool.*pointer.*float.or.double */
#include <sdt/probe.h>

void probe(int x);
void probe(int x)
{
#ifdef FIXED
    SDT_PROBE(app, wide, (double)x);
#else
    SDT_PROBE(app, wide, (long double)x);
#endif
}
