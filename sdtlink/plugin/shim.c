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
 *
 * The plugin interface is declared here instead of included: <plugin-api.h> would be a dependency
 * on one more package, for three numbers that never change. A test compares them.
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
enum tag { TAG_NULL = 0, TAG_OPTION = 4, TAG_ADD_INPUT_FILE = 10, TAG_MESSAGE = 11 };

typedef enum status add_input_file_function(const char *path);
typedef enum status message_function(int level, const char *format, ...);

/* One entry of the vector that ends with TAG_NULL. */
struct transfer {
    enum tag tag;
    union {
        const char *string;
        add_input_file_function *add_input_file;
        message_function *message;
        void *other;
    } u;
};

typedef enum status onload_function(struct transfer *vector);

/* The linker loads us into a process of its own and calls from one thread. */
static struct {
    add_input_file_function *add_input_file;
    message_function *message;
    const char *plugin, *tool, *directory;
    unsigned count; /* of objects written */
} shim;

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

/* Is FILE an object for sdtlink? The plugin of gcc also adds intermediate code (ld -r). */
static bool needs_processing(const char *file)
{
    struct mapping mapping;
    if (!mapping_open(&mapping, file))
        return false; /* the linker will say so */
    bool answer = intermediate_may_hold_probes(mapping.data, mapping.size) &&
                  intermediate_kind(mapping.data, mapping.size) == INTERMEDIATE_NONE;
    mapping_close(&mapping);
    return answer;
}

/* Run sdtlink, whose own words on stderr say what is wrong with the object. */
static enum status process(const char *input, const char *output)
{
    char *argv[] = {(char *)(uintptr_t)shim.tool, "-q", "-o", (char *)(uintptr_t)output,
                    (char *)(uintptr_t)input,     NULL};
    pid_t child;
    int status, error = posix_spawn(&child, shim.tool, NULL, NULL, argv, environ);
    if (error)
        return fail("cannot run", shim.tool, strerror(error));
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR)
            return fail("cannot wait for", shim.tool, strerror(errno));
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
        return fail("the object that link-time optimisation made was not processed:", input,
                    "the reason is above");
    return STATUS_OK;
}

static enum status add_input_file(const char *path)
{
    if (!needs_processing(path))
        return shim.add_input_file(path);
    char *output = NULL;
    if (asprintf(&output, "%s/lto%u.o", shim.directory, shim.count++) < 0)
        return fail("cannot process", path, strerror(errno));
    enum status status = process(path, output);
    if (status == STATUS_OK)
        status = shim.add_input_file(output); /* linkers copy the name */
    free(output);
    return status;
}

/* Take the value of one of our options; false if it is somebody else's. */
static bool take_option(const char *option)
{
    static const struct {
        const char *prefix;
        const char **value;
    } options[] = {{"sdtlink-plugin=", &shim.plugin},
                   {"sdtlink-tool=", &shim.tool},
                   {"sdtlink-directory=", &shim.directory}};
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
