/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The personality routine of the trampoline's frame: what happens when a handler is unwound.
 *
 *   - An exception. The site that was hit is not a call in the eyes of the compiler that built the
 *     probed function's tables; unwinding into it could run the wrong clean-ups. So phase 1, the
 *     search for a handler, ends here with an error, which makes __cxa_throw call std::terminate
 *     while the stack is still whole: the core shows who threw.
 *   - A forced unwinding (pthread_exit, cancellation): it will not come back, so the reader section
 *     of this hit must end here, or a later sdt_disable would wait for ever.
 *
 * Only types of <unwind.h> are used, no function: libsdt does not need libgcc_s.
 */
#include "dispatch.h"
#include "hit/sync.h"

#include <unwind.h>

_Unwind_Reason_Code unwind_personality(int version, _Unwind_Action actions,
                                       _Unwind_Exception_Class class,
                                       struct _Unwind_Exception *exception,
                                       struct _Unwind_Context *context);

_Unwind_Reason_Code unwind_personality(int version, _Unwind_Action actions,
                                       _Unwind_Exception_Class class,
                                       struct _Unwind_Exception *exception,
                                       struct _Unwind_Context *context)
{
    (void)version;
    (void)class;
    (void)exception;
    (void)context;
    if (!(actions & _UA_FORCE_UNWIND))
        return actions & _UA_SEARCH_PHASE ? _URC_FATAL_PHASE1_ERROR : _URC_FATAL_PHASE2_ERROR;
    sync_abandon();
    return _URC_CONTINUE_UNWIND;
}
