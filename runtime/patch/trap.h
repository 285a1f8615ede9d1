/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * SIGTRAP: taking it, giving it back, and sending each trap where it belongs.
 */
#ifndef SDT_TRAP_H
#define SDT_TRAP_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* What to do with a trapped thread. */
enum trap_verdict {
    TRAP_FOREIGN, /* not ours; `resume`: where its breakpoint is, 0: there is none */
    TRAP_CALL,    /* enter the stub as by a call that returns to `resume` */
    TRAP_ENTER,   /* enter the stub as by a jump */
    TRAP_RESUME,  /* go on at `resume` */
    TRAP_LINK,    /* go on at `stub`, some function, as if called by what is before `resume` */
    TRAP_RETURN   /* execute a `ret` */
};

struct trap_answer {
    enum trap_verdict verdict;
    uintptr_t stub, patch, resume;
};

/* A function that knows the breakpoints. Called in the signal handler, without locks; must not
 * allocate. */
typedef struct trap_answer trap_resolver(uintptr_t address);

struct sigaction;
/*
 * For the functions that this library interposes (start/signals.c), which may be those of another
 * copy of it.
 */
struct trap_keeper {
    atomic_bool keeps;   /* nothing may block SIGTRAP: there may be breakpoints */
    atomic_bool watched; /* the process calls those functions, or cannot be made to: the library is
                            in the program, which has its own */
    atomic_uint round;   /* odd: the masks of actions are being changed */
    /* As sigaction(SIGTRAP, ACTION, OLD) for the program, if we handle the signal: our handler
     * stays, and passes to ACTION what is not its own. False: we do not; nothing was done. */
    bool (*act)(const struct sigaction *action, struct sigaction *old);
};
extern struct trap_keeper trap_keeper;

/* From now on SIGTRAP is not blocked, whatever is armed: tools may ask for breakpoints at any time,
 * when a mask cannot be seen that is going to be restored. */
void trap_keep_for_good(void);
/* This process, not its parent, has these actions now. */
void trap_know_process(void);
/* Unblock it in the calling thread, unless one is waiting. */
void trap_unblock(void);

/*
 * Make sure that SIGTRAP is ours and that it can be delivered. Locked. 0; -EBUSY: a thread blocks
 * it (only the calling thread can be asked where /proc is not readable); or sigaction's error.
 * IS_CAREFUL: -ENOLINK if the process does not call our functions (trap_keeper.watched), so that it
 * may block SIGTRAP later, which would end it at the first breakpoint.
 */
int trap_acquire(trap_resolver *resolve, bool is_careful);

/* No breakpoint is left. Give SIGTRAP back if it is still ours and that is safe. Locked. */
void trap_release(void);

/* ---- blocked.c ---- */

/* Whether SIGTRAP is blocked in any thread. */
bool trap_is_blocked(void);
/* The thread for which that was so last, and trap_acquire() returned -EBUSY; once; 0: none. */
int trap_take_blocker(void);
/* Whether the calling thread is the only one; false where /proc cannot be read. */
bool trap_has_one_thread(void);

/* Whether return addresses may not be pushed onto this thread's stack (it has a shadow stack). */
bool trap_forbids_calls(void);

#endif
