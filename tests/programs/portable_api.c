/* SPDX-License-Identifier: BSD-2-Clause */
/* What the API answers on a machine without probes. With every header that needs it. */
#include <sdt/format.h>
#include <sdt/probe.h>
#include <sdt/record.h>
#include <sdt/runtime.h>
#include <sdt/systemtap_attach.h>

#include <errno.h>
#include <stdio.h>
#include <string.h>

SDT_GENERAL_REGS_HANDLER(on_run)
{
    (void)event;
    *(int *)data += 1;
}

static void on_opened(int64_t fd, const char *path)
{
    (void)fd, (void)path;
}

static int visit(const struct sdt_probe_info *site, void *data)
{
    (void)site;
    *(int *)data += 1;
    return 0;
}

int main(void)
{
    int seen = 0;
    struct sdt_recorder *recorder = NULL;
    struct sdt_record_stats stats = {.size = sizeof stats};
    int answers[] = {sdt_enable("app:run", on_run, &seen),
                     sdt_enable("app:run", SDT_COUNT, NULL),
                     sdt_enable_mode("app:run", on_run, &seen, SDT_MODE_AUTO | SDT_PENDING),
                     sdt_disable(1),
                     sdt_foreach("*", visit, &seen),
                     sdt_attachable(),
                     systemtap_attach_NS(opened, on_opened),
                     sdt_record_create("recording", NULL, &recorder),
                     sdt_record_add(recorder, "*"),
                     sdt_record_start(recorder),
                     sdt_record_stop(recorder),
                     sdt_record_flush(recorder),
                     sdt_snapshot_when(recorder, "*", "1"),
                     sdt_record_stats(recorder, &stats),
                     sdt_record_destroy(recorder)};
    int others = 0;
    for (size_t i = 0; i < sizeof answers / sizeof *answers; i++)
        others += answers[i] != -ENOTSUP;
    SDT_PROBE(app, run, seen);
    printf("other answers %d, seen %d, hits %d, enabled %d\n", others, seen, (int)sdt_hits("*"),
           SDT_PROBE_ENABLED(app, run));
    printf("%s\n%s\n%s\n", sdt_strerror(-ENOTSUP), sdt_strerror(0), sdt_version());
    return 0;
}
