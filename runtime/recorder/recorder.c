/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See recorder.h. There is one recorder at a time in a process (current.h). Its rings and files are
 * made by storage.c, what is in the files by metadata.c, drain.c and writing.c, and the hit is
 * hit.c's.
 */
#define _GNU_SOURCE
#include "recorder.h"

#include "ring/clock.h"
#include "ring/current.h"
#include "ring/described.h"
#include "ring/handed.h"
#include "ring/metadata.h"
#include "snapshot.h"
#include "writing.h"

#include "hit/counters.h"
#include "hit/sync.h"
#include "process/context.h"
#include "process/lock.h"
#include "process/msan.h"
#include "process/robust.h"
#include "process/say.h"
#include "subscribe/subscribe.h"
#include "unwind/stack.h"

#include <errno.h>
#include <limits.h>
#include <machine/frame.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

enum { RINGS_OF_THREADS = 64, DEFAULT_TEXT = 256, DEFAULT_PACKET = 1 << 16 };

static uint32_t generations;
struct sdt_recorder *recorder_initial;

/* Have hits know the modules that there are now, which are printed to OUT. */
static int refresh_callers(FILE *out)
{
    struct stack_table *old;
    int error = stack_refresh(metadata_module, out, &old);
    if (old && !sync_in_handler()) { /* else it stays: hits may be walking by it */
        sync_wait();
        stack_free(old);
    }
    return error;
}

/* By a thread of our own; RECORDER does not end meanwhile. */
int recorder_refresh(struct sdt_recorder *recorder)
{
    char *text = NULL;
    size_t length = 0;
    if (recorder->has_context)
        context_find();
    if (!recorder->callers || !stack_is_new())
        return 0;
    FILE *out = open_memstream(&text, &length);
    int error = out ? refresh_callers(out) : -ENOMEM;
    if (out)
        fclose(out);
    if (!error)
        error = subscribe_begin();
    if (!error) {
        if (recorder->text)
            fwrite(text, 1, length, recorder->text);
        error = recorder_described();
        lock_release();
    }
    free(text);
    return error;
}

/* ---- Making one. ---- */

/* 64 MiB for all, but not too little or too much for one. */
static size_t default_ring(uint32_t cpus)
{
    size_t size = 4u << 20;
    while (size > 256u << 10 && size * cpus > 64u << 20)
        size /= 2;
    return size;
}

/* The sizes and the kind of the rings. */
static int choose(const struct sdt_record_options *options, struct ring_file *file,
                  struct rings *rings)
{
    if (options->stack && !FRAME_IS_WALKED)
        return -ENOTSUP;
    bool has_sequences = counters_start();
    uint32_t cpus = has_sequences ? (uint32_t)counters_cpus : RINGS_OF_THREADS;
    size_t ring = options->ring_size ? options->ring_size : default_ring(cpus);
    size_t packet = options->packet_size ? options->packet_size : DEFAULT_PACKET;
    while (!options->packet_size && packet > ring / 4)
        packet /= 2;
    if (!ring_is_power_of_two(ring) || !ring_is_power_of_two(packet) ||
        packet < RING_LEAST_PACKET || packet > ring / 2 || packet > RING_MAX_PACKET ||
        ring > (size_t)1 << 30 || options->stack > MAX_STACK ||
        options->text_size > RECORD_MAX_TEXT ||
        (options->flags &
         ~(SDT_RECORD_FLIGHT | SDT_RECORD_THREAD | SDT_RECORD_STOPPED | SDT_RECORD_CONTEXT)) != 0)
        return -EINVAL;
    *file = (struct ring_file){.magic = RING_MAGIC,
                               .version = 1,
                               .cpus = cpus,
                               .packet = (uint32_t)packet,
                               .packets = (uint32_t)(ring / packet),
                               .is_flight = options->flags & SDT_RECORD_FLIGHT,
                               .pid = (uint32_t)getpid(),
                               .is_per_thread = !has_sequences};
    ssize_t random = getrandom(file->uuid, sizeof file->uuid, 0);
    (void)random;                                             /* none: zeros */
    file->uuid[6] = (uint8_t)((file->uuid[6] & 0x0f) | 0x40); /* RFC 4122: random */
    file->uuid[8] = (uint8_t)((file->uuid[8] & 0x3f) | 0x80);
    rings->is_per_thread = file->is_per_thread;
    rings->text = options->text_size ? options->text_size : DEFAULT_TEXT;
    return 0;
}

/* Whether what follows the last slash of argv[0] is still a name. Daemons write titles over it: the
 * pointer then leads to any part of "nginx: master process /usr/sbin/nginx". */
static bool is_name(const char *all, const char *last)
{
    if (!all || !last || !*last || *last == '.' || (last != all && last[-1] != '/'))
        return false;
    for (; *last; last++)
        if (*last <= ' ' || *last == '/' || *last == ':' || *last == 0x7f)
            return false;
    return true;
}

