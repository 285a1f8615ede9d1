// SPDX-License-Identifier: BSD-2-Clause
// Templates, inline functions and destructors, in two files that share lto_stack.h.
#include "lto_stack.h"

int stack_total(int x)
{
    Stack<int> small;
    small.push(x);
    Stack<long> big;
    big.push(x);
    big.push(stack_half(x));
    return static_cast<int>(small.total() + big.total());
}
