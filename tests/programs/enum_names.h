/* SPDX-License-Identifier: BSD-2-Clause */
/* Names for values: of an enumeration, of bits, of numbers that only the compiler can work out. */
#include <sdt/probe.h>

#if defined(__cplusplus) && __cplusplus >= 201103L
enum class state : int { IDLE, BUSY, LOST = -1 };
#define STATE(name) state::name
#else
enum state { IDLE, BUSY, LOST = -1 };
#define STATE(name) name
#endif
#define PROVIDER names

SDT_ENUM_NAMES(names, change, from, {STATE(IDLE), "idle"}, {STATE(BUSY), "in \"use\" */; 100 %"},
               {STATE(LOST), "lost"}, {STATE(IDLE), "second"});
SDT_ENUM_NAMES(names, change, mode, {1u << 31, "high"}, {0xffffffffu, "all"});
SDT_ENUM_NAMES(PROVIDER, byte, flags, {'a', "letter"}, {sizeof(int), "four"}, {-1, "last"});
SDT_ENUM_NAMES(names, never, x, {0, "no such probe"});
