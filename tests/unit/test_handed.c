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

static struct storage make(void)
{
    const struct ring_file wanted = {
        .magic = RING_MAGIC, .version = 1, .cpus = 2, .packet = 4096, .packets = 2};
    struct storage storage;
    CHECK(handed_make(&storage, &wanted) == 0);
    return storage;
}

/* The same for a tool: by another description of the open file. */
static struct storage open_again(const struct storage *storage)
{
    char path[64];
    struct storage other;
    snprintf(path, sizeof path, "/proc/self/fd/%d", storage->rings);
    CHECK(handed_open(&other, open(path, O_RDWR | O_CLOEXEC), -1) == 0);
    return other;
}

/* Part NUMBER of CHILD: its own letter, as often as the number says. */
static size_t part(char text[PARTS + 1], int child, int number)
{
    memset(text, 'a' + child, (size_t)number + 1);
    return (size_t)number + 1;
}

static void put_all(struct storage *storage, int child)
{
    char text[PARTS + 1];
    for (int i = 0; i < PARTS; i++)
        CHECK(handed_put(storage, text, part(text, child, i)) == 0);
}

/* Each part is whole, and those of a child are in their order. */
static void check_all(const struct storage *storage, size_t *at, bool is_over)
{
    char wanted[PARTS + 1];
    int next[CHILDREN] = {0};
    const char *text;
    size_t length;
    while (handed_next(storage, is_over, at, &text, &length)) {
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
    struct storage storage = make(), tool = open_again(&storage);
    size_t at = 0;
    for (int i = 0; i < CHILDREN; i++)
        if (fork() == 0) {
            put_all(&storage, i);
            _exit(check_failures != 0);
        }
    for (int i = 0, status; i < CHILDREN; i++)
        CHECK(wait(&status) > 0 && status == 0);
    check_all(&tool, &at, false);
    CHECK(!storage_is_over(&tool)); /* the lock of the process */
    storage_close(&storage);
    CHECK(storage_is_over(&tool));
    storage_close(&tool);
}

/* The killed process has the room; what is in it is unknown. */
static void check_killed(void)
{
    struct storage storage = make(), tool = open_again(&storage);
    const char *text;
    size_t at = 0, length;
    CHECK(handed_put(&storage, "one", 3) == 0);
    memcpy(storage.handed + 16, &(uint64_t){11}, 8);
    CHECK(handed_put(&storage, "two", 3) == 0);
    CHECK(handed_next(&tool, false, &at, &text, &length) && !memcmp(text, "one", length));
    CHECK(!handed_next(&tool, false, &at, &text, &length) && at == 16);
    CHECK(handed_next(&tool, true, &at, &text, &length) && length == 3 && !memcmp(text, "two", 3));
    CHECK(!handed_next(&tool, true, &at, &text, &length));
    storage_close(&storage);
    storage_close(&tool);
}

static void check_full(void)
{
    struct storage storage = make(), tool = open_again(&storage);
    char *text = calloc(1, HANDED_ROOM);
    const char *found;
    size_t at = 0, length;
    CHECK(handed_put(&storage, text, HANDED_ROOM) == -ENOSPC);
    CHECK(handed_put(&storage, text, HANDED_ROOM - 32) == 0);
    CHECK(handed_put(&storage, text, 17) == -ENOSPC);
    CHECK(handed_put(&storage, "last", 4) == 0);
    CHECK(handed_put(&storage, "more", 4) == -ENOSPC);
    CHECK(handed_next(&tool, false, &at, &found, &length) && length == HANDED_ROOM - 32);
    CHECK(handed_next(&tool, false, &at, &found, &length) && !memcmp(found, "last", length));
    CHECK(!handed_next(&tool, false, &at, &found, &length));
    free(text);
    storage_close(&storage);
    storage_close(&tool);
}

/* A process may write anything there, and so may a tool. */
static void check_hostile(void)
{
    static const uint64_t heads[] = {HANDED_ROOM - 7, UINT64_MAX, HANDED_COMPLETE, 1u << 31,
                                     HANDED_COMPLETE | (HANDED_ROOM - 7)};
    struct storage storage = make(), tool = open_again(&storage), small;
    const char *text;
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++) {
        size_t at = 0, length;
        memcpy(storage.handed, &heads[i], 8);
        CHECK(!handed_next(&tool, i & 1, &at, &text, &length));
        bool leads_beyond = heads[i] & ~HANDED_COMPLETE;
        CHECK(handed_put(&storage, "x", 1) == (leads_beyond ? -ENOSPC : 0));
    }
    storage.file->cpus = 3; /* more rings than there are */
    int fd = fcntl(storage.rings, F_DUPFD_CLOEXEC, 3);
    CHECK(handed_open(&small, fd, -1) == -EINVAL);
    storage_close(&small);
    fd = memfd_create("small", MFD_CLOEXEC);
    CHECK(ftruncate(fd, 8192) == 0 && handed_open(&small, fd, -1) == -EINVAL);
    storage_close(&small);
    storage_close(&storage);
    storage_close(&tool);
}

int main(void)
{
    check_children();
    check_killed();
    check_full();
    check_hostile();
    return check_failures != 0;
}
