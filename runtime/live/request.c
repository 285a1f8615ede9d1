/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See request.h. A request is copied before it is examined, since its tool may go on writing. The
 * answer goes into the page or, if it is long, into a memfd that the tool opens through
 * /proc/PID/fd, and that stays until the tool releases the request.
 */
#define _GNU_SOURCE
#include "request.h"

#include "aggregation.h"
#include "description.h"
#include "hit.h"
#include "list.h"
#include "recorder/recorder.h"
#include "recorder/wish.h"
#include "registry/registry.h"
#include "ring/chosen.h"
#include "ring/home.h"
#include "session.h"
#include "subscribe/inspect.h"
#include "subscribe/subscribe.h"
#include "tables.h"

#include <errno.h>
#include <fcntl.h>
#include <sdt/runtime.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* The request that is being worked, in memory that nobody else writes to. */
static struct work {
    uint32_t op, flags, program_size;
    uint64_t session, argument;
    struct handle file; /* the answer, if it is long */
    const char *message;
    char text[LIVE_REQUEST_TEXT];
    unsigned char program[LIVE_REQUEST_PROGRAM];
} work;

static struct handle files[LIVE_REQUESTS]; /* what was given to the tool of each */
static bool has_file[LIVE_REQUESTS];
static bool was_worked[LIVE_REQUESTS]; /* and perhaps not given back by its tool */

/* ---- Long answers. ---- */

static int write_all(int fd, const char *text, size_t length)
{
    while (length) {
        ssize_t n = write(fd, text, length);
        if (n < 0)
            return -errno;
        text += n;
        length -= (size_t)n;
    }
    return 0;
}

static int answer_text(const char *text, size_t length)
{
    int fd = memfd_create(LIVE_RESULT, MFD_CLOEXEC | MFD_ALLOW_SEALING);
    int error = fd < 0 ? -errno : write_all(fd, text, length);
    if (!error &&
        (fchmod(fd, 0600) != 0 ||
         fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE | F_SEAL_SEAL) != 0))
        error = -errno;
    if (error && fd >= 0)
        close(fd);
    if (!error)
        work.file = handle_keep(fd);
    return error;
}

/* ---- The operations: 0 or more, or an error. ---- */

static int list(struct live_page *page)
{
    char *text = NULL;
    size_t length = 0;
    (void)page;
    int error = list_sites(work.text, &text, &length);
    if (!error)
        error = answer_text(text, length);
    free(text);
    return error;
}

/* Subscribe what a hit is to do: to count, or AGGREGATION, which is the subscription's then. */
static int enable_as(struct live_page *page, struct live_aggregation *aggregation)
{
    enum subscribe_when when = work.flags & LIVE_PENDING ? SUBSCRIBE_PENDING : SUBSCRIBE_NOW;
    int id =
        subscribe(work.text, strlen(work.text), aggregation ? live_hit : SDT_COUNT, aggregation,
                  SDT_MODE_AUTO | SUBSCRIBE_GENERAL_REGS | SUBSCRIBE_FOR_TOOL, when);
    if (id <= 0)
        return id;
    bool is_background = !aggregation && work.flags & LIVE_BACKGROUND;
    struct session_item item = {.session = is_background ? 0 : work.session,
                                .id = id,
                                .aggregation = aggregation,
                                .follows = work.flags & LIVE_FOLLOW};
    if (session_keep(page, &item))
        return id;
    unsubscribe(id);
    return -ENOMEM;
}

static int enable(struct live_page *page)
{
    struct live_aggregation *aggregation = NULL;
    if (work.flags & LIVE_FOLLOW && !work.program_size && !(work.flags & LIVE_BACKGROUND)) {
        work.message = "children have counters of their own: follow them with a program";
        return -EINVAL;
    }
    int error = !work.program_size
                    ? 0
                    : tables_aggregate(work.session, work.argument, work.program, work.program_size,
                                       &aggregation, &work.message);
    if (error)
        return error;
    int id = enable_as(page, aggregation);
    if (id < 0 && aggregation)
        live_aggregation_free(aggregation);
    return id;
}

