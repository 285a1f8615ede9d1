/* SPDX-License-Identifier: BSD-2-Clause */
/* expect: SDT_PROBE: provider and name must be C identifiers.*`linux` and `unix` are macros */
#include <sdt/probe.h>

#define linux 1 /* as in the gnu dialects; g++ and clang++ have it there, and strict ones not */
void probe(int x);
void probe(int x)
{
#ifdef FIXED
    SDT_PROBE(linux_port, get, x);
#else
    SDT_PROBE(linux, get, x);
#endif
}
