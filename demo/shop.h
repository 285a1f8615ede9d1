/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The program that the demo traces: a shop's order database under a steady load of queries.
 * Nothing here knows who is watching; shop.c only says, with probes, what it is doing.
 */
#ifndef DEMO_SHOP_H
#define DEMO_SHOP_H

#include <stdatomic.h>
#include <stdbool.h>

struct shop_load {
    const char *path;      /* the database */
    atomic_bool stop;      /* set to end the workers */
    atomic_ulong executed; /* queries done so far, by all workers */
};

/* Create the database at PATH and fill it with ORDERS orders. */
void shop_create(const char *path, int orders);

/* Run the query mix until load->stop. A thread's start function; ARG is a struct shop_load. */
void *shop_worker(void *arg);

/* Whether SQLite finds the database at PATH sound. */
bool shop_is_sound(const char *path);

#endif