static int table(struct live_page *page)
{
    (void)page;
    return tables_make(work.session, work.program, work.program_size, &work.file, &work.message);
}

static int disable(struct live_page *page)
{
    return session_end(page, work.argument <= INT32_MAX ? (int)work.argument : 0);
}

static int reset(struct live_page *page)
{
    atomic_fetch_add(&page->resets, 1);
    return session_end_all(page, 0);
}

static int detach(struct live_page *page)
{
    return session_end_all(page, work.session);
}

/* The three strings of a LIVE_RECORD; false: there are fewer. */
static bool split_text(const char *parts[3])
{
    const char *at = work.text, *end = work.text + sizeof work.text;
    for (int i = 0; i < 3; i++) {
        const char *stop = memchr(at, '\0', (size_t)(end - at));
        if (!stop || (i < 2 && *at == '\0'))
            return false;
        parts[i] = at;
        at = stop + 1;
    }
    return true;
}

/* A recorder that nothing records into yet has a number of its own, which no subscription has. */
static int keep_empty(struct live_page *page, struct sdt_recorder *recorder)
{
    static int last = 1 << 30;
    struct session_item item = {.session = work.session,
                                .id = ++last,
                                .recorder = recorder,
                                .follows = work.flags & LIVE_FOLLOW};
    return session_keep(page, &item) ? item.id : -ENOMEM;
}

static int keep_recorder(struct live_page *page, struct sdt_recorder *recorder, const char *pattern)
{
    if (!*pattern)
        return keep_empty(page, recorder);
    enum subscribe_when when = work.flags & LIVE_PENDING ? SUBSCRIBE_PENDING : SUBSCRIBE_NOW;
    int id = subscribe(pattern, strlen(pattern), recorder_hit, recorder_data(recorder),
                       SDT_MODE_AUTO | SUBSCRIBE_GENERAL_REGS | SUBSCRIBE_FOR_TOOL, when);
    struct session_item item = {.session = work.session,
                                .id = id,
                                .recorder = recorder,
                                .follows = work.flags & LIVE_FOLLOW};
    if (id <= 0 || session_keep(page, &item))
        return id;
    unsubscribe(id);
    return -ENOMEM;
}

static int see_site(const struct site *site, const struct sdt_probe_info *info, void *data)
{
    (void)info;
    (void)data;
    return site->probe != NULL;
}

/* Whether something matches; 0, -ENOENT or another error. Asked first: a recording of nothing would
 * have to be taken back. */
static int look_for(const char *pattern)
{
    int found = work.flags & LIVE_PENDING || !*pattern ? 1 : inspect_sites(pattern, see_site, NULL);
    return found > 0 ? 0 : found < 0 ? found : -ENOENT;
}

/* Why it does not record; what no pattern matched has another number. */
static int refuse_directory(int error)
{
    switch (error) {
    case -EBUSY:
        work.message = "it records already: end that 'sdt record' or 'sdt trace' first";
        return error;
    case -EEXIST:
        work.message = "the directory exists and is not a recording";
        return error;
    case -EACCES:
    case -EPERM:
    case -EROFS:
        work.message = "its user may not write into the directory of the recording";
        return error;
    case -ENOENT:
        work.message = "it does not see the directory: it has another root or mounts of its own";
        return -ENOTDIR;
    default:
        return error;
    }
}

/* Files in DIRECTORY, which are ours. */
static int record_into(const char *directory, const struct sdt_record_options *options,
                       struct sdt_recorder **recorder)
{
    int error = home_check_watched(directory);
    if (!error)
        error = recorder_functions.create(directory, options, recorder);
    return error ? refuse_directory(error) : 0;
}

/* The tool makes the files. */
static int hand_over(const struct sdt_record_options *options, struct sdt_recorder **recorder)
{
    struct description *description;
    int rings, error = description_take(work.session, &description);
    if (!error)
        error = recorder_hand_over(options, description, recorder, &rings);
    if (!error)
        work.file = handle_keep(rings);
    return error == -EBUSY ? refuse_directory(error) : error;
}

