/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a hit leaves as it was: callee-saved registers, the stack pointer, the direction flag, the
 * control words of both floating-point units. And what a handler finds: an aligned stack.
 */
#include "runtime_fixture.h"

struct registers {
    word rbx, rbp, r12, r13, r14, r15, rsp_before, rsp_after, flags;
    uint32_t mxcsr;
    uint16_t control;
};

/* Call FUNCTION, which takes 12 words, with poison in every callee-saved register. */
__attribute__((noinline)) static void call_poisoned(void (*function)(void), struct registers *seen)
{
    __asm__ volatile("push %%rbp\n"
                     "push %[seen]\n" /* both found again through the stack */
                     "sub $96, %%rsp\n"
                     "mov $0x1111111111111111, %%rbx\n"
                     "mov $0x2222222222222222, %%rbp\n"
                     "mov $0x3333333333333333, %%r12\n"
                     "mov $0x4444444444444444, %%r13\n"
                     "mov $0x5555555555555555, %%r14\n"
                     "mov $0x6666666666666666, %%r15\n"
                     "mov %[seen], %%rdx\n"
                     "mov %%rsp, 48(%%rdx)\n"
                     "call *%[function]\n"
                     "mov 96(%%rsp), %%rdx\n"
                     "mov %%rbx, 0(%%rdx)\n"
                     "mov %%rbp, 8(%%rdx)\n"
                     "mov %%r12, 16(%%rdx)\n"
                     "mov %%r13, 24(%%rdx)\n"
                     "mov %%r14, 32(%%rdx)\n"
                     "mov %%r15, 40(%%rdx)\n"
                     "mov %%rsp, 56(%%rdx)\n"
                     "pushf\n"
                     "pop %%rax\n"
                     "mov %%rax, 64(%%rdx)\n"
                     "stmxcsr 72(%%rdx)\n"
                     "fnstcw 76(%%rdx)\n"
                     "add $104, %%rsp\n"
                     "pop %%rbp\n"
                     :
                     : [function] "a"(function), [seen] "c"(seen)
                     : "rbx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11", "r12", "r13", "r14",
                       "r15", "memory", "cc", "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5",
                       "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14",
                       "xmm15");
}

/* Uses the vector registers by instructions that fault on a stack that is not aligned. */
static void on_hit(const struct sdt_event *event, void *data)
{
    _Alignas(16) char local[16];
    char text[64];
    __asm__ volatile("movaps %%xmm0, %0" : "=m"(local));
    __asm__ volatile("pcmpeqd %%xmm0, %%xmm0; movaps %%xmm0, %%xmm7; movaps %%xmm0, %%xmm15" ::
                         : "xmm0", "xmm7", "xmm15");
    CHECK_EQUAL((uintptr_t)__builtin_frame_address(0) % 16, 0);
    snprintf(text, sizeof text, "%.3f %u", 1.5 + (double)sdt_nargs(event), sdt_nargs(event));
    CHECK(text[1] == '.' || text[2] == '.');
    ++*(int *)data;
}

static void check(void (*function)(void), int mode, int expected)
{
    struct registers seen = {0};
    int calls = 0;
    uint32_t odd = 0x1f80 | 0x6000, usual; /* round towards zero */
    uint16_t odd_control = 0x0f7f, usual_control;
    int id = sdt_enable_mode("fixture", on_hit, &calls, mode);
    __asm__ volatile("stmxcsr %0; fnstcw %1" : "=m"(usual), "=m"(usual_control));
    __asm__ volatile("ldmxcsr %0; fldcw %1" ::"m"(odd), "m"(odd_control));
    call_poisoned(function, &seen);
    __asm__ volatile("ldmxcsr %0; fldcw %1" ::"m"(usual), "m"(usual_control));
    CHECK_EQUAL(calls, expected);
    CHECK_EQUAL(seen.rbx, 0x1111111111111111);
    CHECK_EQUAL(seen.rbp, 0x2222222222222222);
    CHECK_EQUAL(seen.r12, 0x3333333333333333);
    CHECK_EQUAL(seen.r13, 0x4444444444444444);
    CHECK_EQUAL(seen.r14, 0x5555555555555555);
    CHECK_EQUAL(seen.r15, 0x6666666666666666);
    CHECK_EQUAL(seen.rsp_after, seen.rsp_before);
    CHECK_EQUAL(seen.flags & 0x400, 0);
    CHECK_EQUAL(seen.mxcsr & 0xffc0, odd);
    CHECK_EQUAL(seen.control, odd_control);
    if (id > 0)
        CHECK_EQUAL(sdt_disable(id), 0);
}

int main(void)
{
    for (int mode = SDT_MODE_AUTO; mode <= SDT_MODE_JUMP; mode++) {
        check((void (*)(void))(uintptr_t)fx_call, mode, 1);
        check((void (*)(void))(uintptr_t)fx_twelve, mode, 1);
        check((void (*)(void))(uintptr_t)fx_tail, mode, 1);
        check((void (*)(void))(uintptr_t)fx_guarded, mode, 1);
    }
    check((void (*)(void))(uintptr_t)fx_tail, SDT_MODE_JUMP, 1);
    return fixture_done();
}
