/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Variables that every program with the library reads or writes as it starts and ends. They lie in
 * .data, beside the pointers that the dynamic loader has just relocated. In .bss each would be
 * somewhere in 50 KiB that no one has touched yet, and the first access to each page costs a fault.
 */
#ifndef SDT_EARLY_H
#define SDT_EARLY_H

#define SDT_EARLY __attribute__((section(".data")))

#endif
