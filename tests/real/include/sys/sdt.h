/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A <sys/sdt.h> whose DTRACE_PROBE macros, which headers of `dtrace -h` use, make probes of
 * <sdt/probe.h>. Such a site has room for a jump, at a byte of its own, so the kernel and the
 * runtime can count its hits at the same time. All else is as in our header, found as
 * <sys/sdt_stap.h>.
 */
#ifndef TESTS_REAL_SYS_SDT_H
#define TESTS_REAL_SYS_SDT_H

#include <sys/sdt_stap.h>

#ifndef __ASSEMBLER__
#include <sdt/probe.h>

#undef DTRACE_PROBE
#undef DTRACE_PROBE1
#undef DTRACE_PROBE2
#undef DTRACE_PROBE3
#undef DTRACE_PROBE4
#undef DTRACE_PROBE5
#undef DTRACE_PROBE6
#undef DTRACE_PROBE7
#undef DTRACE_PROBE8
#undef DTRACE_PROBE9
#undef DTRACE_PROBE10
#undef DTRACE_PROBE11
#undef DTRACE_PROBE12
#define DTRACE_PROBE SDT_PROBE
#define DTRACE_PROBE1 SDT_PROBE
#define DTRACE_PROBE2 SDT_PROBE
#define DTRACE_PROBE3 SDT_PROBE
#define DTRACE_PROBE4 SDT_PROBE
#define DTRACE_PROBE5 SDT_PROBE
#define DTRACE_PROBE6 SDT_PROBE
#define DTRACE_PROBE7 SDT_PROBE
#define DTRACE_PROBE8 SDT_PROBE
#define DTRACE_PROBE9 SDT_PROBE
#define DTRACE_PROBE10 SDT_PROBE
#define DTRACE_PROBE11 SDT_PROBE
#define DTRACE_PROBE12 SDT_PROBE

#endif
#endif
