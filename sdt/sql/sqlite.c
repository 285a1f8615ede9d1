/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A database of SQLite: a table for each probe, and a view for each pair (sqlite_text.c).
 *
 * It is made under a temporary name, without a journal: if anything fails, the file is removed.
 * SQLite has no unsigned integers of 64 bits. Those beyond its own become text, such as
 * 0xffffffffffffffff: exact, above all numbers, and in their order.
 */
#include "base/diag.h"
#include "base/output.h"
#include "sink.h"
#include "sqlite_text.h"

#include <inttypes.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct database {
    const struct schema *schema;
    struct output output;
    sqlite3 *handle;
    sqlite3_stmt **inserts; /* of each table; NULL: it has no row yet */
    sqlite3_stmt *insert_stack;
    struct texts stacks;   /* numbered as those in the database are, from 0 ... */
    sqlite3_int64 earlier; /* ... after so many that were forgotten */
};

static const char preparation[] = "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;"
                                  "PRAGMA locking_mode = EXCLUSIVE; PRAGMA temp_store = MEMORY;"
                                  "BEGIN";

/* What the system says of it, if it was the system. */
static int failed(struct database *database)
{
    int error = sqlite3_system_errno(database->handle);
    bool is_of_system = (sqlite3_errcode(database->handle) & 0xff) == SQLITE_IOERR && error;
    return diag_error("cannot write %s: %s", database->output.path,
                      is_of_system ? strerror(error) : sqlite3_errmsg(database->handle));
}

static int run(struct database *database, const char *statement)
{
    return sqlite3_exec(database->handle, statement, NULL, NULL, NULL) == SQLITE_OK
               ? 0
               : failed(database);
}

static int run_text(struct database *database, struct bytes *text)
{
    char *statement = bytes_take_text(text);
    int result = run(database, statement);
    free(statement);
    return result;
}

/* A journal that belongs to the file would be applied to the one that takes its name. */
static int check_journals(const char *path)
{
    static const char *const endings[] = {"-wal", "-journal"};
    int result = 0;
    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++) {
        struct stat status;
        char *journal = memory_format("%s%s", path, endings[i]);
        if (stat(journal, &status) == 0)
            result = diag_error("cannot replace %s: another program has it open, or was killed: "
                                "%s exists",
                                path, journal);
        free(journal);
    }
    return result;
}

static int prepare(struct database *database, const char *text, size_t size,
                   sqlite3_stmt **statement)
{
    return sqlite3_prepare_v2(database->handle, text, (int)size, statement, NULL) == SQLITE_OK
               ? 0
               : failed(database);
}

static int make_tables(struct database *database)
{
    static const char stacks[] = "CREATE TABLE stacks (stack INTEGER PRIMARY KEY, functions TEXT "
                                 "NOT NULL)";
    static const char insert[] = "INSERT INTO stacks VALUES (?, ?)";
    struct bytes text = {0};
    if (run(database, stacks) != 0 ||
        prepare(database, insert, sizeof insert, &database->insert_stack) != 0)
        return -1;
    for (size_t i = 0; i < database->schema->count; i++) {
        sqlite_table_text(&text, &database->schema->tables[i]);
        if (run_text(database, &text) != 0)
            return -1;
    }
    return 0;
}

static void close_database(void *sink)
{
    struct database *database = sink;
    for (size_t i = 0; i < database->schema->count; i++)
        sqlite3_finalize(database->inserts[i]);
    sqlite3_finalize(database->insert_stack);
    sqlite3_close(database->handle);
    texts_free(&database->stacks);
    output_abandon(&database->output);
    free(database->inserts);
    free(database);
}

static void *open_database(const char *path, const struct schema *schema)
{
    struct database *database = memory_zeroed(1, sizeof *database);
    database->schema = schema;
    database->inserts = memory_zeroed(schema->count + 1, sizeof(sqlite3_stmt *));
    database->output.fd = -1;
    if (check_journals(path) == 0 && output_open(&database->output, path, 0) == 0) {
        if (sqlite3_open_v2(database->output.temporary, &database->handle, SQLITE_OPEN_READWRITE,
                            NULL) != SQLITE_OK)
            failed(database);
        else if (run(database, preparation) == 0 && make_tables(database) == 0)
            return database;
    }
    close_database(database);
    return NULL;
}

/* ---- rows ---- */

static int bind_unsigned(sqlite3_stmt *insert, int i, uint64_t number)
{
    char text[sizeof "0xffffffffffffffff"];
    if (number <= INT64_MAX)
        return sqlite3_bind_int64(insert, i, (sqlite3_int64)number);
    snprintf(text, sizeof text, "0x%016" PRIx64, number);
    return sqlite3_bind_text(insert, i, text, -1, SQLITE_TRANSIENT);
}

