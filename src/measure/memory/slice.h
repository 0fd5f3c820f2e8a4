/* The slice of memory that one thread streams through, and the canary lines that prove it did.
 * Functions that take a void pointer are tasks of a team, whose members have a slice each. */
#pragma once

#include <stdatomic.h>

#include "kernels/kernels.h"
#include "machine/pages.h"
#include "measure/memory/buffer.h"

#define SLICE_PAGE_KINDS FATHOM_PAGE_UNKNOWN
#define SLICE_CANARIES   4
#define SLICE_LINE_WORDS (KERNEL_LINE_BYTES / 8)

/* A line that the next run will touch, and the words that it must hold afterwards. */
struct slice_canary {
	uint64_t line;
	uint64_t words[SLICE_LINE_WORDS];
};

/* Start from {0} with the machine and the place. */
struct slice {
	const struct fathom_machine *machine;
	struct pinning_place place;              /* of the memory */
	struct buffer buffers[SLICE_PAGE_KINDS]; /* opened when first asked for */
	uint64_t filled_bytes[SLICE_PAGE_KINDS]; /* of each, from the start */
	enum fathom_page page;
	uint64_t touch_bytes; /* for slice_touch: what is to be touched by its end */
	unsigned char *window;
	uint64_t window_bytes;
	struct pages_obtained obtained; /* of the window, by slice_read_back */
	const struct kernel *kernel;
	struct kernel_work work;
	struct rng rng;
	uint64_t hops;   /* of the next run */
	uint64_t cursor; /* after it, where it reads */
	struct slice_canary canaries[SLICE_CANARIES];
	/* Of slice_walk_beside: set by the one that ends first; and what this one had done by then,
	 * and in which time. */
	atomic_bool *ended;
	uint64_t beside_hops;
	double beside_ns;
	bool proven;               /* the last run did what it should */
	int status;                /* of the last void function: 0, or -1 with */
	struct fathom_error error; /* owned */
};

/* What is mapped, and touched, for `bytes`: whole pages, with room to move. */
uint64_t slice_capacity(const struct fathom_machine *machine, enum fathom_page page,
			uint64_t bytes);
/* Memory of that kind for `bytes`, mapped anew where what there is is too small.
 * Errors: as buffer_open. */
int slice_open(struct slice *slice, enum fathom_page page, uint64_t bytes,
	       struct fathom_error *error);
/* Touches, from the thread that calls, and fills what is new of the first touch_bytes. */
void slice_touch(void *slice);
/* Draws a window for `bytes`, all of them touched; `redraw` as in meter.h. */
void slice_draw(struct slice *slice, uint64_t bytes, bool redraw);
void slice_read_back(void *slice);
/* Begins to stream through the first `lines` lines of the window, and of what is `to_bytes` behind
 * its start: copies go there. */
void slice_begin(struct slice *slice, const struct kernel *kernel, uint64_t lines,
		 uint64_t to_bytes, uint64_t key);
/* The same lap from where it is, with another loop, and another place to copy to. */
void slice_turn(struct slice *slice, const struct kernel *kernel, uint64_t to_bytes);

/* `hops` lines on from where the last run ended, with what belongs before and after. */
void slice_write_canaries(void *slice);
void slice_walk(void *slice);
/* The same, beside others that walk as far. */
void slice_walk_beside(void *slice);
void slice_verify(void *slice);

void slice_close(struct slice *slice);
