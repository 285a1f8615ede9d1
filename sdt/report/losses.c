/* SPDX-License-Identifier: BSD-2-Clause */
/* Events that the program could not record are no failure of ours, but are worth a warning. */
#include "losses.h"

#include "base/diag.h"
#include "trace/packet.h"

#include <stdlib.h>

static void tell(const char *directory, uint64_t discarded, uint64_t missing)
{
    if (!discarded && !missing)
        return;
    char *text =
        memory_format("%llu event%s discarded, %llu packet%s lost: see sdt report --summary",
                      (unsigned long long)discarded, discarded == 1 ? "" : "s",
                      (unsigned long long)missing, missing == 1 ? "" : "s");
    diag_warn(&(struct diag_place){.file = directory}, text, NULL);
    free(text);
}

void losses_tell(const struct recording *recording)
{
    for (size_t i = 0; i < recording->trace_count;) {
        const char *directory = recording->traces[i].directory;
        uint64_t discarded = 0, missing = 0;
        for (; i < recording->trace_count && recording->traces[i].directory == directory; i++)
            for (size_t k = 0; k < recording->traces[i].stream_count; k++) {
                discarded += recording->traces[i].streams[k].discarded;
                missing += recording->traces[i].streams[k].missing;
            }
        tell(directory, discarded, missing);
    }
}
