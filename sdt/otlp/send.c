/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See send.h. What the specification says of answers (opentelemetry.io/docs/specs/otlp):
 *
 *   2xx (200)           delivered; items may have been rejected, and are not sent again
 *   429, 502, 503, 504  later, as is a request to which there is no answer
 *   all others          never. After 400 and 413 the next request may be better; others, such as a
 *                       404 for a receiver that takes no logs, are about all of them
 *
 * Once a request could not be delivered in time, the rest is counted and not tried.
 */
#include "send.h"

#include "answer.h"
#include "base/diag.h"
#include "base/now.h"
#include "base/text.h"
#include "curl.h"
#include "environment.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/random.h>
#include <time.h>

enum {
    HTTP_BAD = 400,
    HTTP_TOO_LARGE = 413,
    MAX_ANSWER = 1 << 16,
    MAX_PAUSE = 32,
    MAX_ASKED = 1000000000
};

enum outcome { DELIVERED, LATER, REFUSED, REFUSED_ALL };

/* The way of a signal. */
struct way {
    char *url;
    uint64_t total, delivered;
    char *problem;          /* the first; NULL: none */
    bool is_over, has_last; /* all of the last request was delivered */
};

struct otlp_sender {
    const struct curl *curl;
    CURL *handle;
    struct curl_slist *headers;
    char *url;
    int64_t patience;
    struct way ways[OTLP_SIGNALS];
    struct bytes answer;
    bool has_warned, has_advised;
    bool replaces;      /* a later request has all that an earlier one had */
    int64_t not_before; /* then the receiver wants one */
};

static const struct {
    const char *path, *one, *several;
} signals[] = {
    [OTLP_SIGNAL_SPANS] = {"/v1/traces", "span", "spans"},
    [OTLP_SIGNAL_LOGS] = {"/v1/logs", "log record", "log records"},
    [OTLP_SIGNAL_METRICS] = {"/v1/metrics", "data point", "data points"},
};

/* ---- Beginning. ---- */

static void add_header(void *data, const char *line)
{
    struct otlp_sender *sender = data;
    struct curl_slist *longer = sender->curl->slist_append(sender->headers, line);
    if (!longer)
        memory_is_exhausted();
    sender->headers = longer;
}

static size_t take_answer(char *data, size_t size, size_t count, void *to)
{
    struct bytes *answer = to;
    size_t left = MAX_ANSWER - answer->size;
    bytes_append(answer, data, size * count < left ? size * count : left);
    return size * count;
}

/* Without what the specification appends, of which users may have written the traces' or `/`. */
static char *base_of(const char *url)
{
    const char *path = signals[OTLP_SIGNAL_SPANS].path;
    size_t length = strlen(url), tail = strlen(path);
    if (length > tail && strcmp(url + length - tail, path) == 0)
        length -= tail;
    while (url[length - 1] == '/')
        length--;
    return memory_format("%.*s", (int)length, url);
}

static void set_options(struct otlp_sender *sender)
{
    const struct curl *curl = sender->curl;
    add_header(sender, "Content-Type: application/x-protobuf");
    add_header(sender, "User-Agent: sdt");
    add_header(sender, "Expect:"); /* no: the request comes at once */
    curl->easy_setopt(sender->handle, CURLOPT_HTTPHEADER, sender->headers);
    curl->easy_setopt(sender->handle, CURLOPT_WRITEFUNCTION, take_answer);
    curl->easy_setopt(sender->handle, CURLOPT_WRITEDATA, &sender->answer);
}

static void free_sender(struct otlp_sender *sender)
{
    if (sender->curl && sender->handle)
        sender->curl->easy_cleanup(sender->handle);
    if (sender->curl)
        sender->curl->slist_free_all(sender->headers);
    for (unsigned i = 0; i < OTLP_SIGNALS; i++) {
        free(sender->ways[i].url);
        free(sender->ways[i].problem);
    }
    bytes_free(&sender->answer);
    free(sender->url);
    free(sender);
}

struct otlp_sender *otlp_connect(const char *url)
{
    struct otlp_sender *sender = memory_zeroed(1, sizeof *sender);
    sender->url = base_of(url);
    sender->patience = otlp_patience();
    if (sender->patience < 0 || !(sender->curl = curl_load()) ||
        otlp_headers(add_header, sender) != 0) {
        free_sender(sender);
        return NULL;
    }
    if (!(sender->handle = sender->curl->easy_init()))
        memory_is_exhausted();
    set_options(sender);
    for (unsigned i = 0; i < OTLP_SIGNALS; i++)
        sender->ways[i].url = memory_format("%s%s", sender->url, signals[i].path);
    return sender;
}

void otlp_replace(struct otlp_sender *sender)
{
    sender->replaces = true;
}

/* ---- One request. ---- */

static void set_problem(struct way *way, char *problem)
{
    if (way->problem)
        free(problem);
    else
        way->problem = problem;
}

