/* Curves over kinds of pages that follow the laws, for tests of what reads them. */
#ifndef PAGE_CURVES_H
#define PAGE_CURVES_H

#include "curves.h"

#define KNOWN_TLBS   2
#define KNOWN_CACHES 3

struct known_tlb {
	double entries, penalty_ns; /* 0 entries: there is none */
};

struct known_pages {
	struct known_step caches[KNOWN_CACHES];
	double base_ns;
	struct known_tlb tlbs[KNOWN_TLBS];       /* of base pages */
	struct known_tlb large_tlbs[KNOWN_TLBS]; /* of pages of 2 MiB */
	bool tables_stay; /* in the nearest cache: walks always take the same */
	double tlb_ways;
	bool hashed;          /* the TLBs' sets fill at random */
	bool splintered;      /* a host holds the large pages in small ones */
	double largest_bytes; /* of a chain */
	double per_octave;    /* of the numbers of pages; half as many sizes */
	size_t blocks;        /* of each point */
	double noise;         /* of a block */
	double drift;         /* of all that was measured beside it, alike */
	uint64_t seed;
};

/* One of many plausible machines. */
struct known_pages known_pages_draw(uint64_t seed);

/* Of an access in random order, without noise. */
struct known_parts {
	double memory_ns, tlb_ns, walk_ns;
};
struct known_parts known_parts_at(const struct known_pages *known, double size_bytes);
/* What translation costs in a chain through one line in each of so many pages. */
double known_spread_ns(const struct known_pages *known, double pages);

/* Curves of 4K: along the sizes, spread, packed; then of 2M the same, and of splintered ones the
 * chain through one line in every 4 KiB of them. For fathom_result_free. */
enum {
	CURVE_SIZES_4K,
	CURVE_SPREAD_4K,
	CURVE_PACKED_4K,
	CURVE_SIZES_2M,
	CURVE_SPREAD_2M,
	CURVE_PACKED_2M,
	CURVE_PIECES_2M,
	PAGE_CURVES
};
struct fathom_result *make_page_curves(const struct known_pages *known);
/* Takes one away. */
void drop_page_curve(struct fathom_result *result, size_t which);

#endif
