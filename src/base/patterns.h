/* What each pattern is: one row of a table. Whoever treats patterns differently asks their rows. */
#pragma once

#include "base/kernel_kind.h"
#include "fathom.h"

/* Which node comes when; measure/memory/chain_order.c has a row for each. */
enum pattern_order {
	PATTERN_CYCLES,     /* random cycles through all nodes, one after the other */
	PATTERN_DRAWN,      /* each node uniform, whatever came before */
	PATTERN_ASCENDING,  /* as they lie in memory */
	PATTERN_DESCENDING, /* the same from the last on */
	PATTERN_STRIDED,    /* every so many bytes, a node further each time round */
	PATTERN_WINDOWED,   /* random inside a window, all of it before the next window */
	PATTERN_PAIRED,     /* two hops in each random node */
	PATTERN_SEPARATE    /* a random cycle for each lane, in a part of its own */
};

/* What spec.stride_bytes is. */
enum pattern_stride {
	PATTERN_NO_STRIDE,
	PATTERN_STRIDE_OF_ACCESSES, /* from one access to the next; it must be given */
	PATTERN_STRIDE_IN_NODE,     /* between the two hops in a node; it must be given */
	PATTERN_STRIDE_OF_PASSES    /* 0, or of the nodes that one pass over the windows visits */
};

/* What a curve of it over sizes is for. */
enum pattern_sweep {
	PATTERN_NOT_SWEPT,     /* `fathom latency` does not take it */
	PATTERN_SWEPT_CYCLE,   /* levels are found in it, with a control where it has one */
	PATTERN_SWEPT_ORDER,   /* levels are found in it, alone or beside a cycle's */
	PATTERN_SWEPT_CONTROL, /* beside a cycle's it tells caches from TLBs */
	PATTERN_SWEPT_ALONE    /* no levels are found in it */
};

/* When nearly all lines of some memory were touched, so that the caches hold them. Each row says
 * it: to be wrong is to measure caches that are not warm. */
enum pattern_cover {
	PATTERN_COVERS_BY_CHANCE = 1, /* nodes that share a line come far apart: after as many hops
					 as lines, or some laps of these */
	PATTERN_COVERS_IN_TURN        /* place after place: after as many hops as nodes */
};

struct pattern_traits {
	const char *name;  /* in the command line and the documents */
	const char *label; /* of a row of a table; {}: its window, stride or laps. NULL: the name */
	enum pattern_order order;
	enum kernel_kind kernel; /* the loop, where links are pointers */
	uint32_t node_multiple;  /* of spec.node_bytes; 0: of the links */
	enum pattern_stride stride;
	bool has_window; /* spec.window_bytes must be given, else it must be 0 */
	bool has_laps;   /* the same of spec.laps */
	bool has_lanes;  /* more than one lane may walk it */
	bool has_pages;  /* nodes are pages: it begins where one does */
	enum pattern_cover cover;
	enum pattern_sweep sweep;
	bool compared;   /* a row of `fathom patterns` */
	bool on_request; /* only where it is asked for by name */
	bool keeps;      /* of an array of indexes: each byte that is read is stored in one place */
	/* Of what costs the same at any size: that at which `fathom patterns` measures it; else 0.
	 */
	uint32_t own_bytes, own_node_bytes;
	bool headline; /* the first sentences about a result speak of it */
	/* Of streams: what is done with each line. */
	bool loads, stores;
	bool bypasses; /* stores do not go through them */
	bool copies;   /* what is stored lies elsewhere than what was loaded */
};

/* Out of range: the row of FATHOM_PATTERN_UNKNOWN. */
const struct pattern_traits *pattern_traits(int pattern);
/* Do most accesses lie some way on, all the same way? */
bool pattern_in_address_order(int pattern);
/* Are all parts of a lap alike? In order, or by windows, pages and rows begin at certain places. */
bool pattern_is_alike(int pattern);

/* -1: no pattern has the name. */
int pattern_parse(const char *name);
/* FATHOM_READ to FATHOM_UPDATE: what `fathom bandwidth` measures. */
bool pattern_streams(int pattern);
/* Is each access of the pattern independent of the one before, so that what is measured is the
 * time an access, many of them overlapping, and not a latency? */
bool pattern_overlaps(int pattern);
/* The same of a point: also where several lanes walk a chain. */
bool spec_overlaps(const struct fathom_spec *spec);
