/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The command line: that of DTrace and of SystemTap's script of the same name, as far as it is
 * about provider files. Options about object code or tracing are accepted and ignored.
 */
#ifndef SDT_DTRACE_OPTIONS_H
#define SDT_DTRACE_OPTIONS_H

#include "base/words.h"

#include <stdbool.h>

struct options {
    enum { MODE_NONE, MODE_HEADER, MODE_OBJECT, MODE_DESCRIBE } mode;
    const char *input;
    const char *output;
    char *default_output; /* after OUTPUT, if it was not given */
    bool preprocess;
    bool has_old_visibility; /* -DSTAP_SDT_V2: semaphores that other modules can see */
    struct words macros;     /* -I, -D and -U, as given */
};

enum options_result {
    OPTIONS_GO,
    OPTIONS_DONE, /* --help or --version; it is printed */
    OPTIONS_WRONG /* and the reason was printed */
};

/* The strings are those of ARGV. Only after OPTIONS_GO there is something to free. */
enum options_result options_read(struct options *options, int argc, char **argv);
void options_free(struct options *options);

#endif
