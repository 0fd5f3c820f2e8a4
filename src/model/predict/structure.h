/* A data structure as data: the steps of an operation on it, each with the lines and pages that it
 * may go to. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define STRUCTURE_STEPS 192
#define POINTER_BYTES   8

struct step {
	const char *what;    /* a few words, static */
	double count;        /* how often an operation makes it, on average */
	double lines, pages; /* that it may go to, all as likely; 0: those of the step before */
	double fetched;      /* lines that it asks for at once; 0: one */
	uint64_t offsets;    /* a bit for each 64th of REUSE_SETS_BYTES that its lines may be
			      * in; 0: any */
	double cycles;       /* that the next address waits for, besides the load */
	double instructions; /* a compare and its branch are one */
	double waiting;      /* of the instructions, those that wait for a load of the operation */
	double mispredicted; /* branches; each waits for the load */
	double a_line;       /* nodes of a cycle through all of them in a line; 0: not a cycle, any
			      * place may come next */
	bool beside;         /* its lines are of the node that the step before was in */
	bool guessed;   /* the next address follows from the branch, not from what was loaded */
	double ahead;   /* so many steps before it, its line was asked for */
	double awaited; /* of the lines that are fetched at once, how many the next step waits for;
			 * 0: one */
	double streams; /* it goes on with the next line in one of so many places: prefetchers
			 * bring it where the lines of all places are in the first cache; 0: it does
			 * not */
	bool asked;     /* its line is asked for when the operation begins, and where others come
			 * between, long before it is waited for */
	bool astray;    /* after a mispredicted branch the core goes on where it will not come; else
			 * with the next operation */
	double turn;    /* where operations are interleaved: how likely one has a turn for this
			 * step; 0: it is made in that of another step */
	double again;   /* and how likely it has one more then, and so on */
};

/* The parameters of a structure; none is 0 but payload_bytes. */
struct shape {
	double keys, key_bytes, payload_bytes;
	double node_bytes, span_bits, fanout, load;
	bool payload_apart;
	bool exact;                    /* to the key: where elements are in a page is known */
	double line_bytes, page_bytes; /* of the machine */
};

struct layout {
	struct step steps[STRUCTURE_STEPS];
	size_t count;
	double size_bytes;
	/* Besides, of each operation: */
	double read_bytes,
		written_bytes; /* in the order of their addresses, which are known early */
	double transfers;      /* lines that another core has */
	double key_cycles;     /* from the number of a key to the key */
	double product_cycles; /* that the multiplier is busy, besides for the number of the key */
	/* In what gcc 12 makes of src/structures (bench/instructions.py): the next key, the loop,
	 * what is made of the value; and where operations are interleaved, of each turn which one
	 * it is, where it is and what is left of it. A product of twice as many bits is two. */
	double instructions, turn_instructions;
	bool mixed;   /* the places of all steps lie anywhere among the same, and may coincide */
	bool keyless; /* an operation goes on from where the one before ended */
	bool independent; /* nothing of an operation depends on the one before, whatever is asked
			   * for */
};

struct structure {
	const char *name, *words; /* "bsearch", "sorted array, branchless binary search" */
	const char *operation;    /* "lookup" */
	double load, most_load;   /* usual and greatest keys over slots; 0: it has no load */
	bool (*has_room)(const struct shape *shape); /* a node, for its keys; NULL: always */
	void (*lay)(const struct shape *shape, struct layout *layout);
};

/* structures.c: the list, ended by NULL; those that are predicted where nothing is asked for come
 * first. */
#define STRUCTURES_USUAL 10
extern const struct structure *const structures[];
/* NULL: none. */
const struct structure *structure_find(const char *name);

/* ---- layout.c: for the structures --------------------------------------------------------- */

void layout_add(struct layout *layout, const struct step *step);
#define LAYOUT_STEP(layout, ...) layout_add(layout, &(const struct step){__VA_ARGS__})
/* Lines, and pages, of so many bytes side by side; at least one. */
double shape_lines(const struct shape *shape, double bytes);
double shape_pages(const struct shape *shape, double bytes);
/* Bytes of an element of an array: key and payload; and with so many more (pointers), of a node
 * that was allocated by itself, in multiples of 16 as malloc has them. */
double shape_element(const struct shape *shape);
double shape_node(const struct shape *shape, double more_bytes);
/* How many of `count` things that lie anywhere in so many places (lines, pages) are in different
 * ones, on average. */
double shape_different(double count, double places);
/* From the index of something of so many bytes to where it is: a load whose address has a scaled
 * index takes a cycle more than one without (5 for 4: AMD's guides for Zen, Intel's for cores
 * before Sunny Cove; where both take 5 that is one too many), and by more than 8 no address scales,
 * which takes a shift. */
double shape_address_cycles(double bytes);
