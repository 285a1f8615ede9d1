/* SPDX-License-Identifier: BSD-2-Clause */
/* See noted.h. A line is a word that says what it is, and others, spelt as in the metadata. Nothing
 * is trusted; lines of later versions are passed over. */
#include "noted.h"

#include "base/diag.h"
#include "metadata.h"

#include <errno.h>
#include <fcntl.h>
#include <ring/noted.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MAX_NOTES = 1 << 24, MAX_PAIRS = 64 };

static void read_pair(struct recording *recording, struct trace *trace, char *rest)
{
    const char *pair = metadata_word(&rest);
    if (!pair || trace->pair_count == MAX_PAIRS)
        return;
    trace->pairs = memory_resize(trace->pairs, trace->pair_count + 1, sizeof *trace->pairs);
    trace->pairs[trace->pair_count++] = arena_keep(&recording->arena, pair, strlen(pair) + 1);
}

/* The number that is next in REST, of at most MOST. */
static bool read_number(char **rest, uint64_t most, uint64_t *number)
{
    const char *word = metadata_word(rest);
    char *end;
    errno = 0;
    *number = word ? strtoull(word, &end, 10) : 0;
    return word && *word >= '0' && *word <= '9' && !*end && !errno && *number <= most;
}

static void read_snapshot(struct trace *trace, char *rest)
{
    uint64_t time, ns, pid, tid, class;
    if (!read_number(&rest, UINT64_MAX, &time) || !read_number(&rest, UINT64_MAX, &ns) ||
        !read_number(&rest, UINT32_MAX, &pid) || !read_number(&rest, UINT32_MAX, &tid) ||
        !read_number(&rest, UINT32_MAX, &class))
        return;
    size_t count = trace->snapshot_count + 1;
    trace->snapshots = memory_resize(trace->snapshots, count, sizeof *trace->snapshots);
    trace->snapshots[trace->snapshot_count++] =
        (struct trace_snapshot){time, ns, (uint32_t)pid, (uint32_t)tid, (uint32_t) class};
}

static void read_text(struct recording *recording, struct trace *trace, char *text)
{
    for (char *end; (end = strchr(text, '\n')); text = end + 1) {
        *end = '\0';
        const char *what = metadata_word(&text);
        if (what && !strcmp(what, "pair"))
            read_pair(recording, trace, text);
        else if (what && !strcmp(what, "snapshot"))
            read_snapshot(trace, text);
    }
}

void noted_read(struct recording *recording, struct trace *trace)
{
    struct stat status;
    char *path = memory_format("%s/" NOTED_FILE, trace->path);
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW);
    bool is_right = fd >= 0 && fstat(fd, &status) == 0 && S_ISREG(status.st_mode) &&
                    status.st_size <= MAX_NOTES;
    char *text = is_right ? memory_zeroed((size_t)status.st_size + 1, 1) : NULL;
    if (text && read(fd, text, (size_t)status.st_size) == (ssize_t)status.st_size)
        read_text(recording, trace, text);
    else if (fd >= 0)
        diag_warn(&(struct diag_place){.file = path}, "this cannot be read: it is left out", NULL);
    if (fd >= 0)
        close(fd);
    free(text);
    free(path);
}
