/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Target: the launcher's look at an object. It decides whether an object is processed at all: so
 * whatever holds a probe for the tool's reader must hold one for it.
 */
#include "arch/machines.h"
#include "elf/object.h"
#include "launch/archive.h"
#include "launch/scan.h"
#include "probes/sites_find.h"
#include "target.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool has_sites(const char *path)
{
    struct object object;
    struct sites sites;
    bool found = false;
    if (object_open(&object, path) != 0)
        return false;
    if (sites_find(&sites, &object, true, NULL) == 0) {
        found = sites.count > 0;
        sites_free(&sites);
    }
    object_close(&object);
    return found;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct scan_rules rules = {0};
    const char *input = target_path("in.o");
    uint8_t *image = malloc(size + 1); /* at an odd place, as members of archives are */
    target_require(image, "there is memory");
    memcpy(image + 1, data, size);
    unsigned found = scan_member(&rules, input, image + 1, size), in_file = 0;
    free(image);
    target_write(input, data, size);
    target_require(scan_file(&rules, input, &in_file) == 0, "the file can be read");
    target_require(archive_is(data, size) || found == (in_file & ~(unsigned)SCAN_SCRIPT),
                   "the same in a file, but that no member is a linker script");
    /* The records of what was processed are counted and not read: damaged ones may hide a note. */
    bool is_believed = (found & SCAN_PROCESSED) && !(found & SCAN_NOTES);
    target_require(!has_sites(input) || (found & SCAN_PROBES) || is_believed,
                   "no site is overlooked");
    scan_is_input(input);
    scan_is_foreign(tool_arch_usual(), input);
    unlink(input);
    return 0;
}
