/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Target: archives. Read, scanned as a linker's input, and written anew: once with the same
 * contents, once with another file in place of each member. What was written has the same members
 * in the same order.
 */
#include "launch/archive.h"
#include "launch/scan.h"
#include "target.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* How many members are files; -1: the archive is damaged. */
static int count_files(const uint8_t *image, size_t size)
{
    struct archive archive;
    struct archive_member member;
    int result, files = 0;
    archive_open(&archive, image, size);
    while ((result = archive_next(&archive, &member)) == 1) {
        char *name = memory_format("%.*s", (int)member.name.length, member.name.text);
        free(name); /* it could be read */
        if (member.data)
            target_require(member.data >= image && member.size <= size &&
                               member.data <= image + (size - member.size),
                           "contents lie in the archive");
        files += member.kind == MEMBER_FILE;
    }
    return result == 0 ? files : -1;
}

static bool is_same_slice(struct slice a, struct slice b)
{
    return slice_compare(a, b) == 0;
}

/* REPLACED: the contents of all files are now these bytes; NULL: as they were. */
static void compare(const uint8_t *before, size_t size_before, const uint8_t *after,
                    size_t size_after, const struct slice *replaced)
{
    struct archive old, new;
    struct archive_member a, b;
    archive_open(&old, before, size_before);
    archive_open(&new, after, size_after);
    while (archive_next(&old, &a) == 1) {
        target_require(archive_next(&new, &b) == 1, "no member is lost");
        target_require(a.kind == b.kind && is_same_slice(a.name, b.name), "members keep names");
        if (a.kind != MEMBER_FILE)
            continue;
        struct slice expected = {(const char *)a.data, a.size};
        struct slice found = {(const char *)b.data, b.size};
        target_require(is_same_slice(replaced ? *replaced : expected, found),
                       "members have the contents that were asked for");
    }
    target_require(archive_next(&new, &b) == 0, "no member is added");
}

static void rewrite(const char *input, const uint8_t *data, size_t size, int files,
                    bool is_replaced)
{
    const char *output = target_path("out.a"), *other = target_path("other.o");
    const struct slice contents = {"contents", 7}; /* an odd number: padding is needed */
    const char **members = calloc((size_t)files + 1, sizeof *members);
    target_require(members, "there is memory");
    target_write(other, (const uint8_t *)contents.text, contents.length);
    for (int i = 0; i < files; i++)
        members[i] = is_replaced ? other : NULL;
    if (archive_write(input, members, output) == 0) {
        size_t written;
        uint8_t *again = target_read(output, &written);
        target_require(again, "there is an output");
        compare(data, size, again, written, is_replaced ? &contents : NULL);
        free(again);
        unlink(output);
    } else {
        target_require(access(output, F_OK) != 0, "a failure leaves no output");
    }
    unlink(other);
    free(members);
}

/* What a look at each member finds, in memory. */
static const struct scan_rules rules;

static unsigned look_at_members(const uint8_t *image, size_t size)
{
    struct archive archive;
    struct archive_member member;
    unsigned found = 0;
    archive_open(&archive, image, size);
    while (archive_next(&archive, &member) == 1)
        if (member.kind == MEMBER_FILE)
            found |= scan_object(&rules, member.data, member.size);
    return found & ~(unsigned)(SCAN_SHARED | SCAN_FOREIGN); /* of files that are no archives */
}

/* Big archives are read by pieces: so the same with a big member more. */
static void look_into_file(const char *input, const uint8_t *data, size_t size)
{
    static const char header[] = "more.o/         0           0     0     644     32768     `\n";
    size_t even = size + (size & 1), all = even + sizeof header - 1 + 32768;
    unsigned found;
    uint8_t *image = calloc(all, 1);
    target_require(image, "there is memory");
    memcpy(image, data, size);
    memcpy(image + even, header, sizeof header - 1);
    target_write(input, image, all);
    target_require(scan_file(&rules, input, &found) == 0, "the file can be read");
    target_require((look_at_members(image, all) & ~found) == 0, "no member is overlooked");
    free(image);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint8_t *image = malloc(size + !size); /* of its own size: ASan sees what is after it */
    const char *input = target_path("in.a");
    target_require(image, "there is memory");
    if (size)
        memcpy(image, data, size);
    unsigned found;
    bool answer;
    target_write(input, data, size);
    scan_file(&rules, input, &found);
    scan_is_input(input);
    scan_needs_runtime(input, &answer);
    if (archive_is(image, size)) {
        int files = count_files(image, size);
        bool is_thin = archive_is_thin(image, size);
        if (files >= 0 && !is_thin) {
            rewrite(input, image, size, files, false);
            rewrite(input, image, size, files, true);
        }
        if (!is_thin)
            look_into_file(input, image, size);
    }
    unlink(input);
    free(image);
    return 0;
}
