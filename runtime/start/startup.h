/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef SDT_STARTUP_H
#define SDT_STARTUP_H

/* Do what the environment asks for, once: have the copy in charge do it. */
void startup_begin(void);

#endif
