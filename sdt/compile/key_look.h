/* SPDX-License-Identifier: BSD-2-Clause */
/* How a key that is an argument is shown: as sdt report shows that argument. */
#ifndef SDT_KEY_LOOK_H
#define SDT_KEY_LOOK_H

#include <shared/describe.h>

/* All zero: a number, or text. */
struct key_look {
    bool is_hex, is_bool;
    bool is_name, is_function;  /* a probe's provider or name, or a function */
    bool is_process, is_thread; /* its number and namespace: target/numbers.h */
    unsigned size;              /* bytes of the integer */
    const struct describe_label *labels;
    size_t label_count;
};

#endif
