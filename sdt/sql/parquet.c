/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A directory of Parquet files: DIR/host=HOST/PROBE.parquet, a partition of Hive's for each host.
 *
 * A file is row groups, one after the other, and then what they consist of. The values of a row
 * group are collected column by column (parquet_chunk.h). All files grow at the same time, and
 * there may be more of them than a process may have open: each is open only while a row group is
 * added.
 *
 * The directory gets its name when it is complete. Signals that would end us wait for the next row
 * group, since it has to be removed first.
 */
#include "parquet.h"

#include "base/diag.h"
#include "base/text.h"
#include "parquet_chunk.h"
#include "sink.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Of a row group; and of all together, in bytes, roughly. */
enum { MAX_ROWS = 1 << 17, MAX_GROUP = 64 << 20, MAX_ALL = 256 << 20 };

struct file {
    size_t table;
    char *host, *path;
    struct chunk *chunks;
    size_t rows;   /* that are collected */
    size_t memory; /* they take roughly */
    uint64_t size; /* of the file */
    uint64_t all_rows;
    struct thrift groups; /* what is known of the row groups that were written */
    size_t group_count;
};

struct directory {
    const struct schema *schema;
    const char *path;
    char *temporary; /* NULL: it has its name */
    struct file *files;
    size_t count, capacity;
    struct texts names; /* a table's number and a host, numbered as files are */
    struct bytes key;   /* the same of a row */
    size_t memory;      /* of all files */
    sigset_t deadly, before;
};

/* ---- files ---- */

static int failed(const struct directory *directory)
{
    return diag_errno("cannot write %s", directory->path);
}

static int write_all(int fd, const uint8_t *data, size_t size)
{
    while (size > 0) {
        ssize_t written = write(fd, data, size);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return -1;
        data += written;
        size -= (size_t)written;
    }
    return 0;
}

