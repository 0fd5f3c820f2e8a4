#include "kernels/streams.h"

#if defined(__x86_64__)

#include "kernels/laps.h"

bool streams_usable(unsigned vector_bytes)
{
	/* These ask whether the system saves the registers, too. */
	if (vector_bytes == 64)
		return __builtin_cpu_supports("avx512f");
	if (vector_bytes == 32)
		return __builtin_cpu_supports("avx2");
	return true;
}

/* What differs from width to width. The upper halves of registers are left clean: else SSE
 * instructions that follow must keep them, and wait (Intel's optimization manual, 15.3). */
#define V_64        "v"
#define V_32        "v"
#define V_16        ""
#define REGISTER_64 "%%zmm"
#define REGISTER_32 "%%ymm"
#define REGISTER_16 "%%xmm"
#define FILL_64     "vpbroadcastq %[value], %%zmm0\n"
#define FILL_32     "vmovq %[value], %%xmm0\nvpbroadcastq %%xmm0, %%ymm0\n"
#define FILL_16     "movq %[value], %%xmm0\npunpcklqdq %%xmm0, %%xmm0\n"
#define ADD_64(a)   "vpaddq %%zmm0, %%zmm" #a ", %%zmm" #a "\n"
#define ADD_32(a)   "vpaddq %%ymm0, %%ymm" #a ", %%ymm" #a "\n"
#define ADD_16(a)   "paddq %%xmm0, %%xmm" #a "\n"
#define CLEAN_UP_64 "vzeroupper\n"
#define CLEAN_UP_32 "vzeroupper\n"
#define CLEAN_UP_16 ""

/* The vectors of a round are in registers 8 to 15; register 0 holds what is written or added. */
#define ROUND(step, width)                                                                         \
	step(width, 8, 0) step(width, 9, 1) step(width, 10, 2) step(width, 11, 3)                  \
		step(width, 12, 4) step(width, 13, 5) step(width, 14, 6) step(width, 15, 7)
#define LINE_64(step)     step(64, 15, 0)
#define LINE_32(step)     step(32, 14, 0) step(32, 15, 1)
#define LINE_16(step)     step(16, 12, 0) step(16, 13, 1) step(16, 14, 2) step(16, 15, 3)
#define LINE(step, width) LINE_##width(step)

/* Steps: one register and its place, counted in vectors. */
#define PLACE(width, pointer, place) #place "*" #width "(%[" pointer "])"
#define LOAD(width, register, place)                                                               \
	V_##width "movaps " PLACE(width, "at", place) ", " REGISTER_##width #register "\n"
#define STORE(width, move, register, pointer, place)                                               \
	V_##width move " " REGISTER_##width #register ", " PLACE(width, pointer, place) "\n"
#define SET(width, register, place)    STORE(width, "movaps", 0, "at", place)
#define SET_NT(width, register, place) STORE(width, "movntps", 0, "at", place)
#define PUT(width, register, place)    STORE(width, "movaps", register, "to", place)
#define PUT_NT(width, register, place) STORE(width, "movntps", register, "to", place)
#define LEAVE(width, register, place)  STORE(width, "movups", register, "last", place)
#define INCREMENT(width, register, place)                                                          \
	LOAD(width, register, place)                                                               \
	ADD_##width(register) STORE(width, "movaps", register, "at", place)

/* Copies go by two: longer turns of loads and stores were 1 to 2 % slower in memory, single ones up
 * to 5 % in the first level (Emerald Rapids). */
#define TWO(put, width, a, b, i, j)                                                                \
	LOAD(width, a, i) LOAD(width, b, j) put(width, a, i) put(width, b, j)
#define ROUND_MOVES(put, width)                                                                    \
	TWO(put, width, 8, 9, 0, 1)                                                                \
	TWO(put, width, 10, 11, 2, 3) TWO(put, width, 12, 13, 4, 5) TWO(put, width, 14, 15, 6, 7)
#define LINE_MOVES(put, width) LINE(LOAD, width) LINE(put, width)

#define ADVANCE(pointer, bytes) "add $" bytes ", %[" pointer "]\n"
#define SKIP(count)             "test %[" count "], %[" count "]\njz 2f\n"
#define BACK(count)             "dec %[" count "]\njnz 1b\n"
#define VECTORS_USED            "xmm0", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15"
/* Stores past the caches wait in buffers of their own. */
#define FENCE __asm__ volatile("sfence" ::: "memory")

#include "kernels/streams_template.h"

#endif
