/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See attach.h. The page is a file in memory that is sealed: it neither shrinks (a store to it
 * never raises SIGBUS) nor grows. The kernel decides who may open it: /proc/PID/fd is open to the
 * same user, if the process is dumpable. There is no name, no socket, and nothing to clean up.
 *
 * A thread, the listener (listener.c), serves it. It sleeps in a futex until a tool wakes it.
 */
#define _GNU_SOURCE
#include "attach.h"

#include "hit/counters.h"
#include "listener.h"
#include "process/environment.h"
#include "process/file.h"
#include "process/handle.h"
#include "request.h"
#include "session.h"
#include "shared/number.h"
#include "subscribe/forks.h"
#include "subscribe/subscribe.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/futex.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static _Atomic(struct live_page *) the_page;
static struct handle the_file = {.fd = -1};
static atomic_bool is_starting;
static atomic_int start_error; /* of the only attempt */

static void fill_page(struct live_page *page)
{
    page->magic = LIVE_MAGIC;
    page->abi = LIVE_ABI;
    page->size = sizeof *page;
    page->pid = (uint32_t)getpid();
    ssize_t random = getrandom(&page->id, sizeof page->id, GRND_NONBLOCK);
    (void)random; /* none: it is 0 */
    snprintf(page->version, sizeof page->version, "%s", SDT_VERSION);
}

/*
 * Held as long as any process has the page mapped: this process, and children that follow
 * (inherit.h). It belongs to the open file, which the mapping keeps open even if the program closes
 * the descriptor. Tools ask whether it is held.
 */
static void lock_page(int fd)
{
    struct flock all = {.l_type = F_RDLCK, .l_whence = SEEK_SET};
    fcntl(fd, F_OFD_SETLK, &all);
}

