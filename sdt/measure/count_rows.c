/* SPDX-License-Identifier: BSD-2-Clause */
/* See count_rows.h. */
#include "count_rows.h"

#include "base/memory.h"
#include "compile/live_probes.h"

#include <fcntl.h>
#include <shared/lower_bound.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PAGE = 4096, MAX_PAGES = 65537 };

/* A file of the process, mapped. */
struct count_file {
    struct count_file *next;
    uint64_t inode;
    uint8_t *bytes;
    size_t size;
};

static struct count_file *map_file(struct count_rows *rows, const struct attached *process,
                                   const struct live_site *site)
{
    struct stat status;
    struct count_file *file = rows->files;
    while (file && file->inode != site->inode)
        file = file->next;
    if (file || site->file < 0) /* that it has closed we may have mapped before */
        return file;
    int fd = attach_file(process, site->file, site->inode, LIVE_COUNTERS, O_RDONLY);
    if (fd < 0)
        return NULL;
    void *bytes = MAP_FAILED;
    if (fstat(fd, &status) == 0 && status.st_size <= (off_t)PAGE * MAX_PAGES)
        bytes = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_SHARED, fd, 0);
    close(fd);
    if (bytes == MAP_FAILED)
        return NULL;
    file = memory_zeroed(1, sizeof *file);
    *file = (struct count_file){rows->files, site->inode, bytes, (size_t)status.st_size};
    rows->files = file;
    return file;
}

/* Where SITE's words are; NULL: nowhere that could be right. */
static const uint8_t *words_at(struct count_rows *rows, const struct attached *process,
                               const struct live_site *site)
{
    if (site->pages == 0 || site->pages > MAX_PAGES || site->offset > PAGE - sizeof(uint64_t) ||
        site->offset % sizeof(uint64_t) != 0)
        return NULL;
    const struct count_file *file = map_file(rows, process, site);
    return file && (size_t)site->pages * PAGE <= file->size ? file->bytes : NULL;
}

static uint64_t sum(const struct count_words *words)
{
    uint64_t all = 0;
    for (size_t page = 0; page < words->pages; page++)
        all += __atomic_load_n((const uint64_t *)(words->file + page * PAGE + words->offset),
                               __ATOMIC_RELAXED);
    return all;
}

static int compare(const struct count_row *row, const char *provider, const char *name)
{
    int order = strcmp(row->provider, provider);
    return order ? order : strcmp(row->name, name);
}

struct count_row *count_rows_row(struct count_rows *rows, const char *provider, const char *name)
{
    size_t low = LOWER_BOUND(i, rows->count, compare(&rows->row[i], provider, name) < 0);
    if (low < rows->count && compare(&rows->row[low], provider, name) == 0)
        return &rows->row[low];
    if ((rows->count & (rows->count + 1)) == 0) /* 0, 1, 3, 7 … */
        rows->row = memory_resize(rows->row, 2 * rows->count + 1, sizeof *rows->row);
    memmove(&rows->row[low + 1], &rows->row[low], (rows->count - low) * sizeof *rows->row);
    rows->count++;
    rows->row[low] = (struct count_row){.provider = memory_format("%s", provider),
                                        .name = memory_format("%s", name)};
    return &rows->row[low];
}

static struct count_words *find_words(const struct count_row *row, const struct live_site *site,
                                      const uint8_t *file)
{
    for (size_t i = 0; i < row->count; i++) {
        struct count_words *words = &row->words[i];
        if (file ? words->file == file && words->offset == site->offset
                 : !words->file && !strcmp(words->module, site->module))
            return words;
    }
    return NULL;
}

static void add_words(struct count_row *row, const struct live_site *site, const uint8_t *file,
                      bool has_begun)
{
    struct count_words words = {.inode = file ? site->inode : 0,
                                .offset = site->offset,
                                .pages = site->pages,
                                .file = file,
                                .module = memory_format("%s", site->module),
                                .is_listed = true};
    words.last = file ? sum(&words) : site->hits;
    words.base = has_begun ? 0 : words.last;
    row->words = memory_resize(row->words, row->count + 1, sizeof *row->words);
    row->words[row->count++] = words;
}

