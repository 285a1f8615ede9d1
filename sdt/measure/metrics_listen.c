/* SPDX-License-Identifier: BSD-2-Clause */
/* See metrics_listen.h. metrics_listen_missing.c is for builds without libmicrohttpd. */
#include "metrics_listen.h"

#include "base/diag.h"

#include <dlfcn.h>
#include <microhttpd.h>
#include <netdb.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static const char library[] = "libmicrohttpd.so.12";

struct metrics_listener {
    int socket; /* the daemon's once that has started */
    void *library;
    __typeof__(MHD_start_daemon) *start;
    __typeof__(MHD_stop_daemon) *stop;
    __typeof__(MHD_create_response_from_buffer) *create_response;
    __typeof__(MHD_add_response_header) *add_header;
    __typeof__(MHD_queue_response) *queue_response;
    __typeof__(MHD_destroy_response) *destroy_response;
    struct MHD_Daemon *daemon; /* NULL: not started */
    pthread_mutex_t lock;      /* of TEXT */
    struct bytes text;
};

/* ---- Its thread. ---- */

static enum MHD_Result respond(struct metrics_listener *listener, struct MHD_Connection *connection,
                               unsigned status, const char *type, struct bytes text)
{
    struct MHD_Response *response =
        listener->create_response(text.size, text.data, MHD_RESPMEM_MUST_COPY);
    if (!response)
        return MHD_NO;
    listener->add_header(response, MHD_HTTP_HEADER_CONTENT_TYPE, type);
    enum MHD_Result result = listener->queue_response(connection, status, response);
    listener->destroy_response(response);
    return result;
}

static enum MHD_Result answer(void *data, struct MHD_Connection *connection, const char *url,
                              const char *method, const char *version, const char *upload,
                              size_t *upload_size, void **request)
{
    static const char type[] = "application/openmetrics-text; version=1.0.0; charset=utf-8";
    static char other[] = "The metrics are at /metrics.\n";
    struct metrics_listener *listener = data;
    struct bytes text = {.data = (uint8_t *)other, .size = strlen(other)};
    (void)version, (void)upload, (void)request;
    *upload_size = 0;
    if (strcmp(method, MHD_HTTP_METHOD_GET) != 0 && strcmp(method, MHD_HTTP_METHOD_HEAD) != 0)
        return respond(listener, connection, MHD_HTTP_METHOD_NOT_ALLOWED, "text/plain", text);
    if (strcmp(url, "/metrics") != 0)
        return respond(listener, connection, MHD_HTTP_NOT_FOUND, "text/plain", text);
    pthread_mutex_lock(&listener->lock);
    enum MHD_Result result = respond(listener, connection, MHD_HTTP_OK, type, listener->text);
    pthread_mutex_unlock(&listener->lock);
    return result;
}

/* Signals are for the thread that waits for them. */
static int start(struct metrics_listener *listener)
{
    enum { CONNECTIONS = 16, SECONDS = 10 };
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    listener->daemon = listener->start(
        MHD_USE_AUTO | MHD_USE_INTERNAL_POLLING_THREAD, 0, NULL, NULL, answer, listener,
        MHD_OPTION_LISTEN_SOCKET, listener->socket, MHD_OPTION_CONNECTION_LIMIT,
        (unsigned)CONNECTIONS, MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)SECONDS, MHD_OPTION_END);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return listener->daemon ? 0 : diag_error("%s cannot start its thread", library);
}

/* ---- Ours. ---- */

static int load(struct metrics_listener *listener)
{
    const struct {
        const char *name;
        void *to;
    } functions[] = {
        {"MHD_start_daemon", &listener->start},
        {"MHD_stop_daemon", &listener->stop},
        {"MHD_create_response_from_buffer", &listener->create_response},
        {"MHD_add_response_header", &listener->add_header},
        {"MHD_queue_response", &listener->queue_response},
        {"MHD_destroy_response", &listener->destroy_response},
    };
    listener->library = dlopen(library, RTLD_NOW);
    bool is_there = listener->library != NULL;
    for (size_t i = 0; is_there && i < sizeof functions / sizeof *functions; i++) {
        void *function = dlsym(listener->library, functions[i].name);
        memcpy(functions[i].to, &function, sizeof function);
        is_there = function != NULL;
    }
    return is_there ? 0 : diag_error("--listen needs the library %s", library);
}

/* HOST:PORT, perhaps with brackets around HOST. NULL, after a message: it is none. */
static struct addrinfo *find(const char *address)
{
    const char *colon = strrchr(address, ':');
    bool has_brackets = *address == '[' && colon && colon[-1] == ']';
    struct addrinfo *found = NULL;
    const struct addrinfo hints = {.ai_socktype = SOCK_STREAM,
                                   .ai_flags = AI_PASSIVE | AI_NUMERICSERV};
    int error = EAI_NONAME;
    if (colon && colon != address) {
        size_t length = (size_t)(colon - address);
        char *host = has_brackets ? memory_format("%.*s", (int)length - 2, address + 1)
                                  : memory_format("%.*s", (int)length, address);
        error = getaddrinfo(host, colon + 1, &hints, &found);
        free(host);
    }
    if (error)
        diag_error("%s: this is no address to listen at: HOST:PORT, as in 127.0.0.1:9464", address);
    return error ? NULL : found;
}

static int occupy(const char *address)
{
    struct addrinfo *found = find(address);
    if (!found)
        return -1;
    int yes = 1, fd = socket(found->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd >= 0)
        setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    if (fd < 0 || bind(fd, found->ai_addr, found->ai_addrlen) != 0 || listen(fd, SOMAXCONN) != 0) {
        diag_errno("cannot listen at %s", address);
        if (fd >= 0)
            close(fd);
        fd = -1;
    }
    freeaddrinfo(found);
    return fd;
}

struct metrics_listener *metrics_listen(const char *address)
{
    struct metrics_listener *listener = memory_zeroed(1, sizeof *listener);
    pthread_mutex_init(&listener->lock, NULL);
    listener->socket = -1;
    if (load(listener) == 0)
        listener->socket = occupy(address);
    if (listener->socket >= 0)
        return listener;
    metrics_listen_end(listener);
    return NULL;
}

int metrics_listen_put(struct metrics_listener *listener, const struct bytes *text)
{
    pthread_mutex_lock(&listener->lock);
    listener->text.size = 0;
    bytes_append(&listener->text, text->data, text->size);
    pthread_mutex_unlock(&listener->lock);
    return listener->daemon ? 0 : start(listener);
}

void metrics_listen_end(struct metrics_listener *listener)
{
    if (!listener)
        return;
    if (listener->daemon)
        listener->stop(listener->daemon); /* closes the socket */
    else if (listener->socket >= 0)
        close(listener->socket);
    if (listener->library)
        dlclose(listener->library);
    pthread_mutex_destroy(&listener->lock);
    bytes_free(&listener->text);
    free(listener);
}
