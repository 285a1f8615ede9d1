/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Names of addresses of recorded processes: from the modules that their metadata name, and the
 * symbol tables of these files (module_file.h), or of /usr/lib/debug. A file whose build ID is not
 * the recorded one gives no names.
 */
#ifndef SDT_SYMBOLS_H
#define SDT_SYMBOLS_H

#include "trace.h"

/* What an address is; strings live as long as what they were asked of. */
struct symbol {
    const char *module;   /* name of the file without directories; NULL: unknown */
    const char *function; /* NULL: unknown */
    uint64_t offset;      /* from the function on; from the module, if that is unknown */
};

/* Files that were read. All zero: none. */
struct symbols {
    struct symbol_file *files;
    size_t count;
};

/* ADDRESS of a process of TRACE. */
struct symbol symbols_find(struct symbols *symbols, const struct trace *trace, uint64_t address);
void symbols_free(struct symbols *symbols);

#endif
