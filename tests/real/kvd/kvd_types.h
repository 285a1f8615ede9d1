/* SPDX-License-Identifier: BSD-2-Clause */
/* For the compiler and, by way of the preprocessor, for dtrace. */
#define ConnectionId unsigned int
