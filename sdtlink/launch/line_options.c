/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The options of linkers that take a value. One table serves GNU ld, gold, lld and mold: see
 * line.c.
 */
#include "line_options.h"

#include <string.h>

/* Long options that take the next word, without hyphens. */
static const char *const long_with_value[] = {"Map",
                                              "Tbss",
                                              "Tdata",
                                              "Ttext",
                                              "Ttext-segment",
                                              "Trodata-segment",
                                              "Tldata-segment",
                                              "architecture",
                                              "assert",
                                              "audit",
                                              "auxiliary",
                                              "build-id-chunk-size-for-treehash",
                                              "build-id-min-file-size-for-treehash",
                                              "call-graph-ordering-file",
                                              "chroot",
                                              "compress-debug-sections",
                                              "debug",
                                              "default-script",
                                              "defsym",
                                              "depaudit",
                                              "dependency-file",
                                              "directory",
                                              "dT",
                                              "dynamic-linker",
                                              "dynamic-list",
                                              "entry",
                                              "error-handling-script",
                                              "error-limit",
                                              "exclude-libs",
                                              "exclude-modules-for-implib",
                                              "export-dynamic-symbol",
                                              "export-dynamic-symbol-list",
                                              "filter",
                                              "fini",
                                              "format",
                                              "gpsize",
                                              "hash-bucket-empty-fraction",
                                              "hash-size",
                                              "hash-style",
                                              "icf",
                                              "icf-iterations",
                                              "ignore-unresolved-symbol",
                                              "image-base",
                                              "incremental-base",
                                              "incremental-patch",
                                              "init",
                                              "just-symbols",
                                              "keep-unique",
                                              "library",
                                              "library-path",
                                              "lto-aa-pipeline",
                                              "lto-newpm-passes",
                                              "lto-sample-profile",
                                              "lto-cs-profile-file",
                                              "max-cache-size",
                                              "mllvm",
                                              "mri-script",
                                              "oformat",
                                              "opt-remarks-filename",
                                              "opt-remarks-format",
                                              "opt-remarks-passes",
                                              "optimize",
                                              "orphan-handling",
                                              "out-implib",
                                              "output",
                                              "package-metadata",
                                              "plugin",
                                              "plugin-opt",
                                              "print-archive-stats",
                                              "print-symbol-counts",
                                              "print-symbol-order",
                                              "reproduce",
                                              "require-defined",
                                              "retain-symbols-file",
                                              "rosegment-gap",
                                              "rpath",
                                              "rpath-link",
                                              "script",
                                              "section-ordering-file",
                                              "section-start",
                                              "soname",
                                              "sort-section",
                                              "spare-dynamic-tags",
                                              "split-stack-adjust-size",
                                              "stub-group-size",
                                              "symbol-ordering-file",
                                              "sysroot",
                                              "task-link",
                                              "thread-count",
                                              "thread-count-final",
                                              "thread-count-initial",
                                              "thread-count-middle",
                                              "trace-symbol",
                                              "undefined",
                                              "undefined-glob",
                                              "unique-symbol-file",
                                              "unresolved-symbols",
                                              "version-exports-section",
                                              "version-script",
                                              "warn-backrefs-exclude",
                                              "why-extract",
                                              "wrap",
                                              "remap-inputs",
                                              "remap-inputs-file",
                                              "section-ordering"};

/* One-letter options that take the rest of their word, or the next word. */
static const char short_with_value[] = "ACFGILOPRTYabcefhlmouyz";

bool line_option_is_listed(const char *name, const char *const *list, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!strcmp(name, list[i]))
            return true;
    return false;
}

/* Flags that matter here, and flags with which the name of another option begins. */
static const char *const flags[] = {
    "Bshareable",  "Bstatic",    "Bdynamic",       "build-id",   "call_shared", "export-dynamic",
    "gc-sections", "nostdlib",   "no-gc-sections", "non_shared", "pie",         "pic-executable",
    "pop-state",   "push-state", "relocatable",    "shared",     "static",      "static-pie",
    "trace",       "unique",     "version"};

static size_t count_beginning(const char *const *list, size_t count, const char *start,
                              const char **last)
{
    size_t found = 0;
    for (size_t i = 0; i < count; i++)
        if (!strncmp(list[i], start, strlen(start))) {
            *last = list[i];
            found++;
        }
    return found;
}

/*
 * GNU ld takes any unique beginning of a long option for the whole. The options here are not all
 * that it has; but where it knows more that begin so, it refuses the word.
 */
const char *line_option_name(enum line_flavour flavour, const char *word, const char *name)
{
    const char *whole = name;
    bool is_gnu = flavour == FLAVOUR_BFD || flavour == FLAVOUR_UNKNOWN;
    bool may_be_long = word[1] == '-' || !strchr(short_with_value, word[1]);
    if (!is_gnu || !may_be_long || strlen(name) < 3 || IS_ONE_OF(name, long_with_value) ||
        IS_ONE_OF(name, flags))
        return name;
    size_t found = count_beginning(long_with_value, COUNT(long_with_value), name, &whole) +
                   count_beginning(flags, COUNT(flags), name, &whole);
    return found == 1 ? whole : name;
}

bool line_option_is_long(const char *name)
{
    return IS_ONE_OF(name, long_with_value);
}

bool line_option_is_short(const char *word)
{
    return word[1] != '-' && word[1] && strchr(short_with_value, word[1]) != NULL;
}
