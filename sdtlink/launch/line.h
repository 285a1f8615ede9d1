/* SPDX-License-Identifier: BSD-2-Clause */
/* The linker's command line: which of its words are inputs, and what the link will make. */
#ifndef SDTLINK_LAUNCH_LINE_H
#define SDTLINK_LAUNCH_LINE_H

#include "base/words.h"
#include "line_options.h"
#include "scan.h"

struct script;
struct tool_arch;

/* A file of the link. */
struct line_input {
    size_t word;           /* its place in line.words */
    const char *name;      /* as the line or the script names it: -lx, a path */
    char *path;            /* as the linker opens it; NULL: a library that was not found */
    bool is_library;       /* named by -l, to be found: search.c */
    bool is_static;        /* under -Bstatic: no shared library will do */
    const char *option;    /* the beginning of the word, if that is an option with a script */
    struct script *script; /* which names more files; NULL: none has been read */
    size_t first;          /* the first of line.inputs that is the same file: inputs.c */
    unsigned found;        /* what it holds, enum scan: scan.c */
    int error;             /* or why that is not known */
    char *replacement;     /* to be linked in its place; NULL: none */
};

/* A linker script that names inputs or discards sections (script.h). */
struct script_file {
    size_t at, length; /* the name in the text, with its quotes */
    bool is_moved;     /* the linker would not find it from a script that is elsewhere */
    bool is_included;  /* a script that is read in place (INCLUDE) */
    struct line_input input;
};

struct script {
    char *text;
    size_t size;
    struct script_file *files;
    size_t count, capacity;
    bool discards_notes;
};

struct line {
    enum line_flavour flavour;
    const char *linker; /* the file to run */
    struct words words; /* response files expanded; -l and -L are one word with their value */
    struct line_input *inputs;
    size_t input_count, input_capacity;
    struct words directories;     /* of -L, in order */
    const char *sysroot;          /* NULL: none */
    const char *output;           /* as given, or a.out */
    char *emulation;              /* of -m; NULL: the linker's own */
    const struct tool_arch *arch; /* what is linked, by that */
    struct words reports; /* files that the linker writes for people and make: -Map and such */
    bool is_relocatable, is_shared;
    bool is_static;               /* no shared libraries at the end of the line */
    bool collects_garbage;        /* --gc-sections */
    bool has_default_directories; /* no -nostdlib */
    bool has_color_option;
    struct scan_rules rules; /* for its files; set by launch.c */
    bool has_late_notes;     /* the output is to be finalized; set by inputs_process() */
    bool ends_binary;        /* a file at the end of the line would be taken as -b binary */
};

/* ARGV as given, to be run by LINKER, a path. The words are used, not copied. */
void line_read(struct line *line, char **argv, const char *linker);
/* The first input, on the line or in its scripts, for which IS answers true; NULL: none. */
typedef bool line_test(const struct line_input *input, const void *data);
const struct line_input *line_find(const struct line *line, line_test *is, const void *data);
/* Put COUNT words before word AT. */
void line_insert(struct line *line, size_t at, char *const *list, size_t count);
/* Take word AT away, and the input that it is. */
void line_remove(struct line *line, size_t at);
void line_free(struct line *line);

/* By the name of the linker's file, all links followed. */
enum line_flavour line_flavour(const char *path);

#endif
