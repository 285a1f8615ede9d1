/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * <sdt/freebsd.h> -- the macros of FreeBSD's SDT(9) over <sdt/probe.h>, so that code written for
 * FreeBSD's kernel compiles, and is traced, in a user program.
 *
 *     SDT_PROVIDER_DEFINE(vfs);
 *     SDT_PROBE_DEFINE2(vfs, namei, lookup, entry, "struct vnode *", "char *");
 *     ...
 *     SDT_PROBE2(vfs, namei, lookup, entry, dvp, path);
 *
 * The last line is the probe vfs:namei:lookup:entry. Module and function may be left empty, as in
 * SDT_PROBE1(proc, , , exit, status): then they are those that contain the probe, as for SDT_PROBE.
 *
 *   SDT_PROVIDER_DEFINE, SDT_PROVIDER_DECLARE, SDT_PROBE_DECLARE, SDT_PROBE_DEFINE0 to 7 and their
 *   _XLATE forms     need no storage and have no effect here: a probe exists where it is used, and
 *                    its types are those of the arguments. They take a semicolon, at namespace
 *                    scope, any number of times. The type strings are ignored.
 *   SDT_PROBE0 to 7  the probe, with exactly that many arguments, as typed in <sdt/probe.h>.
 *   SDT_PROBE_ENABLED(provider, module, function, name)
 *                    as in <sdt/probe.h>; that header's two-part form also works.
 *   SDT_PROBES_ENABLED()
 *                    always 1: nothing in the process counts the enabled probes of all providers.
 *                    It guards work that precedes SDT_PROBE_ENABLED or a probe, so 1 is always
 *                    correct.
 *
 * N.B. FreeBSD's own bare SDT_PROBE(provider, module, function, name, a0..a4) is not here: the name
 * is taken by <sdt/probe.h>. Write SDT_PROBE5. What <sdt/probe.h> says about costs, dialects,
 * SDT_DISABLE and misuse applies here.
 *
 * N.B. In C++98, clang's -Wpedantic warns of an empty module or function: add -Wno-c99-extensions.
 *
 * N.B. Probes that differ only in module or function are different probes: the symbol that sdtlink
 * reads is __dtrace_sdt_<provider>___<module>___<function>___<name>, with
 * "run_sdtlink___" before the provider.
 */
#ifndef SDT_FREEBSD_H
#define SDT_FREEBSD_H

#include <sdt/probe.h>

#if defined(__GNUC__)
#pragma GCC system_header /* for the reasons given in <sdt/probe.h> */
#endif

/* Declarations that may be repeated, need no storage and take a semicolon. */
#define SDT_PROVIDER_DEFINE(prov) struct sdt_provider_##prov##_
#define SDT_PROVIDER_DECLARE(prov) struct sdt_provider_##prov##_
#define SDT_PROBE_DECLARE(prov, mod, func, name)                                                   \
    struct sdt_probe_##prov##___##mod##___##func##___##name##_

#define SDT_PROBE_DEFINE0(prov, mod, func, name) SDT_PROBE_DECLARE(prov, mod, func, name)
#define SDT_PROBE_DEFINE1(prov, mod, func, name, a) SDT_PROBE_DECLARE(prov, mod, func, name)
#define SDT_PROBE_DEFINE2(prov, mod, func, name, a, b) SDT_PROBE_DECLARE(prov, mod, func, name)
#define SDT_PROBE_DEFINE3(prov, mod, func, name, a, b, c) SDT_PROBE_DECLARE(prov, mod, func, name)
#define SDT_PROBE_DEFINE4(prov, mod, func, name, a, b, c, d)                                       \
    SDT_PROBE_DECLARE(prov, mod, func, name)
#define SDT_PROBE_DEFINE5(prov, mod, func, name, a, b, c, d, e)                                    \
    SDT_PROBE_DECLARE(prov, mod, func, name)
#define SDT_PROBE_DEFINE6(prov, mod, func, name, a, b, c, d, e, f)                                 \
    SDT_PROBE_DECLARE(prov, mod, func, name)
#define SDT_PROBE_DEFINE7(prov, mod, func, name, a, b, c, d, e, f, g)                              \
    SDT_PROBE_DECLARE(prov, mod, func, name)

/* Each argument with its type and the type it is translated to. */
#define SDT_PROBE_DEFINE0_XLATE(prov, mod, func, name) SDT_PROBE_DECLARE(prov, mod, func, name)
#define SDT_PROBE_DEFINE1_XLATE(prov, mod, func, name, a, xa)                                      \
    SDT_PROBE_DECLARE(prov, mod, func, name)
#define SDT_PROBE_DEFINE2_XLATE(prov, mod, func, name, a, xa, b, xb)                               \
    SDT_PROBE_DECLARE(prov, mod, func, name)
