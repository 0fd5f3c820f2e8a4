/* The streams of an ISA, for its streams.c, which defines the steps LOAD, SET, SET_NT, INCREMENT
 * and LEAVE of vectors, ROUND and LINE, which take a step for the vectors of a round and of a line,
 * ROUND_MOVES and LINE_MOVES, which load and put them with PUT or PUT_NT, FILL_* and CLEAN_UP_* for
 * each width, and for the loop ADVANCE, SKIP, BACK, FENCE and VECTORS_USED. No include guard: it
 * defines functions. */
#if defined(ROUND)

/* A round is eight vectors. A line is in the last of these, so that the last line read is there
 * after either loop. */
#define ROUND_LINES(width) (8 * (width) / KERNEL_LINE_BYTES)
#define ROUND_BYTES(width) "8*" #width

/* The bodies of the loops; `vectors` is ROUND or LINE. */
#define READ(vectors, width, bytes)     vectors(LOAD, width)
#define WRITE(vectors, width, bytes)    vectors(SET, width)
#define WRITE_NT(vectors, width, bytes) vectors(SET_NT, width)
#define COPY(vectors, width, bytes)     vectors##_MOVES(PUT, width) ADVANCE("to", bytes)
#define COPY_NT(vectors, width, bytes)  vectors##_MOVES(PUT_NT, width) ADVANCE("to", bytes)
#define UPDATE(vectors, width, bytes)   vectors(INCREMENT, width)

#define LOOP(count, body, bytes)                                                                   \
	SKIP(count) ".p2align 6\n1:\n" body ADVANCE("at", bytes) BACK(count) "2:\n"
#define LOOPS(body, width)                                                                         \
	LOOP("rounds", body(ROUND, width, ROUND_BYTES(width)), ROUND_BYTES(width))                 \
	LOOP("rest", body(LINE, width, "64"), "64")

#define STREAM(name, width, loops, written, after, fence)                                          \
	static void lines_##name##_##width(const struct kernel_work *work, uint64_t position,      \
					   uint64_t lines,                                         \
					   uint64_t last[static KERNEL_LINE_WORDS])                \
	{                                                                                          \
		uintptr_t at = (uintptr_t)work->base + position * KERNEL_LINE_BYTES;               \
		uintptr_t to = (uintptr_t)work->to + position * KERNEL_LINE_BYTES;                 \
		uint64_t rounds = lines / ROUND_LINES(width), rest = lines % ROUND_LINES(width);   \
		__asm__ volatile(                                                                  \
			FILL_##width loops after CLEAN_UP_##width                                  \
			: [at] "+r"(at), [to] "+r"(to), [rounds] "+r"(rounds), [rest] "+r"(rest)   \
			: [value] "r"(written), [last] "r"(last)                                   \
			: "memory", "cc", VECTORS_USED);                                           \
	}                                                                                          \
	void stream_##name##_##width(struct kernel_work *work, uint64_t hops)                      \
	{                                                                                          \
		laps_stream(work, hops, lines_##name##_##width);                                   \
		fence;                                                                             \
	}

#define NO_VALUE UINT64_C(0)
#define ONE      UINT64_C(1)

#define STREAMS(width)                                                                             \
	STREAM(read, width, LOOPS(READ, width), NO_VALUE, LINE(LEAVE, width), )                    \
	STREAM(write, width, LOOPS(WRITE, width), work->cursor, , )                                \
	STREAM(write_nt, width, LOOPS(WRITE_NT, width), work->cursor, , FENCE)                     \
	STREAM(copy, width, LOOPS(COPY, width), NO_VALUE, , )                                      \
	STREAM(copy_nt, width, LOOPS(COPY_NT, width), NO_VALUE, , FENCE)                           \
	STREAM(update, width, LOOPS(UPDATE, width), ONE, , )
STREAMS_EACH(STREAMS)

#endif
