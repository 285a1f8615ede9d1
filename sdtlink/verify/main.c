/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sdtlink-verify: the second reader.
 *
 * sdtlink writes objects with libelf and a table of bytes. This program reads the result with
 * LLVM's object reader and disassembler and proves what the runtime and the linkers rely on. It
 * shares nothing with the tool but <sdt/format.h>: if the two disagree about a file, one of them is
 * wrong, and the user learns it before the program runs. It is an executable of its own because
 * loading LLVM takes longer than everything else the tool does; `sdtlink verify` runs it.
 */
#include "checks.h"
#include "disasm.h"
#include "machines/machines.h"
#include "open.h"
#include "report.h"

#include <getopt.h>
#include <llvm-c/ErrorHandling.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct request {
    const char *against;
    bool is_quiet;
};

/* The file LLVM is reading, for the message should it give up on it. */
static const char *being_read;

static void on_fatal_error(const char *reason)
{
    fflush(stdout);
    fputs("sdtlink verify: ", stderr);
    report_path(stderr, being_read);
    fputs(": LLVM cannot read it: ", stderr);
    report_path(stderr, reason);
    fputc('\n', stderr);
    _Exit(1);
}

static int refuse_linked(const struct image *image)
{
    return report_failure(image, "--against compares relocatable objects");
}

static int verify_against(struct image *image, const char *path, const struct records *records)
{
    struct image original;
    int result = -1;
    being_read = path;
    if (image_open(&original, path) == 0)
        result = original.is_relocatable ? check_against(image, &original, records)
                                         : refuse_linked(&original);
    image_close(&original);
    return result;
}

/* What was not proven, of a file without defects. */
struct reservations {
    size_t unsure;   /* sites without a function symbol around them */
    size_t relinked; /* records that `ld -r` untied from their text section */
    size_t handlers; /* no reservation: handlers whose promise was checked */
};

static void summarize(const struct image *image, const struct records *records,
                      const struct reservations *but)
{
    size_t probes = records_count_probes(records);
    report_path(stdout, image->path);
    printf(": %zu site%s, %zu probe%s", records->count, records->count == 1 ? "" : "s", probes,
           probes == 1 ? "" : "s");
    if (but->handlers)
        printf(", %zu handler%s of general registers", but->handlers,
               but->handlers == 1 ? "" : "s");
    fputs(": ", stdout);
    if (image->defects)
        printf("%zu defect%s\n", image->defects, image->defects == 1 ? "" : "s");
    else if (but->unsure)
        printf("ok (%zu without a function symbol: instruction boundaries not checked)\n",
               but->unsure);
    else if (but->relinked)
        printf("ok (linked again with -r: %zu without SHF_LINK_ORDER to their section)\n",
               but->relinked);
    else
        puts("ok");
}

/* The table of contents: every proof, in the order in which one relies on the other. */
static int verify_file(const char *path, const struct request *request)
{
    struct image image;
    struct records records = {0};
    struct reservations but = {0};
    int result = -1;

    being_read = path;
    if (image_open(&image, path) != 0)
        goto out;
    if (request->against && !image.is_relocatable) {
        refuse_linked(&image);
        goto out;
    }
    if (records_read(&image, &records) != 0)
        goto out;
    check_probes(&image, &records);
    if (check_sites(&image, &records, &but.unsure) != 0)
        goto out;
    /* The records are sorted by site, and the branches of moved ones known, from here on. */
    check_set(&image, &records, request->against != NULL, &but.relinked);
    check_labels(&image, &records);
    if (check_notes(&image, &records, request->against != NULL) != 0)
        goto out;
    if (request->against && verify_against(&image, request->against, &records) != 0)
        goto out;
    if (check_promises(&image, &but.handlers) != 0)
        goto out;
    if (!request->is_quiet || image.defects)
        summarize(&image, &records, &but);
    result = image.defects ? -1 : 0;
out:
    records_free(&records);
    image_close(&image);
    return result;
}

static const char usage[] =
    "Usage: sdtlink verify [-q] [--against ORIGINAL.o] FILE...\n"
    "Read processed objects, executables and libraries again, with LLVM, and prove that\n"
    "every site, probe and stub is as recorded and that no use is missing.\n"
    "\n"
    "      --against ORIGINAL.o  also prove that nothing else was changed (one FILE)\n"
    "  -q, --quiet               say nothing about files in which all holds\n"
    "  -h, --help                print this and exit\n"
    "\n"
    "Exit status: 0 everything holds; 1 a defect, or a file that cannot be read; 2 the command\n"
    "line is wrong.\n";

static int refuse_usage(void)
{
    fputs("Try 'sdtlink verify --help'.\n", stderr);
    return 2;
}

/* Fills REQUEST; -1: go on, otherwise the exit status. */
static int parse(int argc, char **argv, struct request *request)
{
    static const struct option options[] = {{"against", required_argument, NULL, 'a'},
                                            {"quiet", no_argument, NULL, 'q'},
                                            {"help", no_argument, NULL, 'h'},
                                            {NULL, 0, NULL, 0}};
    int option;
    while ((option = getopt_long(argc, argv, "qh", options, NULL)) != -1) {
        if (option == 'a') {
            request->against = optarg;
        } else if (option == 'q') {
            request->is_quiet = true;
        } else if (option == 'h') {
            fputs(usage, stdout);
            return 0;
        } else {
            return refuse_usage();
        }
    }
    if (optind == argc || (request->against && argc - optind != 1)) {
        fprintf(stderr, "sdtlink verify: %s\n",
                optind == argc ? "no file given" : "--against goes with one file");
        return refuse_usage();
    }
    return -1;
}

int main(int argc, char **argv)
{
    struct request request = {0};
    static char name[] = "sdtlink verify";
    int status = 0;
    if (argc > 0)
        argv[0] = name; /* getopt's messages: users do not run this program by its own name */
    int early = parse(argc, argv, &request);
    if (early >= 0)
        return early;
    LLVMInstallFatalErrorHandler(on_fatal_error);
    for (const struct arch *const *arch = machines; *arch; arch++)
        if (disasm_open(*arch) != 0) {
            fprintf(stderr, "sdtlink verify: this LLVM has no %s disassembler\n",
                    (*arch)->llvm_family);
            return 1;
        }
    for (int i = optind; i < argc; i++)
        if (verify_file(argv[i], &request) != 0)
            status = 1;
    disasm_close();
    if (fflush(stdout) != 0 || ferror(stdout)) {
        perror("sdtlink verify: standard output");
        return 1;
    }
    return status;
}
