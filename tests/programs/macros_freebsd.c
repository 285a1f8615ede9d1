/* SPDX-License-Identifier: BSD-2-Clause */
/* Code in the manner of FreeBSD's kernel: <sdt/freebsd.h> must take it as it is. */
#include <sdt/freebsd.h>

struct vnode {
    int v_type;
};

SDT_PROVIDER_DECLARE(vfs);
SDT_PROVIDER_DEFINE(vfs);
SDT_PROVIDER_DEFINE(proc);
SDT_PROBE_DECLARE(vfs, namei, lookup, entry);
SDT_PROBE_DEFINE2(vfs, namei, lookup, entry, "struct vnode *", "const char *");
SDT_PROBE_DEFINE2(vfs, namei, lookup, return, "int", "struct vnode *");
SDT_PROBE_DEFINE0(proc, , , idle);
SDT_PROBE_DEFINE1(proc, , , exit, "int");
SDT_PROBE_DEFINE3(proc, kernel, , signal__send, "int", "int", "long");
SDT_PROBE_DEFINE4(proc, , , four, "int", "int", "int", "int");
SDT_PROBE_DEFINE5(proc, , , five, "int", "int", "int", "int", "int");
SDT_PROBE_DEFINE6(proc, , , six, "int", "int", "int", "int", "int", "int");
SDT_PROBE_DEFINE7(proc, , , seven, "int", "int", "int", "int", "int", "int", "int");
SDT_PROBE_DEFINE1_XLATE(io, , , start, "struct bio *", "bufinfo_t *");
SDT_PROBE_DEFINE2_XLATE(io, , , done, "struct bio *", "bufinfo_t *", "struct dev *", "devinfo_t *");

int lookup(struct vnode *dvp, const char *path, signed char error);
int lookup(struct vnode *dvp, const char *path, signed char error)
{
    SDT_PROBE2(vfs, namei, lookup, entry, dvp, path);
    SDT_PROBE0(proc, , , idle);
    SDT_PROBE1(proc, , , exit, dvp->v_type);
    SDT_PROBE3(proc, kernel, , signal__send, 1, error, 3L);
    SDT_PROBE4(proc, , , four, 1, 2, 3, error);
    SDT_PROBE5(proc, , , five, 1, 2, 3, 4, error);
    SDT_PROBE6(proc, , , six, 1, 2, 3, 4, 5, error);
    SDT_PROBE7(proc, , , seven, 1, 2, 3, 4, 5, 6, error);
    SDT_PROBE(proc, two__parts, error);
    if (SDT_PROBES_ENABLED()) {
        if (SDT_PROBE_ENABLED(vfs, namei, lookup, return ))
            SDT_PROBE2(vfs, namei, lookup, return, error, dvp);
        if (SDT_PROBE_ENABLED(proc, two__parts))
            return 1;
    }
    return error;
}
