/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * copy_record(): every place in a page. copy_text(): every alignment, length and place of the NUL,
 * with the text as late in its page as it fits and nothing mapped after, against a copy byte by
 * byte. And what cannot be read.
 */
#include "check.h"

#include <process/fault.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { PAGE = 4096, LONGEST = 40, ROOM = LONGEST + 16, NONE = -1 };

static char *page; /* before it and after it there is nothing */

/* What copy_text() should do, according to its comment; READABLE bytes are there. */
static long expected(const char *from, size_t readable, size_t most, bool is_text)
{
    size_t n = 0;
    while (n < most && n < readable && !(is_text && from[n] == '\0'))
        n++;
    return n < most && n == readable ? -1 : (long)n;
}

static void check(const char *from, size_t most, bool is_text)
{
    struct {
        uint64_t words[ROOM / 8];
        uint64_t behind;
    } to;
    memset(&to, 0x5a, sizeof to);
    long wanted = expected(from, (size_t)(page + PAGE - from), most, is_text);
    long got = copy_text(to.words, (uintptr_t)from, most, is_text);
    CHECK(got == wanted);
    CHECK(got <= 0 || memcmp(to.words, from, (size_t)got) == 0);
    /* It may write up to 15 bytes more, and never after that. */
    size_t used = got < 0 ? LONGEST : (size_t)got;
    for (size_t i = used + 15; i < sizeof to; i++)
        CHECK(((const char *)&to)[i] == 0x5a);
}

/* LENGTH bytes at FROM, with a NUL at each place or at none. */
static void check_lengths(char *from, size_t length)
{
    for (long nul = NONE; nul < (long)length; nul++) {
        /* Bytes that differ from a zero by one bit, or by a borrow from the one in front. */
        for (size_t i = 0; i < length; i++)
            from[i] = (char)(i % 3 == 0 ? 0x80 : i % 3 == 1 ? 0x01 : 'a' + i % 26);
        if (nul != NONE)
            from[nul] = '\0';
        for (size_t most = length > 9 ? length - 9 : 0; most <= length; most++) {
            check(from, most, true);
            check(from, most, false);
        }
        if (from + length == page + PAGE && length < LONGEST)
            check(from, length + 1, true); /* unless it ends before, it cannot be read */
    }
}

/* A record at each place of the page, and where its end is not there. */
static void check_records(char *map)
{
    for (size_t i = 0; i < PAGE; i++)
        page[i] = (char)(i % 251);
    for (size_t at = 0; at <= PAGE; at++) {
        uint64_t to[5] = {1, 2, 3, 4, 5};
        bool is_there = at <= PAGE - COPY_RECORD;
        CHECK(copy_record(to, (uintptr_t)(page + at)) == (is_there ? 0 : -1));
        CHECK(!is_there || memcmp(to, page + at, COPY_RECORD) == 0);
        CHECK(!is_there || to[3] >> 8 == 0);
        CHECK(to[4] == 5);
    }
    uint64_t to[4];
    CHECK(copy_record(to, (uintptr_t)map) == -1);
    CHECK(copy_record(to, (uintptr_t)(page - 8)) == -1);
}

int main(void)
{
    char *map = mmap(NULL, 3 * PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    page = map + PAGE;
    if (map == MAP_FAILED || mprotect(page, PAGE, PROT_READ | PROT_WRITE) != 0 || !fault_guard())
        return 1;
    for (size_t length = 0; length <= LONGEST; length++)
        for (size_t space = 0; space < 8; space++) {
            memset(page, '\0', PAGE); /* what is in front of a text is no end of it */
            check_lengths(page + PAGE - length - space, length);
            check_lengths(page + space, length); /* at the beginning of the page */
        }
    /* All of it, and none of it. */
    uint64_t to[8];
    CHECK(copy_text(to, (uintptr_t)map, 8, true) == -1);
    CHECK(copy_text(to, (uintptr_t)(page + PAGE), 1, false) == -1);
    CHECK(copy_text(to, (uintptr_t)(page + PAGE), 0, true) == 0);
    CHECK(copy_text(to, (uintptr_t)(page + PAGE - 8), 9, false) == -1);
    check_records(map);
    return check_failures != 0;
}
