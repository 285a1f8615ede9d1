/* SPDX-License-Identifier: BSD-2-Clause */
/* expect: SDT_PROBE.*argument( 1 must be |_must_be_).*double.*(<1| .of a.* pass a ) */
#include <sdt/probe.h>

struct pair {
    int first, second;
};
extern struct pair pair;
void probe(int x);
void probe(int x)
{
#ifdef FIXED
    SDT_PROBE(app, pair, pair.first, pair.second);
    (void)x;
#else
    SDT_PROBE(app, pair, pair);
#endif
}
