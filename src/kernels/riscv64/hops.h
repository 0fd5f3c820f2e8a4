/* A hop of each loop of chase.c in the instructions of 64-bit RISC-V, and how many these are. */
#pragma once

#define CHASE_ISA "riscv64"
/* Two instructions: what counts and branches back. */
#define CHASE_BACK    "addi %[rounds], %[rounds], -1\nbnez %[rounds], 1b\n"
#define CHASE_POINTER "ld %[cursor], 0(%[cursor])\n"

/* No scaled addressing. */
#define CHASE_INDEX32                                                                              \
	"slli %[cursor], %[cursor], 2\n"                                                           \
	"add %[cursor], %[cursor], %[base]\n"                                                      \
	"lwu %[cursor], 0(%[cursor])\n"
#define CHASE_INDEX32_INSTRUCTIONS 3

#define CHASE_INDEX_ARRAY                                                                          \
	"lwu %[at], 0(%[index])\n"                                                                 \
	"addi %[index], %[index], 4\n"                                                             \
	"slli %[at], %[at], 2\n"                                                                   \
	"add %[at], %[at], %[base]\n"                                                              \
	"lbu %[at], 0(%[at])\n"                                                                    \
	"add %[sum], %[sum], %[at]\n"
#define CHASE_INDEX_ARRAY_INSTRUCTIONS 6

#define CHASE_INDEX_BYTES                                                                          \
	"lwu %[at], 0(%[index])\n"                                                                 \
	"addi %[index], %[index], 4\n"                                                             \
	"add %[at], %[at], %[base]\n"                                                              \
	"lbu %[at], 0(%[at])\n"                                                                    \
	"add %[sum], %[sum], %[at]\n"
#define CHASE_INDEX_BYTES_INSTRUCTIONS 5

/* After either: the byte into the memory of one variable. */
#define CHASE_KEEP              "sb %[at], %[kept]\n"
#define CHASE_KEEP_INSTRUCTIONS 1

#define CHASE_STRIDE_LOOP                                                                          \
	"ld %[word], 0(%[at])\n"                                                                   \
	"add %[at], %[at], %[stride]\n"                                                            \
	"add %[sum], %[sum], %[word]\n"
#define CHASE_STRIDE_LOOP_INSTRUCTIONS 3

#define CHASE_FOUR_WORDS(i, j, k, l)                                                               \
	"ld %[w0], " #i "(%[at])\n"                                                                \
	"ld %[w1], " #j "(%[at])\n"                                                                \
	"ld %[w2], " #k "(%[at])\n"                                                                \
	"ld %[w3], " #l "(%[at])\n"                                                                \
	"add %[a], %[a], %[w0]\n"                                                                  \
	"add %[b], %[b], %[w1]\n"                                                                  \
	"add %[c], %[c], %[w2]\n"                                                                  \
	"add %[d], %[d], %[w3]\n"
#define CHASE_LINEAR_SUM                                                                           \
	CHASE_FOUR_WORDS(0, 8, 16, 24) CHASE_FOUR_WORDS(32, 40, 48, 56) "addi %[at], %[at], 64\n"
#define CHASE_LINEAR_SUM_INSTRUCTIONS 17

#define CHASE_ADD_TO(name) "add %[" #name "], %[" #name "], %[" #name "]\n"
#define CHASE_ADD          CHASE_ADD_TO(value)
#define CHASE_MULTIPLY     "mul %[value], %[value], %[factor]\n"
