/* The part of the memory that one thread streams through, and the proof that it did. What ends in
 * a void pointer is for a team's members, each with its own part. */
#ifndef MEASURE_MEMORY_PART_H
#define MEASURE_MEMORY_PART_H

#include "kernels/kernels.h"
#include "machine/pages.h"
#include "measure/memory/buffer.h"

#define PART_PAGE_KINDS FATHOM_PAGE_UNKNOWN
#define PART_WITNESSES  4
#define PART_LINE_WORDS (KERNEL_LINE_BYTES / 8)

/* A line of the lap that a run will pass, and what it then has to be. */
struct part_witness {
	uint64_t line;
	uint64_t words[PART_LINE_WORDS];
};

/* Start from {0} with the machine and the CPU. */
struct part {
	const struct fathom_machine *machine;
	int cpu;                                /* whose node the memory comes from */
	struct buffer buffers[PART_PAGE_KINDS]; /* opened when first asked for */
	uint64_t filled_bytes[PART_PAGE_KINDS]; /* of each, from the start */
	enum fathom_page page;
	uint64_t touch_bytes; /* for part_touch: what is to be touched by its end */
	unsigned char *window;
	uint64_t window_bytes;
	struct pages_obtained obtained; /* of the window, by part_read_back */
	const struct kernel *kernel;
	struct kernel_work work;
	struct rng rng;
	uint64_t hops;   /* of the next run */
	uint64_t cursor; /* after it, where it reads */
	struct part_witness witnesses[PART_WITNESSES];
	bool proven;               /* the last run did what it should */
	int status;                /* of the last void function: 0, or -1 with */
	struct fathom_error error; /* owned */
};

/* What is mapped, and touched, for `bytes`: whole pages, with room to move. */
uint64_t part_capacity(const struct fathom_machine *machine, enum fathom_page page, uint64_t bytes);
/* Memory of that kind for `bytes`, mapped anew where what there is is too small.
 * Errors: as buffer_open. */
int part_open(struct part *part, enum fathom_page page, uint64_t bytes, struct fathom_error *error);
/* Touches, from the thread that calls, and fills what is new of the first touch_bytes. */
void part_touch(void *part);
/* Draws a window for `bytes`, all of them touched; `redraw` as in meter.h. */
void part_draw(struct part *part, uint64_t bytes, bool redraw);
void part_read_back(void *part);
/* Begins to stream through the first `lines` lines of the window, and of what is `to_bytes` behind
 * its start: copies go there. */
void part_begin(struct part *part, const struct kernel *kernel, uint64_t lines, uint64_t to_bytes,
		uint64_t key);
/* The same lap from where it is, with another loop, and another place to copy to. */
void part_turn(struct part *part, const struct kernel *kernel, uint64_t to_bytes);

/* `hops` lines on from where the last run ended, with what belongs before and after. */
void part_stamp(void *part);
void part_walk(void *part);
void part_prove(void *part);

void part_close(struct part *part);

#endif
