/* A hop of each loop of chase.c in the instructions of 64-bit ARM, and how many these are. */
#pragma once

#define CHASE_ISA "aarch64"
/* Two instructions: what counts and branches back. */
#define CHASE_BACK    "subs %[rounds], %[rounds], #1\nb.ne 1b\n"
#define CHASE_POINTER "ldr %[cursor], [%[cursor]]\n"

#define CHASE_INDEX32              "ldr %w[cursor], [%[base], %[cursor], lsl #2]\n"
#define CHASE_INDEX32_INSTRUCTIONS 1

#define CHASE_INDEX_ARRAY                                                                          \
	"ldr %w[at], [%[index]], #4\n"                                                             \
	"add %[at], %[base], %[at], lsl #2\n"                                                      \
	"ldrb %w[at], [%[at]]\n"                                                                   \
	"add %[sum], %[sum], %[at]\n"
#define CHASE_INDEX_ARRAY_INSTRUCTIONS 4

#define CHASE_INDEX_BYTES                                                                          \
	"ldr %w[at], [%[index]], #4\n"                                                             \
	"ldrb %w[at], [%[base], %[at]]\n"                                                          \
	"add %[sum], %[sum], %[at]\n"
#define CHASE_INDEX_BYTES_INSTRUCTIONS 3

/* After either: the byte into the memory of one variable. */
#define CHASE_KEEP              "strb %w[at], %[kept]\n"
#define CHASE_KEEP_INSTRUCTIONS 1

#define CHASE_STRIDE_LOOP                                                                          \
	"ldr %[word], [%[at]]\n"                                                                   \
	"add %[at], %[at], %[stride]\n"                                                            \
	"add %[sum], %[sum], %[word]\n"
#define CHASE_STRIDE_LOOP_INSTRUCTIONS 3

#define CHASE_FOUR_WORDS(i, j, k, l)                                                               \
	"ldr %[w0], [%[at], #" #i "]\n"                                                            \
	"ldr %[w1], [%[at], #" #j "]\n"                                                            \
	"ldr %[w2], [%[at], #" #k "]\n"                                                            \
	"ldr %[w3], [%[at], #" #l "]\n"                                                            \
	"add %[a], %[a], %[w0]\n"                                                                  \
	"add %[b], %[b], %[w1]\n"                                                                  \
	"add %[c], %[c], %[w2]\n"                                                                  \
	"add %[d], %[d], %[w3]\n"
#define CHASE_LINEAR_SUM                                                                           \
	CHASE_FOUR_WORDS(0, 8, 16, 24) CHASE_FOUR_WORDS(32, 40, 48, 56) "add %[at], %[at], #64\n"
#define CHASE_LINEAR_SUM_INSTRUCTIONS 17

#define CHASE_ADD_TO(name) "add %[" #name "], %[" #name "], %[" #name "]\n"
#define CHASE_ADD          CHASE_ADD_TO(value)
#define CHASE_MULTIPLY     "mul %[value], %[value], %[factor]\n"
