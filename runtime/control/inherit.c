/* SPDX-License-Identifier: BSD-2-Clause */
/* See inherit.h. No memory is allocated, since most of this is done inside fork(). */
#include "inherit.h"

#include "process/lock.h"

#include <stddef.h>
#include <sys/mman.h>

/* More are not followed. A page has LIVE_SESSIONS; of a child's children there may be several. */
enum { MOST = 4 * LIVE_SESSIONS };

static struct inherited {
    uint64_t id; /* 0: free */
    struct live_page *page;
    unsigned place;
    uint32_t resets;
    uint64_t beat;
    int64_t when; /* ms, it last changed; 0: not checked yet */
} list[MOST];

static struct inherited *find(uint64_t session)
{
    for (unsigned i = 0; i < MOST; i++)
        if (list[i].id == session)
            return &list[i];
    return NULL;
}

bool inherit_has(uint64_t session)
{
    return session != 0 && find(session);
}

bool inherit_take(struct live_page *page, uint64_t session)
{
    struct inherited *taken = find(0);
    unsigned place = 0;
    while (place < LIVE_SESSIONS && atomic_load(&page->sessions[place].id) != session)
        place++;
    if (!taken || session == 0 || place == LIVE_SESSIONS)
        return false;
    *taken = (struct inherited){.id = session,
                                .page = page,
                                .place = place,
                                .resets = atomic_load(&page->resets),
                                .beat = atomic_load(&page->sessions[place].beat),
                                .when = 0};
    return true;
}

bool inherit_needs(const struct live_page *page)
{
    for (unsigned i = 0; i < MOST; i++)
        if (list[i].id && list[i].page == page)
            return true;
    return false;
}

static bool is_over(struct inherited *one, int64_t now)
{
    const struct live_session *session = &one->page->sessions[one->place];
    uint64_t beat = atomic_load(&session->beat);
    if (atomic_load(&session->id) != one->id || atomic_load(&one->page->resets) != one->resets)
        return true;
    if (one->when == 0 || beat != one->beat)
        one->when = now;
    one->beat = beat;
    return now - one->when >= LIVE_LEASE_MS;
}

uint64_t inherit_over(int64_t now)
{
    for (unsigned i = 0; i < MOST; i++)
        if (list[i].id && is_over(&list[i], now))
            return list[i].id;
    return 0;
}

uint64_t inherit_any(void)
{
    for (unsigned i = 0; i < MOST; i++)
        if (list[i].id)
            return list[i].id;
    return 0;
}

/* Unmapped after the lock is released: in a child that is forked meanwhile, every entry of the list
 * has a page. */
void inherit_end(uint64_t session)
{
    struct inherited *one = session ? find(session) : NULL;
    if (!one)
        return;
    struct live_page *page = one->page;
    bool is_locked = lock_acquire() == 0;
    one->id = 0;
    bool is_needed = inherit_needs(page);
    if (is_locked)
        lock_release();
    if (!is_needed)
        munmap(page, sizeof *page);
}
