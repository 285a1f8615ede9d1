/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * An ordinary archive holds its members. The processed ones are files of the link's directory until
 * the new archive has been written.
 *
 * A thin archive stays thin, since linkers name the members of a thin archive by their own paths.
 * So each member of the new one is a path in the link's directory that ends in the member's path: a
 * processed copy, or a symbolic link to the member.
 */
#include "repack.h"

#include "base/diag.h"
#include "scan.h"
#include "temporary.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Returns the member's new contents in *REPLACEMENT, NULL: it has no probes. */
static int add_member(const struct repack *repack, const struct archive_member *member,
                      struct object_jobs *jobs, char **replacement)
{
    if (!(scan_member(repack->rules, repack->path, member->data, member->size) & SCAN_PROBES))
        return 0;
    char *name = words_keep(
        memory_format("%s(%.*s)", repack->path, (int)member->name.length, member->name.text));
    char *file = memory_format("member%zu.o", jobs->count); /* not visible to users */
    *replacement = temporary_path(file);
    free(file);
    object_jobs_add(jobs, &(struct object_job){.name = name,
                                               .data = member->data,
                                               .size = member->size,
                                               .output = *replacement});
    return *replacement ? 0 : -1;
}

/* Every member of a thin archive gets a place, also those that stay as they are. */
static int add_thin_member(const struct repack *repack, const struct archive_member *member,
                           struct object_jobs *jobs, char **replacement)
{
    char *path = words_keep(archive_member_path(repack->path, member));
    *replacement = temporary_path(path);
    if (!*replacement)
        return -1;
    unsigned found;
    if ((errno = scan_file(repack->rules, path, &found)) != 0)
        return diag_errno("cannot read %s", path);
    if (!(found & SCAN_PROBES)) {
        char *real = realpath(path, NULL);
        int result = symlink(real ? real : path, *replacement);
        free(real);
        return result == 0 ? 0 : diag_errno("cannot make %s", *replacement);
    }
    if (member->is_nested || (found & SCAN_ARCHIVE))
        return diag_error("%s: member %s is an archive with probes in a thin archive; link the two "
                          "archives separately",
                          repack->path, path);
    object_jobs_add(jobs, &(struct object_job){.name = path, .file = path, .output = *replacement});
    return 0;
}

static int add_members(struct repack *repack, struct object_jobs *jobs)
{
    struct archive archive;
    struct archive_member member;
    int result;
    archive_open(&archive, repack->file.data, repack->file.size);
    while ((result = archive_next(&archive, &member)) == 1) {
        char *replacement = NULL;
        if (member.kind != MEMBER_FILE)
            continue;
        if ((archive.is_thin ? add_thin_member : add_member)(repack, &member, jobs, &replacement) !=
            0)
            return -1;
        words_add(&repack->members, replacement);
    }
    return result == 0
               ? 0
               : diag_error("%s: the archive is damaged; create it again: ar rcs", repack->path);
}

int repack_open(struct repack *repack, const char *path, const struct scan_rules *rules,
                struct object_jobs *jobs)
{
    *repack = (struct repack){.path = path, .rules = rules};
    if (!mapping_open(&repack->file, path))
        return diag_errno("cannot open %s", path);
    repack->output = temporary_path(path);
    if (!repack->output)
        return -1;
    return add_members(repack, jobs);
}

int repack_write(const struct repack *repack)
{
    return archive_write(repack->path, (const char *const *)repack->members.list, repack->output);
}

void repack_close(struct repack *repack)
{
    mapping_close(&repack->file);
    free(repack->members.list);
    *repack = (struct repack){0};
}
