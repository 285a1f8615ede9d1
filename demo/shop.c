/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * An order database: four tables, five queries, and the prepared-statement cache that every program
 * on SQLite grows sooner or later.
 *
 * The probes of provider `orders`:
 *
 *   import__batch(first, count)          a transaction of the import was committed
 *   statement__hit(sql)                  the query was in the statement cache
 *   statement__miss(sql)                 it was not: SQLite parses and plans it
 *   query__begin(sql)                    about to execute
 *   query__end(sql, rows, total)         done; total is the sum of the first column, a double
 *
 * One of the queries reads more than all others together. The demo finds it.
 */
#include "shop.h"

#include <sdt/probe.h>
#include <sqlite3.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { CUSTOMERS = 20000, PRODUCTS = 500, DAYS = 365, BATCH = 20000, CACHED = 4 };

static const char schema[] =
    "CREATE TABLE customers(id INTEGER PRIMARY KEY, name TEXT, town TEXT);"
    "CREATE TABLE products(id INTEGER PRIMARY KEY, name TEXT, price REAL);"
    "CREATE TABLE orders(id INTEGER PRIMARY KEY, customer INTEGER, product INTEGER,"
    "                    day INTEGER, quantity INTEGER, state TEXT, note TEXT);"
    "CREATE INDEX orders_by_customer ON orders(customer);"
    "CREATE INDEX orders_by_day ON orders(day);";

/* The load. A query's parameter is below `range`; of 1000 executions, `weight` are of this query.
 */
static const struct query {
    const char *sql;
    int range;
    int weight;
} queries[] = {
    {"SELECT quantity, state, note FROM orders WHERE id = ?1", 0, 600},
    {"SELECT p.price * o.quantity FROM orders o JOIN products p ON p.id = o.product"
     " WHERE o.customer = ?1",
     CUSTOMERS, 300},
    {"SELECT sum(quantity), product FROM orders WHERE day = ?1 GROUP BY product", DAYS, 40},
    {"UPDATE orders SET state = 'sent' WHERE id = ?1 AND state = 'paid'", 0, 57},
    {"SELECT quantity, customer FROM orders WHERE product = ?1 AND state = 'late'", PRODUCTS, 3},
};
enum { QUERIES = sizeof queries / sizeof queries[0] };

static void fail(sqlite3 *db, const char *what)
{
    fprintf(stderr, "orders: %s: %s\n", what, db ? sqlite3_errmsg(db) : "out of memory");
    exit(1);
}

static void check(sqlite3 *db, int status, const char *what)
{
    if (status != SQLITE_OK && status != SQLITE_DONE && status != SQLITE_ROW)
        fail(db, what);
}

/*
 * A page cache of half a megabyte: small beside the data, as caches are. A checkpoint, and with it
 * an fsync, after every hundred pages of changes.
 */
static sqlite3 *open_database(const char *path)
{
    sqlite3 *db;
    check(NULL, sqlite3_open(path, &db), path);
    sqlite3_busy_timeout(db, 10000);
    check(db,
          sqlite3_exec(db,
                       "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;"
                       "PRAGMA wal_autocheckpoint = 100; PRAGMA cache_size = -512;",
                       NULL, NULL, NULL),
          "PRAGMA");
    return db;
}

/* xorshift64*: the same data and the same load in every run. */
static uint64_t draw(uint64_t *state)
{
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return *state * 0x2545f4914f6cdd1dull >> 11;
}

static int below(uint64_t *state, int limit)
{
    return (int)(draw(state) % (uint64_t)limit);
}

/* Below LIMIT, small numbers much more often: few customers place most orders. */
static int skewed(uint64_t *state, int limit)
{
    double u = (double)draw(state) / 0x1p53;
    return (int)(u * u * u * limit);
}

static void insert(sqlite3 *db, sqlite3_stmt *statement)
{
    check(db, sqlite3_step(statement), "INSERT");
    sqlite3_reset(statement);
}

static void fill_catalogue(sqlite3 *db, uint64_t *random)
{
    static const char *const towns[] = {"Bergen", "Gdynia", "Leith", "Porto", "Split", "Turku"};
    static const char *const things[] = {"anchor", "block", "cleat", "fender", "line", "winch"};
    sqlite3_stmt *statement;
    char name[40];

    check(db, sqlite3_prepare_v2(db, "INSERT INTO customers VALUES(?,?,?)", -1, &statement, NULL),
          "customers");
    for (int i = 0; i < CUSTOMERS; i++) {
        sqlite3_bind_int(statement, 1, i);
        snprintf(name, sizeof name, "customer %05d", i);
        sqlite3_bind_text(statement, 2, name, -1, SQLITE_TRANSIENT);
        sqlite3_bind_text(statement, 3, towns[below(random, 6)], -1, SQLITE_STATIC);
        insert(db, statement);
    }
    sqlite3_finalize(statement);

    check(db, sqlite3_prepare_v2(db, "INSERT INTO products VALUES(?,?,?)", -1, &statement, NULL),
          "products");
    for (int i = 0; i < PRODUCTS; i++) {
        sqlite3_bind_int(statement, 1, i);
        snprintf(name, sizeof name, "%s no. %d", things[i % 6], i);
        sqlite3_bind_text(statement, 2, name, -1, SQLITE_TRANSIENT);
        sqlite3_bind_double(statement, 3, 0.25 * (1 + below(random, 4000)));
        insert(db, statement);
    }
    sqlite3_finalize(statement);
}

