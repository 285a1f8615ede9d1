/* SPDX-License-Identifier: BSD-2-Clause */
/* See live_sites.h. */
#include "live_sites.h"

#include "base/diag.h"
#include "base/memory.h"

#include <errno.h>
#include <sdt/format.h>
#include <shared/pattern.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* More is no list of probes. */
#define MAX_TEXT ((off_t)1 << 30)

enum { FIELDS = 15 };

/* Split LINE at tabs. */
static bool split(char *line, char *fields[FIELDS])
{
    int n = 0;
    for (char *field; (field = strsep(&line, "\t"));) {
        if (n == FIELDS)
            return false;
        fields[n++] = field;
    }
    return n == FIELDS;
}

static bool read_line(struct live_site *site, char *line)
{
    char *field[FIELDS];
    if (!split(line, field))
        return false;
    *site = (struct live_site){
        .provider = field[0],
        .module = field[1],
        .function = field[2],
        .name = field[3],
        .pc = strtoull(field[4], NULL, 16),
        .kind = (unsigned)strtoul(field[5], NULL, 10),
        .mode = field[6],
        .error = (int)strtol(field[7], NULL, 10),
        .hits = strtoull(field[8], NULL, 10),
        .file = (int)strtol(field[9], NULL, 10),
        .inode = strtoull(field[10], NULL, 10),
        .offset = (uint32_t)strtoul(field[11], NULL, 10),
        .pages = (uint32_t)strtoul(field[12], NULL, 10),
        .place = field[13],
        .arguments = field[14],
    };
    return true;
}

bool live_sites_parse(struct live_sites *sites, char *text, size_t length)
{
    size_t capacity = 0;
    text[length] = '\0';
    *sites = (struct live_sites){.text = text};
    for (char *line; text && *text && (line = strsep(&text, "\n"));) {
        sites->site = memory_with_room(sites->site, sites->count, &capacity, sizeof *sites->site);
        if (!read_line(&sites->site[sites->count], line))
            return false;
        sites->count++;
    }
    return true;
}

static char *read_file(int fd, size_t *length)
{
    struct stat status;
    if (fd < 0 || fstat(fd, &status) != 0 || status.st_size > MAX_TEXT)
        return NULL;
    size_t size = (size_t)status.st_size;
    char *text = memory_zeroed(size + 1, 1);
    for (*length = 0; *length < size;) {
        ssize_t n = pread(fd, text + *length, size - *length, (off_t)*length);
        if (n <= 0)
            break;
        *length += (size_t)n;
    }
    return text;
}

int live_sites_ask(struct attached *to, const char *pattern, struct live_sites *sites)
{
    struct attach_request request = {.op = LIVE_LIST, .text = pattern};
    *sites = (struct live_sites){0};
    if (attach_send(to, &request) != 0)
        return -1;
    if (request.result < 0)
        return diag_error("process %d (%s): %s: %s", (int)to->pid, to->name, pattern,
                          request.message);
    size_t length = 0;
    char *text = read_file(request.file, &length);
    if (request.file >= 0)
        close(request.file);
    if (text && live_sites_parse(sites, text, length))
        return 0;
    live_sites_free(sites);
    if (to->is_late && !attach_is_there(to))
        return -1;
    return diag_error("process %d (%s): its list cannot be read", (int)to->pid, to->name);
}

void live_sites_keep(struct live_sites *sites, char *text)
{
    sites->kept = memory_resize(sites->kept, sites->kept_count + 1, sizeof *sites->kept);
    sites->kept[sites->kept_count++] = text;
}

void live_sites_free(struct live_sites *sites)
{
    for (size_t i = 0; i < sites->kept_count; i++)
        free(sites->kept[i]);
    free(sites->kept);
    free(sites->site);
    free(sites->text);
    *sites = (struct live_sites){0};
}

bool live_site_matches(const struct live_site *site, const struct pattern *pattern)
{
    const char *module = *site->module ? site->module : NULL;
    const char *function = *site->function ? site->function : NULL;
    return pattern && pattern_match(pattern, site->provider, module, function, site->name);
}

bool live_site_is_on(const struct live_site *site)
{
    return !strcmp(site->mode, "jump") || !strcmp(site->mode, "trap");
}

bool live_site_is_blocked(const struct live_site *site)
{
    return !strcmp(site->mode, "blocked");
}

const char *live_site_reason(const struct live_site *site)
{
    switch (-site->error) {
    case EBUSY:
        return "a tracer's breakpoint is there, or a thread blocks SIGTRAP";
    case EACCES:
    case EPERM:
        return "its text may not be written";
    case EBADMSG:
        return "an argument cannot be read";
    case EILSEQ:
        return "what is there is not what sdtlink wrote";
    case ESTALE:
        return "llvm-bolt has moved the function; it leaves those that -skip-funcs= names";
    case ENOTSUP:
        return "this kind of site cannot be armed on this machine";
    case ENOLINK:
        return "it needs a breakpoint, which the program may not survive";
    case EADDRINUSE:
        return "there is no free address range for what a jump leads to";
    default:
        return strerror(-site->error);
    }
}

bool live_site_is_question(const struct live_site *site)
{
    return site->kind == SDT_KIND_ENABLED || site->kind == SDT_KIND_ENABLED6 ||
           site->kind == SDT_KIND_ENABLED_TAIL || site->kind == SDT_KIND_ENABLED_TAIL6;
}

bool live_site_is_same_probe(const struct live_site *a, const struct live_site *b)
{
    return !strcmp(a->provider, b->provider) && !strcmp(a->name, b->name);
}

int live_site_by_probe(const void *left, const void *right)
{
    const struct live_site *a = left, *b = right;
    int order = strcmp(a->provider, b->provider);
    order = order ? order : strcmp(a->name, b->name);
    return order ? order : strcmp(a->module, b->module);
}
