/* Several chains at once (lanes.h): in registers, of which some may be vector
 * registers, in an array, and on the stack. */
#include "kernels/lanes.h"

#if defined(__aarch64__)

/* The registers of the lanes, by number. The counter is x30; the base of index32 is x28; an
 * address out of a vector register goes to the last register that is left. x29 stays the frame's,
 * x18 the platform's. */
#define GENERAL                                                                                    \
	0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 19, 20, 21, 22, 23, 24, 25,  \
	26, 27, 28
#define VECTORS                                                                                    \
	0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24,  \
	25, 26, 27, 28, 29, 30, 31

/* On the stack: x29, x30, the cursors' address, the rounds; x19 to x28; d8 to d15. */
#define FRAME_BYTES 176

#define CURSORS       x2
#define STACK_POINTER sp

#include "kernels/lanes_shared.S"

/* bti c, which other CPUs take for a nop. */
.macro landing_pad
	hint	#34
.endm

.macro load number
	ldr	x\number, [x30, #8*.Llane]
.endm
.macro store number
	str	x\number, [x30, #8*.Llane]
.endm
.macro load_vector number
	ldr	d\number, [x30, #8*.Llane]
.endm
.macro store_vector number
	str	d\number, [x30, #8*.Llane]
.endm

.macro hop_pointer number
	ldr	x\number, [x\number]
.endm
.macro hop_index32 number
	ldr	w\number, [x28, x\number, lsl #2]
.endm
.macro hop_vector_pointer number
	fmov	x28, d\number
	ldr	d\number, [x28]
.endm
.macro hop_vector_index32 number
	fmov	w27, s\number
	ldr	s\number, [x28, x27, lsl #2]
.endm
.macro hop_memory_pointer cursors
	ldr	x3, [\cursors, #8*.Llane]
	ldr	x3, [x3]
	str	x3, [\cursors, #8*.Llane]
.endm
.macro hop_memory_index32 cursors
	ldr	x3, [\cursors, #8*.Llane]
	ldr	w3, [x0, x3, lsl #2]
	str	x3, [\cursors, #8*.Llane]
.endm
.macro copy from, to
	ldr	x3, [\from, #8*.Llane]
	str	x3, [\to, #8*.Llane]
.endm

.macro save_all
	stp	x29, x30, [sp, #-FRAME_BYTES]!
	.cfi_def_cfa_offset FRAME_BYTES
	.cfi_offset x29, -FRAME_BYTES
	.cfi_offset x30, 8-FRAME_BYTES
	mov	x29, sp
	stp	x19, x20, [sp, #32]
	stp	x21, x22, [sp, #48]
	stp	x23, x24, [sp, #64]
	stp	x25, x26, [sp, #80]
	stp	x27, x28, [sp, #96]
	stp	d8, d9, [sp, #112]
	stp	d10, d11, [sp, #128]
	stp	d12, d13, [sp, #144]
	stp	d14, d15, [sp, #160]
.endm
.macro restore_all
	ldp	d14, d15, [sp, #160]
	ldp	d12, d13, [sp, #144]
	ldp	d10, d11, [sp, #128]
	ldp	d8, d9, [sp, #112]
	ldp	x27, x28, [sp, #96]
	ldp	x25, x26, [sp, #80]
	ldp	x23, x24, [sp, #64]
	ldp	x21, x22, [sp, #48]
	ldp	x19, x20, [sp, #32]
	ldp	x29, x30, [sp], #FRAME_BYTES
	.cfi_restore x29
	.cfi_restore x30
	.cfi_def_cfa_offset 0
.endm

/* work in x0, hops in x1, as C calls it. */
.macro walk name, kind, general, vectors, shift
	function \name
	lsr	x1, x1, #\shift
	cbz	x1, 2f
	save_all
.ifc \kind, index32
	ldr	x28, [x0, #LANES_BASE]
.endif
	ldr	x30, [x0, #LANES_CURSORS]
	stp	x30, x1, [sp, #16]
.set .Llane, 0
	each_number	load, \general, GENERAL
	each_number	load_vector, \vectors, VECTORS
	ldr	x30, [sp, #24]
	.p2align 6
1:
.rept 1 << \shift
	each_number	hop_\kind, \general, GENERAL
	each_number	hop_vector_\kind, \vectors, VECTORS
.endr
	subs	x30, x30, #1
	b.ne	1b
	ldr	x30, [sp, #16]
.set .Llane, 0
	each_number	store, \general, GENERAL
	each_number	store_vector, \vectors, VECTORS
	restore_all
2:
	end	\name
.endm

.macro enter_memory
	cbz	x1, 2f
	ldr	x2, [x0, #LANES_CURSORS]
	ldr	x0, [x0, #LANES_BASE]
.endm
.macro back
	subs	x1, x1, #1
	b.ne	1b
.endm
.macro grow_stack lanes
	sub	sp, sp, #LANES_FRAME(\lanes)
	.cfi_def_cfa_offset LANES_FRAME(\lanes)
.endm
.macro shrink_stack lanes
	add	sp, sp, #LANES_FRAME(\lanes)
	.cfi_def_cfa_offset 0
.endm

LANES_FUNCTIONS

/* That every function begins with a landing pad, for the linker (GNU_PROPERTY_AARCH64_FEATURE_1_AND
 * with BTI). */
#if defined(__ARM_FEATURE_BTI_DEFAULT)
	.section .note.gnu.property,"a",%note
	.p2align 3
	.word	4, 16, 5
	.asciz	"GNU"
	.word	0xc0000000, 4, 1, 0
#endif
#endif

	.section .note.GNU-stack,"",%progbits
