/* What misses a TLB on one curve, and what of the page tables that are then read has left a cache.
 */
#pragma once

#include "model/steps/steps.h"

/* The table of a step of translation on a curve of that role. */
size_t walked_table(const struct steps_problem *problem, const struct step *step,
		    enum steps_role role);
/* Tables are walked after the last TLB; NULL: they are not. */
const struct step *walked_last(const struct steps_problem *problem, const struct steps *steps);
/* Of the accesses at a size those that no TLB answers, `tlb` being the last one; NULL: 0. */
double walked_share(const struct steps_problem *problem, const struct step *tlb,
		    enum steps_role role, double ln_size);
/* Of the accesses of a curve, those that walk and whose line of a table has left a cache that ends
 * at the reach. Any line of the tables is as likely to be read next, so that the time between two
 * readings of one is exponential; it leaves after as many hops as the cache has lines (Che's
 * approximation): exp(-reach / (table_share size)). In windows the next walks read the same line.
 */
struct shape_value walked_missed(const struct steps_problem *problem, const struct step *tlb,
				 enum steps_role role, double ln_reach, double ln_size);
/* Of the caches in their order, the first that walks look into. */
size_t walked_from(const struct steps_problem *problem);

/* So many times as many lines as come between two readings: none leaves. */
#define WALKED_MOST_KEPT 16.0
