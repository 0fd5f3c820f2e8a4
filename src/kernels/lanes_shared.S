/* What the lanes.S of all ISAs share. They have the macros that this uses: landing_pad; walk;
 * enter_memory and back of a loop over cursors in memory, at register CURSORS or STACK_POINTER;
 * hop_memory_KIND and copy for one lane, whose number is .Llane; grow_stack and shrink_stack. */
	.text

.macro function name
	.p2align 4
	.globl	\name
	.hidden	\name
	.type	\name, %function
\name:
	.cfi_startproc
	landing_pad
.endm

.macro end name
	ret
	.cfi_endproc
	.size	\name, . - \name
.endm

/* `what number` for the first `count` of a list; .Llane goes up with each. */
.macro each_number what, count, list:vararg
.set .Lend, .Llane + \count
.irp number, \list
.if .Llane < .Lend
	\what	\number
.set .Llane, .Llane + 1
.endif
.endr
.endm

/* `what ...` for every lane. */
.macro each_lane what, lanes, arguments:vararg
.set .Llane, 0
.rept \lanes
	\what	\arguments
.set .Llane, .Llane + 1
.endr
.endm

.macro walk_array name, kind, lanes
	function \name
	enter_memory
	.p2align 6
1:
	each_lane hop_memory_\kind, \lanes, CURSORS
	back
2:
	end	\name
.endm

.macro walk_stack name, kind, lanes
	function \name
	enter_memory
	grow_stack \lanes
	each_lane copy, \lanes, CURSORS, STACK_POINTER
	.p2align 6
1:
	each_lane hop_memory_\kind, \lanes, STACK_POINTER
	back
	each_lane copy, \lanes, STACK_POINTER, CURSORS
	shrink_stack \lanes
2:
	end	\name
.endm

.macro registers kind, lanes
	walk	chase_\kind\()_registers_\lanes, \kind, \lanes, 0, LANES_ROUNDS_SHIFT
.endm
.macro vectors kind, lanes, general
	walk	chase_\kind\()_vectors_\lanes, \kind, \general, (\lanes-\general), 0
.endm
.macro array kind, lanes
	walk_array chase_\kind\()_array_\lanes, \kind, \lanes
.endm
.macro stack kind, lanes
	walk_stack chase_\kind\()_stack_\lanes, \kind, \lanes
.endm

#define REGISTERS_POINTER(lanes) registers pointer, lanes;
#define REGISTERS_INDEX32(lanes) registers index32, lanes;
#define VECTORS_POINTER(lanes)   vectors pointer, lanes, (LANES_GENERAL-1);
#define VECTORS_INDEX32(lanes)   vectors index32, lanes, (LANES_GENERAL-2);
#define ARRAY(lanes)             array pointer, lanes; array index32, lanes;
#define STACK(lanes)             stack pointer, lanes; stack index32, lanes;

/* Every function, once the ISA's macros are there. */
#define LANES_FUNCTIONS                                                                            \
	LANES_POINTER_IN_REGISTERS(REGISTERS_POINTER)                                              \
	LANES_INDEX32_IN_REGISTERS(REGISTERS_INDEX32)                                              \
	LANES_POINTER_IN_VECTORS(VECTORS_POINTER)                                                  \
	LANES_INDEX32_IN_VECTORS(VECTORS_INDEX32)                                                  \
	LANES_IN_MEMORY(ARRAY)                                                                     \
	LANES_IN_MEMORY(STACK)
