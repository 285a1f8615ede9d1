/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A kernel tracer on the first byte of a site and a jump on the second (inline, call6), in every
 * order and in a forked child: both counts are exact. Where the two want one byte (call), the
 * tracer wins while it is attached. The test attaches and detaches while this program waits for a
 * line.
 *
 *   runtime_uprobe_jump inline|call6|call
 */
#include "asking.h"
#include "runtime_fixture.h"

#include <sys/wait.h>
#include <unistd.h>

long in_leaf(long a);
void in_six(word a);
void in_call(word a);

static const char *pattern;
static int which;

static void hit(int n)
{
    for (int i = 0; i < n; i++) {
        if (which == 0)
            CHECK_EQUAL(in_leaf(i), i); /* its argument lives in the red zone */
        else if (which == 1)
            in_six(1);
        else
            in_call(1);
    }
}

static int enable(void)
{
    int id = sdt_enable_mode(pattern, SDT_COUNT, NULL, SDT_MODE_JUMP);
    CHECK(id > 0);
    return id;
}

static void hit_in_child(int n)
{
    int status = -1;
    pid_t child = fork();
    if (child == 0) {
        uint64_t before = sdt_hits(pattern);
        hit(n);
        CHECK_EQUAL(sdt_hits(pattern) - before, (uint64_t)n);
        _exit(fixture_failures);
    }
    CHECK(waitpid(child, &status, 0) == child);
    CHECK_EQUAL(status, 0);
}

static void on_bytes_of_their_own(void)
{
    ask("attach");
    hit(1);
    int id = enable(); /* on top of the tracer */
    hit(10);
    CHECK_EQUAL(sdt_hits(pattern), 10);
    hit_in_child(20);
    CHECK_EQUAL(sdt_disable(id), 0); /* under the tracer */
    hit(100);
    CHECK_EQUAL(sdt_hits(pattern), 10);
    id = enable();
    ask("detach"); /* while ours is there */
    hit(1000);
    CHECK_EQUAL(sdt_hits(pattern), 1010);
    ask("attach"); /* beside ours */
    hit(10000);
    CHECK_EQUAL(sdt_hits(pattern), 11010);
    CHECK_EQUAL(sdt_disable(id), 0);
    ask("detach");
    hit(1);
    CHECK_EQUAL(sdt_hits(pattern), 11010);
}

static void on_one_byte(void)
{
    int id = enable();
    hit(5);
    CHECK_EQUAL(sdt_hits(pattern), 5);
    ask("attach"); /* over our branch: the tracer wins */
    hit(10);
    CHECK_EQUAL(sdt_hits(pattern), 5);
    CHECK_EQUAL(sdt_disable(id), 0); /* leaves it and what is after it alone */
    hit(100);
    CHECK_EQUAL(sdt_enable_mode(pattern, SDT_COUNT, NULL, SDT_MODE_JUMP), -EBUSY);
    CHECK_EQUAL(sdt_enable_mode(pattern, SDT_COUNT, NULL, SDT_MODE_AUTO), -EBUSY);
    ask("detach"); /* which leaves the NOP of the file */
    hit(7);
    CHECK_EQUAL(sdt_hits(pattern), 5);
    id = enable();
    hit(7);
    CHECK_EQUAL(sdt_hits(pattern), 12);
    ask("attach");
    hit(1000);
    ask("detach"); /* and so it takes our branch along… */
    hit(7);
    CHECK_EQUAL(sdt_hits(pattern), 12);
    int second = enable(); /* …until it is enabled */
    hit(7);
    CHECK_EQUAL(sdt_hits(pattern), 19);
    CHECK_EQUAL(sdt_disable(second), 0);
    CHECK_EQUAL(sdt_disable(id), 0);
    hit(7);
    CHECK_EQUAL(sdt_hits(pattern), 19);
}

int main(int argc, char **argv)
{
    static const char *const patterns[] = {"inline:leaf", "inline:six", "inline:call"};
    static const char *const names[] = {"inline", "call6", "call"};
    while (which < 2 && argc > 1 && strcmp(argv[1], names[which]) != 0)
        which++;
    pattern = patterns[which];
    if (which == 2)
        on_one_byte();
    else
        on_bytes_of_their_own();
    return fixture_done();
}
