/* SPDX-License-Identifier: BSD-2-Clause */
/* All public headers in one file, of C or C++, and most macros. */
#include <sdt/event.h>
#include <sdt/freebsd.h>
#include <sdt/marker.h>
#include <sdt/probe.h>
#include <sdt/record.h>
#include <sdt/runtime.h>
#include <sys/sdt.h>
int serve(int bytes, const char *path, double seconds);
SDT_ENUM_NAMES(app, serve, bytes, {0, "none"}, {1, "one"});
int serve(int bytes, const char *path, double seconds)
{
    const float half = 0.5F;
    SDT_PROBE(app, begin);
    SDT_PROBE(app, serve, bytes, path, seconds, half, SDT_HEX(bytes), SDT_BYTES(path, 3));
    SDT_PROBE_LAZY(app, lazy, SDT_NAMED("end", bytes + 1), SDT_PTR(path));
    DTRACE_PROBE3(app, other, bytes, path, &half);
    return SDT_PROBE_ENABLED(app, serve);
}
