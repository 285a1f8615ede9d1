// SPDX-License-Identifier: BSD-2-Clause
#ifndef LTO_STACK_H
#define LTO_STACK_H

#include "lto_program.h"

int stack_half(int x);

template <typename T> class Stack
{
  public:
    ~Stack()
    {
        MARKED(destroyed, 8, count_);
    }
    void push(T value)
    {
        MARKED(push, 9, sizeof(T), value);
        items_[count_++ & 7] = value;
    }
    T total() const
    {
        T sum = 0;
        for (int i = 0; i < count_; i++)
            sum += items_[i];
        return sum;
    }

  private:
    T items_[8] = {};
    int count_ = 0;
};

#endif
