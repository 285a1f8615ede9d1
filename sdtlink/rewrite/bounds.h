/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A bounded set: exact under --gc-sections, also with linkers that would keep dead functions with
 * probes.
 *
 * The registration refers to __start_sdt_sites and __stop_sdt_sites, which linkers define for every
 * section whose name is a C identifier. For gold such a reference keeps all of these sections
 * alive, and mold keeps them without one; each record refers to its code, so that dead functions
 * with probes stay in the program. The solution is a name that is not a C identifier (.sdt_sites),
 * records that only their site's R_*_NONE keeps alive, and two objects, the first and the last
 * of the link, that define the two symbols at their own empty pieces of that section.
 *
 * It is correct only if we control the whole command: every record between the two objects, none
 * processed in the other way, and no link-time optimisation, whose objects come after the last.
 */
#ifndef SDTLINK_REWRITE_BOUNDS_H
#define SDTLINK_REWRITE_BOUNDS_H

enum bound { BOUND_BEGIN, BOUND_END };

struct tool_arch;

/* Write the object, for ARCH, that goes first or last. */
int bounds_write(const char *path, enum bound bound, const struct tool_arch *arch);

#endif