/* The name of the program, for a file. */
static const char *program_name(void)
{
    static char path[PATH_MAX];
    if (is_name(program_invocation_name, program_invocation_short_name))
        return program_invocation_short_name;
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    path[length > 0 ? length : 0] = '\0';
    const char *slash = strrchr(path, '/');
    return slash && slash[1] ? slash + 1 : "program";
}

/* What identifies the namespace NAME of this process; 0: unknown. */
static uint64_t space_number(const char *name)
{
    struct stat status;
    return stat(name, &status) == 0 ? status.st_ino : 0;
}

static int begin_metadata(struct sdt_recorder *recorder)
{
    struct utsname host;
    struct recorded_process self = {(int)getpid(), program_name(), "",
                                    space_number("/proc/self/ns/pid"),
                                    space_number("/proc/self/ns/time")};
    if (uname(&host) == 0)
        self.host = host.nodename;
    return recorder_begin_metadata(recorder, &self);
}

/* A subscription of a recorder. Threads add them at the same time, so the list takes no lock. */
struct owned {
    struct owned *next;
    int id;
    struct trigger *trigger; /* what its handler evaluates; NULL: it records */
};

static void free_recorder(struct sdt_recorder *recorder)
{
    if (recorder->text)
        fclose(recorder->text);
    free(recorder->buffer);
    for (struct owned *owned = recorder->owned, *next; owned; owned = next) {
        next = owned->next;
        free(owned->trigger);
        free(owned);
    }
    describe_free(recorder->description);
    if (recorder->drain.streams)
        drain_end(&recorder->drain);
    storage_close(&recorder->storage);
    free(recorder);
}

static int destroy(struct sdt_recorder *recorder);

/* Without a DIRECTORY, for a tool that has described what the options do not. */
static int make(struct sdt_recorder *recorder, const char *directory,
                const struct sdt_record_options *options)
{
    struct ring_file wanted;
    int error = choose(options, &wanted, &recorder->rings);
    if (!error && options->describe && directory)
        error = described_load(options->describe, &recorder->description);
    if (!error)
        error = recorder_know_process();
    if (error)
        return error;
    clock_start(&wanted);
    error = directory ? storage_make(&recorder->storage, directory, program_name(), &wanted)
                      : handed_make(&recorder->storage, &wanted);
    if (error)
        return error;
    recorder->rings.file = recorder->storage.file;
    recorder->rings.stride = ring_stride(&wanted);
    recorder->rings.first = (char *)ring_of(recorder->storage.file, 0, 0);
    recorder->rings.mask = (uint64_t)wanted.packet * wanted.packets - 1;
    recorder->rings.packet_mask = ~(uint64_t)(wanted.packet - 1);
    recorder->rings.cpus = recorder->rings.is_per_thread || !wanted.is_tsc ? 0 : wanted.cpus;
    recorder->rings.pid = recorder_process;
    recorder->rings.is_tsc = wanted.is_tsc;
    recorder->rings.is_on = !(options->flags & SDT_RECORD_STOPPED);
    recorder->rings.generation = ++generations;
    recorder->callers = options->stack;
    recorder->has_context = options->flags & SDT_RECORD_CONTEXT;
    if (recorder->has_context)
        context_find();
    error = begin_metadata(recorder);
    if (!error && recorder->callers)
        error = refresh_callers(recorder->text);
    if (!error)
        error = drain_begin(&recorder->drain, recorder->storage.directory.fd,
                            recorder->storage.file, ring_size(&wanted));
    if (error)
        storage_unmake(&recorder->storage);
    return error;
}

/* The DESCRIPTION becomes the recorder's. */
static int create_in(const char *directory, const struct sdt_record_options *given,
                     struct description *description, struct sdt_recorder **result)
{
    struct sdt_record_options options = {0};
    struct sdt_recorder *nobody = NULL;
    int error = recorder_current ? -EBUSY : 0;
    struct sdt_recorder *recorder = error ? NULL : calloc(1, sizeof *recorder);
    if (!recorder) {
        describe_free(description);
        return error ? error : -ENOMEM;
    }
    if (given)
        memcpy(&options, given, given->size < sizeof options ? given->size : sizeof options);
    recorder->description = description;
    storage_nothing(&recorder->storage);
    robust_init(&recorder->draining);
    error = make(recorder, directory, &options);
    if (!error && !atomic_compare_exchange_strong(&recorder_current, &nobody, recorder)) {
        storage_unmake(&recorder->storage);
        error = -EBUSY;
    }
    if (error) {
        free_recorder(recorder);
        return error;
    }
    error = subscribe_begin();
    if (!error) {
        error = recorder_described();
        lock_release();
    }
    if (!error && (options.flags & SDT_RECORD_THREAD))
        error = writing_start_thread(recorder);
    if (error) {
        destroy(recorder);
        return error;
    }
    *result = recorder;
    atomic_store(&recorder_rings, &recorder->rings);
    return 0;
}

