/* SPDX-License-Identifier: BSD-2-Clause */
/* What a command says when a process refuses a pattern, or ends the session (target.h). */
#include "target.h"

#include "base/diag.h"
#include "base/function_name.h"
#include "base/memory.h"
#include "command/command.h"
#include "function_patterns.h"
#include "live_sites.h"
#include "patterns.h"
#include "threads.h"

#include <errno.h>
#include <sdt/format.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void offer_function(struct suggestion *suggestion, const struct probe_words *words,
                           const struct live_site *site)
{
    struct function_name name;
    const char *probe = words->word[WORD_NAME];
    char *before = memory_format("%s:%s:", site->provider, words->word[WORD_MODULE]);
    char *after = memory_format("%s%s", probe ? ":" : "", probe ? probe : "");
    function_name_make(&name, slice_of(site->function));
    function_name_offer(&name, suggestion, before, after);
    function_name_free(&name);
    free(before);
    free(after);
}

/* Functions with a name like that in WORDS, which no probe has. */
static void suggest_functions(struct suggestion *suggestion, struct attached *process,
                              const struct probe_words *words)
{
    struct live_sites sites;
    char *all = function_pattern(words, "");
    suggest_begin_word(suggestion, words->word[WORD_FUNCTION]);
    if (suggestion->distance && live_sites_ask(process, all, &sites) == 0) {
        for (size_t i = 0; i < sites.count; i++)
            if (i == 0 || strcmp(sites.site[i].function, sites.site[i - 1].function) != 0)
                offer_function(suggestion, words, &sites.site[i]);
        live_sites_free(&sites);
    }
    free(all);
}

static void suggest_probes(struct suggestion *suggestion, struct attached *process,
                           const char *pattern)
{
    struct live_sites sites;
    suggest_begin(suggestion, pattern, strlen(pattern));
    if (suggestion->distance && live_sites_ask(process, "*", &sites) == 0) {
        for (size_t i = 0; i < sites.count; i++)
            suggest_offer(suggestion, sites.site[i].provider, sites.site[i].name);
        live_sites_free(&sites);
    }
}

struct suggestion target_suggest(struct attached *process, const char *pattern)
{
    struct suggestion suggestion = {.distance = 0};
    struct probe_words words;
    char *copy = memory_format("%s", pattern), *rest = copy;
    probe_words_next(&rest);
    if (!rest && probe_words_split(&words, pattern, SDT_FUNCTION_PROVIDER) == 4 &&
        function_patterns_are_names(&words))
        suggest_functions(&suggestion, process, &words);
    if (!rest && !*suggestion.best)
        suggest_probes(&suggestion, process, pattern);
    if (!rest)
        probe_words_free(&words);
    free(copy);
    return suggestion;
}

static int nothing_matches(struct attached *process, const char *pattern)
{
    if (!attach_is_there(process)) {
        diag_error("process %d (%s) has ended", (int)process->pid, process->name);
        return STATUS_FAILED;
    }
    struct suggestion suggestion = target_suggest(process, pattern);
    if (*suggestion.best)
        diag_error("%s: no probe of process %d (%s) matches; did you mean %s? See 'sdt list -p %d'",
                   pattern, (int)process->pid, process->name, suggestion.best, (int)process->pid);
    else
        diag_error("%s: no probe of process %d (%s) matches; see 'sdt list -p %d'", pattern,
                   (int)process->pid, process->name, (int)process->pid);
    return STATUS_NOTHING;
}

int target_refused_by(struct attached *process, const char *pattern,
                      const struct attach_request *request)
{
    struct thread thread;
    if (request->result == -ENOENT)
        return nothing_matches(process, pattern);
    if (request->result == -EBUSY && threads_block_trap(process->pid, &thread))
        diag_error("process %d (%s): %s: thread %d (%s) blocks SIGTRAP: it would end the process "
                   "at a breakpoint",
                   (int)process->pid, process->name, pattern, (int)thread.id, thread.name);
    else if (*pattern)
        diag_error("process %d (%s): %s: %s", (int)process->pid, process->name, pattern,
                   request->message);
    else
        diag_error("process %d (%s): %s", (int)process->pid, process->name, request->message);
    return STATUS_FAILED;
}

int target_refused(struct target *target, const char *pattern, const struct attach_request *request)
{
    return target_refused_by(&target->process, pattern, request);
}

void target_nothing(const struct target *target, const char *pattern)
{
    const struct near_miss *near = &target->process.near;
    bool is_near = near->best && !strcmp(near->pattern, pattern) && *near->best;
    if (is_near)
        diag_error("%s: no probe matched; did you mean %s?", pattern, near->best);
    else if (target->is_started && !target->follows)
        diag_error("%s: no probe matched; if %s starts the program that has it: --follow", pattern,
                   target->command[0]);
    else
        diag_error("%s: no probe matched", pattern);
}

bool target_may_lack(const struct target *target, const struct attached *process)
{
    return target->is_started || process->is_late || target_count(target) > 1;
}

/* How many sites PATTERN matches; -1: after a message. */
static long count_sites(struct attached *process, const char *pattern)
{
    struct live_sites sites;
    char *resolved;
    if (patterns_sites(process, pattern, &resolved, &sites) != 0)
        return -1;
    free(resolved);
    long count = (long)sites.count;
    live_sites_free(&sites);
    return count;
}

int target_check_matches(struct target *target, const char *pattern)
{
    size_t count = target_count(target);
    if (target->is_started || target->process.is_late || count == 1)
        return STATUS_DONE;
    for (size_t i = 0; i < count; i++) {
        long found = count_sites(target_at(target, i), pattern);
        if (found)
            return found < 0 ? STATUS_FAILED : STATUS_DONE;
    }
    diag_error("%s: no probe of %zu processes '%s' matches; see 'sdt list -p %s'", pattern, count,
               target->who, target->who);
    return STATUS_NOTHING;
}

int target_settle(const struct attached *process, int status)
{
    return process->is_late ? STATUS_DONE : status;
}

void target_say_ended(const struct target *target)
{
    const char *more = target->restarts ? "; waiting for the next" : "";
    if (target->is_started)
        return;
    if (target->other_count == 0 && !target->restarts)
        fprintf(stderr, "sdt: process %d (%s) has ended\n", (int)target->process.pid,
                target->process.name);
    else
        fprintf(stderr, "sdt: all processes '%s' have ended%s\n", target->who, more);
}

int target_lost(const struct target *target)
{
    diag_error("process %d (%s) has ended the session: this sdt did not renew its lease in time",
               (int)target->process.pid, target->process.name);
    return STATUS_FAILED;
}