static int append(const struct directory *directory, struct file *file, const struct bytes *bytes)
{
    int fd = open(file->path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    if (fd < 0)
        return failed(directory);
    int result = write_all(fd, bytes->data, bytes->size);
    if (close(fd) != 0 || result != 0)
        return failed(directory);
    file->size += bytes->size;
    return 0;
}

static struct file *add_file(struct directory *directory, size_t table, struct slice host)
{
    const struct table *of = &directory->schema->tables[table];
    directory->files = memory_with_room(directory->files, directory->count, &directory->capacity,
                                        sizeof *directory->files);
    struct file *file = &directory->files[directory->count++];
    *file =
        (struct file){.table = table, .host = memory_format("%.*s", (int)host.length, host.text)};
    char *partition = parquet_partition(host), *name = parquet_file_name(of->label, table);
    file->path = memory_format("%s/%s/%s", directory->temporary, partition, name);
    free(partition);
    free(name);
    file->chunks = memory_zeroed(of->count, sizeof *file->chunks);
    for (size_t i = 0; i < of->count; i++)
        file->chunks[i].column = &of->columns[i];
    return file;
}

static struct file *find_file(struct directory *directory, size_t table, struct slice host)
{
    struct bytes *key = &directory->key;
    key->size = 0;
    bytes_append(key, &table, sizeof table);
    bytes_append(key, host.text, host.length);
    struct slice name = {(const char *)key->data, key->size};
    size_t number = texts_number(&directory->names, name);
    return number < directory->count ? &directory->files[number] : add_file(directory, table, host);
}

/* ---- row groups ---- */

static int make_partition(const struct directory *directory, const struct file *file)
{
    char *end = strrchr(file->path, '/');
    *end = '\0';
    int result = mkdir(file->path, 0777) == 0 || errno == EEXIST ? 0 : failed(directory);
    *end = '/';
    return result;
}

static int write_group(struct directory *directory, struct file *file)
{
    const struct table *table = &directory->schema->tables[file->table];
    struct bytes bytes = {0};
    if (!file->rows)
        return 0;
    if (!file->size) {
        if (make_partition(directory, file) != 0)
            return -1;
        text_append(&bytes, PARQUET_MAGIC);
    }
    parquet_group_open(&file->groups, table->count);
    for (size_t i = 0; i < table->count; i++)
        chunk_write(&file->chunks[i], file->rows, file->size + bytes.size, &bytes, &file->groups);
    parquet_group_close(&file->groups, bytes.size, file->rows);
    file->group_count++;
    file->all_rows += file->rows;
    file->rows = 0;
    directory->memory -= file->memory;
    file->memory = 0;
    int result = append(directory, file, &bytes);
    bytes_free(&bytes);
    return result;
}

static int write_all_groups(struct directory *directory)
{
    for (size_t i = 0; i < directory->count; i++)
        if (write_group(directory, &directory->files[i]) != 0)
            return -1;
    return 0;
}

static const int deadly[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
enum { DEADLY = sizeof deadly / sizeof deadly[0] };

static bool is_interrupted(const struct directory *directory)
{
    sigset_t pending;
    sigpending(&pending);
    for (size_t i = 0; i < DEADLY; i++)
        if (sigismember(&pending, deadly[i]) && sigismember(&directory->deadly, deadly[i]))
            return true;
    return false;
}

static int put(void *sink, const struct row *row)
{
    enum { LOOK = 1 << 13 };
    struct directory *directory = sink;
    const struct table *table = &directory->schema->tables[row->table];
    struct file *file = find_file(directory, row->table, row->cells[ROW_HOST].text);
    size_t memory = 0;
    for (size_t i = 0; i < table->count; i++)
        memory += chunk_put(&file->chunks[i], &row->cells[i]);
    file->rows++;
    file->memory += memory;
    directory->memory += memory;
    if (row->cells[ROW_EVENT].natural % LOOK == 0 && is_interrupted(directory))
        return -1;
    if (directory->memory > MAX_ALL)
        return write_all_groups(directory);
    return file->rows == MAX_ROWS || file->memory > MAX_GROUP ? write_group(directory, file) : 0;
}

/* ---- the directory ---- */

/* An empty directory, which was perhaps made for its owner, is replaced. */
static bool is_empty(const char *path)
{
    DIR *entries = opendir(path);
    size_t count = 0;
    while (entries && count < 3 && readdir(entries))
        count++;
    if (entries)
        closedir(entries);
    return entries && count < 3; /* . and .. */
}

static int check_directory(const char *path)
{
    struct stat status;
    if (stat(path, &status) != 0)
        return 0;
    if (!S_ISDIR(status.st_mode))
        return diag_error("cannot write %s: it exists and is not a directory", path);
    if (is_empty(path))
        return 0;
    return diag_error("cannot write %s: it exists and is not empty; name a new directory", path);
}

static void block_signals(struct directory *directory)
{
    sigemptyset(&directory->deadly);
    for (size_t i = 0; i < DEADLY; i++) {
        struct sigaction action;
        sigaction(deadly[i], NULL, &action);
        if (action.sa_handler != SIG_IGN) /* as nohup(1) and a shell's `&` have it */
            sigaddset(&directory->deadly, deadly[i]);
    }
    sigprocmask(SIG_BLOCK, &directory->deadly, &directory->before);
    signal(SIGXFSZ, SIG_IGN); /* a write beyond a limit fails, and is reported */
}

static void remove_files(const struct directory *directory)
{
    for (size_t i = 0; i < directory->count; i++)
        unlink(directory->files[i].path);
    for (size_t i = 0; i < directory->count; i++) {
        *strrchr(directory->files[i].path, '/') = '\0';
        rmdir(directory->files[i].path);
    }
    rmdir(directory->temporary);
}

static void close_directory(void *sink)
{
    struct directory *directory = sink;
    if (directory->temporary)
        remove_files(directory);
    for (size_t i = 0; i < directory->count; i++) {
        struct file *file = &directory->files[i];
        for (size_t k = 0; k < directory->schema->tables[file->table].count; k++)
            chunk_free(&file->chunks[k]);
        free(file->chunks);
        free(file->host);
        free(file->path);
        bytes_free(&file->groups.text);
    }
    free(directory->files);
    texts_free(&directory->names);
    bytes_free(&directory->key);
    free(directory->temporary);
    sigprocmask(SIG_SETMASK, &directory->before, NULL);
    free(directory);
}

static void *open_directory(const char *path, const struct schema *schema)
{
    size_t length = strlen(path);
    while (length > 1 && path[length - 1] == '/')
        length--;
    if (check_directory(path) != 0)
        return NULL;
    struct directory *directory = memory_zeroed(1, sizeof *directory);
    directory->schema = schema;
    directory->path = path;
    block_signals(directory);
    directory->temporary = memory_format("%.*s.XXXXXX", (int)length, path);
    if (mkdtemp(directory->temporary))
        return directory;
    diag_errno("cannot create a directory beside %s", path);
    free(directory->temporary);
    directory->temporary = NULL;
    close_directory(directory);
    return NULL;
}

static int write_footers(struct directory *directory)
{
    for (size_t i = 0; i < directory->count; i++) {
        struct file *file = &directory->files[i];
        struct bytes footer = {0};
        parquet_footer(&footer, &directory->schema->tables[file->table], file->all_rows,
                       file->group_count, &file->groups.text);
        int result = append(directory, file, &footer);
        bytes_free(&footer);
        if (result != 0)
            return -1;
    }
    return 0;
}

static int finish(void *sink)
{
    struct directory *directory = sink;
    mode_t mask = umask(0);
    umask(mask);
    if (write_all_groups(directory) != 0 || write_footers(directory) != 0 ||
        is_interrupted(directory))
        return -1;
    if (chmod(directory->temporary, 0777 & ~mask) != 0 ||
        rename(directory->temporary, directory->path) != 0)
        return failed(directory);
    free(directory->temporary);
    directory->temporary = NULL;
    return 0;
}

const struct sink sink_parquet = {open_directory, put, finish, close_directory};
