/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Target: an object through the whole tool: rewritten, made a companion for, and only planned.
 *
 * Whatever is in the file, it is refused, and then nothing is left; or processed, and then
 * the output is an object in which nothing is left to do and nothing was changed but what had to
 * be. The input is as it was.
 */
#include "base/status.h"
#include "elf/foreign.h"
#include "elf/object.h"
#include "probes/sites_find.h"
#include "process.h"
#include "target.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool is_same(const char *path, const uint8_t *data, size_t size)
{
    size_t found;
    uint8_t *contents = target_read(path, &found);
    bool same = contents && found == size && (size == 0 || !memcmp(contents, data, size));
    free(contents);
    return same;
}

/* Sections whose bytes hold symbol indexes, names or descriptors: those may change. */
static bool is_table(const struct object *o, uint32_t i)
{
    switch (o->sections[i].header.sh_type) {
    case SHT_SYMTAB:
    case SHT_SYMTAB_SHNDX:
    case SHT_STRTAB:
    case SHT_RELA:
    case SHT_GROUP:
    case SHT_LLVM_ADDRSIG_TYPE:
        return true;
    default:
        return !strcmp(o->sections[i].name, ".sdt_args");
    }
}

/* Whether byte AT of SECTION belongs to a site. */
static bool is_in_site(const struct object *o, const struct sites *sites, uint32_t section,
                       uint64_t at)
{
    for (uint32_t i = 0; i < sites->count; i++) {
        const struct site *site = &sites->items[i];
        if (site->place.section == section && at >= site->place.offset &&
            at < site->place.offset + o->arch->form(site->kind)->length)
            return true;
    }
    return false;
}

/* Whether it belongs to the spelling of arguments, which is for the tool alone. */
static bool is_in_spelling(const struct sites *sites, uint32_t section, uint64_t at)
{
    for (uint32_t i = 0; i < sites->count; i++) {
        const struct descriptor *d = &sites->items[i].arguments;
        if (d->spelled.section == section && at >= d->spelled.offset &&
            at - d->spelled.offset < strlen(d->spelling))
            return true;
    }
    return false;
}

/*
 * Each section of IN is there in OUT, with the same contents but for the sites, and spellings,
 * which may be zeros. Only what belongs to intermediate code may be gone.
 */
static void compare_sections(const struct object *in, const struct object *out,
                             const struct sites *sites)
{
    target_require(out->section_count >= in->section_count, "no section is lost");
    for (uint32_t i = 1; i < in->section_count; i++) {
        const struct section *a = &in->sections[i], *b = &out->sections[i];
        if (in->is_fat && b->header.sh_type == SHT_NULL)
            continue;
        target_require(a->header.sh_type == b->header.sh_type && !strcmp(a->name, b->name),
                       "sections stay in place");
        if (is_table(in, i))
            continue;
        target_require(b->size >= a->size, "no section becomes shorter");
        for (uint64_t at = 0; at < a->size; at++)
            target_require(a->data[at] == b->data[at] || is_in_site(in, sites, i, at) ||
                               (b->data[at] == 0 && is_in_spelling(sites, i, at)),
                           "only sites and spellings change");
    }
}

static void check_output(const char *input, const char *output)
{
    struct object in, out;
    struct sites before, after;
    target_require(object_open(&in, input) == 0 && sites_find(&before, &in, true, NULL) == 0,
                   "a processed object can be read");
    target_require(object_open(&out, output) == 0 && sites_find(&after, &out, true, NULL) == 0,
                   "the output can be read");
    target_require(sites_is_empty(&after), "nothing is left to do in the output");
    compare_sections(&in, &out, &before);
    sites_free(&before);
    sites_free(&after);
    object_close(&in);
    object_close(&out);
}

static void check_copy(const char *input, const char *output)
{
    size_t size;
    uint8_t *data = target_read(input, &size);
    target_require(is_same(output, data, size), "an object for another machine is copied");
    free(data);
}

/* Run the tool; it must leave an output exactly if it succeeds. */
static bool run(const struct options *options)
{
    int status = process_object(options);
    target_require(status == STATUS_DONE || status == STATUS_FAILED, "the status is 0 or 1");
    bool is_there = options->output && access(options->output, F_OK) == 0;
    target_require(is_there == (options->output && status == STATUS_DONE),
                   "there is an output if and only if the status is 0");
    return status == STATUS_DONE;
}

/* What OPTIONS say, of an output, makes the same of it. */
static void check_again(struct options options)
{
    target_require(run(&options), "the output can be processed");
    size_t size;
    uint8_t *data = target_read(options.input, &size);
    target_require(is_same(options.output, data, size), "processing twice changes nothing");
    free(data);
    unlink(options.output);
}

static void rewrite(const char *input)
{
    const char *output = target_path("out.o"), *again = target_path("again.o");
    if (!run(&(struct options){.input = input, .output = output}))
        return;
    (foreign_has_no_probes(input) ? check_copy : check_output)(input, output);
    check_again((struct options){.input = output, .output = again});
    unlink(output);
}

static void companion(const char *input)
{
    const char *output = target_path("sdt.o");
    struct object made;
    if (!run(&(struct options){.input = input, .output = output, .companion = true}))
        return;
    target_require(object_open(&made, output) == 0, "the companion can be read");
    object_close(&made);
    unlink(output);
}

static void freestanding(const char *input)
{
    const char *output = target_path("kernel.o"), *again = target_path("again.o");
    struct options options = {.input = input,
                              .output = output,
                              .freestanding = true,
                              .no_notes = true,
                              .ignore_stapsdt = true};
    if (!run(&options))
        return;
    options.input = output;
    options.output = again;
    check_again(options);
    unlink(output);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *input = target_path("in.o");
    target_write(input, data, size);
    rewrite(input);
    companion(input);
    freestanding(input);
    run(&(struct options){.input = input, .dry_run = true});
    target_require(is_same(input, data, size), "the input is as it was");
    unlink(input);
    return 0;
}