static int record(struct live_page *page)
{
    const char *parts[3];
    struct sdt_record_options options;
    struct sdt_recorder *recorder;
    if (!split_text(parts) || *parts[0] != '/' || !wish_parse(parts[1] + 1, &options))
        return -EINVAL;
    int error = look_for(parts[2]);
    if (!error)
        error = work.flags & LIVE_HAND ? hand_over(&options, &recorder)
                                       : record_into(parts[0], &options, &recorder);
    if (error)
        return error;
    int id = keep_recorder(page, recorder, parts[2]);
    if (id <= 0) {
        recorder_functions.destroy(recorder);
        handle_close(&work.file);
    }
    return id;
}

static int describe(struct live_page *page)
{
    (void)page;
    return description_add(work.session, work.argument, work.program, work.program_size);
}

/* What is to decide, in ITEM; 0 or an error. */
static int take_condition(struct session_item *item, uint64_t limit)
{
    int error = tables_condition(work.session, work.argument, work.program, work.program_size,
                                 &item->aggregation, &work.message);
    if (error)
        return error;
    live_aggregation_limit(item->aggregation, limit);
    live_choose(item->chosen, item->aggregation);
    return 0;
}

static int subscribe_item(struct session_item *item)
{
    enum subscribe_when when = work.flags & LIVE_PENDING ? SUBSCRIBE_PENDING : SUBSCRIBE_NOW;
    item->id = subscribe(work.text, strlen(work.text),
                         work.flags & LIVE_SNAPSHOT ? chosen_trigger : chosen_hit, item->chosen,
                         SDT_MODE_AUTO | SUBSCRIBE_GENERAL_REGS | SUBSCRIBE_FOR_TOOL, when);
    return item->id;
}

static int add_to(struct live_page *page, struct session_item *item)
{
    const char *number = memchr(work.text, '\0', sizeof work.text);
    bool has_number = number && number + 1 < work.text + sizeof work.text &&
                      memchr(number + 1, '\0', (size_t)(work.text + sizeof work.text - number - 1));
    int error = work.program_size
                    ? take_condition(item, has_number ? strtoull(number + 1, NULL, 10) : 0)
                    : 0;
    int id = error ? error : subscribe_item(item);
    if (id <= 0 || session_keep(page, item))
        return id;
    unsubscribe(id);
    return -ENOMEM;
}

static int extend_recording(struct live_page *page)
{
    struct sdt_recorder *recorder = session_own_recorder(work.session);
    if (!recorder) {
        work.message = "this session does not record";
        return -EINVAL;
    }
    struct chosen *chosen = calloc(1, sizeof *chosen);
    if (!chosen)
        return -ENOMEM;
    chosen_make(chosen, recorder_data(recorder), work.flags & LIVE_SNAPSHOT);
    struct session_item item = {.session = work.session,
                                .added_to = recorder,
                                .chosen = chosen,
                                .follows = work.flags & LIVE_FOLLOW};
    int id = add_to(page, &item);
    if (id <= 0) {
        live_aggregation_free(item.aggregation);
        free(chosen);
    }
    return id;
}

/* The recorder that a tool or the environment has asked for, or NULL: one of the program's own may
 * end at any moment. */
static struct sdt_recorder *find_recorder(void)
{
    struct sdt_recorder *recorder = session_recorder();
    return recorder ? recorder : wish_recorder();
}

void request_refresh(void)
{
    struct sdt_recorder *recorder = find_recorder();
    if (recorder)
        recorder_refresh(recorder);
}

static int flush(struct live_page *page)
{
    struct sdt_recorder *recorder = find_recorder();
    (void)page;
    int error = recorder ? recorder_functions.flush(recorder) : -ENOENT;
    if (error == -ENOENT)
        work.message = "it does not record";
    else if (error == -EBUSY)
        work.message = "'sdt record' writes this recording";
    return error;
}

