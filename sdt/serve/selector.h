/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Which processes a line of the configuration is about: those of a name, of a user, in a control
 * group. A container and a service of systemd are control groups.
 */
#ifndef SDT_SELECTOR_H
#define SDT_SELECTOR_H

#include <stdbool.h>
#include <sys/types.h>

/* All that are given must fit. */
struct selector {
    const char *name;   /* NULL: any; may have `*`, `?` and `[set]` */
    const char *cgroup; /* the same of a part of the group's path; NULL: any */
    bool has_user;
    uid_t user;
};

/* Whether NAME stands for one name alone. */
bool selector_is_name(const char *name);
/* Whether it is about process PID, which may end meanwhile: then it is not. */
bool selector_fits(const struct selector *selector, pid_t pid);

#endif
