/* SPDX-License-Identifier: BSD-2-Clause */
/* The variable: in the program, in a library that it needs, or in one that it loads later. */
#include "context.h"

#ifndef CONTEXT_NAME
#define CONTEXT_NAME otel_thread_ctx_v1
#endif

__attribute__((visibility("default"))) __thread struct thread_record *volatile CONTEXT_NAME;

__attribute__((visibility("default"), noinline)) void context_set(struct thread_record *record)
{
    CONTEXT_NAME = record;
}

__attribute__((visibility("default"))) void *context_address(void)
{
    return (void *)&CONTEXT_NAME;
}
