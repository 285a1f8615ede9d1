/* SPDX-License-Identifier: BSD-2-Clause */
/* Semaphores: one for all sites that share one, beside others who count in it at the same time. */
#include "check.h"

#include <pthread.h>
#include <registry/semaphore.h>

enum { SITES = 70000 }; /* more than the counter can hold */

static uint16_t counter;
static struct semaphore shared = {.counter = &counter};
static struct site sites[SITES];

static void arm(struct site *site, int mode)
{
    atomic_store(&site->mode, mode);
    site->semaphore = &shared;
}

static void check_one(void)
{
    struct site *site = &sites[0];
    semaphore_raise(site); /* it has none */
    semaphore_lower(site);
    arm(site, SITE_OFF);
    semaphore_raise(site);
    CHECK(counter == 0);
    semaphore_lower(site);
    CHECK(counter == 0);
    arm(site, SITE_JUMP);
    for (int i = 0; i < 3; i++) { /* once is enough */
        semaphore_raise(site);
        CHECK(counter == 1 && shared.sites == 1);
    }
    for (int i = 0; i < 3; i++) {
        semaphore_lower(site);
        CHECK(counter == 0 && shared.sites == 0);
    }
}

static void check_many(void)
{
    counter = 5; /* of others */
    for (size_t i = 0; i < SITES; i++) {
        arm(&sites[i], SITE_TRAP);
        semaphore_raise(&sites[i]);
        CHECK(counter == 6);
    }
    for (size_t i = 0; i < SITES; i++) {
        CHECK(counter == 6);
        semaphore_lower(&sites[i]);
    }
    CHECK(counter == 5);
}

/* It was set to 0 meanwhile: it does not become 65 535. */
static void check_taken(void)
{
    for (uint16_t left = 0; left < 3; left++) {
        semaphore_raise(&sites[0]);
        counter = left;
        semaphore_lower(&sites[0]);
        CHECK(counter == (left ? left - 1 : 0));
    }
    counter = 0;
}

enum { ROUNDS = 10000000 };
static atomic_bool is_over;

static void *count_too(void *data)
{
    (void)data;
    for (int i = 0; i < ROUNDS; i++) {
        __atomic_fetch_add(&counter, 1, __ATOMIC_SEQ_CST);
        __atomic_fetch_sub(&counter, 1, __ATOMIC_SEQ_CST);
    }
    atomic_store(&is_over, true);
    return NULL;
}

/* No step of either is lost. */
static void check_both_at_once(void)
{
    pthread_t other;
    counter = 100;
    CHECK(pthread_create(&other, NULL, count_too, NULL) == 0);
    while (!atomic_load(&is_over)) {
        semaphore_raise(&sites[0]);
        semaphore_lower(&sites[0]);
    }
    pthread_join(other, NULL);
    CHECK(counter == 100);
}

int main(void)
{
    check_one();
    check_many();
    check_taken();
    check_both_at_once();
    return check_failures != 0;
}
