/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The API from places where its own lock, the loader's or those of fork are held: a constructor, a
 * visitor, fork handlers registered before and after the library's own, a destructor. Each call
 * succeeds or returns -EDEADLK; none waits for itself.
 */
#include "runtime_fixture.h"

#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

static int succeeded, refused;

static void toggle(void)
{
    int id = sdt_enable("fixture:tail", SDT_COUNT, NULL);
    CHECK(id > 0 || id == -EDEADLK);
    succeeded += id > 0;
    refused += id < 0;
    if (id > 0)
        CHECK_EQUAL(sdt_disable(id), 0);
}

__attribute__((constructor)) static void in_constructor(void)
{
    pthread_atfork(toggle, toggle, toggle); /* before the library's own */
    int id = sdt_enable("fixture:tail", SDT_COUNT, NULL);
    CHECK(id > 0 || id == -ENOENT); /* the objects may register later */
    if (id > 0)
        CHECK_EQUAL(sdt_disable(id), 0);
}

static int visit(const struct sdt_probe_info *site, void *data)
{
    (void)site;
    (void)data;
    toggle();
    fork();
    return 1;
}

__attribute__((destructor)) static void in_destructor(void)
{
    int id = sdt_enable("fixture:tail", SDT_COUNT, NULL);
    CHECK(id > 0 || id == -ENOENT); /* the fixture may be gone already */
    if (fixture_failures)
        _exit(1);
}

static void check_fork(void)
{
    int status = -1;
    succeeded = refused = 0;
    pid_t child = fork();
    if (child == 0)
        exit(fixture_failures != 0 || succeeded + refused != 4);
    CHECK(waitpid(child, &status, 0) == child && status == 0);
    CHECK_EQUAL(succeeded + refused, 4);
    CHECK(succeeded >= 2); /* those that are registered later run outside of the library's */
}

int main(void)
{
    pthread_atfork(toggle, toggle, toggle); /* after the library's own */
    check_fork();
    refused = 0;
    pid_t self = getpid();
    CHECK_EQUAL(sdt_foreach("fixture:tail", visit, NULL), 1);
    CHECK(refused > 0);
    succeeded = 0;
    toggle(); /* in the visitor's child as well */
    CHECK_EQUAL(succeeded, 1);
    if (getpid() != self)
        _exit(fixture_failures);
    int status = -1;
    CHECK(wait(&status) > 0 && status == 0);
    return fixture_done();
}
