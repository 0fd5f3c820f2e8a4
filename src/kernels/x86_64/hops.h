/* A hop of each loop of chase.c in the instructions of x86-64, and how many these are. */
#pragma once

#define CHASE_ISA "x86_64"
/* Two instructions: what counts and branches back. */
#define CHASE_BACK    "dec %[rounds]\njnz 1b\n"
#define CHASE_POINTER "mov (%[cursor]), %[cursor]\n"

#define CHASE_INDEX32              "movl (%[base], %[cursor], 4), %k[cursor]\n"
#define CHASE_INDEX32_INSTRUCTIONS 1

#define CHASE_INDEX_ARRAY                                                                          \
	"movl (%[index]), %k[at]\n"                                                                \
	"add $4, %[index]\n"                                                                       \
	"movzbl (%[base], %[at], 4), %k[at]\n"                                                     \
	"add %[at], %[sum]\n"
#define CHASE_INDEX_ARRAY_INSTRUCTIONS 4

#define CHASE_INDEX_BYTES                                                                          \
	"movl (%[index]), %k[at]\n"                                                                \
	"add $4, %[index]\n"                                                                       \
	"movzbl (%[base], %[at]), %k[at]\n"                                                        \
	"add %[at], %[sum]\n"
#define CHASE_INDEX_BYTES_INSTRUCTIONS 4

/* After either: the byte into the memory of one variable. */
#define CHASE_KEEP              "movb %b[at], %[kept]\n"
#define CHASE_KEEP_INSTRUCTIONS 1

#define CHASE_STRIDE_LOOP                                                                          \
	"add (%[at]), %[sum]\n"                                                                    \
	"add %[stride], %[at]\n"
#define CHASE_STRIDE_LOOP_INSTRUCTIONS 2

#define CHASE_LINEAR_SUM                                                                           \
	"add (%[at]), %[a]\n"                                                                      \
	"add 8(%[at]), %[b]\n"                                                                     \
	"add 16(%[at]), %[c]\n"                                                                    \
	"add 24(%[at]), %[d]\n"                                                                    \
	"add 32(%[at]), %[a]\n"                                                                    \
	"add 40(%[at]), %[b]\n"                                                                    \
	"add 48(%[at]), %[c]\n"                                                                    \
	"add 56(%[at]), %[d]\n"                                                                    \
	"add $64, %[at]\n"
#define CHASE_LINEAR_SUM_INSTRUCTIONS 9

#define CHASE_ADD_TO(name) "add %[" #name "], %[" #name "]\n"
#define CHASE_ADD          CHASE_ADD_TO(value)
#define CHASE_MULTIPLY     "imul %[factor], %[value]\n"
