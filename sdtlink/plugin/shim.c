/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A linker plugin between the linker and the compiler's own plugin.
 *
 * With -flto the machine code is generated during the link: the compiler's plugin takes the
 * intermediate files, learns from the linker which symbols are used where, compiles, and hands
 * native objects to the linker by calling its add_input_file(). Only at that call does an object
 * with probe calls exist that the linker has not seen; and the call is the same for gcc and LLVM,
 * for GNU ld, gold and mold. So this plugin loads the real one and passes on everything that the
 * linker gave us, except that one function: ours runs sdtlink first and adds its output.
 *
 * Alternatives: an `as` found through gcc's -B sees gcc's objects but not LLVM's, and `sdtlink
 * --ld` has no -B; with a partial link of the intermediate files before the real one, the optimiser
 * does not see the whole program.
 *
 * The object is never changed in place: with ThinLTO it may belong to a cache that outlives this
 * link, and which other links use. Our output goes into a directory that the process that started
 * the linker made and will remove.
 *
 * Our options are plugin options with a prefix, removed before the real plugin sees the others:
 *   sdtlink-plugin=FILE     the real plugin
 *   sdtlink-tool=FILE       the sdtlink to run
 *   sdtlink-directory=DIR   for the objects we write
 *   sdtlink-functions=…     what to say after --functions=, if at all
 *
 * The plugin interface is declared here instead of included: <plugin-api.h> would be a dependency
 * on one more package, for four numbers that never change. A test compares them.
 */
#include "base/mapping.h"
#include "elf/intermediate.h"

#include <dlfcn.h>
#include <errno.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum status { STATUS_OK = 0, STATUS_ERR = 3 };
enum level { LEVEL_FATAL = 3 };
enum tag {
    TAG_NULL = 0,
    TAG_OPTION = 4,
    TAG_REGISTER_ALL_SYMBOLS_READ_HOOK = 6,
    TAG_ADD_INPUT_FILE = 10,
    TAG_MESSAGE = 11
};

typedef enum status add_input_file_function(const char *path);
typedef enum status message_function(int level, const char *format, ...);
typedef enum status all_read_function(void);
typedef enum status register_function(all_read_function *handler);

/* One entry of the vector that ends with TAG_NULL. */
struct transfer {
    enum tag tag;
    union {
        const char *string;
        add_input_file_function *add_input_file;
        message_function *message;
        register_function *register_all_read;
        void *other;
    } u;
};

typedef enum status onload_function(struct transfer *vector);

/* The linker loads us into a process of its own and calls from one thread. */
static struct {
    add_input_file_function *add_input_file;
    message_function *message;
    const char *plugin, *tool, *directory;
    const char *functions; /* the patterns of --functions; NULL: it is not given */
    unsigned count;        /* of objects written */
    /* What the real plugin does when all symbols are read: it generates code, and adds objects. */
    register_function *register_all_read;
    all_read_function *all_read;
    bool is_in_all_read;
    struct added *added; /* meanwhile, as many as ADDED_COUNT */
    char *names;         /* the option with what all of them say of probes; NULL: none */
    size_t added_count;
} shim;

/* An object that the real plugin has added, and that the linker is still to get. */
struct added {
    char *path;
    bool needs_processing, has_names;
};

/*
 * Linkers print what they are given, and names of files may hold terminal escapes. Simpler than
 * escape.c, which would bring half of the tool into the linker: all but ASCII becomes \xNN.
 */
static char *escaped(const char *text)
{
    char *result = malloc(4 * strlen(text) + 1), *to = result;
    for (; result && *text; text++)
        to += sprintf(to, *text >= 0x20 && *text < 0x7f ? "%c" : "\\x%02x", (unsigned char)*text);
    if (result)
        *to = 0;
    return result;
}

/* Through the linker, which then fails in its own manner. */
static enum status fail(const char *what, const char *file, const char *why)
{
    char *text = NULL, *safe = NULL;
    if (asprintf(&text, "sdtlink: %s %s: %s", what, file, why) >= 0)
        safe = escaped(text);
    if (shim.message)
        shim.message(LEVEL_FATAL, "%s", safe ? safe : "sdtlink: out of memory");
    else
        fprintf(stderr, "%s\n", safe ? safe : "sdtlink: out of memory");
    free(safe);
    free(text);
    return STATUS_ERR;
}

/*
 * What FILE is to sdtlink. The plugin of gcc also adds intermediate code (ld -r). What an object
 * says of probes, other objects of the link may need (elf/beside.h).
 */
static struct added look_at(const char *file)
{
    static const char enums[] = ".sdt_enums", described[] = ".sdt_described";
    struct added added = {NULL, false, false};
    struct mapping mapping;
    if (!mapping_open(&mapping, file))
        return added; /* the linker will say so */
    added.has_names = memmem(mapping.data, mapping.size, enums, sizeof enums - 1) ||
                      memmem(mapping.data, mapping.size, described, sizeof described - 1);
    added.needs_processing =
        (shim.functions || intermediate_may_hold_probes(mapping.data, mapping.size)) &&
        intermediate_kind(mapping.data, mapping.size) == INTERMEDIATE_NONE;
    mapping_close(&mapping);
    return added;
}

/* Run the tool; its own words on stderr say what is wrong. False after a message, about FILE. */
static bool run_tool(char **argv, const char *what, const char *file)
{
    pid_t child;
    int status, error = posix_spawn(&child, shim.tool, NULL, NULL, argv, environ);
    if (error) {
        fail("cannot run", shim.tool, strerror(error));
        return false;
    }
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR) {
            fail("cannot wait for", shim.tool, strerror(errno));
            return false;
        }
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
        fail(what, file, "the reason is above");
        return false;
    }
    return true;
}

static char *word(const char *text)
{
    return (char *)(uintptr_t)text;
}

/* Have the tool collect what all objects say of probes. */
static enum status collect(void)
{
    static const char option[] = "--names-from=";
    char **argv = calloc(shim.added_count + 4, sizeof *argv);
    size_t n = 0;
    if (!argv || asprintf(&shim.names, "%s%s/names", option, shim.directory) < 0) {
        free(argv);
        return fail("cannot process", shim.directory, strerror(ENOMEM));
    }
    argv[n++] = word(shim.tool);
    argv[n++] = word("--collect-names");
    argv[n++] = shim.names + sizeof option - 1;
    for (size_t i = 0; i < shim.added_count; i++)
        if (shim.added[i].needs_processing || shim.added[i].has_names)
            argv[n++] = shim.added[i].path;
    bool is_done = run_tool(argv, "cannot collect names into", argv[2]);
    free(argv);
    return is_done ? STATUS_OK : STATUS_ERR;
}

static enum status add_now(const char *path, bool needs_processing)
{
    if (!needs_processing)
        return shim.add_input_file(path);
    char *output = NULL, *functions = NULL;
    if (asprintf(&output, "%s/lto%u.o", shim.directory, shim.count++) < 0 ||
        (shim.functions && asprintf(&functions, "--functions=%s", shim.functions) < 0))
        return fail("cannot process", path, strerror(errno));
    char *argv[8] = {word(shim.tool), word("-q"), word("-o"), word(output), word(path)};
    size_t n = 5;
    if (shim.names)
        argv[n++] = shim.names;
    if (functions)
        argv[n++] = functions;
    enum status status =
        run_tool(argv, "the object that link-time optimisation made was not processed:", path)
            ? STATUS_OK
            : STATUS_ERR;
    if (status == STATUS_OK)
        status = shim.add_input_file(output); /* linkers copy the name */
    free(functions);
    free(output);
    return status;
}

/* While the real plugin generates code, its objects are collected: all must be there before the
 * first is processed. */
static enum status add_input_file(const char *path)
{
    struct added added = look_at(path), *more = NULL;
    if (!shim.is_in_all_read)
        return add_now(path, added.needs_processing);
    added.path = strdup(path);
    if (added.path)
        more = realloc(shim.added, (shim.added_count + 1) * sizeof *more);
    if (!more) {
        free(added.path);
        return fail("cannot process", path, strerror(ENOMEM));
    }
    shim.added = more;
    shim.added[shim.added_count++] = added;
    return STATUS_OK;
}

static enum status all_read(void)
{
    shim.is_in_all_read = true;
    enum status status = shim.all_read();
    shim.is_in_all_read = false;
    if (status == STATUS_OK && shim.added_count > 1)
        status = collect();
    for (size_t i = 0; i < shim.added_count && status == STATUS_OK; i++)
        status = add_now(shim.added[i].path, shim.added[i].needs_processing);
    for (size_t i = 0; i < shim.added_count; i++)
        free(shim.added[i].path);
    free(shim.added);
    shim.added = NULL;
    shim.added_count = 0;
    return status;
}

static enum status register_all_read(all_read_function *handler)
{
    shim.all_read = handler;
    return shim.register_all_read(all_read);
}

/* Take the value of one of our options; false if it is not ours. */
static bool take_option(const char *option)
{
    static const struct {
        const char *prefix;
        const char **value;
    } options[] = {{"sdtlink-plugin=", &shim.plugin},
                   {"sdtlink-tool=", &shim.tool},
                   {"sdtlink-directory=", &shim.directory},
                   {"sdtlink-functions=", &shim.functions}};
    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
        size_t length = strlen(options[i].prefix);
        if (!strncmp(option, options[i].prefix, length)) {
            *options[i].value = option + length;
            return true;
        }
    }
    return false;
}

/* Copy VECTOR for the real plugin: without our options, with our function. */
static void interpose(struct transfer *to, const struct transfer *vector)
{
    for (const struct transfer *from = vector;; from++) {
        if (from->tag == TAG_OPTION && take_option(from->u.string))
            continue;
        *to = *from;
        if (from->tag == TAG_MESSAGE)
            shim.message = from->u.message;
        if (from->tag == TAG_ADD_INPUT_FILE) {
            shim.add_input_file = from->u.add_input_file;
            to->u.add_input_file = add_input_file;
        }
        if (from->tag == TAG_REGISTER_ALL_SYMBOLS_READ_HOOK) {
            shim.register_all_read = from->u.register_all_read;
            to->u.register_all_read = register_all_read;
        }
        to++;
        if (from->tag == TAG_NULL)
            return;
    }
}

__attribute__((visibility("default"))) onload_function onload;
enum status onload(struct transfer *vector)
{
    size_t count = 1;
    while (vector[count - 1].tag != TAG_NULL)
        count++;
    struct transfer *copy = calloc(count, sizeof *copy);
    if (!copy)
        return STATUS_ERR;
    interpose(copy, vector);
    enum status status = STATUS_ERR;
    void *real = shim.plugin ? dlopen(shim.plugin, RTLD_NOW) : NULL;
    void *entry = real ? dlsym(real, "onload") : NULL;
    if (!shim.plugin || !shim.tool || !shim.directory)
        fail("the linker plugin", "sdtlink-lto.so", "it is started by sdtlink only");
    else if (!entry)
        fail("cannot load linker plugin", shim.plugin, dlerror());
    else
        status = ((onload_function *)entry)(copy);
    free(copy);
    return status;
}