static bool is_passing(CURLcode code)
{
    return code == CURLE_COULDNT_RESOLVE_HOST || code == CURLE_COULDNT_CONNECT ||
           code == CURLE_OPERATION_TIMEDOUT || code == CURLE_GOT_NOTHING ||
           code == CURLE_SEND_ERROR || code == CURLE_RECV_ERROR || code == CURLE_PARTIAL_FILE;
}

static struct slice answer_of(const struct otlp_sender *sender)
{
    return (struct slice){(const char *)sender->answer.data, sender->answer.size};
}

/* TEXT, cut where it is too long for a message. */
static int shown(struct slice text)
{
    enum { MOST = 300 };
    return (int)(text.length < MOST ? text.length : MOST);
}

static enum outcome take_success(struct otlp_sender *sender, struct way *way, uint64_t count)
{
    struct slice text = answer_of(sender);
    struct otlp_answer answer = otlp_answer_read(text.text, text.length);
    uint64_t rejected = answer.rejected < count ? answer.rejected : count;
    char *said = memory_format("the receiver says: %.*s", shown(answer.message),
                               answer.message.length ? answer.message.text : "");
    way->delivered += count - rejected;
    if (rejected)
        set_problem(way, answer.message.length ? said : memory_format("the receiver rejects them"));
    else if (answer.message.length && !sender->has_advised)
        diag_warn(&(struct diag_place){.file = way->url}, said, NULL);
    sender->has_advised = sender->has_advised || answer.message.length;
    if (!rejected || !answer.message.length)
        free(said);
    return DELIVERED;
}

/* PROBLEM becomes what is wrong. */
static enum outcome take_status(struct otlp_sender *sender, long status, char **problem)
{
    struct slice text = answer_of(sender);
    struct otlp_answer answer = otlp_refusal_read(text.text, text.length);
    *problem = answer.message.length ? memory_format("it answers %ld, %.*s", status,
                                                     shown(answer.message), answer.message.text)
                                     : memory_format("it answers %ld", status);
    if (status == 429 || status == 502 || status == 503 || status == 504)
        return LATER;
    return status == HTTP_BAD || status == HTTP_TOO_LARGE ? REFUSED : REFUSED_ALL;
}

static enum outcome post(struct otlp_sender *sender, struct way *way, const struct bytes *body,
                         uint64_t count, int64_t left, char **problem)
{
    const struct curl *curl = sender->curl;
    char error[CURL_ERROR_SIZE] = "";
    long status = 0;
    sender->answer.size = 0;
    curl->easy_setopt(sender->handle, CURLOPT_URL, way->url);
    curl->easy_setopt(sender->handle, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)body->size);
    curl->easy_setopt(sender->handle, CURLOPT_POSTFIELDS, body->data);
    curl->easy_setopt(sender->handle, CURLOPT_TIMEOUT_MS, (long)(left / (SECOND / 1000)) + 1);
    curl->easy_setopt(sender->handle, CURLOPT_ERRORBUFFER, error);
    CURLcode code = curl->easy_perform(sender->handle);
    curl->easy_setopt(sender->handle, CURLOPT_ERRORBUFFER, NULL);
    if (code != CURLE_OK) {
        *problem = memory_format("%s", *error ? error : curl->easy_strerror(code));
        return is_passing(code) ? LATER : REFUSED_ALL;
    }
    curl->easy_getinfo(sender->handle, CURLINFO_RESPONSE_CODE, &status);
    return status / 100 == 2 ? take_success(sender, way, count)
                             : take_status(sender, status, problem);
}

/* ---- Again. ---- */

/* How long the receiver wants us to wait; 0: it does not say. */
static int64_t asked_pause(const struct otlp_sender *sender)
{
    curl_off_t asked = 0;
    sender->curl->easy_getinfo(sender->handle, CURLINFO_RETRY_AFTER, &asked);
    return asked <= 0 ? 0 : asked < MAX_ASKED ? asked * SECOND : MAX_ASKED * SECOND;
}

/* Before attempt number ATTEMPT, from 1: longer each time, and not at the same moment as others
 * whom the receiver has turned away. */
static int64_t pause_before(unsigned attempt)
{
    uint16_t random = 0;
    int64_t pause = SECOND;
    while (--attempt && pause < MAX_PAUSE * SECOND)
        pause *= 2;
    if (getrandom(&random, sizeof random, GRND_NONBLOCK) < 0)
        random = (uint16_t)now();
    return pause / 2 + pause / 2 * random / UINT16_MAX;
}

static void sleep_for(int64_t ns)
{
    struct timespec left = {.tv_sec = ns / SECOND, .tv_nsec = ns % SECOND};
    while (nanosleep(&left, &left) != 0 && errno == EINTR)
        ;
}

static void warn_once(struct otlp_sender *sender, const struct way *way, const char *problem)
{
    if (sender->has_warned)
        return;
    sender->has_warned = true;
    char *text = sender->replaces ? memory_format("%s; trying again at the next interval", problem)
                                  : memory_format("%s; trying again for up to %.3g s", problem,
                                                  (double)sender->patience / (double)SECOND);
    diag_warn(&(struct diag_place){.file = way->url}, text, NULL);
    free(text);
}

