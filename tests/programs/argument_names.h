/* SPDX-License-Identifier: BSD-2-Clause */
/* Arguments of many spellings; the same in C and C++. */
#include <sdt/probe.h>
#include <sdt/runtime.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

struct conn {
    const char *path;
    unsigned char *data;
    unsigned flags : 5;
    int fd;
    bool is_open;
    short counts[4];
    struct {
        short len;
    } ops[2];
};

#define TRACE(...) SDT_PROBE(names, __VA_ARGS__)
#define OWN(x) SDT_PROBE(names, own, x, SDT_HEX(x), SDT_NAMED("twice", 2 * (x)))

int serve(struct conn *conn, int n, double event);
__attribute__((noinline)) int serve(struct conn *conn, int n, double event)
{
    SDT_PROBE(names, path, conn->path, (long)n, n, conn->ops[1].len, strlen(conn->path), n % 3);
    SDT_PROBE(names, kinds, conn->is_open, event, conn, SDT_HEX(conn->flags), SDT_PTR(conn->path),
              SDT_STR((void *)conn->data), SDT_NAMED("size", n | 2), "a \"%s\" {b|c}, \\");
    SDT_PROBE(names, bytes, n, SDT_BYTES(conn->data, n), conn->fd);
    SDT_PROBE(names, arrays, SDT_ARRAY(conn->counts, n), SDT_NAMED("rest", n));
    SDT_PROBE(names, named, SDT_NAMED("uri", SDT_TEXT(conn->path, 2)),
              SDT_NAMED("all", SDT_ARRAY(conn->counts, n)));
    TRACE(passed, SDT_NAMED("body", SDT_BYTES(conn->path, 2)), SDT_NAMED("bits", SDT_HEX(n)));
    SDT_PROBE_LAZY(names, lazy, conn->fd);
    OWN(conn->fd);
    SDT_PROBE(names, none);
    return n;
}

static void on_hit(const struct sdt_event *event, void *data)
{
    (void)data;
    printf("%s(", sdt_name(event));
    for (unsigned i = 0; i <= sdt_nargs(event); i++)
        printf("%s:%s ", sdt_arg_name(event, i), sdt_arg_type(event, i));
    printf(")\n");
}

static int on_site(const struct sdt_probe_info *site, void *data)
{
    (void)data;
    printf("%s %s:%u", site->name, site->file, site->line);
    for (unsigned i = 0; i < site->nargs; i++)
        printf(" %s:%s", site->arg_names[i], site->arg_types[i]);
    printf("\n");
    return 0;
}

int main(void)
{
    struct conn conn = {"/x", (unsigned char *)"y", 5, 7, true, {1, 2, 3, 4}, {{1}, {2}}};
    int id = sdt_enable("names", on_hit, NULL);
    serve(&conn, 3, 1.5);
    sdt_foreach("names", on_site, NULL);
    return id > 0 ? 0 : 1;
}
