/* SPDX-License-Identifier: BSD-2-Clause */
/* What tracer_libbpf.c loads: counts the hits of any probe by cookie, and tells all arguments. */
#include <stdbool.h>

#include <linux/bpf.h>
#include <linux/ptrace.h>

#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>
#include <bpf/usdt.bpf.h>

char LICENSE[] SEC("license") = "GPL";

struct {
    __uint(type, BPF_MAP_TYPE_RINGBUF);
    __uint(max_entries, 1 << 16);
} events SEC(".maps");

SEC("usdt") int probe(struct pt_regs *ctx)
{
    long *event = bpf_ringbuf_reserve(&events, 14 * sizeof(long), 0);
    if (!event)
        return 0;
    event[0] = bpf_usdt_cookie(ctx);
    event[1] = bpf_usdt_arg_cnt(ctx);
#pragma unroll
    for (int i = 0; i < 12; i++) {
        long value = 0;
        bpf_usdt_arg(ctx, i, &value);
        event[2 + i] = value;
    }
    bpf_ringbuf_submit(event, 0);
    return 0;
}
