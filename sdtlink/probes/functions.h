/* SPDX-License-Identifier: BSD-2-Clause */
/* Which function is a place in? */
#ifndef SDTLINK_PROBES_FUNCTIONS_H
#define SDTLINK_PROBES_FUNCTIONS_H

#include "base/slice.h"
#include "elf/object.h"

struct functions;
/* Find the functions around COUNT places. */
struct functions *functions_index(const struct object *object, const struct place *places,
                                  size_t count);
/* The symbol index of the function around one of these places; 0: none. */
uint32_t functions_find(struct functions *functions, uint32_t section, uint64_t offset);
void functions_free(struct functions *functions);
/* The name without what compilers append to the parts and copies of a function (.cold, .isra.0). */
struct slice function_name(const struct object *object, uint32_t symbol);
/* The same, with the ".part" of what is called by the rest of its function (gcc): a call of its
 * own.
 */
struct slice function_piece_name(const struct object *object, uint32_t symbol);

#endif
