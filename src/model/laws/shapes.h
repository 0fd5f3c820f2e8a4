/* The shapes that a step of a curve can have, as tables: a fit looks them up millions of times. */
#pragma once

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

#include "fathom.h"
#include "model/laws/hit_law.h"

enum shape_class {
	SHAPE_LRU,       /* a fixed cycle under LRU and the like */
	SHAPE_RANDOM,    /* a fixed cycle under random replacement */
	SHAPE_RESISTANT, /* a fixed cycle under an insertion that resists thrashing */
	SHAPE_SHARED,    /* a fixed cycle, several nodes in a line */
	SHAPE_SOFT,      /* independent accesses; translation */
	SHAPE_TENANTS,   /* independent accesses to a cache that others fill anew all the time */
	SHAPE_CLASS_COUNT
};

#define SHAPE_CLASS_BIT(class) (1u << (class))
#define SHAPE_CYCLE_CLASSES                                                                        \
	(SHAPE_CLASS_BIT(SHAPE_LRU) | SHAPE_CLASS_BIT(SHAPE_RANDOM) |                              \
	 SHAPE_CLASS_BIT(SHAPE_RESISTANT))
#define SHAPE_SOFT_CLASSES (SHAPE_CLASS_BIT(SHAPE_SHARED) | SHAPE_CLASS_BIT(SHAPE_SOFT))

struct shape_value {
	double missed;       /* share of the accesses, 0..1 */
	double slope;        /* of `missed` by the logarithm of the size */
	double placement_sd; /* standard deviation of `missed` from one placement of scattered pages
			to another, were there one color: that of C is 1 / sqrt(C) of it */
};

/* From a sixteenth of the reach to 64 times: below nothing is missed, above hits fall as 1/x. */
#define SHAPES_LN_LOW  (-2.7725887222397811)
#define SHAPES_LN_HIGH 4.1588830833596719
#define SHAPES_PLACES  832 /* evenly apart */

struct shape_table {
	struct {
		double missed, placement_sd;
	} at[SHAPES_PLACES + 1];
	double ln_half;
};

struct shapes {
	size_t table_count;
	struct shape_table tables[];
};

/* NULL: out of memory. */
struct shapes *shapes_make(void);
void shapes_free(struct shapes *shapes);
/* How many shapes there are. */
size_t shapes_count(void);
enum shape_class shapes_class(size_t shape);
/* -2 ln of how much rarer caches of that shape are. `first`: no cache is before it; of these none
 * is known to resist thrashing, and few ways are usual. */
double shapes_price(size_t shape, bool first);
/* The shape that stands for the class where nothing is known yet. */
size_t shapes_first(enum shape_class class);
/* Does it stand for others where nothing is known yet? */
bool shapes_is_seed(size_t shape);
/* What a curve makes of a cache whose cycle has that shape, where a lap visits each line so often:
 * once, as often as nodes share a line, or at any time (INFINITY: independent accesses). */
size_t shapes_visited(size_t shape, double line_visits);
/* Is it worth a look only where pages lie at random over the sets? */
bool shapes_is_fine(size_t shape);
/* Does the cache hold what the one before evicts, and nothing else? */
bool shapes_is_victim(size_t shape);
double shapes_ways(size_t shape);
/* Which table to look in, where one way has room for so many pages, which lie at random; up to 1
 * they are even, and very many at INFINITY. */
size_t shapes_table(size_t shape, double way_pages);
/* ln of the size over the reach at which half is missed. */
double shapes_ln_half(const struct shapes *shapes, size_t table_index);
/* At exp(ln_ratio) times the reach. Inline, as most of a fit's time went into calls of it. */
static inline struct shape_value shapes_at(const struct shapes *shapes, size_t table_index,
					   double ln_ratio)
{
	const double places_a_ln = SHAPES_PLACES / (SHAPES_LN_HIGH - SHAPES_LN_LOW);
	const struct shape_table *table = &shapes->tables[table_index];
	double place = (ln_ratio - SHAPES_LN_LOW) * places_a_ln;
	if (place <= 0)
		return (struct shape_value){0, 0, 0};
	if (place >= SHAPES_PLACES) {
		double hit = 1 - table->at[SHAPES_PLACES].missed;
		hit *= hit > 0 ? exp(SHAPES_LN_HIGH - ln_ratio) : 0;
		return (struct shape_value){1 - hit, hit, 0};
	}
	size_t i = (size_t)place;
	double share = place - (double)i;
	double rise = table->at[i + 1].missed - table->at[i].missed;
	double placement_sd = table->at[i].placement_sd +
			      share * (table->at[i + 1].placement_sd - table->at[i].placement_sd);
	return (struct shape_value){table->at[i].missed + share * rise, rise * places_a_ln,
				    placement_sd};
}
