/* Whose a step is: a cache's, a TLB's, or nobody can tell. */
#ifndef MODEL_LEVELS_JUDGE_H
#define MODEL_LEVELS_JUDGE_H

#include "model/levels/group.h"

#define JUDGE_SURE      0.8 /* probability: below that nobody should quote a kind */
#define JUDGE_MOST_TLBS 2   /* no CPU is known to have three */

struct judgement {
	enum fathom_level_kind kind;         /* cache, tlb or unknown */
	double confidence;                   /* 0..1 */
	double absent;                       /* probability that there is no step */
	bool maybe_cache, maybe_translation; /* with a probability that does not round to 0 */
	char *evidence;                      /* one sentence; free() it; NULL: out of memory */
};

/* Of step `which` of the fitted group. */
struct judgement judge_step(const struct group *group, size_t which);

/* The value of all that comes before the step. */
double judge_value_below(const struct group *group, size_t which);
/* The page that the TLB of that step holds: the one obtained, or what a host made of it. */
double judge_entry_bytes(const struct group *group, size_t which);
/* Translation past all that TLBs can hold: page tables leave a cache. */
bool judge_is_walk(const struct group *group, size_t which);
/* The steps that are surely those of TLBs, ascending. How many. */
size_t judge_tlbs(const struct group *group, size_t tlbs[JUDGE_MOST_TLBS]);
/* Is but one known, and do the chains end before a second one would: so that this one or walks may
 * answer what the first misses? */
bool judge_is_one_level(const struct group *group, size_t tlb_count);
/* Two sizes of a curve of the group, as ln, between which the step goes from hardly any miss to
 * hardly any hit: where between them is not known. */
struct judge_cliff {
	double ln_below, ln_above;
};
bool judge_is_cliff(const struct group *group, size_t which, size_t curve,
		    struct judge_cliff *cliff);
/* Does the curve end within the step, so that how high that goes is not known? */
bool judge_still_rises(const struct group *group, size_t which);
/* What the step adds, as far as the curve shows it. */
double judge_seen_rise(const struct group *group, size_t which);
/* What else is not known of the ln reach of a TLB that chains through pages show, `order` among
 * TLBs. */
void judge_widen_tlb(const struct group *group, size_t which, size_t order, double *ln_low,
		     double *ln_high);
/* What missing that TLB adds, by the steps of the group or others like them. Of the last one that
 * chains through pages show with what of the page tables is not in the nearest cache. */
double judge_penalty(const struct group *group, const struct steps *steps, size_t which);

/* What the cache of step `which`, whose spread is known, does once the cycle is longer than it.
 * *evidence: one sentence, free() it; NULL where the order of the curve tells nothing of that. */
enum fathom_replacement judge_replacement(const struct group *group, size_t which, char **evidence);

/* The last plateau: memory, a cache whose end was not reached, or nobody can tell. */
enum judge_end { JUDGE_END_MEMORY, JUDGE_END_CACHE, JUDGE_END_UNKNOWN, JUDGE_END_RISING };
struct judge_plateau {
	double value;      /* at the largest size */
	double translated; /* part of it that translation takes */
	bool cycles;       /* their unit */
	double ln_reach;   /* of the last step that is no translation; -INFINITY: there is none */
	double ln_largest; /* size */
	double rise;       /* of this step */
	double missed;     /* share that it misses there */
	bool left;         /* the largest size is far above it */
};
enum judge_end judge_end(const struct judge_plateau *plateau);

#endif
