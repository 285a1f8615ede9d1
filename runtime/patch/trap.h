/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * SIGTRAP: taking it, giving it back, and sending each trap where it belongs.
 */
#ifndef SDT_TRAP_H
#define SDT_TRAP_H

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

/*
 * Make sure that SIGTRAP is ours and that it can be delivered. Locked. 0; -EBUSY: a thread blocks
 * it (only the calling thread can be asked where /proc is not readable); or sigaction's error.
 */
int trap_acquire(trap_resolver *resolve);

/* No breakpoint is left. Give SIGTRAP back if it is still ours and that is safe. Locked. */
void trap_release(void);

/* Whether the calling thread is the only one; false where /proc cannot be read. */
bool trap_has_one_thread(void);

/* Whether return addresses may not be pushed onto this thread's stack (it has a shadow stack). */
bool trap_forbids_calls(void);

#endif
