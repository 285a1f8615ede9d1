/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Rings that are handed over (ring/handed.h): parts of the metadata that processes write at the
 * same time, one that was killed meanwhile, no room, and what is not such a file.
 */
#include "check.h"

#include <errno.h>
#include <fcntl.h>
#include <ring/handed.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CHILDREN = 4, PARTS = 500 };

static struct home make(void)
{
    const struct ring_file wanted = {
        .magic = RING_MAGIC, .version = 1, .cpus = 2, .packet = 4096, .packets = 2};
    struct home home;
    CHECK(handed_make(&home, &wanted) == 0);
    return home;
}

/* The same for a tool: by another description of the open file. */
static struct home open_again(const struct home *home)
{
    char path[64];
    struct home other;
    snprintf(path, sizeof path, "/proc/self/fd/%d", home->rings);
    CHECK(handed_open(&other, open(path, O_RDWR | O_CLOEXEC), -1) == 0);
    return other;
}

/* Part NUMBER of CHILD: its own letter, as often as the number says. */
static size_t part(char text[PARTS + 1], int child, int number)
{
    memset(text, 'a' + child, (size_t)number + 1);
    return (size_t)number + 1;
}

static void put_all(struct home *home, int child)
{
    char text[PARTS + 1];
    for (int i = 0; i < PARTS; i++)
        CHECK(handed_put(home, text, part(text, child, i)) == 0);
}

/* Each part is whole, and those of a child are in their order. */
static void check_all(const struct home *home, size_t *at, bool is_over)
{
    char wanted[PARTS + 1];
    int next[CHILDREN] = {0};
    const char *text;
    size_t length;
    while (handed_next(home, is_over, at, &text, &length)) {
        int child = *text - 'a';
        CHECK(child >= 0 && child < CHILDREN);
        if (child < 0 || child >= CHILDREN)
            return;
        CHECK(length == part(wanted, child, next[child]++) && !memcmp(text, wanted, length));
    }
    for (int i = 0; i < CHILDREN; i++)
        CHECK(next[i] == PARTS);
}

static void check_children(void)
{
    struct home home = make(), tool = open_again(&home);
    size_t at = 0;
    for (int i = 0; i < CHILDREN; i++)
        if (fork() == 0) {
            put_all(&home, i);
            _exit(check_failures != 0);
        }
    for (int i = 0, status; i < CHILDREN; i++)
        CHECK(wait(&status) > 0 && status == 0);
    check_all(&tool, &at, false);
    CHECK(!home_is_over(&tool)); /* the lock of the process */
    home_close(&home);
    CHECK(home_is_over(&tool));
    home_close(&tool);
}

/* Who was killed has the room, and nobody knows what is in it. */
static void check_killed(void)
{
    struct home home = make(), tool = open_again(&home);
    const char *text;
    size_t at = 0, length;
    CHECK(handed_put(&home, "one", 3) == 0);
    memcpy(home.handed + 16, &(uint64_t){11}, 8);
    CHECK(handed_put(&home, "two", 3) == 0);
    CHECK(handed_next(&tool, false, &at, &text, &length) && !memcmp(text, "one", length));
    CHECK(!handed_next(&tool, false, &at, &text, &length) && at == 16);
    CHECK(handed_next(&tool, true, &at, &text, &length) && length == 3 && !memcmp(text, "two", 3));
    CHECK(!handed_next(&tool, true, &at, &text, &length));
    home_close(&home);
    home_close(&tool);
}

static void check_full(void)
{
    struct home home = make(), tool = open_again(&home);
    char *text = calloc(1, HANDED_ROOM);
    const char *found;
    size_t at = 0, length;
    CHECK(handed_put(&home, text, HANDED_ROOM) == -ENOSPC);
    CHECK(handed_put(&home, text, HANDED_ROOM - 32) == 0);
    CHECK(handed_put(&home, text, 17) == -ENOSPC);
    CHECK(handed_put(&home, "last", 4) == 0);
    CHECK(handed_put(&home, "more", 4) == -ENOSPC);
    CHECK(handed_next(&tool, false, &at, &found, &length) && length == HANDED_ROOM - 32);
    CHECK(handed_next(&tool, false, &at, &found, &length) && !memcmp(found, "last", length));
    CHECK(!handed_next(&tool, false, &at, &found, &length));
    free(text);
    home_close(&home);
    home_close(&tool);
}

/* A process may write anything there, and so may a tool. */
static void check_hostile(void)
{
    static const uint64_t heads[] = {HANDED_ROOM - 7, UINT64_MAX, HANDED_COMPLETE, 1u << 31,
                                     HANDED_COMPLETE | (HANDED_ROOM - 7)};
    struct home home = make(), tool = open_again(&home), small;
    const char *text;
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++) {
        size_t at = 0, length;
        memcpy(home.handed, &heads[i], 8);
        CHECK(!handed_next(&tool, i & 1, &at, &text, &length));
        bool leads_beyond = heads[i] & ~HANDED_COMPLETE;
        CHECK(handed_put(&home, "x", 1) == (leads_beyond ? -ENOSPC : 0));
    }
    home.file->cpus = 3; /* more rings than there are */
    int fd = fcntl(home.rings, F_DUPFD_CLOEXEC, 3);
    CHECK(handed_open(&small, fd, -1) == -EINVAL);
    home_close(&small);
    fd = memfd_create("small", MFD_CLOEXEC);
    CHECK(ftruncate(fd, 8192) == 0 && handed_open(&small, fd, -1) == -EINVAL);
    home_close(&small);
    home_close(&home);
    home_close(&tool);
}

int main(void)
{
    check_children();
    check_killed();
    check_full();
    check_hostile();
    return check_failures != 0;
}
