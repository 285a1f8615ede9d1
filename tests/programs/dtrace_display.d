/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * In the manner of a display server's: types come from a header of the system that has much else
 * in it, from macros, and from declarations in front of the provider.
 */
#if defined(__APPLE__)
#define string char *
#define session_t uint32_t
#else
#include <sys/types.h>
#endif

typedef const uint16_t *const_uint16_p;
static const int most_sessions = 64;

provider display {
	/* opcode, size, session, what was sent */
	probe command__start(uint8_t, uint32_t, session_t, void *);
	probe command__done(uint8_t, uint32_t, session_t, int);
	probe session__open(int, string, pid_t, session_t);
	probe session__close(int);
	/* of a pointing device: which, how, where */
	probe motion(int, uint32_t, int16_t, const_uint16_p);
};

#pragma D attributes Unstable/Unstable/Common provider display provider
