/* SPDX-License-Identifier: BSD-2-Clause */
/* expect: SDT_PROBE.*argument( 2 must be |_must_be_).*double.*(<2| .of a.* pass a ) */
#include <sdt/probe.h>

struct pair {
    int first, second;
};
extern struct pair pair;
void probe(int x);
void probe(int x)
{
#ifdef FIXED
    SDT_PROBE(app, pair, x, pair.first, x);
#else
    SDT_PROBE(app, pair, x, pair, x);
#endif
}
