/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See request.h. A request is copied before it is examined, since its tool may go on writing. The
 * answer goes into the page or, if it is long, into a memfd that the tool opens through
 * /proc/PID/fd, and that stays until the tool releases the request.
 */
#define _GNU_SOURCE
#include "request.h"

#include "bytecode/hit.h"
#include "bytecode/specialize.h"
#include "description.h"
#include "list.h"
#include "recorder/record_options.h"
#include "recorder/recorder.h"
#include "registry/registry.h"
#include "ring/conditional.h"
#include "ring/storage.h"
#include "session.h"
#include "shared/number.h"
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

/* A request that is being served, in memory that only this process writes to. */
struct request {
    struct live_page *page;
    uint32_t op, flags, program_size;
    uint64_t session, argument;
    struct handle file; /* the answer, if it is long */
    const char *message;
    char text[LIVE_REQUEST_TEXT];
    unsigned char program[LIVE_REQUEST_PROGRAM];
};

static struct handle files[LIVE_REQUESTS]; /* what was given to the tool of each */
static bool has_file[LIVE_REQUESTS];
static bool was_served[LIVE_REQUESTS]; /* and perhaps not given back by its tool */

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

static int answer_text(struct request *request, const char *text, size_t length)
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
        request->file = handle_keep(fd);
    return error;
}

/* ---- The operations: 0 or more, or an error. ---- */

static int list(struct request *request)
{
    char *text = NULL;
    size_t length = 0;
    int error = list_sites(request->text, &text, &length);
    if (!error)
        error = answer_text(request, text, length);
    free(text);
    return error;
}

/* Subscribe what a hit is to do: to count, or AGGREGATION, which is the subscription's then. */
static int enable_as(struct request *request, struct live_aggregation *aggregation)
{
    enum subscribe_when when = request->flags & LIVE_PENDING ? SUBSCRIBE_PENDING : SUBSCRIBE_NOW;
    int id =
        subscribe(request->text, strlen(request->text), aggregation ? live_hit : SDT_COUNT,
                  aggregation, SDT_MODE_AUTO | SUBSCRIBE_GENERAL_REGS | SUBSCRIBE_FOR_TOOL, when);
    if (id <= 0)
        return id;
    bool is_background = !aggregation && request->flags & LIVE_BACKGROUND;
    struct session_item item = {.session = is_background ? 0 : request->session,
                                .id = id,
                                .aggregation = aggregation,
                                .follows = request->flags & LIVE_FOLLOW};
    if (session_keep(request->page, &item))
        return id;
    unsubscribe(id);
    return -ENOMEM;
}

static int enable(struct request *request)
{
    struct live_aggregation *aggregation = NULL;
    if (request->flags & LIVE_FOLLOW && !request->program_size &&
        !(request->flags & LIVE_BACKGROUND)) {
        request->message = "children have counters of their own: follow them with a program";
        return -EINVAL;
    }
    int error = !request->program_size
                    ? 0
                    : tables_aggregate(request->session, request->argument, request->program,
                                       request->program_size, &aggregation, &request->message);
    if (error)
        return error;
    int id = enable_as(request, aggregation);
    if (id < 0 && aggregation)
        live_aggregation_free(aggregation);
    return id;
}

static int table(struct request *request)
{
    return tables_make(request->session, request->program, request->program_size, &request->file,
                       &request->message);
}

static int disable(struct request *request)
{
    return session_end(request->page, request->argument <= INT32_MAX ? (int)request->argument : 0);
}

static int reset(struct request *request)
{
    atomic_fetch_add(&request->page->resets, 1);
    return session_end_all(request->page, 0);
}

static int detach(struct request *request)
{
    return session_end_all(request->page, request->session);
}

