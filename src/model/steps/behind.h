/* Caches behind caches: what each misses of a cycle, given what all before it do. */
#ifndef MODEL_STEPS_BEHIND_H
#define MODEL_STEPS_BEHIND_H

#include "model/steps/steps.h"

/* The caches of the steps as one curve sees them, ascending in reach. A cache is asked for what
 * those before it miss: missed_j = missed_(j-1) * law(size missed_(j-1) / own_j), with own_j =
 * reach_j missed_(j-1)(reach_j), so that reach_j is the longest cycle that all up to j keep
 * together. A victim cache has (size - held) lines to keep where own_j is (reach_j - held). What a
 * cache keeps for good, or the one before a victim cache holds, are any lines of a set: the next
 * cache's sets differ by that, too. Independent accesses: whatever is in a cache before is in this
 * one, too. */
struct behind {
	const struct shapes *shapes;
	bool cycle;
	size_t count;
	size_t which[STEPS_MOST]; /* of the steps */
	size_t table[STEPS_MOST]; /* shapes_table() */
	double ln_own[STEPS_MOST];
	double held[STEPS_MOST]; /* bytes that the cache before has, and a victim cache has not */
	double way_pages[STEPS_MOST]; /* steps_way_pages() of its own lines */
	double varies; /* standard deviation of ln of the size of each but the first, over the
			  places and times */
	/* Of a chain through one line of each page: */
	double ln_line;      /* its lines' bytes over its size; else 0 */
	double ln_tables;    /* what is read besides of page tables, over its lines; else 0 */
	const double *first; /* at that size, as of struct steps_paged; else NULL */
};

/* The shape that a step has on a curve of that role. */
size_t behind_shape(const struct steps_problem *problem, enum steps_role role,
		    const struct step *step);
/* Of the curve with that index. */
void behind_make(const struct steps_problem *problem, const struct steps *steps, size_t curve,
		 struct behind *behind);
/* Of a value of the curve, `walked` being the share of its accesses that read page tables: what
 * behind_miss_ratios() takes into account on a paged curve. */
void behind_place(const struct steps_curve *curve, size_t value, double walked,
		  struct behind *behind);
/* What the first `count` caches miss at a size: into values. */
void behind_miss_ratios(const struct behind *behind, size_t count, double ln_size,
			struct shape_value *values);
/* Of what the last cache would hit, given the values of all, what others take from it between two
 * visits of a line: in proportion to the size, 1 for all of it at its reach, and no more than at
 * twice it. */
double behind_leaked(const struct behind *behind, const struct shape_value *values, double ln_reach,
		     double ln_size);

#endif
