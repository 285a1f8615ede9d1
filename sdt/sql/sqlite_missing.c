/* SPDX-License-Identifier: BSD-2-Clause */
/* sdt export --sqlite, if sdt was built without libsqlite3. */
#include "base/diag.h"
#include "sink.h"

static void *refuse(const char *path, const struct schema *schema)
{
    (void)schema;
    diag_error("cannot write %s: this sdt was built without libsqlite3", path);
    return NULL;
}

const struct sink sink_sqlite = {.open = refuse};