/* The three strings of a LIVE_RECORD; false: there are fewer. */
static bool split_text(const struct request *request, const char *parts[3])
{
    const char *at = request->text, *end = request->text + sizeof request->text;
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
static int keep_empty(struct request *request, struct sdt_recorder *recorder)
{
    static int last = 1 << 30;
    struct session_item item = {.session = request->session,
                                .id = ++last,
                                .recorder = recorder,
                                .follows = request->flags & LIVE_FOLLOW};
    return session_keep(request->page, &item) ? item.id : -ENOMEM;
}

static int keep_recorder(struct request *request, struct sdt_recorder *recorder,
                         const char *pattern)
{
    if (!*pattern)
        return keep_empty(request, recorder);
    enum subscribe_when when = request->flags & LIVE_PENDING ? SUBSCRIBE_PENDING : SUBSCRIBE_NOW;
    int id = subscribe(pattern, strlen(pattern), recorder_hit, recorder_data(recorder),
                       SDT_MODE_AUTO | SUBSCRIBE_GENERAL_REGS | SUBSCRIBE_FOR_TOOL, when);
    struct session_item item = {.session = request->session,
                                .id = id,
                                .recorder = recorder,
                                .follows = request->flags & LIVE_FOLLOW};
    if (id <= 0 || session_keep(request->page, &item))
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
static int look_for(const struct request *request, const char *pattern)
{
    int found =
        request->flags & LIVE_PENDING || !*pattern ? 1 : inspect_sites(pattern, see_site, NULL);
    return found > 0 ? 0 : found < 0 ? found : -ENOENT;
}

/* Why it does not record; what no pattern matched has another number. */
static int refuse_directory(struct request *request, int error)
{
    switch (error) {
    case -EBUSY:
        request->message = "it records already: end that 'sdt record' or 'sdt trace' first";
        return error;
    case -EEXIST:
        request->message = "the directory exists and is not a recording";
        return error;
    case -EACCES:
    case -EPERM:
    case -EROFS:
        request->message = "its user may not write into the directory of the recording";
        return error;
    case -ENOENT:
        request->message =
            "it does not see the directory: it has another root or mounts of its own";
        return -ENOTDIR;
    default:
        return error;
    }
}

/* Files in DIRECTORY, which are ours. */
static int record_into(struct request *request, const char *directory,
                       const struct sdt_record_options *options, struct sdt_recorder **recorder)
{
    int error = storage_check_watched(directory);
    if (!error)
        error = recorder_functions.create(directory, options, recorder);
    return error ? refuse_directory(request, error) : 0;
}

/* The tool makes the files. */
static int hand_over(struct request *request, const struct sdt_record_options *options,
                     struct sdt_recorder **recorder)
{
    struct description *description;
    int rings, error = description_take(request->session, &description);
    if (!error)
        error = recorder_hand_over(options, description, recorder, &rings);
    if (!error)
        request->file = handle_keep(rings);
    return error == -EBUSY ? refuse_directory(request, error) : error;
}

static int record(struct request *request)
{
    const char *parts[3];
    struct sdt_record_options options;
    struct sdt_recorder *recorder;
    if (!split_text(request, parts) || *parts[0] != '/' ||
        !record_options_parse(parts[1] + 1, &options))
        return -EINVAL;
    int error = look_for(request, parts[2]);
    if (!error)
        error = request->flags & LIVE_HAND ? hand_over(request, &options, &recorder)
                                           : record_into(request, parts[0], &options, &recorder);
    if (error)
        return error;
    int id = keep_recorder(request, recorder, parts[2]);
    if (id <= 0) {
        recorder_functions.destroy(recorder);
        handle_close(&request->file);
    }
    return id;
}

static int describe(struct request *request)
{
    return description_add(request->session, request->argument, request->program,
                           request->program_size);
}

/* What is to decide, in ITEM; 0 or an error. */
static int take_condition(struct request *request, struct session_item *item, uint64_t limit)
{
    int error = tables_condition(request->session, request->argument, request->program,
                                 request->program_size, &item->aggregation, &request->message);
    if (error)
        return error;
    live_aggregation_limit(item->aggregation, limit);
    live_decide(item->conditional, item->aggregation);
    return 0;
}

static int subscribe_item(const struct request *request, struct session_item *item)
{
    enum subscribe_when when = request->flags & LIVE_PENDING ? SUBSCRIBE_PENDING : SUBSCRIBE_NOW;
    item->id = subscribe(request->text, strlen(request->text),
                         request->flags & LIVE_SNAPSHOT ? conditional_trigger : conditional_hit,
                         item->conditional,
                         SDT_MODE_AUTO | SUBSCRIBE_GENERAL_REGS | SUBSCRIBE_FOR_TOOL, when);
    return item->id;
}

static int add_to(struct request *request, struct session_item *item)
{
    const char *number = memchr(request->text, '\0', sizeof request->text);
    bool has_number =
        number && number + 1 < request->text + sizeof request->text &&
        memchr(number + 1, '\0', (size_t)(request->text + sizeof request->text - number - 1));
    int error =
        request->program_size
            ? take_condition(request, item, has_number ? number_read(number + 1, NULL, 10) : 0)
            : 0;
    int id = error ? error : subscribe_item(request, item);
    if (id <= 0 || session_keep(request->page, item))
        return id;
    unsubscribe(id);
    return -ENOMEM;
}

static int extend_recording(struct request *request)
{
    struct sdt_recorder *recorder = session_recorder(request->session, false);
    if (!recorder) {
        request->message = "this session does not record";
        return -EINVAL;
    }
    struct conditional *conditional = calloc(1, sizeof *conditional);
    if (!conditional)
        return -ENOMEM;
    conditional_make(conditional, recorder_data(recorder), request->flags & LIVE_SNAPSHOT);
    struct session_item item = {.session = request->session,
                                .added_to = recorder,
                                .conditional = conditional,
                                .follows = request->flags & LIVE_FOLLOW};
    int id = add_to(request, &item);
    if (id <= 0) {
        live_aggregation_free(item.aggregation);
        free(conditional);
    }
    return id;
}

/* The recorder that a tool or the environment has asked for, or NULL: one of the program's own may
 * end at any moment. */
static struct sdt_recorder *find_recorder(void)
{
    struct sdt_recorder *recorder = session_recorder(0, true);
    return recorder ? recorder : recorder_initial;
}

void request_refresh(void)
{
    struct sdt_recorder *recorder = find_recorder();
    if (recorder)
        recorder_refresh(recorder);
}

static int flush(struct request *request)
{
    struct sdt_recorder *recorder = find_recorder();
    int error = recorder ? recorder_functions.flush(recorder) : -ENOENT;
    if (error == -ENOENT)
        request->message = "it does not record";
    else if (error == -EBUSY)
        request->message = "'sdt record' writes this recording";
    return error;
}

static int (*const operations[])(struct request *request) = {
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

static void copy_in(struct request *request, const struct live_request *posted)
{
    request->op = posted->op;
    request->flags = posted->flags;
    request->program_size = posted->program_size;
    request->session = posted->session;
    request->argument = posted->argument;
    request->file = (struct handle){.fd = -1};
    request->message = "";
    memcpy(request->text, posted->text, sizeof request->text);
    memcpy(request->program, posted->program, sizeof request->program);
}

/* Everything that all operations rely on. */
static int check(struct request *request, unsigned index)
{
    if (request->session == 0 ||
        request->session != atomic_load(&request->page->sessions[index / 2].id)) {
        request->message = "the session is over";
        return -ESTALE;
    }
    if (request->op >= OPERATIONS || !operations[request->op]) {
        request->message = "no such operation";
        return -ENOSYS;
    }
    if (request->flags &
        ~(LIVE_PENDING | LIVE_BACKGROUND | LIVE_SNAPSHOT | LIVE_FOLLOW | LIVE_HAND)) {
        request->message = "no such flag";
        return -EINVAL;
    }
    if (!memchr(request->text, '\0', sizeof request->text) ||
        request->program_size > sizeof request->program)
        return -EINVAL;
    return 0;
}

static void copy_out(struct live_request *posted, const struct request *request, int result)
{
    posted->result = result;
    posted->descriptor = request->file.fd;
    posted->inode = request->file.fd >= 0 ? request->file.inode : 0;
    snprintf(posted->message, sizeof posted->message, "%s",
             result < 0 && !*request->message ? reason(result) : request->message);
}

static void keep_file(const struct request *request, unsigned index)
{
    if (has_file[index]) /* its tool has given up the place, and another one has it */
        handle_close(&files[index]);
    files[index] = request->file;
    /* That of a table stays, with the table. */
    has_file[index] = request->file.fd >= 0 && request->op != LIVE_TABLE;
}

void request_serve(struct live_page *page, unsigned index)
{
    static struct request request; /* larger than the listener's stack should be */
    request.page = page;
    was_served[index] = true;
    copy_in(&request, &page->requests[index]);
    int result = check(&request, index);
    if (result == 0)
        result = operations[request.op](&request);
    copy_out(&page->requests[index], &request, result);
    keep_file(&request, index);
}

/* The state of a place without a session is left as it is: the next tool sees to that
 * (sdt/target/attach_session.c), and between our reading and our writing it may have posted. But it
 * waits while a request runs, of which only this thread decides: and now none does. */
void request_clean(struct live_page *page)
{
    for (unsigned i = 0; i < LIVE_REQUESTS; i++) {
        struct live_request *request = &page->requests[i];
        bool is_used = atomic_load(&page->sessions[i / 2].id) != 0;
        uint32_t running = LIVE_RUNNING;
        if (!was_served[i]) /* do not allocate its page to read it */
            continue;
        atomic_compare_exchange_strong(&request->state, &running, LIVE_FREE);
        was_served[i] = is_used;
        if (has_file[i] && (!is_used || atomic_load(&request->state) == LIVE_FREE)) {
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
        has_file[i] = was_served[i] = false;
    }
}