#define SDT_PROBE_DEFINE3_XLATE(prov, mod, func, name, a, xa, b, xb, c, xc)                        \
    SDT_PROBE_DECLARE(prov, mod, func, name)
#define SDT_PROBE_DEFINE4_XLATE(prov, mod, func, name, a, xa, b, xb, c, xc, d, xd)                 \
    SDT_PROBE_DECLARE(prov, mod, func, name)
#define SDT_PROBE_DEFINE5_XLATE(prov, mod, func, name, a, xa, b, xb, c, xc, d, xd, e, xe)          \
    SDT_PROBE_DECLARE(prov, mod, func, name)
#define SDT_PROBE_DEFINE6_XLATE(prov, mod, func, name, a, xa, b, xb, c, xc, d, xd, e, xe, f, xf)   \
    SDT_PROBE_DECLARE(prov, mod, func, name)
#define SDT_PROBE_DEFINE7_XLATE(prov, mod, func, name, a, xa, b, xb, c, xc, d, xd, e, xe, f, xf,   \
                                g, xg)                                                             \
    SDT_PROBE_DECLARE(prov, mod, func, name)

#define SDT_PROBE0(prov, mod, func, name) SDT_PROBE4_(0, "", prov, mod, func, name, name)
#define SDT_PROBE1(prov, mod, func, name, a) SDT_PROBE4_(1, ", " #a, prov, mod, func, name, name, a)
#define SDT_PROBE2(prov, mod, func, name, a, b)                                                    \
    SDT_PROBE4_(2, ", " #a ", " #b, prov, mod, func, name, name, a, b)
#define SDT_PROBE3(prov, mod, func, name, a, b, c)                                                 \
    SDT_PROBE4_(3, ", " #a ", " #b ", " #c, prov, mod, func, name, name, a, b, c)
#define SDT_PROBE4(prov, mod, func, name, a, b, c, d)                                              \
    SDT_PROBE4_(4, ", " #a ", " #b ", " #c ", " #d, prov, mod, func, name, name, a, b, c, d)
#define SDT_PROBE5(prov, mod, func, name, a, b, c, d, e)                                           \
    SDT_PROBE4_(5, ", " #a ", " #b ", " #c ", " #d ", " #e, prov, mod, func, name, name, a, b, c,  \
                d, e)
#define SDT_PROBE6(prov, mod, func, name, a, b, c, d, e, f)                                        \
    SDT_PROBE4_(6, ", " #a ", " #b ", " #c ", " #d ", " #e ", " #f, prov, mod, func, name, name,   \
                a, b, c, d, e, f)
#define SDT_PROBE7(prov, mod, func, name, a, b, c, d, e, f, g)                                     \
    SDT_PROBE4_(7, ", " #a ", " #b ", " #c ", " #d ", " #e ", " #f ", " #g, prov, mod, func, name, \
                name, a, b, c, d, e, f, g)

#define SDT_PROBES_ENABLED() 1

/* SDT_PROBE_ENABLED with two parts or four, told apart by the number of parts after the second. */
#undef SDT_PROBE_ENABLED
#define SDT_PROBE_ENABLED(prov, ...) SDT_ENABLED_PARTS_(SDT_COUNT_(__VA_ARGS__), prov, __VA_ARGS__)
#define SDT_ENABLED_PARTS_(count, ...) SDT_ENABLED_PARTS2_(count, __VA_ARGS__)
#define SDT_ENABLED_PARTS2_(count, ...) SDT_ENABLED_PARTS_##count##_(__VA_ARGS__)
#define SDT_ENABLED_PARTS_0_(prov, name) SDT_ANSWER_(prov, name)
#define SDT_ENABLED_PARTS_2_(prov, mod, func, name) SDT_ANSWER4_(prov, mod, func, name)

/* Internals: the four-part twins of SDT_SPREAD_ and SDT_ANSWER_. */
#if !SDT_HAS_PROBES
#define SDT_PROBE4_(count, text, prov, mod, func, name, ...)                                       \
    SDT_SPREAD_(count, text, prov, name, __VA_ARGS__)
#define SDT_ANSWER4_(prov, mod, func, name) SDT_ANSWER_(prov, name)
#else
#define SDT_PROBE4_(...) SDT_SPREAD4_(__VA_ARGS__)
#define SDT_SPREAD4_(count, text, prov, mod, func, name, ...)                                      \
    SDT_SITE_(count, text, sdt_call_##count##_##prov##___##mod##___##func##___##name,              \
              SDT_FAMILY_ #prov "___" #mod "___" #func "___" #name, #prov, #name, __VA_ARGS__)
#define SDT_ANSWER4_(prov, mod, func, name)                                                        \
    SDT_ASK_(sdt_enabled_##prov##___##mod##___##func##___##name,                                   \
             SDT_ASKED_FAMILY_ #prov "___" #mod "___" #func "___" #name, #prov, #name)
#endif

#endif
