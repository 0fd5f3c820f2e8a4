/* Several chains at once (lanes.h): in registers, of which some may be vector
 * registers, in an array, and on the stack. */
#include "kernels/lanes.h"

#if defined(__x86_64__)
#if defined(__CET__)
#include <cet.h>
#else
#define _CET_ENDBR
#endif

/* Each lane's register with its low half. The counter is r15; the base of index32 is r14; an
 * address out of a vector register goes to the last register that is left. */
#define GENERAL                                                                                    \
	rax, eax, rcx, ecx, rdx, edx, rbx, ebx, rsi, esi, rdi, edi, rbp, ebp, r8, r8d, r9, r9d,    \
	r10, r10d, r11, r11d, r12, r12d, r13, r13d, r14, r14d

#define CURSORS       rdi
#define STACK_POINTER rsp

#include "kernels/lanes_shared.S"

.macro landing_pad
	_CET_ENDBR
.endm

/* `what wide, narrow` for the first `count` general registers; .Llane goes up with each. */
.macro each what, count, wide, narrow, rest:vararg
.if \count > 0
	\what	\wide, \narrow
.set .Llane, .Llane + 1
	each	\what, (\count-1), \rest
.endif
.endm

/* `what number, v` for the first `count` vector registers, in the same way. `v` is what instructions
 * on them begin with: nothing, the form of every CPU, or v, which the registers beyond 16 want.
 * Callers leave their upper halves clean, so that neither form waits for the other. */
.macro each_vector what, count
.irp number, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
.if \number < \count
.if \count <= LANES_VECTORS_ANYWHERE
	\what	\number,
.else
	\what	\number, v
.endif
.set .Llane, .Llane + 1
.endif
.endr
.endm

.macro load wide, narrow
	mov	8*.Llane(%r15), %\wide
.endm
.macro store wide, narrow
	mov	%\wide, 8*.Llane(%r15)
.endm
.macro load_vector number, v
	\v\()movq	8*.Llane(%r15), %xmm\number
.endm
.macro store_vector number, v
	\v\()movq	%xmm\number, 8*.Llane(%r15)
.endm

.macro hop_pointer wide, narrow
	mov	(%\wide), %\wide
.endm
.macro hop_index32 wide, narrow
	movl	(%r14,%\wide,4), %\narrow
.endm
.macro hop_vector_pointer number, v
	\v\()movq	%xmm\number, %r14
	\v\()movq	(%r14), %xmm\number
.endm
.macro hop_vector_index32 number, v
	\v\()movd	%xmm\number, %r13d
	\v\()movd	(%r14,%r13,4), %xmm\number
.endm
.macro hop_memory_pointer cursors
	mov	8*.Llane(%\cursors), %rax
	mov	(%rax), %rax
	mov	%rax, 8*.Llane(%\cursors)
.endm
.macro hop_memory_index32 cursors
	mov	8*.Llane(%\cursors), %rax
	movl	(%rdx,%rax,4), %eax
	mov	%rax, 8*.Llane(%\cursors)
.endm
.macro copy from, to
	mov	8*.Llane(%\from), %rax
	mov	%rax, 8*.Llane(%\to)
.endm

.macro save register
	push	%\register
	.cfi_adjust_cfa_offset 8
	.cfi_rel_offset \register, 0
.endm
.macro restore register
	pop	%\register
	.cfi_adjust_cfa_offset -8
	.cfi_restore \register
.endm

/* work in rdi, hops in rsi, as C calls it. */
.macro walk name, kind, general, vectors, shift
	function \name
	.irp	register, rbx,rbp,r12,r13,r14,r15
	save	\register
	.endr
	shr	$\shift, %rsi
	test	%rsi, %rsi
	jz	2f
.ifc \kind, index32
	mov	LANES_BASE(%rdi), %r14
.endif
	mov	LANES_CURSORS(%rdi), %r15
	push	%r15
	push	%rsi
	.cfi_adjust_cfa_offset 16
.set .Llane, 0
	each	load, \general, GENERAL
	each_vector load_vector, \vectors
	pop	%r15
	.cfi_adjust_cfa_offset -8
	.p2align 6
1:
.rept 1 << \shift
	each	hop_\kind, \general, GENERAL
	each_vector hop_vector_\kind, \vectors
.endr
	dec	%r15
	jnz	1b
	pop	%r15
	.cfi_adjust_cfa_offset -8
.set .Llane, 0
	each	store, \general, GENERAL
	each_vector store_vector, \vectors
2:
	.irp	register, r15,r14,r13,r12,rbp,rbx
	restore	\register
	.endr
	end	\name
.endm

.macro enter_memory
	test	%rsi, %rsi
	jz	2f
	mov	LANES_BASE(%rdi), %rdx
	mov	LANES_CURSORS(%rdi), %rdi
.endm
.macro back
	dec	%rsi
	jnz	1b
.endm
.macro grow_stack lanes
	sub	$LANES_FRAME(\lanes), %rsp
	.cfi_adjust_cfa_offset LANES_FRAME(\lanes)
.endm
.macro shrink_stack lanes
	add	$LANES_FRAME(\lanes), %rsp
	.cfi_adjust_cfa_offset -LANES_FRAME(\lanes)
.endm

LANES_FUNCTIONS

#endif

	.section .note.GNU-stack,"",%progbits
