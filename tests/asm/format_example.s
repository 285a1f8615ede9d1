# SPDX-License-Identifier: BSD-2-Clause
# The object that docs/format.md takes apart: one function, one probe with two arguments, as gcc
# compiles  SDT_PROBE(shop, sale, 42, "tea");
	.text
	.globl	sell
	.type	sell, @function
sell:
	subq	$8, %rsp
	leaq	.Ltea(%rip), %rsi
	movl	$42, %edi
	call	__dtrace_sdt_shop___sale
991:
	.hidden	__dtrace_sdt_shop___sale
	.pushsection .sdt_args, "e", @progbits
	.long	991b - .
	.byte	1, 2, 0x14, 0x48	# call form, two arguments: int, pointer
	.asciz	"shop"
	.asciz	"sale"
	.popsection
	addq	$8, %rsp
	ret
	.size	sell, . - sell
	.section .rodata.str1.1, "aMS", @progbits, 1
.Ltea:
	.asciz	"tea"
	.section .note.GNU-stack, "", @progbits