static int make_page(void)
{
    int fd = file_in_memory(LIVE_PAGE_NAME, sizeof(struct live_page));
    if (fd < 0)
        return fd;
    void *page = mmap(NULL, sizeof(struct live_page), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (page == MAP_FAILED) {
        int error = -errno;
        close(fd);
        return error;
    }
    fill_page(page);
    lock_page(fd);
    the_file = handle_keep(fd);
    atomic_store(&the_page, page);
    return 0;
}

/* The page without who serves it: tools see that, and why nothing can be asked for. */
static int serve(bool is_child)
{
    struct live_page *page = atomic_load(&the_page);
    int error = listener_start(page, is_child);
    page->problem = (uint32_t)-error;
    if (error)
        atomic_store(&page->state, LIVE_UNSERVED);
    return error;
}

static const struct tool_hooks hooks;

int attach_start(void)
{
    if (environment_forbids() || getauxval(AT_SECURE) || prctl(PR_GET_DUMPABLE) != 1)
        return -EPERM;
    if (atomic_exchange(&is_starting, true))
        return atomic_load(&start_error);
    int error = subscribe_prepare(&hooks);
    if (!error)
        error = make_page();
    if (!error)
        error = serve(false);
    atomic_store(&start_error, error);
    return error;
}

/* ---- A tool that has started the program. ---- */

/*
 * It gives the program one end of a pair of sockets. There we say that the page is ready, and wait
 * for a word of the page to change; and again whenever an object with probes has come, so that the
 * tool has seen all probes even of a program that runs for a millisecond. A tool that does not
 * answer is not waited for any longer.
 */
static struct handle the_gate = {.fd = -1};
static bool is_for_all;
enum { GATE_PATIENCE = 5000 /* ms */, GATE_SLICE = 20 };

/* The number that follows PREFIX in *TEXT, which goes on after it. */
static bool take_number(const char **text, const char *prefix, unsigned long long *number)
{
    size_t length = strlen(prefix);
    const char *digits = *text + length;
    if (strncmp(*text, prefix, length) != 0 || *digits < '0' || *digits > '9')
        return false;
    *number = number_read(digits, (char **)text, 10);
    return true;
}

/* `gate:FD:INODE:PID`: the descriptor is a socket of the tool's, and the process the one it means;
 * 0: each that has inherited both, through fork and exec. The variable alone is inherited by
 * others, for whom the number may mean anything. */
static void find_gate(const char *value)
{
    unsigned long long fd, inode, pid;
    struct stat status;
    if (!take_number(&value, "gate:", &fd) || !take_number(&value, ":", &inode) ||
        !take_number(&value, ":", &pid) || *value || fd > INT_MAX ||
        (pid && pid != (unsigned long long)getpid()) || fstat((int)fd, &status) != 0 ||
        !S_ISSOCK(status.st_mode) || status.st_ino != inode)
        return;
    is_for_all = pid == 0;
    if (!is_for_all)
        fcntl((int)fd, F_SETFD, FD_CLOEXEC);
    the_gate = handle_keep((int)fd);
}

/* The tool has ended, or closed the gate. */
static bool is_gate_closed(void)
{
    struct pollfd gate = {.fd = the_gate.fd};
    return poll(&gate, 1, 0) > 0;
}

static uint32_t times_passed(struct live_page *page)
{
    return page ? atomic_load(&page->passed) : 0;
}

static void wait_a_little(struct live_page *page, uint32_t before)
{
    const struct timespec slice = {.tv_nsec = GATE_SLICE * 1000000L};
    syscall(SYS_futex, &page->passed, FUTEX_WAIT, before, &slice, NULL, 0);
}

static bool has_session(struct live_page *page)
{
    unsigned i = 0;
    while (i < LIVE_SESSIONS && atomic_load(&page->sessions[i].id) == 0)
        i++;
    return i < LIVE_SESSIONS;
}

/* The program has closed the descriptor, as daemons close all that they do not know. The tool reads
 * the page a few times a second. */
static void wait_at_page(struct live_page *page, uint32_t before)
{
    int waited = 0;
    while (page && atomic_load(&page->passed) == before && waited < LIVE_LEASE_MS &&
           has_session(page)) {
        wait_a_little(page, before);
        waited += GATE_SLICE;
    }
    if (waited >= LIVE_LEASE_MS)
        the_gate.fd = -1; /* who has opened it is not there any more */
}

static void wait_at_gate(struct live_page *page, uint32_t before, unsigned char word)
{
    int waited = 0;
    bool is_open = send(the_gate.fd, &word, 1, MSG_NOSIGNAL | MSG_DONTWAIT) == 1;
    while (is_open && page && atomic_load(&page->passed) == before) {
        wait_a_little(page, before);
        waited += GATE_SLICE;
        is_open = waited < GATE_PATIENCE && !is_gate_closed();
    }
    if (!is_open)
        handle_close(&the_gate);
}

/* BEFORE: how often it was passed. ERROR: why there is no page; 0: there is one. */
static void pass_gate(uint32_t before, int error)
{
    struct live_page *page = atomic_load(&the_page);
    int saved = errno;
    if (handle_is_ours(&the_gate))
        wait_at_gate(page, before,
                     error ? (unsigned char)(LIVE_GATE_FAILED | (-error & 0x7f)) : LIVE_GATE_READY);
    else if (the_gate.fd >= 0 && !is_for_all)
        wait_at_page(page, before);
    errno = saved;
}

int attach_start_as(const char *value)
{
    if (strcmp(value, "0") == 0)
        return 0;
    find_gate(value);
    int error = attach_start();
    struct live_page *page = atomic_load(&the_page);
    pass_gate(times_passed(page), page ? 0 : error);
    return error;
}

int attach_hand_over(const char *value)
{
    if (the_gate.fd >= 0)
        return -EBUSY;
    find_gate(value);
    if (!handle_is_ours(&the_gate) || is_gate_closed()) {
        the_gate.fd = -1;
        return -ENOENT;
    }
    int error = attach_start();
    struct live_page *page = atomic_load(&the_page);
    pass_gate(times_passed(page), page ? 0 : error);
    return error;
}

/* ---- What changes. ---- */

void attach_object_came(void)
{
    struct live_page *page = atomic_load(&the_page);
    if (!page)
        return;
    uint32_t before = times_passed(page); /* the tool may see the next line's at once */
    atomic_fetch_add(&page->generation, 1);
    pass_gate(before, 0);
}

static void counters_go(void)
{
    struct live_page *page = atomic_load(&the_page);
    if (page)
        atomic_fetch_add(&page->freed, 1);
}

/* A page of its own, and who serves it; that is also who sees when what is followed ends. */
static void begin_in_child(void)
{
    bool is_made = prctl(PR_GET_DUMPABLE) == 1 && make_page() == 0;
    struct live_page *page = atomic_load(&the_page);
    if (is_made)
        session_publish(page);
    bool is_served = is_made && serve(true) == 0;
    if (!is_served)
        session_end_followed(page);
}

static void before_fork(void)
{
    if (atomic_load(&the_page))
        listener_before_fork();
}

static void after_fork_parent(void)
{
    if (atomic_load(&the_page))
        listener_after_fork_parent();
}

/* The child has a page of its own, and of what tools have asked the parent for only what is to be
 * followed. */
static void after_fork_child(void)
{
    struct live_page *page = atomic_load(&the_page);
    listener_after_fork_child();
    if (!page)
        return;
    int error = errno;
    counters_after_fork_child();
    request_after_fork_child();
    bool is_followed = session_after_fork_child(page);
    subscribe_end_tools(session_has);
    if (!is_followed)
        munmap(page, sizeof *page);
    atomic_store(&the_page, NULL);
    handle_close(&the_file);
    if (is_for_all) /* it stays open: what this process becomes may use it */
        the_gate.fd = -1;
    else
        handle_close(&the_gate);
    begin_in_child();
    errno = error;
}

static const struct tool_hooks hooks = {before_fork, after_fork_parent, after_fork_child,
                                        counters_go};