static int create(const char *directory, const struct sdt_record_options *options,
                  struct sdt_recorder **recorder)
{
    return create_in(directory, options, NULL, recorder);
}

int recorder_hand_over(const struct sdt_record_options *options, struct description *description,
                       struct sdt_recorder **recorder, int *rings)
{
    int error = create_in(NULL, options, description, recorder);
    if (error)
        return error;
    *rings = (*recorder)->storage.rings;
    (*recorder)->storage.rings = -1; /* the mapping is enough */
    return 0;
}

/* ---- Using it. ---- */

void *recorder_data(struct sdt_recorder *recorder)
{
    return &recorder->rings;
}

/* Subscribe HANDLER with DATA for RECORDER, which then owns the subscription, and TRIGGER. */
static int own(struct sdt_recorder *recorder, const char *pattern, sdt_handler *handler, void *data,
               int mode, struct trigger *trigger)
{
    struct owned *owned = malloc(sizeof *owned);
    if (!owned)
        return -ENOMEM;
    owned->trigger = trigger;
    owned->id = subscribe(pattern, strlen(pattern), handler, data, mode, SUBSCRIBE_NOW);
    if (owned->id < 0) {
        int error = owned->id;
        free(owned);
        return error;
    }
    owned->next = atomic_load(&recorder->owned);
    while (!atomic_compare_exchange_weak(&recorder->owned, &owned->next, owned))
        ;
    return 0;
}

static int add(struct sdt_recorder *recorder, const char *pattern)
{
    return own(recorder, pattern, recorder_hit, &recorder->rings,
               SDT_MODE_AUTO | SUBSCRIBE_GENERAL_REGS, NULL);
}

/* Have the pattern recorded first, so that the event is there before recording stops. */
static int when(struct sdt_recorder *recorder, const char *pattern, const char *condition)
{
    int error;
    context_find(); /* the condition may be on its ids */
    struct trigger *trigger =
        snapshot_trigger(condition, &recorder->rings, recorder->storage.file, &error);
    if (!trigger)
        return error;
    error = add(recorder, pattern);
    if (!error)
        error = writing_start_thread(recorder);
    if (!error)
        error = own(recorder, pattern, snapshot_hit, trigger, SDT_MODE_AUTO, trigger);
    if (error)
        free(trigger);
    return error;
}

static int switch_on(struct sdt_recorder *recorder, int on)
{
    atomic_store(&recorder->rings.is_on, on != 0);
    return 0;
}

static int stats(const struct sdt_recorder *recorder, struct sdt_record_stats *result)
{
    struct sdt_record_stats all = {.size = result->size < sizeof all ? result->size : sizeof all,
                                   .lost = drain_lost(&recorder->drain),
                                   .bytes = atomic_load(&recorder->drain.bytes),
                                   .snapshots = atomic_load(&recorder->storage.file->snapshots)};
    for (uint32_t i = 0; i < recorder->storage.file->cpus; i++)
        all.used += atomic_load(&ring_of(recorder->storage.file, recorder->rings.stride, i)->head);
    memcpy(result, &all, all.size);
    return 0;
}

static int destroy(struct sdt_recorder *recorder)
{
    bool is_used = false;
    switch_on(recorder, 0);
    for (const struct owned *owned = recorder->owned; owned; owned = owned->next) {
        int left = unsubscribe(owned->id);
        is_used = (left != 0 && left != -ENOENT) || is_used;
    }
    writing_end_thread(recorder);
    int error = writing_finish(recorder);
    recorder_current = NULL;
    atomic_store(&recorder_rings, NULL);
    if (!is_used && !sync_in_handler()) { /* else a hit may be in it: it stays */
        sync_wait();                      /* for those that have found the rings above */
        free_recorder(recorder);
    }
    return error;
}

const struct recording recorder_functions = {create,        add,   when,   switch_on,
                                             writing_flush, stats, destroy};

/* ---- Processes. ---- */

/*
 * The events in TRACE cannot be written, as long as there is no room if IS_FULL. Said also without
 * SDT_DEBUG: who set SDT_RECORD waits for a recording.
 */
static void report_unwritten(const char *trace, int error, bool is_full)
{
    const char *slash = strrchr(trace, '/');
    say("%s: %s; what is not written stays in memory: %s 'sdt recover %.*s'", trace,
        strerror(-error), is_full ? "make room, then run" : "run",
        slash ? (int)(slash - trace) : (int)strlen(trace), trace);
}

/* After the program's own: they may still be recorded. */
__attribute__((destructor(101))) static void end_of_process(void)
{
    MSAN_LOOKS_AWAY;
    struct sdt_recorder *recorder = recorder_current;
    if (!recorder)
        return;
    writing_end_thread(recorder);
    int error = writing_finish(recorder);
    if (error && recorder == recorder_initial) /* no caller gets the error */
        report_unwritten(recorder->storage.path, error, storage_is_full(error));
}
