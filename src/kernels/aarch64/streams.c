#include "kernels/streams.h"

#if defined(__aarch64__)

#include "kernels/laps.h"

bool streams_usable(unsigned vector_bytes)
{
	return vector_bytes <= 16; /* NEON, which every one has */
}

/* A round is eight vectors, in registers 16 to 23; register 0 holds what is written or added. A
 * line is in the last of these, so that the last line read is there after either loop. */
#define ROUND_LINES 2
#define ROUND_BYTES "128"
#define ROUND(step) step(16, 17, 0) step(18, 19, 32) step(20, 21, 64) step(22, 23, 96)
#define LINE_BYTES  "64"
#define LINE(step)  step(20, 21, 0) step(22, 23, 32)

/* Steps: two registers and their place in bytes. */
#define PAIR(move, a, b, pointer, place) move " q" #a ", q" #b ", [%[" pointer "], #" #place "]\n"
#define LOAD(a, b, place)                PAIR("ldp", a, b, "at", place)
#define SET(a, b, place)                 PAIR("stp", 0, 0, "at", place)
#define SET_NT(a, b, place)              PAIR("stnp", 0, 0, "at", place)
#define PUT(a, b, place)                 PAIR("stp", a, b, "to", place)
#define PUT_NT(a, b, place)              PAIR("stnp", a, b, "to", place)
#define LEAVE(a, b, place)               PAIR("stp", a, b, "last", place)
#define ADD(a)                           "add v" #a ".2d, v" #a ".2d, v0.2d\n"
#define INCREMENT(a, b, place)           LOAD(a, b, place) ADD(a) ADD(b) PAIR("stp", a, b, "at", place)

/* The bodies of the loops; `vectors` is ROUND or LINE. */
#define ADVANCE(pointer, bytes)  "add %[" pointer "], %[" pointer "], #" bytes "\n"
#define READ(vectors, bytes)     vectors(LOAD)
#define WRITE(vectors, bytes)    vectors(SET)
#define WRITE_NT(vectors, bytes) vectors(SET_NT)
#define COPY(vectors, bytes)     vectors(LOAD) vectors(PUT) ADVANCE("to", bytes)
#define COPY_NT(vectors, bytes)  vectors(LOAD) vectors(PUT_NT) ADVANCE("to", bytes)
#define UPDATE(vectors, bytes)   vectors(INCREMENT)

#define LOOP(count, body, bytes)                                                                   \
	"cbz %[" count "], 2f\n"                                                                   \
	".p2align 6\n"                                                                             \
	"1:\n" body ADVANCE("at", bytes) "subs %[" count "], %[" count "], #1\n"                   \
					 "b.ne 1b\n"                                               \
					 "2:\n"
#define LOOPS(body)                                                                                \
	LOOP("rounds", body(ROUND, ROUND_BYTES), ROUND_BYTES)                                      \
	LOOP("rest", body(LINE, LINE_BYTES), LINE_BYTES)

#define STREAM(name, loops, written, after, fence)                                                 \
	static void lines_##name##_16(const struct kernel_work *work, uint64_t position,           \
				      uint64_t lines, uint64_t last[static KERNEL_LINE_WORDS])     \
	{                                                                                          \
		uintptr_t at = (uintptr_t)work->base + position * KERNEL_LINE_BYTES;               \
		uintptr_t to = (uintptr_t)work->to + position * KERNEL_LINE_BYTES;                 \
		uint64_t rounds = lines / ROUND_LINES, rest = lines % ROUND_LINES;                 \
		__asm__ volatile(                                                                  \
			"dup v0.2d, %[value]\n" loops after                                        \
			: [at] "+r"(at), [to] "+r"(to), [rounds] "+r"(rounds), [rest] "+r"(rest)   \
			: [value] "r"(written), [last] "r"(last)                                   \
			: "memory", "cc", "v0", "v16", "v17", "v18", "v19", "v20", "v21", "v22",   \
			  "v23");                                                                  \
	}                                                                                          \
	void stream_##name##_16(struct kernel_work *work, uint64_t hops)                           \
	{                                                                                          \
		laps_stream(work, hops, lines_##name##_16);                                        \
		fence;                                                                             \
	}

/* The run ends when what it stored is done, however it went. (dmb would only put it in order.) */
#define FENCE    __asm__ volatile("dsb ishst" ::: "memory")
#define NO_VALUE UINT64_C(0)
#define ONE      UINT64_C(1)

STREAM(read, LOOPS(READ), NO_VALUE, LINE(LEAVE), )
STREAM(write, LOOPS(WRITE), work->cursor, , )
STREAM(write_nt, LOOPS(WRITE_NT), work->cursor, , FENCE)
STREAM(copy, LOOPS(COPY), NO_VALUE, , )
STREAM(copy_nt, LOOPS(COPY_NT), NO_VALUE, , FENCE)
STREAM(update, LOOPS(UPDATE), ONE, , )

#endif
