/* SPDX-License-Identifier: BSD-2-Clause */
#include "lto.h"

#include "base/diag.h"
#include "base/output.h"
#include "find.h"
#include "probes/chosen.h"
#include "scan.h"
#include "temporary.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The place in words of the next plugin's name from FROM on; 0: there is none. */
static size_t next_plugin(const struct line *line, size_t from)
{
    for (size_t i = from ? from : 1; i + 1 < line->words.count; i++)
        if (!strcmp(line->words.list[i], "-plugin") || !strcmp(line->words.list[i], "--plugin"))
            return i + 1;
    return 0;
}

/* Is there a plugin, and one that takes gcc's objects? */
static bool has_plugin(const struct line *line, bool for_gcc)
{
    if (line->flavour == FLAVOUR_LLD)
        return false;
    for (size_t i = 0; (i = next_plugin(line, i)) != 0;)
        if (!for_gcc || strncmp(basename(line->words.list[i]), "LLVMgold", 8) != 0)
            return true;
    return false;
}

bool lto_takes_fat(const struct line *line)
{
    return has_plugin(line, true);
}

/* The code that link-time optimisation makes has no symbols of source files. */
static int check_files(const struct line *line)
{
    if (!line->rules.functions || !chosen_names_files(line->rules.functions))
        return 0;
    for (size_t i = 0; i < line->input_count; i++)
        if (line->inputs[i].found & SCAN_LTO)
            return diag_refuse(
                &(struct diag_place){.file = line->inputs[i].path},
                "--functions=file:… cannot be used with link-time optimisation, whose "
                "code does not say which source file it is from",
                NULL, NULL, "choose functions by their names, or compile this file with -fno-lto");
    return 0;
}

int lto_check(const struct line *line)
{
    if (check_files(line) != 0)
        return -1;
    if (line->flavour != FLAVOUR_LLD)
        return 0;
    for (size_t i = 0; i < line->input_count; i++)
        if (line->inputs[i].script && (line->inputs[i].found & SCAN_LTO_PROBES))
            return diag_refuse(&(struct diag_place){.file = line->inputs[i].path},
                               "the script names an object for link-time optimisation that holds "
                               "probes; with lld it must be on the command line",
                               NULL, NULL, "name it on the linker's command line instead");
        else if ((line->inputs[i].found & SCAN_SLIM) && (line->inputs[i].found & SCAN_LTO_PROBES))
            return diag_refuse(&(struct diag_place){.file = line->inputs[i].path},
                               "it holds GCC's intermediate code (GIMPLE), which lld cannot read",
                               NULL, NULL,
                               "link with -fuse-ld=bfd, gold or mold; or compile with "
                               "-ffat-lto-objects or -fno-lto");
    return 0;
}

/* A plugin is loaded once however often it is named: for a second one a copy of the file. */
static char *copy_plugin(const char *path, const char *to)
{
    struct output output = {.fd = -1};
    struct stat status;
    int result = -1, fd = open(path, O_RDONLY | O_CLOEXEC);
    char *copy = memory_format("%s/sdtlink-lto.so", to);
    if (fd < 0 || fstat(fd, &status) != 0)
        diag_errno("cannot read %s", path);
    else if (output_open(&output, copy, 0700) == 0 &&
             output_copy(&output, fd, (struct byte_range){0, (uint64_t)status.st_size}, 0) == 0 &&
             output_finish(&output, (uint64_t)status.st_size) == 0)
        result = output_commit(&output);
    output_abandon(&output);
    if (fd >= 0)
        close(fd);
    words_keep(copy);
    return result == 0 ? copy : NULL;
}

/* Replace the plugin whose name is word AT, the NUMBER-th. */
static int interpose(struct line *line, size_t at, unsigned number, char *plugin, const char *tool)
{
    char *directory = words_keep(memory_format("%s/lto%u", temporary_directory(), number));
    if (mkdir(directory, 0700) != 0)
        return diag_errno("cannot make directory %s", directory);
    if (number > 0 && !(plugin = copy_plugin(plugin, directory)))
        return -1;
    char *options[] = {
        words_keep(memory_format("-plugin-opt=sdtlink-plugin=%s", line->words.list[at])),
        words_keep(memory_format("-plugin-opt=sdtlink-tool=%s", tool)),
        words_keep(memory_format("-plugin-opt=sdtlink-directory=%s", directory))};
    line->words.list[at] = plugin;
    line_insert(line, at + 1, options, sizeof options / sizeof *options);
    if (line->rules.functions) {
        char *functions =
            words_keep(memory_format("-plugin-opt=sdtlink-functions=%s", line->rules.functions));
        line_insert(line, at + 1, &functions, 1);
    }
    return 0;
}

int lto_interpose(struct line *line)
{
    static const char *const tool_places[] = {"sdtlink", NULL};
    static const char *const plugin_places[] = {"sdtlink-lto.so",
                                                "../libexec/sdtlink/sdtlink-lto.so", NULL};
    bool has_probes = false;
    for (size_t i = 0; i < line->input_count; i++)
        has_probes |= (line->inputs[i].found & SCAN_LTO_PROBES) != 0;
    if (!has_probes || !has_plugin(line, false))
        return 0;
    char *tool = words_keep(find_part(tool_places));
    char *plugin = words_keep(find_part(plugin_places));
    unsigned number = 0;
    if (!tool || !plugin)
        return diag_error("sdtlink-lto.so is not installed with this sdtlink, and the link holds "
                          "probes in intermediate code: install it, or compile with -fno-lto");
    for (size_t i = 0; (i = next_plugin(line, i)) != 0;)
        if (interpose(line, i, number++, plugin, tool) != 0)
            return -1;
    /* Compilers' plugins do not remove their files when a link fails. */
    return setenv("TMPDIR", temporary_directory(), 1) == 0 ? 0 : diag_errno("cannot set TMPDIR");
}
