/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Probes of <sys/sdt.h> with semaphores: what the program sees of sdt_enable(). Compiled in two
 * parts: with -DPART the probe of a second object, with -DEXTERN the semaphore is a third's.
 */
#define _SDT_HAS_SEMAPHORES 1
#include <sdt/runtime.h>
#include <stdio.h>
#include <sys/sdt.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef VISIBILITY
#define VISIBILITY visibility("hidden")
#endif
#define SEMAPHORE __attribute__((section(".probes"), VISIBILITY))

#ifdef DEFINE
unsigned short app_one_semaphore SEMAPHORE;
#else

extern unsigned short app_one_semaphore SEMAPHORE;
/* Each object has its own of this probe. */
static volatile unsigned short app_two_semaphore __attribute__((section(".probes"), used));

#define ONE (*(volatile unsigned short *)&app_one_semaphore)

#ifdef PART
int two(void);
void part(int i);
void part(int i)
{
    if (app_two_semaphore)
        STAP_PROBE1(app, two, i);
}
int two(void)
{
    return app_two_semaphore;
}
#else

int two(void);
void part(int i);
static volatile int hits, wrong;

static void check(int is_right, int line)
{
    if (!is_right) {
        printf("line %d: one %d, two %d and %d, %d hits\n", line, ONE, app_two_semaphore, two(),
               hits);
        wrong++;
    }
}
#define CHECK(condition) check(condition, __LINE__)

static void on_hit(const struct sdt_event *event, void *data)
{
    (void)data;
    hits += (int)sdt_arg(event, 0);
}

__attribute__((noinline)) static void work(int i)
{
    if (ONE)
        STAP_PROBE1(app, one, i);
    if (ONE)
        STAP_PROBE1(app, one, 100 * i);
    if (app_two_semaphore)
        STAP_PROBE1(app, two, 10000 * i);
    part(1000000 * i);
}

int main(void)
{
    work(1);
    CHECK(hits == 0 && ONE == 0);
    int a = sdt_enable("app:one", on_hit, NULL);
    CHECK(a > 0 && ONE == 1 && app_two_semaphore == 0 && two() == 0);
    work(1);
    CHECK(hits == 101);
    int b = sdt_enable("app", on_hit, NULL);
    CHECK(b > 0 && ONE == 1 && app_two_semaphore == 1 && two() == 1);
    hits = 0;
    work(1);
    CHECK(hits == 101 + 101 + 10000 + 1000000);
    app_one_semaphore += 3; /* others count in it */
    CHECK(sdt_disable(b) == 0 && ONE == 4 && app_two_semaphore == 0 && two() == 0);
    pid_t child = fork();
    if (child == 0) {
        hits = 0;
        work(1);
        CHECK(hits == 101);
        CHECK(sdt_disable(a) == 0 && ONE == 3);
        _exit(wrong);
    }
    int status = -1;
    CHECK(waitpid(child, &status, 0) == child && status == 0);
    CHECK(ONE == 4 && sdt_disable(a) == 0 && ONE == 3);
    app_one_semaphore -= 3;
    a = sdt_enable("app:one", on_hit, NULL);
    app_one_semaphore = 0; /* ours was taken */
    CHECK(sdt_disable(a) == 0 && ONE == 0);
    hits = 0;
    work(1);
    CHECK(hits == 0);
    puts(wrong ? "wrong" : "ok");
    return wrong != 0;
}
#endif
#endif
