#include "kernels/portable.h"

/* Words of a buffer that others fill with bytes. */
typedef uint64_t word64 __attribute__((may_alias));
typedef uint32_t word32 __attribute__((may_alias));

#define REPEAT_4(statement)      statement statement statement statement
#define REPEAT_16(statement)     REPEAT_4(REPEAT_4(statement))
#define REPEAT_UNROLL(statement) REPEAT_4(REPEAT_16(statement))
_Static_assert(KERNEL_UNROLL == 64, "REPEAT_UNROLL repeats 64 times");

/* Volatile: a hop loads its cursor and stores it. */
static void put_on_stack(const struct kernel_work *work,
			 volatile uint64_t cursors[FATHOM_MOST_LANES])
{
	for (unsigned lane = 0; lane < work->lanes; lane++)
		cursors[lane] = work->cursors[lane];
}

static void take_from_stack(struct kernel_work *work,
			    const volatile uint64_t cursors[FATHOM_MOST_LANES])
{
	for (unsigned lane = 0; lane < work->lanes; lane++)
		work->cursors[lane] = cursors[lane];
}

/* Of one lane, of several, and of several on the stack. */
#define CHAINS(name, next)                                                                         \
	void portable_##name(struct kernel_work *work, uint64_t hops)                              \
	{                                                                                          \
		const unsigned char *base = work->base;                                            \
		uint64_t cursor = work->cursor;                                                    \
		for (uint64_t rounds = hops / KERNEL_UNROLL; rounds > 0; rounds--) {               \
			REPEAT_UNROLL(cursor = next(base, cursor);)                                \
		}                                                                                  \
		for (hops %= KERNEL_UNROLL; hops; hops--)                                          \
			cursor = next(base, cursor);                                               \
		work->cursor = cursor;                                                             \
	}                                                                                          \
	void portable_##name##_lanes(struct kernel_work *work, uint64_t hops)                      \
	{                                                                                          \
		const unsigned char *base = work->base;                                            \
		for (; hops; hops--)                                                               \
			for (unsigned lane = 0; lane < work->lanes; lane++)                        \
				work->cursors[lane] = next(base, work->cursors[lane]);             \
	}                                                                                          \
	void portable_##name##_lanes_stack(struct kernel_work *work, uint64_t hops)                \
	{                                                                                          \
		const unsigned char *base = work->base;                                            \
		volatile uint64_t cursors[FATHOM_MOST_LANES];                                      \
		put_on_stack(work, cursors);                                                       \
		for (; hops; hops--)                                                               \
			for (unsigned lane = 0; lane < work->lanes; lane++)                        \
				cursors[lane] = next(base, cursors[lane]);                         \
		take_from_stack(work, cursors);                                                    \
	}

static inline uint64_t next_pointer(const unsigned char *base, uint64_t cursor)
{
	(void)base;
	return *(const word64 *)(uintptr_t)cursor;
}

static inline uint64_t next_index32(const unsigned char *base, uint64_t cursor)
{
	return ((const word32 *)(const void *)base)[cursor];
}

CHAINS(pointer, next_pointer)
CHAINS(index32, next_index32)

static inline const void *independent_word(const struct kernel_work *work, uint64_t state)
{
	uint64_t node = kernel_independent_node(state, work->nodes);
	return work->base + node * work->node_bytes +
	       kernel_node_offset(node, work->slots, work->slot_bytes);
}

/* What is loaded is as wide as `word`. */
#define INDEPENDENT(name, word)                                                                    \
	void portable_##name(struct kernel_work *work, uint64_t hops)                              \
	{                                                                                          \
		const struct kernel_work own = *work;                                              \
		uint64_t state = own.cursor;                                                       \
		for (uint64_t rounds = hops / KERNEL_UNROLL; rounds > 0; rounds--) {               \
			REPEAT_UNROLL({                                                            \
				const word *at = independent_word(&own, state);                    \
				state = kernel_independent_next(state, *at);                       \
			})                                                                         \
		}                                                                                  \
		for (hops %= KERNEL_UNROLL; hops; hops--)                                          \
			state = kernel_independent_next(                                           \
				state, *(const word *)independent_word(&own, state));              \
		work->cursor = state;                                                              \
	}
INDEPENDENT(independent64, word64)
INDEPENDENT(independent32, word32)
INDEPENDENT(independent8, unsigned char)

/* `unit`: bytes that an index counts. */
#define INDEXED(name, unit)                                                                        \
	uint64_t portable_##name(const struct kernel_work *work, uint64_t position,                \
				 uint64_t nodes)                                                   \
	{                                                                                          \
		uint64_t sum = 0;                                                                  \
		for (uint64_t i = position; i < position + nodes; i++)                             \
			sum += work->base[(unit) * (uint64_t)work->index[i]];                      \
		return sum;                                                                        \
	}                                                                                          \
	uint64_t portable_##name##_kept(const struct kernel_work *work, uint64_t position,         \
					uint64_t nodes)                                            \
	{                                                                                          \
		uint64_t sum = 0;                                                                  \
		volatile unsigned char kept;                                                       \
		for (uint64_t i = position; i < position + nodes; i++) {                           \
			unsigned char byte = work->base[(unit) * (uint64_t)work->index[i]];        \
			kept = byte;                                                               \
			sum += byte;                                                               \
		}                                                                                  \
		(void)kept;                                                                        \
		return sum;                                                                        \
	}
