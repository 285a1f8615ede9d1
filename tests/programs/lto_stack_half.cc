// SPDX-License-Identifier: BSD-2-Clause
#include "lto_stack.h"

int stack_half(int x)
{
    Stack<int> small;
    small.push(x / 2);
    return small.total();
}
