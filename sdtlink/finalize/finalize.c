/* SPDX-License-Identifier: BSD-2-Clause */
#include "finalize.h"

#include "base/diag.h"
#include "base/status.h"
#include "list/file.h"
#include "passes.h"

#include <arch/machines.h>
#include <getopt.h>
#include <stdio.h>

static int check_file(const struct list_elf *elf)
{
    if (elf->type == ET_REL)
        return diag_error("%s: an object; finalize what it is linked into", elf->path);
    if (!tool_arch_of(elf->machine) || !elf->is_64 || elf->is_big)
        return diag_error("%s: not a 64-bit file for %s", elf->path, TOOL_ARCH_NAMES);
    return 0;
}

static void summarize(const char *path, const struct list *list,
                      const struct finalized_notes *notes, bool is_dry_run)
{
    size_t count = notes->dropped_count;
    if (list->count == 0 && count == 0 && !finalized_notes_differ(notes))
        diag_summary("%s: no probe sites of sdtlink; nothing to do", path);
    else if (!finalized_notes_differ(notes))
        diag_summary("%s: %zu site%s as recorded; nothing to do", path, list->count,
                     list->count == 1 ? "" : "s");
    else
        diag_summary("%s: %zu site%s as recorded; %zu note%s of dropped code %sremoved, %zu kept",
                     path, list->count, list->count == 1 ? "" : "s", count, count == 1 ? "" : "s",
                     is_dry_run ? "to be " : "", notes->kept_count);
}

int finalize_file(const char *path, bool is_dry_run)
{
    struct list_elf elf;
    struct list list = {0};
    struct finalized_notes notes = {0};
    int result = list_elf_open(&elf, path);
    if (result == 0)
        result = check_file(&elf);
    if (result == 0)
        result = list_read_set(&elf, &list);
    if (result == 0)
        result = finalize_check_records(&elf, &list);
    if (result == 0)
        result = finalize_sort_notes(&elf, &list, is_dry_run, &notes);
    if (result == 0 && finalized_notes_differ(&notes))
        result = finalize_write(&elf, &notes, is_dry_run);
    if (result == 0)
        summarize(path, &list, &notes, is_dry_run);
    bytes_free(&notes.kept);
    list_free(&list);
    list_elf_close(&elf);
    return result;
}

static const char usage[] =
    "Usage: sdtlink finalize [-q] [--dry-run] FILE\n"
    "Check the probe sites of a linked FILE against its bytes, and remove the notes for tracers\n"
    "that describe code the linker has dropped. In place; nothing is written if anything\n"
    "is not as recorded, or nothing is to be removed.\n"
    "\n"
    "      --dry-run         print the notes that would be removed, and write nothing\n"
    "  -q, --quiet           say nothing but errors\n"
    "  -h, --help            print this and exit\n"
    "\n"
    "Exit status: 0 done; 1 FILE was refused or could not be written; 2 the command line is\n"
    "wrong.\n";

int finalize_main(int argc, char **argv)
{
    enum { DRY_RUN = 256 };
    static const struct option table[] = {{"dry-run", no_argument, NULL, DRY_RUN},
                                          {"quiet", no_argument, NULL, 'q'},
                                          {"help", no_argument, NULL, 'h'},
                                          {NULL, 0, NULL, 0}};
    static char name[] = "sdtlink finalize"; /* for getopt's messages */
    bool is_dry_run = false, is_wrong = false;
    argv[0] = name;
    for (int option; (option = getopt_long(argc, argv, "qh", table, NULL)) != -1;) {
        if (option == 'h') {
            fputs(usage, stdout);
            return STATUS_DONE;
        }
        if (option == 'q')
            diag_set_level(DIAG_QUIET);
        is_dry_run |= option == DRY_RUN;
        is_wrong |= option == '?';
    }
    if (!is_wrong && argc - optind != 1) {
        diag_error("finalize: expected exactly one file");
        is_wrong = true;
    }
    if (is_wrong) {
        fputs("Try 'sdtlink finalize --help'.\n", stderr);
        return STATUS_USAGE;
    }
    return finalize_file(argv[optind], is_dry_run) == 0 ? STATUS_DONE : STATUS_FAILED;
}
