/* The kinds of timed loops: what one hop of each does. The loops are in kernels/kernels.h. */
#pragma once

#include <stdbool.h>

/* What KERNEL_READ and its like take at a time of each stream, whatever the machine's line. */
#define KERNEL_LINE_BYTES 64

enum kernel_kind {
	KERNEL_POINTER,       /* cursor = *(void **)cursor */
	KERNEL_INDEX32,       /* cursor = ((uint32_t *)base)[cursor] */
	KERNEL_INDEPENDENT64, /* the address from a generator, the loaded word folded in */
	KERNEL_INDEPENDENT32, /* the same with 32-bit words */
	KERNEL_INDEPENDENT8,  /* the same with bytes */
	/* Not dependent: the cursor is the sum of all that was read, lap after lap. */
	KERNEL_INDEX_ARRAY, /* cursor += base[4 * index[position]], one byte */
	KERNEL_INDEX_BYTES, /* cursor += base[index[position]]: every byte can be named */
	/* The same, and each byte is stored in one place, as in a volatile variable. */
	KERNEL_INDEX_ARRAY_KEPT,
	KERNEL_INDEX_BYTES_KEPT,
	KERNEL_STRIDE_LOOP, /* cursor += the word of 8 bytes at base + position * node_bytes */
	KERNEL_LINEAR_SUM,  /* cursor += the words of KERNEL_SUM_BYTES from there on; node_bytes is
			       KERNEL_SUM_BYTES */
	KERNEL_BRANCHES,    /* if (base[position] is odd) cursor += base[position], by a branch */
	KERNEL_LOCKS, /* the word at base + position * node_bytes from 0 to 1 and back, by atomic
			 instructions; cursor += 1 where it was 0 */
	/* Streams: a hop is KERNEL_LINE_BYTES of each stream, on lap after lap of `nodes` lines. */
	KERNEL_READ,     /* every byte; cursor ^= the 8-byte words of the last line of the run */
	KERNEL_WRITE,    /* every 8-byte word becomes the cursor */
	KERNEL_WRITE_NT, /* the same past the caches (non-temporal), done when the run ends */
	KERNEL_COPY,     /* from base to `to` */
	KERNEL_COPY_NT,  /* the same past the caches */
	KERNEL_UPDATE    /* every 8-byte word += 1 */
};
#define KERNEL_SUM_BYTES 64

static inline bool kernel_kind_streams(enum kernel_kind kind)
{
	return kind >= KERNEL_READ;
}

/* Is no access of it dependent on the one before? */
static inline bool kernel_kind_overlaps(enum kernel_kind kind)
{
	return kind >= KERNEL_INDEX_ARRAY;
}
