/* Several chains at once (lanes.h): in registers, of which some may be floating-point
 * registers, in an array, and on the stack. */
#include "kernels/lanes.h"

#if defined(__riscv) && __riscv_xlen == 64

/* The registers of the lanes, by number. The counter is x1 (ra); the base of index32 is x31; an
 * address out of a floating-point register goes to the last register that is left. */
#define GENERAL                                                                                    \
	5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, \
	29, 30, 31
#define VECTORS                                                                                    \
	0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24,  \
	25, 26, 27, 28, 29, 30, 31

/* On the stack: the cursors' address, the rounds; ra and s0 to s11; fs0 to fs11. */
#define FRAME_BYTES   224
#define SAVED         1, 8, 9, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27
#define SAVED_VECTORS 8, 9, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27

#define CURSORS       a2
#define STACK_POINTER sp

#include "kernels/lanes_shared.S"

.macro landing_pad
.endm

.macro load number
	ld	x\number, 8*.Llane(x1)
.endm
.macro store number
	sd	x\number, 8*.Llane(x1)
.endm
.macro load_vector number
	fld	f\number, 8*.Llane(x1)
.endm
.macro store_vector_pointer number
	fsd	f\number, 8*.Llane(x1)
.endm
/* The register has ones above the 32 bits; the cursor keeps its zeros. */
.macro store_vector_index32 number
	fsw	f\number, 8*.Llane(x1)
.endm

.macro hop_pointer number
	ld	x\number, 0(x\number)
.endm
.macro hop_index32 number
	slli	x\number, x\number, 2
	add	x\number, x\number, x31
	lwu	x\number, 0(x\number)
.endm
.macro hop_vector_pointer number
	fmv.x.d	x31, f\number
	fld	f\number, 0(x31)
.endm
/* The move to x30 extends the sign. */
.macro hop_vector_index32 number
	fmv.x.w	x30, f\number
	slli	x30, x30, 32
	srli	x30, x30, 30
	add	x30, x30, x31
	flw	f\number, 0(x30)
.endm
.macro hop_memory_pointer cursors
	ld	t0, 8*.Llane(\cursors)
	ld	t0, 0(t0)
	sd	t0, 8*.Llane(\cursors)
.endm
.macro hop_memory_index32 cursors
	ld	t0, 8*.Llane(\cursors)
	slli	t0, t0, 2
	add	t0, t0, a0
	lwu	t0, 0(t0)
	sd	t0, 8*.Llane(\cursors)
.endm
.macro copy from, to
	ld	t0, 8*.Llane(\from)
	sd	t0, 8*.Llane(\to)
.endm

.macro save number
	sd	x\number, 8*.Llane(sp)
	.cfi_offset x\number, 8*.Llane-FRAME_BYTES
.endm
.macro restore number
	ld	x\number, 8*.Llane(sp)
	.cfi_restore x\number
.endm
.macro save_vector number
	fsd	f\number, 8*.Llane(sp)
.endm
.macro restore_vector number
	fld	f\number, 8*.Llane(sp)
.endm

/* work in a0, hops in a1, as C calls it. */
.macro walk name, kind, general, vectors, shift
	function \name
	srli	a1, a1, \shift
	beqz	a1, 2f
	addi	sp, sp, -FRAME_BYTES
	.cfi_def_cfa_offset FRAME_BYTES
.set .Llane, 2
	each_number	save, 13, SAVED
.if \vectors
	each_number	save_vector, 12, SAVED_VECTORS
.endif
.ifc \kind, index32
	ld	x31, LANES_BASE(a0)
.endif
	ld	x1, LANES_CURSORS(a0)
	sd	x1, 0(sp)
	sd	a1, 8(sp)
.set .Llane, 0
	each_number	load, \general, GENERAL
	each_number	load_vector, \vectors, VECTORS
	ld	x1, 8(sp)
	.p2align 6
1:
.rept 1 << \shift
	each_number	hop_\kind, \general, GENERAL
	each_number	hop_vector_\kind, \vectors, VECTORS
.endr
	addi	x1, x1, -1
	bnez	x1, 1b
	ld	x1, 0(sp)
.set .Llane, 0
	each_number	store, \general, GENERAL
	each_number	store_vector_\kind, \vectors, VECTORS
.set .Llane, 2
	each_number	restore, 13, SAVED
.if \vectors
	each_number	restore_vector, 12, SAVED_VECTORS
.endif
	addi	sp, sp, FRAME_BYTES
	.cfi_def_cfa_offset 0
2:
	end	\name
.endm

.macro enter_memory
	beqz	a1, 2f
	ld	a2, LANES_CURSORS(a0)
	ld	a0, LANES_BASE(a0)
.endm
.macro back
	addi	a1, a1, -1
	bnez	a1, 1b
.endm
.macro grow_stack lanes
	addi	sp, sp, -LANES_FRAME(\lanes)
	.cfi_def_cfa_offset LANES_FRAME(\lanes)
.endm
.macro shrink_stack lanes
	addi	sp, sp, LANES_FRAME(\lanes)
	.cfi_def_cfa_offset 0
.endm

LANES_FUNCTIONS

#endif

	.section .note.GNU-stack,"",%progbits
