/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Forks, in the order that the lock, the grace periods, the recorder and tools need.
 */
#ifndef SDT_FORKS_H
#define SDT_FORKS_H

/* What control/, which serves attached tools, wants to be told: of forks, and that counters
 * are about to be freed and used again, so what tools know is old. All without the lock. */
struct tool_hooks {
    void (*before_fork)(void);
    void (*after_fork_parent)(void);
    void (*after_fork_child)(void);
    void (*counters_go)(void);
};

/* Have forks handled, from the first call on. Locked. */
void forks_prepare(void);
/* From now on, call HOOKS, which stay. */
void forks_tell(const struct tool_hooks *hooks);
/* Call the hook, if there is one. */
void forks_counters_go(void);

#endif
