/* SPDX-License-Identifier: BSD-2-Clause */
/* What the arguments of a probe are called, derived from how they are spelled. */
#include "check.h"
#include "probes/fields.h"

#include <stdio.h>
#include <string.h>

enum { INT = SDT_ARG_SIGNED | 4, TEXT = SDT_ARG_SPECIAL | SDT_ARG_POINTER | 8 };
enum { POINTER = SDT_ARG_POINTER | 8, BOOL = SDT_ARG_SPECIAL | 1, REAL = SDT_ARG_FLOAT | 8 };

static struct fields derive(const char *arguments, unsigned count, uint8_t type)
{
    struct fields fields;
    uint8_t types[SDT_MAX_ARGS];
    char spelling[512];
    memset(types, type, sizeof types);
    snprintf(spelling, sizeof spelling, "server.c:42\nrequest, %s", arguments);
    fields_derive(&fields, spelling, types, count);
    return fields;
}

static bool is_called(const char *argument, const char *name)
{
    struct fields fields = derive(argument, 1, INT);
    if (strcmp(fields.name[0], name) == 0)
        return true;
    fprintf(stderr, "%s: %s, not %s\n", argument, fields.name[0], name);
    return false;
}

static void check_names(void)
{
    static const char *const rows[][2] = {
        {"n", "n"},
        {"conn->path", "path"},
        {"ops[i].len", "len"},
        {"ops[a + b].len", "len"},
        {"strlen(s)", "strlen"},
        {"(int)x", "x"},
        {"(unsigned long)p->count", "count"},
        {"(const struct conn *)data", "data"},
        {"(size_t)-n", "arg0"},
        {"(size_t)*n", "n"},
        {"(struct s *)&x", "x"},
        {"*count", "count"},
        {"&self->lock", "lock"},
        {"(*(conn)).fd", "fd"},
        {"((n))", "n"},
        {"n++", "n"},
        {"!!ok", "ok"},
        {"f(a, b)(c)", "f"},
        {"s->get()->path", "path"},
        {"path.c_str()", "path"},
        {"self.path.as_str()", "path"},
        {"as_str()", "as_str"},
        {"c_str()", "c_str"},
        {"std::chrono::count", "count"},
        {"::n", "n"},
        {"static_cast<std::vector<int> *>(x.y)", "y"},
        {"this", "this"},
        /* no name */
        {"a + b", "arg0"},
        {"(a) - b", "arg0"},
        {"(a) * b", "arg0"},
        {"(a) + b", "arg0"},
        {"-n", "arg0"},
        {"~n", "arg0"},
        {"!n", "arg0"},
        {"n ? a : b", "arg0"},
        {"a == b", "arg0"},
        {"a->b != c", "arg0"},
        {"f<int>(x)", "arg0"},
        {"sizeof n", "arg0"},
        {"sizeof(n)", "arg0"},
        {"42", "arg0"},
        {"\"text, more)\"", "arg0"},
        {"L\"text\"", "arg0"},
        {"','", "arg0"},
        {"[&] { return n; }()", "arg0"},
        {"({ n; })", "arg0"},
        {"n.", "arg0"},
        {"gr\303\266\303\237e", "arg0"},
        /* keywords */
        {"event", "event_"},
        {"p->string", "string_"},
        {"clock", "clock_"},
        /* words */
        {"SDT_NAMED(\"size\", a + b)", "size"},
        {"SDT_NAMED( \"size\" , a)", "size"},
        {"((void)\"\" \"size\", (a + b))", "size"},
        {"SDT_NAMED(\"no name\", a)", "arg0"},
        {"SDT_NAMED(\"size\", SDT_HEX(a))", "size"},
        {"SDT_HEX(SDT_NAMED(\"size\", a))", "size"},
        {"SDT_HEX(p->flags)", "flags"},
        {"((void)sdt_means_x_, (p->flags))", "flags"},
        {"SDT_HEX(a) + 1", "arg0"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        CHECK(is_called(rows[i][0], rows[i][1]));
}

static void check_lists(void)
{
    struct fields fields = derive("n, n, n_2, a[1, 2], f(x, y), ',', \"a,b\\\",\", n", 8, INT);
    static const char *const names[] = {"n", "n_2", "n_2_2", "a", "f", "arg5", "arg6", "n_3"};
    for (unsigned i = 0; i < 8; i++)
        CHECK(strcmp(fields.name[i], names[i]) == 0);
    /* The compiler saw more than the source shows: a macro that stands for two. */
    fields = derive("PAIR", 2, INT);
    CHECK(strcmp(fields.name[0], "arg0") == 0 && strcmp(fields.name[1], "arg1") == 0);
    fields = derive("arg1, 7", 2, INT);
    CHECK(strcmp(fields.name[0], "arg1") == 0 && strcmp(fields.name[1], "arg1_2") == 0);
}

static char kind(const char *argument, uint8_t type)
{
    return derive(argument, 1, type).kind[0];
}

static void check_kinds(void)
{
    CHECK(kind("n", INT) == 'i' && kind("n", 4) == 'u' && kind("n", BOOL) == 'b');
    CHECK(kind("n", TEXT) == 's' && kind("n", POINTER) == 'p' && kind("n", REAL) == 'f');
    CHECK(kind("SDT_HEX(n)", INT) == 'x' && kind("SDT_HEX(n)", REAL) == 'f');
    CHECK(kind("SDT_PTR(n)", TEXT) == 'p' && kind("SDT_STR(n)", POINTER) == 's');
    CHECK(kind("SDT_STR(n)", 8) == 's' && kind("SDT_STR(n)", INT) == 'i');
    CHECK(kind("((void)sdt_means_p_, (n))", TEXT) == 'p');
    CHECK(kind("SDT_NAMED(\"a\", SDT_PTR(n))", TEXT) == 'p');
    /* Objects of C++: the type byte says it. */
    CHECK(kind("n", SDT_ARG_TEXT) == 'v' && kind("SDT_STR(n)", SDT_ARG_TEXT) == 'v');
    CHECK(kind("SDT_PTR(n)", SDT_ARG_TEXT) == 'p');
    CHECK(kind("n", 0x88) == 'S' && kind("n", 0x98) == 'M' && kind("n", 0xa8) == 'U');
    CHECK(kind("n", 0xb8) == 'N' && kind("SDT_HEX(n)", 0xb8) == 'N');
}

static void check_bytes(void)
{
    struct fields fields;
    static const uint8_t types[] = {POINTER, 8, TEXT};
    fields_derive(&fields, ":1\nx, SDT_BYTES(p->data, a + b), s", types, 3);
    CHECK(memcmp(fields.kind, "yns", 3) == 0 && strcmp(fields.name[0], "data") == 0);
    CHECK(strcmp(fields.name[1], "arg1") == 0 && strcmp(fields.name[2], "s") == 0);
    fields_derive(&fields, ":1\nx, ((void)sdt_means_y_, (d)), ((void)sdt_means_n_, (n)), s", types,
                  3);
    CHECK(memcmp(fields.kind, "yns", 3) == 0 && strcmp(fields.name[1], "n") == 0);
    fields_derive(&fields, ":1\nx, ((void)sdt_means_y_, (d)), n, s", types, 3);
    CHECK(memcmp(fields.kind, "pus", 3) == 0); /* the count is not known */
    fields_derive(&fields, ":1\nx, SDT_TEXT(v.data(), v.size()), s", types, 3);
    CHECK(memcmp(fields.kind, "tns", 3) == 0 && strcmp(fields.name[0], "v") == 0);
    fields_derive(&fields, ":1\nx, SDT_TEXT(p, s)", types + 1, 2);
    CHECK(memcmp(fields.kind, "ts", 2) != 0);
}

static void check_arrays(void)
{
    struct fields fields;
    static const uint8_t types[] = {POINTER, 8, INT, TEXT};
    fields_derive(&fields, ":1\nx, SDT_ARRAY(p->data, a + b), s", types, 4);
    CHECK(memcmp(fields.kind, "anms", 4) == 0 && strcmp(fields.name[0], "data") == 0);
    CHECK(strcmp(fields.name[1], "arg1") == 0 && strcmp(fields.name[3], "s") == 0);
    fields_derive(&fields, ":1\nx, SDT_NAMED(\"all\", SDT_ARRAY(d, n)), s", types, 4);
    CHECK(memcmp(fields.kind, "anms", 4) == 0 && strcmp(fields.name[0], "all") == 0);
    fields_derive(&fields,
                  ":1\nx, ((void)sdt_means_a_, (d)), ((void)sdt_means_n_, (n)), "
                  "((void)sdt_means_m_, (T)0), s",
                  types, 4);
    CHECK(memcmp(fields.kind, "anms", 4) == 0 && strcmp(fields.name[1], "n") == 0);
    /* Without all of its parts it is an address. */
    fields_derive(&fields, ":1\nx, ((void)sdt_means_a_, (d)), ((void)sdt_means_n_, (n)), i, s",
                  types, 4);
    CHECK(fields.kind[0] == 'p' && fields.kind[2] == 'i');
    fields_derive(&fields, ":1\nx, ((void)sdt_means_a_, (d)), ((void)sdt_means_n_, (n))", types, 2);
    CHECK(fields.kind[0] == 'p');
}

/* Whatever stands there: names, and no access outside. */
static void check_nonsense(void)
{
    static const char *const texts[] = {
        "",
        ",",
        ",,,",
        "(",
        ")",
        "((((",
        "\"",
        "'\\",
        "SDT_NAMED",
        "SDT_NAMED(",
        "SDT_NAMED(\"",
        "SDT_BYTES(a)",
        "SDT_ARRAY(a)",
        "SDT_ARRAY(",
        "SDT_BYTES(",
        "((void)",
        "((void)\"\"",
        "static_cast<",
        "a->",
        "a.",
        "a[",
        "SDT_HEX()",
        "(int",
        "(T)",
        "::",
        "*",
        "&&&&",
        "!!!!",
        "\\",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct fields fields = derive(texts[i], 2, INT);
        CHECK(fields.name[0][0] && fields.name[1][0] && strcmp(fields.name[0], fields.name[1]));
    }
    char deep[400];
    memset(deep, '(', sizeof deep);
    memset(deep + 200, ')', sizeof deep - 200);
    deep[199] = 'n';
    deep[sizeof deep - 2] = 0;
    CHECK(is_called(deep, "arg0"));
    memset(deep, 'n', 300);
    deep[300] = 0;
    CHECK(strlen(derive(deep, 1, INT).name[0]) < FIELD_NAME_SIZE);
}

static void check_places(void)
{
    struct fields fields;
    static const uint8_t types[] = {INT, BOOL};
    struct source_place place = fields_place("a:b c.c:70000\nx, n");
    CHECK(slice_compare(place.file, slice_of("a:b c.c")) == 0 && place.line == 70000);
    CHECK(fields_place(NULL).file.length == 0 && fields_place(NULL).line == 0);
    CHECK(fields_place("no line\na:7").file.length == 0);
    fields_derive(&fields, NULL, types, 2);
    CHECK(strcmp(fields.name[1], "arg1") == 0 && fields.kind[1] == 'b');
}

int main(void)
{
    check_names();
    check_lists();
    check_kinds();
    check_bytes();
    check_arrays();
    check_nonsense();
    check_places();
    return check_failures != 0;
}