static void fill_orders(sqlite3 *db, uint64_t *random, int first, int count)
{
    static const char *const states[] = {"paid", "paid", "sent", "sent", "sent", "late"};
    sqlite3_stmt *statement;

    check(db,
          sqlite3_prepare_v2(db, "INSERT INTO orders VALUES(?,?,?,?,?,?,?)", -1, &statement, NULL),
          "orders");
    check(db, sqlite3_exec(db, "BEGIN", NULL, NULL, NULL), "BEGIN");
    for (int i = first; i < first + count; i++) {
        sqlite3_bind_int(statement, 1, i);
        sqlite3_bind_int(statement, 2, skewed(random, CUSTOMERS));
        sqlite3_bind_int(statement, 3, skewed(random, PRODUCTS));
        sqlite3_bind_int(statement, 4, below(random, DAYS));
        sqlite3_bind_int(statement, 5, 1 + skewed(random, 20));
        sqlite3_bind_text(statement, 6, states[below(random, 6)], -1, SQLITE_STATIC);
        sqlite3_bind_text(statement, 7, "leave with the harbour master", -1, SQLITE_STATIC);
        insert(db, statement);
    }
    check(db, sqlite3_exec(db, "COMMIT", NULL, NULL, NULL), "COMMIT");
    sqlite3_finalize(statement);
    SDT_PROBE(orders, import__batch, first, count);
}

void shop_create(const char *path, int orders)
{
    uint64_t random = 20151122;
    sqlite3 *db = open_database(path);
    check(db, sqlite3_exec(db, schema, NULL, NULL, NULL), "schema");
    check(db, sqlite3_exec(db, "BEGIN", NULL, NULL, NULL), "BEGIN");
    fill_catalogue(db, &random);
    check(db, sqlite3_exec(db, "COMMIT", NULL, NULL, NULL), "COMMIT");
    for (int first = 0; first < orders; first += BATCH)
        fill_orders(db, &random, first, orders - first < BATCH ? orders - first : BATCH);
    sqlite3_close(db);
}

/* A worker's connection, its statement cache (most recently used first) and its random numbers. */
struct worker {
    sqlite3 *db;
    int orders;
    uint64_t random;
    const struct query *cached[CACHED];
    sqlite3_stmt *statements[CACHED];
};

/* Make STATEMENT of QUERY the first entry; the entries before AT move back by one. */
static void move_to_front(struct worker *w, int at, const struct query *query, sqlite3_stmt *stmt)
{
    for (; at > 0; at--) {
        w->cached[at] = w->cached[at - 1];
        w->statements[at] = w->statements[at - 1];
    }
    w->cached[0] = query;
    w->statements[0] = stmt;
}

static sqlite3_stmt *prepare(struct worker *w, const struct query *query)
{
    sqlite3_stmt *stmt;
    for (int i = 0; i < CACHED; i++) {
        if (w->cached[i] == query) {
            SDT_PROBE(orders, statement__hit, query->sql);
            stmt = w->statements[i];
            move_to_front(w, i, query, stmt);
            return stmt;
        }
    }
    SDT_PROBE(orders, statement__miss, query->sql);
    check(w->db, sqlite3_prepare_v2(w->db, query->sql, -1, &stmt, NULL), query->sql);
    sqlite3_finalize(w->statements[CACHED - 1]);
    move_to_front(w, CACHED - 1, query, stmt);
    return stmt;
}

static void execute(struct worker *w, const struct query *query)
{
    sqlite3_stmt *stmt = prepare(w, query);
    int range = query->range ? query->range : w->orders;
    int rows = 0;
    double total = 0;

    sqlite3_bind_int(stmt, 1, below(&w->random, range));
    SDT_PROBE(orders, query__begin, query->sql);
    while (sqlite3_step(stmt) == SQLITE_ROW) {
        total += sqlite3_column_double(stmt, 0);
        rows++;
    }
    check(w->db, sqlite3_reset(stmt), query->sql);
    SDT_PROBE(orders, query__end, query->sql, rows, total);
}

static const struct query *pick(struct worker *w)
{
    int at = below(&w->random, 1000);
    const struct query *query = queries;
    while (at >= query->weight)
        at -= query++->weight;
    return query;
}

static int count_orders(sqlite3 *db)
{
    sqlite3_stmt *stmt;
    check(db, sqlite3_prepare_v2(db, "SELECT max(id) + 1 FROM orders", -1, &stmt, NULL), "count");
    check(db, sqlite3_step(stmt), "count");
    int orders = sqlite3_column_int(stmt, 0);
    sqlite3_finalize(stmt);
    return orders;
}

void *shop_worker(void *arg)
{
    static atomic_uint_least64_t seed = 1;
    struct shop_load *load = arg;
    struct worker w = {.db = open_database(load->path),
                       .random = 0x9e3779b97f4a7c15ull * atomic_fetch_add(&seed, 1)};
    w.orders = count_orders(w.db);
    while (!atomic_load_explicit(&load->stop, memory_order_relaxed)) {
        execute(&w, pick(&w));
        atomic_fetch_add_explicit(&load->executed, 1, memory_order_relaxed);
    }
    for (int i = 0; i < CACHED; i++)
        sqlite3_finalize(w.statements[i]);
    sqlite3_close(w.db);
    return NULL;
}

bool shop_is_sound(const char *path)
{
    sqlite3 *db = open_database(path);
    sqlite3_stmt *stmt;
    check(db, sqlite3_prepare_v2(db, "PRAGMA integrity_check", -1, &stmt, NULL), "integrity_check");
    check(db, sqlite3_step(stmt), "integrity_check");
    bool sound = sqlite3_stricmp((const char *)sqlite3_column_text(stmt, 0), "ok") == 0;
    sqlite3_finalize(stmt);
    sqlite3_close(db);
    return sound;
}
