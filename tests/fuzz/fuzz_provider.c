/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Target: provider files, by sdt-dtrace's grammar. A file that is refused is so for a reason that
 * is said; of another, the header and the object's text hold a macro and a semaphore each probe.
 */
#include "header.h"
#include "provider.h"
#include "semaphores.h"
#include "target.h"

#include <stdlib.h>
#include <string.h>

static size_t count(const struct bytes *text, const char *word)
{
    size_t found = 0, length = strlen(word);
    const char *at = (const char *)text->data, *end = at + text->size;
    while ((at = memmem(at, (size_t)(end - at), word, length))) {
        found++;
        at += length;
    }
    return found;
}

static void check_probe(const struct provider_probe *probe)
{
    target_require(probe->provider.length && probe->name.length, "both names are there");
    target_require(probe->count <= PROVIDER_MAX_ARGUMENTS, "not more arguments than there can be");
    target_require(strspn(probe->macro, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") ==
                       strlen(probe->macro),
                   "a macro is an identifier in capitals");
}

static void check_output(const struct providers *providers)
{
    static const struct options options = {.output = "probes.h"};
    struct bytes header = {0}, object = {0};
    size_t declared = 0;
    for (size_t i = 0; i < providers->count; i++) {
        check_probe(&providers->list[i]);
        declared += !providers->list[i].is_again;
    }
    header_text(&header, providers, &options);
    semaphores_text(&object, providers);
    target_require(count(&header, ") \\\nDTRACE_PROBE") == declared, "a macro each probe");
    target_require(count(&header, "\nextern volatile ") == declared, "a declaration each");
    target_require(count(&header, "*/") == declared + 1, "no comment ends early");
    target_require(count(&object, "\nSEMAPHORE(") == declared, "a semaphore each");
    bytes_free(&header);
    bytes_free(&object);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct source source;
    struct providers providers;
    source_set(&source, "probes.d", data, size);
    source.is_preprocessed = size % 2;
    if (provider_parse(&providers, &source) == 0)
        check_output(&providers);
    provider_free(&providers);
    source_free(&source);
    return 0;
}
