# SPDX-License-Identifier: BSD-2-Clause
# The conditional tail call of docs/format.md, as clang -Os compiles
#     void __dtrace_sdt_shop___big(long);
#     void sell(long price) { if (price > 99) __dtrace_sdt_shop___big(price); }
	.text
	.globl	sell
	.type	sell, @function
sell:
	cmpq	$100, %rdi
	jge	__dtrace_sdt_shop___big
	retq
	.size	sell, . - sell
	.section .note.GNU-stack, "", @progbits
