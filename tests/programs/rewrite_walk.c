/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Print every record of this program's site set, as a reader other than the runtime sees it:
 *
 *   PATCH PC PROVIDER MODULE FUNCTION NAME KIND NARGS FLAGS STUB ARGS
 *
 * Addresses are hexadecimal and relative to the program's load address; absent strings are "-".
 */
#include <sdt/format.h>
#include <stdio.h>
#include <string.h>

#pragma GCC visibility push(hidden)
extern const struct sdt_site __start_sdt_sites[] __attribute__((weak));
extern const struct sdt_site __stop_sdt_sites[] __attribute__((weak));
extern const char __executable_start[];
#pragma GCC visibility pop

static const void *target(const int32_t *distance)
{
    return *distance ? (const char *)distance + *distance : NULL;
}

static const char *text(const int32_t *distance)
{
    const char *string = target(distance);
    return string ? string : "-";
}

static unsigned long place(const int32_t *distance)
{
    return (unsigned long)((const char *)target(distance) - __executable_start);
}

/* Without the tab that says that names follow. */
static const char *descriptor(const int32_t *distance)
{
    static char copy[512];
    snprintf(copy, sizeof copy, "%s", text(distance));
    copy[strcspn(copy, "\t")] = '\0';
    return copy[0] ? copy : "-";
}

int sdt_walk(void)
{
    for (const struct sdt_site *site = __start_sdt_sites; site < __stop_sdt_sites; site++) {
        const char *provider = text(&site->name), *colon = strchr(provider, ':');
        printf("%lx %.*s %s %s %s %u %u %u %lx %s\n", place(&site->pc), (int)(colon - provider),
               provider, text(&site->module), text(&site->function), colon + 1, site->kind,
               site->nargs, site->flags, place(&site->stub), descriptor(&site->args));
    }
    return 0;
}
