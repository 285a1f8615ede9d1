/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The runtime for machines that are not supported: the whole API, without an implementation.
 *
 * There <sdt/probe.h> makes no probes, so there is nothing to enable, to visit or to count.
 * Functions that return an error number return -ENOTSUP, so that a program that watches itself can
 * say why it sees nothing. The library exports what it exports elsewhere (libsdt.map): makefiles
 * and linker options stay the same.
 *
 * No handler is ever called. So the functions that take a struct sdt_event exist only to be linked,
 * and answer as for a missing argument.
 *
 * The alternative, an empty library and macros in place of the functions, would take them away from
 * those who load the library by dlopen(), or call it from another language.
 */
#include <sdt/record.h>
#include <sdt/runtime.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#define EXPORTED __attribute__((visibility("default")))
/* A function that does the same as another with these arguments. */
#define LIKE(other) __attribute__((alias(#other)))

/* ---- what turns probes on and off ---- */

int sdt_enable(const char *pattern, sdt_handler *handler, void *data)
{
    return sdt_enable_mode(pattern, handler, data, SDT_MODE_AUTO);
}

int sdt_enable_mode(const char *pattern, sdt_handler *handler, void *data, int mode)
{
    (void)pattern, (void)handler, (void)data, (void)mode;
    return -ENOTSUP;
}

int sdt_disable(int subscription)
{
    (void)subscription;
    return -ENOTSUP;
}

int sdt_foreach(const char *pattern, int (*visit)(const struct sdt_probe_info *site, void *data),
                void *data)
{
    (void)pattern, (void)visit, (void)data;
    return -ENOTSUP;
}

uint64_t sdt_hits(const char *pattern)
{
    (void)pattern;
    return 0;
}

int sdt_context(const struct sdt_trace_context *const *slot)
{
    (void)slot;
    return -ENOTSUP;
}

int sdt_attachable(void)
{
    return -ENOTSUP;
}

/* ---- inside handlers ---- */

unsigned sdt_nargs(const struct sdt_event *event)
{
    (void)event;
    return 0;
}

uint64_t sdt_arg(const struct sdt_event *event, unsigned index)
{
    (void)event, (void)index;
    return 0;
}

/* NOLINTNEXTLINE(readability-non-const-parameter): as it is declared */
unsigned sdt_args(const struct sdt_event *event, uint64_t *words, unsigned n)
{
    (void)event, (void)words, (void)n;
    return 0;
}

double sdt_arg_double(const struct sdt_event *event, unsigned index)
{
    (void)event, (void)index;
    return 0;
}

const char *sdt_arg_name(const struct sdt_event *event, unsigned index)
{
    (void)event, (void)index;
    return "";
}
const char *sdt_arg_type(const struct sdt_event *event, unsigned index) LIKE(sdt_arg_name);

const char *sdt_provider(const struct sdt_event *event)
{
    (void)event;
    return "";
}
const char *sdt_name(const struct sdt_event *event) LIKE(sdt_provider);
const char *sdt_function(const struct sdt_event *event) LIKE(sdt_provider);
const char *sdt_module(const struct sdt_event *event) LIKE(sdt_provider);

const void *sdt_pc(const struct sdt_event *event)
{
    (void)event;
    return NULL;
}

/* ---- the recorder ---- */

int sdt_record_create(const char *directory, const struct sdt_record_options *options,
                      struct sdt_recorder **recorder)
{
    (void)directory, (void)options, (void)recorder;
    return -ENOTSUP;
}

int sdt_record_add(struct sdt_recorder *recorder, const char *pattern)
{
    (void)recorder, (void)pattern;
    return -ENOTSUP;
}

int sdt_record_flush(struct sdt_recorder *recorder)
{
    (void)recorder;
    return -ENOTSUP;
}
int sdt_record_start(struct sdt_recorder *recorder) LIKE(sdt_record_flush);
int sdt_record_stop(struct sdt_recorder *recorder) LIKE(sdt_record_flush);
int sdt_record_destroy(struct sdt_recorder *recorder) LIKE(sdt_record_flush);

int sdt_snapshot_when(struct sdt_recorder *recorder, const char *pattern, const char *condition)
{
    (void)recorder, (void)pattern, (void)condition;
    return -ENOTSUP;
}

int sdt_record_stats(const struct sdt_recorder *recorder, struct sdt_record_stats *stats)
{
    (void)recorder, (void)stats;
    return -ENOTSUP;
}

/* ---- words ---- */

const char *sdt_version(void)
{
    return SDT_VERSION;
}

const char *sdt_strerror(int error)
{
    switch (error < 0 ? -error : error) {
    case 0:
        return "success";
    case ENOTSUP:
        return "probes are not supported on this machine: sdt_probe(3) names those that are";
    default:
        return "unknown error";
    }
}

/* ---- what linker options may name, but is never called ---- */

struct sdt_dso;
EXPORTED void __sdt_register(struct sdt_dso *dso);
EXPORTED void __sdt_unregister(struct sdt_dso *dso);

void __sdt_register(struct sdt_dso *dso)
{
    (void)dso;
}

void __sdt_unregister(struct sdt_dso *dso)
{
    (void)dso;
}

/* ---- the environment ---- */

static _Bool is_set(const char *name)
{
    const char *value = getenv(name);
    return value && *value && strcmp(value, "0") != 0;
}

/* Nothing is printed unless SDT_DEBUG asks for it, nor read in a set-user-ID program: as elsewhere.
 * One write, so that the line stays whole. */
__attribute__((constructor)) static void none_start(void)
{
    static const char line[] =
        "libsdt " SDT_VERSION ": probes are not supported on this machine: SDT_ENABLE, SDT_RECORD, "
        "SDT_ATTACH and SDT_STOCK have no effect\n";
    if (getauxval(AT_SECURE) || !is_set("SDT_DEBUG"))
        return;
    if (write(STDERR_FILENO, line, sizeof line - 1) < 0)
        return; /* there is no other place to report it */
}