static void learn_site(struct count_rows *rows, const struct attached *process,
                       const struct live_site *site, bool has_begun)
{
    struct count_row *row = count_rows_row(rows, site->provider, site->name);
    const uint8_t *file = words_at(rows, process, site);
    struct count_words *words = find_words(row, site, file);
    struct count_words *before = file ? find_words(row, site, NULL) : NULL;
    if (before) { /* it was counted nowhere, or not in words that tools see */
        row->gone += before->last - before->base;
        free(before->module);
        /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): BEFORE is one of the words */
        *before = row->words[--row->count];
        add_words(row, site, file, true); /* which were new */
    } else if (!words) {
        add_words(row, site, file, has_begun);
    } else {
        words->is_listed = true;
        words->last = file ? words->last : site->hits;
    }
    rows->must_ask = rows->must_ask || !file;
}

/* Words whose object is gone: what they have is all there will be, if they are still its own. What
 * only the process could tell, it has not told to the end. */
static void forget(struct count_row *row, bool are_own)
{
    size_t kept = 0;
    for (size_t i = 0; i < row->count; i++) {
        struct count_words *words = &row->words[i];
        if (words->is_listed) {
            row->words[kept++] = *words;
        } else {
            words->last = words->file && are_own ? sum(words) : words->last;
            row->is_untold = row->is_untold || !words->file;
            row->gone += words->last - words->base;
            free(words->module);
        }
    }
    row->count = kept;
}

void count_rows_note_armed(struct count_rows *rows, const struct live_sites *sites)
{
    for (size_t i = 0; i < sites->count; i++) {
        const struct live_site *site = &sites->site[i];
        struct count_row *row = count_rows_row(rows, site->provider, site->name);
        row->sites += !live_site_is_question(site);
        row->armed += !live_site_is_question(site) && live_site_is_on(site);
    }
}

size_t count_rows_untold(struct count_rows *rows, bool has_ended)
{
    size_t n = 0;
    for (size_t i = 0; i < rows->count; i++) {
        struct count_row *row = &rows->row[i];
        bool could_count = row->armed || !row->sites;
        for (size_t k = 0; k < row->count && has_ended && could_count; k++)
            row->is_untold = row->is_untold || !row->words[k].file;
        n += row->is_untold;
    }
    return n;
}

void count_rows_learn(struct count_rows *rows, const struct attached *process,
                      const struct live_sites *sites, bool has_begun)
{
    rows->must_ask = false;
    for (size_t i = 0; i < rows->count; i++)
        for (size_t k = 0; k < rows->row[i].count; k++)
            rows->row[i].words[k].is_listed = false;
    for (size_t i = 0; i < sites->count; i++)
        learn_site(rows, process, &sites->site[i], has_begun);
    for (size_t i = 0; i < rows->count; i++)
        forget(&rows->row[i], atomic_load(&process->page->freed) == rows->freed);
    /* As if no site had been listed. */
    for (size_t i = 0; i < rows->count; i++)
        rows->row[i].sites = rows->row[i].armed = 0;
    if (has_begun)
        count_rows_note_armed(rows, sites);
}

void count_rows_read(struct count_rows *rows, const struct live_page *page)
{
    for (size_t i = 0; i < rows->count; i++) {
        struct count_row *row = &rows->row[i];
        row->total = row->gone;
        for (size_t k = 0; k < row->count; k++) {
            struct count_words *words = &row->words[k];
            uint64_t now = words->file ? sum(words) : words->last;
            if (atomic_load(&page->freed) == rows->freed)
                words->last = now;
            row->total += words->last - words->base;
        }
    }
}

void count_rows_free(struct count_rows *rows)
{
    for (size_t i = 0; i < rows->count; i++) {
        struct count_row *row = &rows->row[i];
        for (size_t k = 0; k < row->count; k++)
            free(row->words[k].module);
        free(row->words);
        free(row->provider);
        free(row->name);
    }
    free(rows->row);
    while (rows->files) {
        struct count_file *next = rows->files->next;
        munmap(rows->files->bytes, rows->files->size);
        free(rows->files);
        rows->files = next;
    }
    *rows = (struct count_rows){0};
}