/* Without one, it would be NULL. */
static const char *address(struct slice text)
{
    return text.length ? text.text : "";
}

static int bind_text(sqlite3_stmt *insert, int i, struct slice text)
{
    return sqlite3_bind_text64(insert, i, address(text), text.length, SQLITE_STATIC, SQLITE_UTF8);
}

static int bind(sqlite3_stmt *insert, int i, const struct column *column, const struct cell *cell)
{
    if (cell->is_null)
        return sqlite3_bind_null(insert, i);
    switch (column->type) {
    case COLUMN_BOOL:
    case COLUMN_SIGNED:
        return sqlite3_bind_int64(insert, i, cell->number);
    case COLUMN_UNSIGNED:
        return bind_unsigned(insert, i, cell->natural);
    case COLUMN_FLOAT:
    case COLUMN_DOUBLE:
        return sqlite3_bind_double(insert, i, cell->real);
    case COLUMN_BLOB:
        return sqlite3_bind_blob64(insert, i, address(cell->text), cell->text.length,
                                   SQLITE_STATIC);
    default:
        return bind_text(insert, i, cell->text);
    }
}

/* Stacks are long texts, and most come again: a row has the number of one. What is remembered is
 * bounded, so a text may get a second number. Returns SQLite's status. */
static int bind_stack(struct database *database, sqlite3_stmt *insert, const struct cell *cell)
{
    enum { MEMORY = 64 << 20 };
    size_t known = database->stacks.count;
    if (cell->is_null)
        return sqlite3_bind_null(insert, ROW_STACK + 1);
    if (database->stacks.plain.size > MEMORY) {
        database->earlier += (sqlite3_int64)known;
        texts_free(&database->stacks);
        known = 0;
    }
    size_t number = texts_number(&database->stacks, cell->text);
    sqlite3_int64 id = database->earlier + (sqlite3_int64)number + 1;
    if (number == known) {
        sqlite3_bind_int64(database->insert_stack, 1, id);
        bind_text(database->insert_stack, 2, cell->text);
        if (sqlite3_step(database->insert_stack) != SQLITE_DONE)
            return sqlite3_errcode(database->handle);
        sqlite3_reset(database->insert_stack);
    }
    return sqlite3_bind_int64(insert, ROW_STACK + 1, id);
}

static int bind_row(struct database *database, sqlite3_stmt *insert, const struct row *row)
{
    const struct table *table = &database->schema->tables[row->table];
    int status = SQLITE_OK;
    for (size_t i = 0; i < table->count && status == SQLITE_OK; i++)
        status = i == ROW_STACK ? bind_stack(database, insert, &row->cells[i])
                                : bind(insert, (int)i + 1, &table->columns[i], &row->cells[i]);
    return status;
}

static int prepare_insert(struct database *database, size_t table)
{
    struct bytes text = {0};
    sqlite_insert_text(&text, &database->schema->tables[table]);
    int result = prepare(database, (const char *)text.data, text.size, &database->inserts[table]);
    bytes_free(&text);
    return result;
}

static int put(void *sink, const struct row *row)
{
    struct database *database = sink;
    if (!database->inserts[row->table] && prepare_insert(database, row->table) != 0)
        return -1;
    sqlite3_stmt *insert = database->inserts[row->table];
    if (bind_row(database, insert, row) != SQLITE_OK || sqlite3_step(insert) != SQLITE_DONE)
        return failed(database);
    return sqlite3_reset(insert) == SQLITE_OK ? 0 : failed(database);
}

/* ---- the end ---- */

static int make_views(struct database *database)
{
    struct bytes text = {0};
    for (size_t i = 0; i < database->schema->pair_count; i++) {
        sqlite_view_text(&text, database->schema, &database->schema->pairs[i]);
        if (run_text(database, &text) != 0)
            return -1;
    }
    sqlite_slices_text(&text, database->schema);
    return run_text(database, &text);
}

static int finish(void *sink)
{
    struct database *database = sink;
    if (make_views(database) != 0 || run(database, "COMMIT") != 0)
        return -1;
    for (size_t i = 0; i < database->schema->count; i++) {
        sqlite3_finalize(database->inserts[i]);
        database->inserts[i] = NULL;
    }
    sqlite3_finalize(database->insert_stack);
    database->insert_stack = NULL;
    if (sqlite3_close(database->handle) != SQLITE_OK)
        return failed(database);
    database->handle = NULL;
    return output_commit(&database->output);
}

const struct sink sink_sqlite = {open_database, put, finish, close_database};