static char *with_pause(char *problem, int64_t asked)
{
    char *longer =
        memory_format("%s, and asks to wait for %lld s", problem, (long long)(asked / SECOND));
    free(problem);
    return longer;
}

/* With a pause until the next request, or the next attempt. */
static enum outcome deliver(struct otlp_sender *sender, struct way *way, const struct bytes *body,
                            uint64_t count, char **problem)
{
    int64_t end = now() + sender->patience;
    for (unsigned attempt = 1;; attempt++) {
        enum outcome outcome = post(sender, way, body, count, end - now(), problem);
        if (outcome != LATER)
            return outcome;
        int64_t asked = asked_pause(sender), pause = asked ? asked : pause_before(attempt);
        if (asked)
            *problem = with_pause(*problem, asked);
        if (sender->replaces) {
            sender->not_before = asked ? now() + asked : 0;
            warn_once(sender, way, *problem);
        }
        if (sender->replaces || pause >= end - now())
            return LATER;
        warn_once(sender, way, *problem);
        free(*problem);
        *problem = NULL;
        sleep_for(pause);
    }
}

/* The receiver is not there, for no signal. */
static void give_up(struct otlp_sender *sender, const char *problem)
{
    for (unsigned i = 0; i < OTLP_SIGNALS; i++) {
        sender->ways[i].is_over = true;
        if (!sender->ways[i].problem)
            sender->ways[i].problem = memory_format("%s", problem);
    }
}

void otlp_send(struct otlp_sender *sender, enum otlp_signal signal, const struct bytes *body,
               uint64_t count)
{
    struct way *way = &sender->ways[signal];
    char *problem = NULL;
    way->total += count;
    way->has_last = false;
    if (way->is_over || now() < sender->not_before)
        return;
    uint64_t before = way->delivered;
    enum outcome outcome = deliver(sender, way, body, count, &problem);
    if (problem)
        set_problem(way, problem);
    way->is_over = outcome == REFUSED_ALL;
    way->has_last = way->delivered == before + count;
    if (outcome == LATER && !sender->replaces)
        give_up(sender, way->problem);
}

/* ---- The end. ---- */

static void append_count(struct bytes *to, unsigned signal, uint64_t count)
{
    text_natural(to, count);
    text_char(to, ' ');
    text_append(to, count == 1 ? signals[signal].one : signals[signal].several);
}

static char *loss_of(const struct way *way, unsigned signal)
{
    struct bytes total = {0};
    append_count(&total, signal, way->total);
    char *of = bytes_take_text(&total);
    char *text = memory_format("%s: %llu of %s not delivered", way->problem,
                               (unsigned long long)(way->total - way->delivered), of);
    free(of);
    return text;
}

/* False: the numbers that came last are there, which have all that is missing. */
static bool is_lost(const struct otlp_sender *sender, const struct way *way)
{
    return way->delivered < way->total && !(sender->replaces && way->has_last);
}

/* With advice after the last one. */
static void report_loss(const struct otlp_sender *sender, unsigned signal, bool is_last)
{
    const struct way *way = &sender->ways[signal];
    const struct diag_place place = {.file = way->url};
    char *text = loss_of(way, signal);
    if (!is_lost(sender, way))
        diag_warn(&place, text, "the last ones, which have the same totals, were delivered");
    else if (!is_last || sender->replaces)
        diag_refuse(&place, text, NULL, NULL, NULL);
    else
        diag_refuse(&place, text, NULL, NULL,
                    "export again, when the receiver takes them: the ids are the same each "
                    "time. OTEL_EXPORTER_OTLP_TIMEOUT is how long to try, in ms");
    free(text);
}

static int report_losses(const struct otlp_sender *sender)
{
    unsigned last = OTLP_SIGNALS;
    int result = 0;
    for (unsigned i = 0; i < OTLP_SIGNALS; i++)
        if (sender->ways[i].delivered < sender->ways[i].total)
            last = i;
    for (unsigned i = 0; i < OTLP_SIGNALS; i++)
        if (sender->ways[i].delivered < sender->ways[i].total) {
            report_loss(sender, i, i == last);
            result = is_lost(sender, &sender->ways[i]) ? -1 : result;
        }
    return result;
}

int otlp_finish(struct otlp_sender *sender)
{
    struct bytes text = {0};
    int result = report_losses(sender);
    for (unsigned i = 0; i < OTLP_SIGNALS; i++)
        if (sender->ways[i].delivered) {
            text_append(&text, text.size ? ", " : "");
            append_count(&text, i, sender->ways[i].delivered);
        }
    if (result == 0 || text.size) {
        char *delivered = bytes_take_text(&text);
        diag_summary("%s: %s", sender->url, *delivered ? delivered : "nothing to deliver");
        free(delivered);
    }
    free_sender(sender);
    return result;
}
