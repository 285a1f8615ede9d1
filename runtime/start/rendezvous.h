/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * One runtime in a process, however many copies of this library were linked into it.
 */
#ifndef SDT_RENDEZVOUS_H
#define SDT_RENDEZVOUS_H

#include "leader.h"

#include <stdbool.h>

struct sdt_dso;

/* The functions of the copy in charge, which is elected if there is none. 0 or -EEXIST. */
int rendezvous(const struct leader_functions **functions);

void rendezvous_register(struct sdt_dso *dso);
void rendezvous_unregister(struct sdt_dso *dso);

#endif
