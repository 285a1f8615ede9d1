/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* Words of attributes that Linux's compiler_types.h has made macros of. */
#undef noinline
#undef always_inline
#undef unused