INDEXED(index_array, 4)
INDEXED(index_bytes, 1)

uint64_t portable_stride_loop(const struct kernel_work *work, uint64_t position, uint64_t nodes)
{
	uint64_t sum = 0;
	for (uint64_t i = position; i < position + nodes; i++)
		sum += *(const word64 *)(const void *)(work->base + i * work->node_bytes);
	return sum;
}

uint64_t portable_linear_sum(const struct kernel_work *work, uint64_t position, uint64_t nodes)
{
	const word64 *words = (const word64 *)(const void *)work->base;
	const uint64_t each = KERNEL_SUM_BYTES / sizeof(*words);
	uint64_t sum = 0;
	for (uint64_t i = position * each; i < (position + nodes) * each; i++)
		sum += words[i];
	return sum;
}

/* The empty assembler is in one way of the branch alone, so that no compiler can do without it. */
uint64_t portable_branches(const struct kernel_work *work, uint64_t position, uint64_t nodes)
{
	uint64_t sum = 0;
	for (uint64_t i = position; i < position + nodes; i++) {
		uint64_t byte = work->base[i];
		if (byte & 1) {
			__asm__ volatile("" : "+r"(sum));
			sum += byte;
		}
	}
	return sum;
}

/* As a mutex does that nobody waits for: compare and exchange to take it, exchange to give it back.
 */
uint64_t portable_locks(const struct kernel_work *work, uint64_t position, uint64_t nodes)
{
	uint64_t taken = 0;
	for (uint64_t i = position; i < position + nodes; i++) {
		word32 *lock = (word32 *)(uintptr_t)(work->base + i * work->node_bytes);
		uint32_t unlocked = 0;
		taken += __atomic_compare_exchange_n(lock, &unlocked, 1, false, __ATOMIC_ACQUIRE,
						     __ATOMIC_RELAXED);
		__atomic_exchange_n(lock, 0, __ATOMIC_RELEASE);
	}
	return taken;
}

/* Volatile: every word is loaded or stored as it stands here, by itself. */
typedef volatile uint64_t stream_word __attribute__((may_alias));

static stream_word *line_at(const unsigned char *base, uint64_t position)
{
	return (stream_word *)(uintptr_t)(base + position * KERNEL_LINE_BYTES);
}

static void read_lines(const struct kernel_work *work, uint64_t position, uint64_t lines,
		       uint64_t last[static KERNEL_LINE_WORDS])
{
	const stream_word *at = line_at(work->base, position);
	uint64_t line[KERNEL_LINE_WORDS] = {0};
	for (; lines; lines--, at += KERNEL_LINE_WORDS)
		for (int i = 0; i < KERNEL_LINE_WORDS; i++)
			line[i] = at[i];
	for (int i = 0; i < KERNEL_LINE_WORDS; i++)
		last[i] = line[i];
}

static void write_lines(const struct kernel_work *work, uint64_t position, uint64_t lines,
			uint64_t last[static KERNEL_LINE_WORDS])
{
	stream_word *at = line_at(work->base, position);
	const uint64_t word = work->cursor;
	(void)last;
	for (; lines; lines--, at += KERNEL_LINE_WORDS)
		for (int i = 0; i < KERNEL_LINE_WORDS; i++)
			at[i] = word;
}

static void copy_lines(const struct kernel_work *work, uint64_t position, uint64_t lines,
		       uint64_t last[static KERNEL_LINE_WORDS])
{
	const stream_word *at = line_at(work->base, position);
	stream_word *to = line_at(work->to, position);
	(void)last;
	for (; lines; lines--, at += KERNEL_LINE_WORDS, to += KERNEL_LINE_WORDS)
		for (int i = 0; i < KERNEL_LINE_WORDS; i++)
			to[i] = at[i];
}

static void update_lines(const struct kernel_work *work, uint64_t position, uint64_t lines,
			 uint64_t last[static KERNEL_LINE_WORDS])
{
	stream_word *at = line_at(work->base, position);
	(void)last;
	for (; lines; lines--, at += KERNEL_LINE_WORDS)
		for (int i = 0; i < KERNEL_LINE_WORDS; i++)
			at[i] = at[i] + 1;
}

#define STREAM(name)                                                                               \
	void portable_##name(struct kernel_work *work, uint64_t hops)                              \
	{                                                                                          \
		laps_stream(work, hops, name##_lines);                                             \
	}
STREAM(read)
STREAM(write)
STREAM(copy)
STREAM(update)

/* Volatile results, so that the work is not dropped whole; the compiler may still shorten it. */
void portable_add(uint64_t count)
{
	uint64_t value = 1;
	for (uint64_t i = 0; i < count; i++)
		value += value;
	volatile uint64_t result = value;
	(void)result;
}

void portable_add_apart(uint64_t count)
{
	uint64_t a = 1, b = 1;
	for (uint64_t i = 0; i < count; i += 2) {
		a += a;
		b += b;
	}
	volatile uint64_t result = a + b;
	(void)result;
}

void portable_multiply(uint64_t count)
{
	uint64_t value = 1;
	for (uint64_t i = 0; i < count; i++)
		value *= KERNEL_LCG_MULTIPLIER;
	volatile uint64_t result = value;
	(void)result;
}
