/* Mapped memory of one page kind, whose page size was read back; reused for every point. */
#pragma once

#include "base/rng.h"
#include "fathom.h"
#include "machine/pages.h"
#include "machine/pinning.h"

struct buffer {
	unsigned char *memory;      /* NULL: not open */
	uint64_t capacity_bytes;    /* of `memory`, whole pages */
	uint64_t populated_bytes;   /* touched, from the start */
	uint64_t page_bytes;        /* of the kind asked for */
	uint64_t window_unit_bytes; /* windows start at multiples of this: the base page */
	void *mapping;              /* what was mapped: `memory` lies in it, aligned */
	uint64_t mapping_bytes;
	uint64_t counted_pages; /* multi-size THP: that the kernel counted while it was touched */
	bool uncounted;         /* it counted none: it cannot */
	enum fathom_page page;
};

/* Room beyond a chain's span, so that its window can be drawn at another place; there may be less.
 */
#define BUFFER_ROOM_BYTES (64ull << 20)

/* Maps that much in whole pages, touches nothing. Errors: UNABLE (no such pages, a node that may
 * not be bound to), FAILED (refused; the hint says which limit). */
int buffer_open(struct buffer *buffer, const struct fathom_machine *machine, enum fathom_page page,
		uint64_t capacity_bytes, struct pinning_place place, struct fathom_error *error);
void buffer_close(struct buffer *buffer);
/* Has none of its pages any more: each comes back, cleared, when it is touched. Errors: UNABLE. */
int buffer_give_back(struct buffer *buffer, struct fathom_error *error);

/* Writes to every page of what a chain of `span_bytes` needs, from the start, and of its room as
 * far as there is any. Errors: FAILED, UNABLE (hugetlb pool exhausted; larger than the buffer). */
int buffer_populate(struct buffer *buffer, uint64_t span_bytes, struct fathom_error *error);

/* The pages behind a part of it that is populated. Of multi-size THP the share is that of all that
 * is populated, and page_bytes 0 where the kernel does not count. Errors: as pages_read_back. */
int buffer_read_back(const struct buffer *buffer, const void *memory, uint64_t bytes,
		     struct pages_obtained *obtained, struct fathom_error *error);

/* Does a window of `bytes` lie in the populated part? */
bool buffer_holds(const struct buffer *buffer, const unsigned char *window, uint64_t bytes);

/* A window of `bytes` in the populated part (they must fit in it), a random number of
 * base pages from its start, or of `alignment_bytes` where these are more. */
unsigned char *buffer_window(const struct buffer *buffer, uint64_t bytes, uint64_t alignment_bytes,
			     struct rng *rng);
