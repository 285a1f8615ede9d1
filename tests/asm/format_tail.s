# SPDX-License-Identifier: BSD-2-Clause
# The tail site of docs/format.md, as gcc -O2 compiles
#     void __dtrace_sdt_shop___left(long);
#     void leave(void) { __dtrace_sdt_shop___left(7); }
	.text
	.globl	leave
	.type	leave, @function
leave:
	movl	$7, %edi
	jmp	__dtrace_sdt_shop___left
	.size	leave, . - leave
	.section .note.GNU-stack, "", @progbits
