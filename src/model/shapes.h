/* The shapes that a step of a curve can have, as tables: a fit looks them up millions of times. */
#ifndef MODEL_SHAPES_H
#define MODEL_SHAPES_H

#include <stdbool.h>
#include <stddef.h>

#include "fathom.h"
#include "model/hit_law.h"

enum shape_class {
	SHAPE_LRU,       /* a fixed cycle under LRU and the like */
	SHAPE_RANDOM,    /* a fixed cycle under random replacement */
	SHAPE_RESISTANT, /* a fixed cycle under an insertion that resists thrashing */
	SHAPE_SHARED,    /* a fixed cycle, several nodes in a line */
	SHAPE_SOFT,      /* independent accesses; translation */
	SHAPE_CLASS_COUNT
};

#define SHAPE_CLASS_BIT(class) (1u << (class))
#define SHAPE_CYCLE_CLASSES                                                                        \
	(SHAPE_CLASS_BIT(SHAPE_LRU) | SHAPE_CLASS_BIT(SHAPE_RANDOM) |                              \
	 SHAPE_CLASS_BIT(SHAPE_RESISTANT))
#define SHAPE_SOFT_CLASSES (SHAPE_CLASS_BIT(SHAPE_SHARED) | SHAPE_CLASS_BIT(SHAPE_SOFT))

struct shape_value {
	double missed; /* share of the accesses, 0..1 */
	double slope;  /* of `missed` by the logarithm of the size */
	double luck;   /* standard deviation of `missed` from one placement of scattered pages to
			  another, were there one color: that of C is 1 / sqrt(C) of it */
};

struct shapes;

/* NULL: out of memory. */
struct shapes *shapes_make(void);
void shapes_free(struct shapes *shapes);
size_t shapes_count(void);
enum shape_class shapes_class(size_t shape);
/* -2 ln of how much rarer caches of that shape are. `first`: no cache is before it; of these none
 * is known to resist thrashing, and few ways are usual. */
double shapes_price(size_t shape, bool first);
/* The shape that stands for the class where nothing is known yet. */
size_t shapes_first(enum shape_class class);
/* Does it stand for others where nothing is known yet? */
bool shapes_is_seed(size_t shape);
/* What translation has: the pages of a cycle through lines come in no order that lasts. */
size_t shapes_translation(void);
/* What independent accesses make of a cache whose cycle has that shape. */
size_t shapes_soft_of(size_t shape);
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
/* Nothing is missed up to there. */
#define SHAPES_LN_LOW (-2.7725887222397811) /* ln 1/16 */
/* At exp(ln_ratio) times the reach. */
struct shape_value shapes_at(const struct shapes *shapes, size_t table_index, double ln_ratio);

#endif