static int (*const operations[])(struct live_page *page) = {
    [LIVE_LIST] = list,         [LIVE_ENABLE] = enable, [LIVE_DISABLE] = disable,
    [LIVE_TABLE] = table,       [LIVE_RECORD] = record, [LIVE_FLUSH] = flush,
    [LIVE_RESET] = reset,       [LIVE_DETACH] = detach, [LIVE_EXTEND] = extend_recording,
    [LIVE_DESCRIBE] = describe,
};
enum { OPERATIONS = sizeof operations / sizeof operations[0] };

/* ---- From the page and back. ---- */

/* What ERROR means here, in so few words that the page has room for them. */
static const char *reason(int error)
{
    switch (error) {
    case -EBUSY:
        return "a tracer's breakpoint is at the site, or a thread blocks SIGTRAP";
    case -ENOLINK:
        return "only a breakpoint is possible, and may end it: start it by 'sdt run'";
    case -EACCES:
        return "its text may not be written: seccomp, SELinux or SDT_LOCK_TEXT forbid it";
    case -EEXIST:
        return "another version of libsdt is in charge of this process";
    default:
        return sdt_strerror(error);
    }
}

static void copy_in(const struct live_request *request)
{
    work.op = request->op;
    work.flags = request->flags;
    work.program_size = request->program_size;
    work.session = request->session;
    work.argument = request->argument;
    work.file = (struct handle){.fd = -1};
    work.message = "";
    memcpy(work.text, request->text, sizeof work.text);
    memcpy(work.program, request->program, sizeof work.program);
}

/* Everything that all operations rely on. */
static int check(const struct live_page *page, unsigned index)
{
    if (work.session == 0 || work.session != atomic_load(&page->sessions[index / 2].id)) {
        work.message = "the session is over";
        return -ESTALE;
    }
    if (work.op >= OPERATIONS || !operations[work.op]) {
        work.message = "no such operation";
        return -ENOSYS;
    }
    if (work.flags & ~(LIVE_PENDING | LIVE_BACKGROUND | LIVE_SNAPSHOT | LIVE_FOLLOW | LIVE_HAND)) {
        work.message = "no such flag";
        return -EINVAL;
    }
    if (!memchr(work.text, '\0', sizeof work.text) || work.program_size > sizeof work.program)
        return -EINVAL;
    return 0;
}

void request_work(struct live_page *page, unsigned index)
{
    struct live_request *request = &page->requests[index];
    was_worked[index] = true;
    copy_in(request);
    int result = check(page, index);
    if (result == 0)
        result = operations[work.op](page);
    request->result = result;
    request->descriptor = work.file.fd;
    request->inode = work.file.fd >= 0 ? work.file.inode : 0;
    snprintf(request->message, sizeof request->message, "%s",
             result < 0 && !*work.message ? reason(result) : work.message);
    if (has_file[index]) /* its tool has given up the place, and another one has it */
        handle_close(&files[index]);
    files[index] = work.file;
    has_file[index] = work.file.fd >= 0 && work.op != LIVE_TABLE; /* that stays, with the table */
}

void request_clean(struct live_page *page)
{
    for (unsigned i = 0; i < LIVE_REQUESTS; i++) {
        struct live_request *request = &page->requests[i];
        bool is_used = atomic_load(&page->sessions[i / 2].id) != 0;
        if (!was_worked[i]) /* do not make its page to look into it */
            continue;
        if (!is_used)
            atomic_store(&request->state, LIVE_FREE);
        was_worked[i] = is_used;
        if (has_file[i] && atomic_load(&request->state) == LIVE_FREE) {
            handle_close(&files[i]);
            has_file[i] = false;
        }
    }
}

void request_after_fork_child(void)
{
    for (unsigned i = 0; i < LIVE_REQUESTS; i++) {
        if (has_file[i])
            handle_close(&files[i]);
        has_file[i] = was_worked[i] = false;
    }
}
