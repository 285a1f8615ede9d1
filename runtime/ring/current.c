/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See current.h. Below subscriptions, which have each site described before it can be hit; what
 * subscribes is recorder.c, above them.
 */
#include "current.h"

#include "callers.h"
#include "described.h"
#include "handed.h"
#include "meanings.h"
#include "metadata.h"
#include "recipe.h"

#include "process/early.h"
#include "process/fault.h"
#include "process/file.h"
#include "process/robust.h"
#include "shared/slice.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

SDT_EARLY struct sdt_recorder *_Atomic recorder_current; /* read at each end of a program */
int *recorder_process;

/* A number that no other class has, of this process and its children; 0: there is none left. */
static uint32_t new_number(struct ring_file *file)
{
    uint32_t number = atomic_fetch_add(&file->classes, 1) + 1;
    return number <= METADATA_MAX_CLASSES ? number : 0;
}

/* Whether the program passes an id itself, under the name that the context's would have. */
static bool passes_context(const struct event_class *class)
{
    bool passes = false;
    for (unsigned i = 0; i < class->count; i++) {
        struct slice name = {class->fields[i].name, class->fields[i].name_length};
        passes |= slice_is(name, "trace_id") || slice_is(name, "span_id");
    }
    return passes;
}

/* What SITE's events consist of; in MEANINGS, what its own memory is. */
static void describe(const struct sdt_recorder *recorder, const struct site *site,
                     struct event_class *class, struct meanings *meanings)
{
    const char *text = (const char *)record_target(&site->record->args);
    *class = (struct event_class){
        .number = new_number(recorder->storage.file),
        .provider = site->probe->provider,
        .name = site->probe->name,
        .source = site_file(site),
        .line = site->record->line,
        .function = site_function(site),
        .module = site_module(site),
        .file = site->probe->object->path,
        .build_id = site->probe->object->build_id,
        .count = site->args.count,
    };
    field_read(&site->args, text, class->fields);
    described_apply(recorder->description, class);
    class->callers = recorder->callers ? callers_name(class) : NULL;
    class->has_context = recorder->has_context && !passes_context(class);
    meanings_apply(meanings, class);
}

int recorder_describe(struct site *site)
{
    struct sdt_recorder *recorder = recorder_current;
    struct event_class class;
    struct meanings meanings;
    if (!recorder || site->is_bad || recipe_is_there(site, recorder->rings.generation))
        return 0;
    describe(recorder, site, &class, &meanings);
    int error = !class.number ? -ENOSPC : !recorder->text ? -ENOMEM : 0;
    if (!error)
        error = recipe_make(site, &class, recorder->callers, recorder->rings.generation);
    if (!error)
        metadata_event(recorder->text, &class);
    meanings_free(&meanings);
    return error;
}

/* All that is described, or nothing, to FD: what the metadata have already is END bytes. */
static int write_text(const struct sdt_recorder *recorder, int fd, off_t end)
{
    int error = end < 0 ? -errno : file_limit((uint64_t)end + recorder->length);
    ssize_t n = error ? -1 : write(fd, recorder->buffer, recorder->length);
    if (error || n == (ssize_t)recorder->length)
        return error;
    error = n < 0 ? -errno : -ENOSPC;
    bool is_last = lseek(fd, 0, SEEK_END) == end + n; /* no other process has added some */
    if (n > 0 && is_last && ftruncate(fd, end) != 0)
        error = -errno;
    return error;
}

/* It is opened each time, since programs may close descriptors that they do not know. */
static int add_metadata(struct sdt_recorder *recorder)
{
    int fd = openat(storage_directory(&recorder->storage), "metadata",
                    O_WRONLY | O_APPEND | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (fd < 0)
        return -errno;
    int error = write_text(recorder, fd, lseek(fd, 0, SEEK_END));
    close(fd);
    return error;
}

/* Renamed once they are written: if the process is killed meanwhile, no trace without a beginning
 * is read. */
static int make_metadata(struct sdt_recorder *recorder)
{
    static const char name[] = ".metadata";
    int directory = storage_directory(&recorder->storage);
    int fd = openat(directory, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0644);
    if (fd < 0)
        return -errno;
    int error = write_text(recorder, fd, 0);
    if (!error && renameat(directory, name, directory, "metadata") != 0)
        error = -errno;
    if (error)
        unlinkat(directory, name, 0);
    close(fd);
    return error;
}

/* Have the text written by HOW, if there is some, and begin another. */
static int write_described(struct sdt_recorder *recorder, int (*how)(struct sdt_recorder *))
{
    int error = fflush(recorder->text) == 0 ? 0 : -ENOMEM;
    if (!error && recorder->length)
        error = recorder->storage.handed
                    ? handed_put(&recorder->storage, recorder->buffer, recorder->length)
                    : how(recorder);
    fclose(recorder->text);
    free(recorder->buffer);
    recorder->buffer = NULL;
    recorder->text = open_memstream(&recorder->buffer, &recorder->length);
    return error;
}

int recorder_begin_metadata(struct sdt_recorder *recorder, const struct recorded_process *process)
{
    recorder->text = open_memstream(&recorder->buffer, &recorder->length);
    if (!recorder->text)
        return -ENOMEM;
    metadata_begin(recorder->text, recorder->storage.file, process);
    int error = write_described(recorder, make_metadata);
    return error ? error : recorder->text ? 0 : -ENOMEM;
}

int recorder_described(void)
{
    struct sdt_recorder *recorder = recorder_current;
    if (!recorder || !recorder->text)
        return 0;
    recorder->rings.is_guarded = fault_guard();
    recorder->rings.is_direct = recorder->rings.is_guarded && recorder->rings.cpus;
    return write_described(recorder, add_metadata);
}

/* ---- Processes. ---- */

int recorder_know_process(void)
{
    if (!recorder_process) {
        void *page =
            mmap(NULL, RING_PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (page == MAP_FAILED)
            return -ENOMEM;
        madvise(page, RING_PAGE, MADV_WIPEONFORK);
        recorder_process = page;
    }
    *recorder_process = (int)getpid();
    return 0;
}

void recorder_after_fork_child(void)
{
    struct sdt_recorder *recorder = recorder_current;
    if (!recorder)
        return;
    *recorder_process = (int)getpid();
    recorder->has_thread = false;
    robust_init(&recorder->draining);
}
