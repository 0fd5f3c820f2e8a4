#include "model/steps/prior.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "base/units.h"

/* What is known of machines before any curve is seen: of each quantity the mean of its logarithm
 * and the standard deviation. bench/prior.py measures all but the penalties, on the published
 * curves of the tune set and on documented TLBs; the deviation of memory's latency is twice the
 * measured one, as the set has many boards with slow memory and few desktops. The penalties are a
 * guess: makers document 7 to 9 cycles for a second TLB where a hit takes 4 or 5, and walks take 20
 * to 40. So are the pages whose tables fill a cache: of 8 bytes a page, 32 KiB to 2 MiB. */
enum row {
	FIRST_SIZE,
	SECOND_SIZE,
	THIRD_SIZE,
	LATER_SIZE,
	LAST_SIZE,
	CACHE_ADDED,
	MEMORY_ADDED,
	SECOND_NS,
	CACHE_NS,
	MEMORY_NS,
	FIRST_ENTRIES,
	SECOND_ENTRIES,
	TABLE_PAGES,
	FIRST_PENALTY,
	SECOND_PENALTY,
	ROWS
};
static const struct {
	const char *quantity;
	double ln_mean, ln_deviation;
} rows[ROWS] = {
	[FIRST_SIZE] = {"bytes of the first cache", 10.60, 0.43},
	[SECOND_SIZE] = {"size of the second cache over the first", 3.04, 0.89},
	[THIRD_SIZE] = {"size of the third cache over the second", 3.40, 1.09},
	[LATER_SIZE] = {"size of a later cache over the one before", 1.6, 0.8},
	[LAST_SIZE] = {"bytes of the last cache", 15.51, 2.19},
	[CACHE_ADDED] = {"what the next cache adds, over a hit in this one", 1.40, 0.70},
	[MEMORY_ADDED] = {"what memory adds, over a hit in the last cache", 2.30, 0.80},
	[SECOND_NS] = {"ns of a hit in the second cache", 2.09, 0.77},
	[CACHE_NS] = {"ns of a hit in a third cache or later", 2.98, 0.55},
	[MEMORY_NS] = {"ns of an access to memory", 5.10, 0.54},
	[FIRST_ENTRIES] = {"entries of the first TLB", 3.43, 0.85},
	[SECOND_ENTRIES] = {"entries of the second TLB over the first", 3.34, 0.71},
	[TABLE_PAGES] = {"pages whose tables fill a cache", 10.4, 1.2},
	[FIRST_PENALTY] = {"a miss of the first TLB, over a hit in the first cache", 0.7, 0.5},
	[SECOND_PENALTY] = {"a miss of the second TLB, over a hit in the first cache", 2.0, 0.8},
};

/* Machines are farther from the mean than a normal deviate now and then: Student's t. */
#define FREEDOM 10.0
#define LN_PEAK -0.9441 /* of its density */

/* -2 ln of the share of CPUs that have none, one, two ... caches, over the most usual number. Of 66
 * published ones 38 have three that a core sees, 26 two, and 2 one (bench/prior.py). A guess: none
 * as few as one, and one in twelve has a cache of the whole system beside them, which data sheets
 * leave out. */
static const double count_costs[] = {5.9, 5.9, 0.8, 0, 5, 10, 15};
#define COUNTS (sizeof(count_costs) / sizeof(*count_costs))

/* Where the axis is of no bytes: over 14 of ln size and 3 of ln of what is added. */
#define FLAT_COST 12.0
#define END_IN_CACHE_LN                                                                            \
	4.0                /* a curve that ends in a cache does at 1 to 55 ns: ln of that range    \
			    */
#define TABLES_COST    4.0 /* of tables that leave a cache, of which most is in the model */
#define OVER_HIT_LN    0.6 /* a walk seldom takes longer than the access that it is for */
#define OVER_MAIN_LN   0.3 /* windows help, and add nothing, ... */
#define LEAST_WINDOWED 0.2 /* ... and seldom hide more than the rest of what memory takes */
#define UNDER_MAIN_LN  0.7
#define BOTH_LN        0.1  /* a miss of both hides little of the other, or adds little */
#define LEAST_ADDED    1e-3 /* share of what is before: less is nothing */
#define MOST_LEAK      0.5  /* of the last cache's lines in a lap of its size: seldom more */
#define LEAK_COST      10.0

#define REPORTED_LN 0.12 /* a cache has the size that the OS says to within so much */
/* -2 ln 0.001, a guess: where two caches have sizes that the OS reports, one that it does not
 * report lies between them. What leaves caches out or makes them up does so with all. */
#define UNREPORTED_COST 14.0

struct account {
	double cost;
	struct fathom_hypothesis *described; /* whose terms are added; NULL: not wanted */
	bool failed;
};

/* Takes the words; NULL: out of memory. */
static void add_term(struct account *account, char *quantity, double cost)
{
	struct fathom_hypothesis *described = account->described;
	struct fathom_prior_term *grown =
		realloc(described->terms, (described->term_count + 1) * sizeof(*grown));
	if (grown)
		described->terms = grown;
	if (grown && quantity)
		grown[described->term_count++] = (struct fathom_prior_term){quantity, cost / 2};
	else
		free(quantity);
	account->failed |= !grown || !quantity;
}

static void add_words(struct account *account, const char *quantity, double value, double usual,
		      double cost)
{
	add_term(account, text_format("%s %.4g (usually %.3g)", quantity, value, usual), cost);
}

static void add_size_words(struct account *account, bool reported, double ln_size, double ln_usual,
			   double cost)
{
	char size[UNITS_TEXT_BYTES], usual[UNITS_TEXT_BYTES];
	units_format_size((uint64_t)exp(ln_size), size);
	units_format_size((uint64_t)exp(ln_usual), usual);
	add_term(account,
		 text_format("size of a cache %s (usually %s%s)", size, usual,
			     reported ? ", or as the OS reports one" : ""),
		 cost);
}

/* What is not of one quantity alone. */
static void add_other(struct account *account, const char *what, double cost)
{
	account->cost += cost;
	if (account->described && cost > 0)
		add_term(account, strdup(what), cost);
}

/* -2 ln of the density at the logarithm, over the greatest. */
static double rarity(enum row row, double ln)
{
	double deviates = (ln - rows[row].ln_mean) / rows[row].ln_deviation;
	return (FREEDOM + 1) * log1p(deviates * deviates / FREEDOM);
}

static double peak(enum row row)
{
	return 2 * (log(rows[row].ln_deviation) - LN_PEAK);
}

static void add(struct account *account, enum row row, double ln)
{
	double cost = rarity(row, ln);
	account->cost += cost + peak(row);
	if (account->described)
		add_words(account, rows[row].quantity, exp(ln), exp(rows[row].ln_mean), cost);
}

/* Of what is before, what is added: less than a thousandth is nothing. */
static double share_added(double added, double before)
{
	return fmax(LEAST_ADDED, added / fmax(1e-9, before));
}

/* ln of the ns that a value is. */
static double ln_ns(const struct steps_problem *problem, double value)
{
	return log(fmax(LEAST_ADDED, value * problem->unit_ns));
}

/* The steps before one, in its order of size. */
struct before {
	const struct step *cache, *tlb; /* the last one; NULL: none */
	size_t caches, tlbs;
	double hit;  /* in the cache that comes next, translation apart */
	double walk; /* what translation takes, of all of its steps */
};

static struct before before_step(const struct steps_problem *problem, const struct steps *steps,
				 const struct step *step)
{
	struct before before = {.hit = steps->base[0] + problem->hidden_base};
	for (size_t i = 0; i < steps->count; i++) {
		const struct step *other = &steps->items[i];
		if (other == step || other->ln_reach > step->ln_reach)
			continue;
		const struct step **last = other->translation ? &before.tlb : &before.cache;
		if (!*last || other->ln_reach > (*last)->ln_reach)
			*last = other;
		before.tlbs += other->translation;
		before.caches += !other->translation;
		*(other->translation ? &before.walk : &before.hit) += other->rise[0];
	}
	return before;
}

bool prior_is_last_cache(const struct steps *steps, size_t which)
{
	bool last = !steps->items[which].translation;
	for (size_t s = 0; s < steps->count; s++)
		last &= steps->items[s].translation ||
			steps->items[s].ln_reach <= steps->items[which].ln_reach;
	return last;
}

bool prior_is_first_cache(const struct steps *steps, size_t which)
{
	for (size_t s = 0; s < steps->count; s++)
		if (s != which && !steps->items[s].translation &&
		    steps->items[s].ln_reach <= steps->items[which].ln_reach)
			return false;
	return true;
}

/* The size of a cache, and what it is among those of machines. */
struct size {
	enum row row;
	double ln_size,
		ln_over; /* ln bytes; ln of the ratio to the cache before it, or to a byte */
};

static struct size size_of(const struct step *step, const struct before *before)
{
	static const enum row sizes[] = {FIRST_SIZE, SECOND_SIZE, THIRD_SIZE, LATER_SIZE};
	size_t order = before->caches < LATER_SIZE ? before->caches : LATER_SIZE;
	double before_ln = before->cache ? before->cache->ln_reach : 0;
	return (struct size){sizes[order], step->ln_reach, step->ln_reach - before_ln};
}

/* The OS may say of what size caches are: then a size is one of these, with PRIOR_REPORTED, or it
 * is the host's, a slice or wrong, and the cache as rare as any. Of either the density, with the
 * weight that it has. */
struct densities {
	double reported, any;
};

static struct densities densities_of(const struct steps_problem *problem, const struct size *size)
{
	struct densities densities = {
		0, exp(-(rarity(size->row, size->ln_over) + peak(size->row)) / 2)};
	if (problem->reported_count == 0)
		return densities;
	for (size_t i = 0; i < problem->reported_count; i++) {
		double away = (size->ln_size - problem->reported_ln[i]) / REPORTED_LN;
		densities.reported += exp(-away * away / 2) / (REPORTED_LN * sqrt(2 * M_PI));
	}
	densities.reported *= PRIOR_REPORTED / (double)problem->reported_count;
	densities.any *= 1 - PRIOR_REPORTED;
	return densities;
}

double prior_reported_weight(const struct steps_problem *problem, const struct steps *steps,
			     size_t which)
{
	struct before before = before_step(problem, steps, &steps->items[which]);
	struct size size = size_of(&steps->items[which], &before);
	struct densities densities = densities_of(problem, &size);
	return densities.reported / (densities.reported + densities.any);
}

static void add_size(const struct steps_problem *problem, const struct size *size,
		     struct account *account)
{
	struct densities densities = densities_of(problem, size);
	double cost = -2 * log(densities.reported + densities.any);
	account->cost += cost;
	if (account->described)
		add_size_words(account, problem->reported_count > 0, size->ln_size,
			       rows[size->row].ln_mean - size->ln_over + size->ln_size,
			       cost - peak(size->row));
}

/* The OS reports a cache of that size. */
static bool is_reported(const struct steps_problem *problem, double ln_size)
{
	for (size_t i = 0; i < problem->reported_count; i++)
		if (fabs(ln_size - problem->reported_ln[i]) < 2 * REPORTED_LN)
			return true;
	return false;
}

static bool is_left_out(const struct steps_problem *problem, const struct steps *steps,
			const struct step *step, const struct before *before)
{
	bool within = false;
	for (size_t s = 0; s < steps->count; s++)
		within |= !steps->items[s].translation &&
			  steps->items[s].ln_reach > step->ln_reach &&
			  is_reported(problem, steps->items[s].ln_reach);
	return within && before->cache && is_reported(problem, before->cache->ln_reach) &&
	       !is_reported(problem, step->ln_reach);
}

static void add_cache(const struct steps_problem *problem, const struct steps *steps, size_t which,
		      const struct before *before, struct account *account)
{
	const struct step *step = &steps->items[which];
	struct size size = size_of(step, before);
	add_other(account, "its replacement policy", shapes_price(step->shape, !before->cache));
	add_size(problem, &size, account);
	if (is_left_out(problem, steps, step, before))
		add_other(account, "the OS leaves it out", UNREPORTED_COST);
	if (!prior_is_last_cache(steps, which)) /* that one's is in add_end() */
		add(account, CACHE_ADDED, log(share_added(step->rise[0], before->hit)));
	if (before->caches > 0)
		add(account, before->caches > 1 ? CACHE_NS : SECOND_NS,
		    ln_ns(problem, before->hit));
}

/* Past the second one, page tables that leave a cache: what they cost is not known better. */
static void add_translation(const struct steps_problem *problem, const struct steps *steps,
			    const struct step *step, const struct before *before,
			    struct account *account)
{
	enum row entries = before->tlbs == 0   ? FIRST_ENTRIES
			   : before->tlbs == 1 ? SECOND_ENTRIES
					       : TABLE_PAGES;
	double walk = before->walk + step->rise[0];
	double over = fmax(0, log(share_added(walk, before->hit))) / OVER_HIT_LN;
	double ln_over = entries == SECOND_ENTRIES ? before->tlb->ln_reach : problem->ln_page;
	add(account, entries, step->ln_reach - ln_over);
	add(account, entries == FIRST_ENTRIES ? FIRST_PENALTY : SECOND_PENALTY,
	    log(share_added(step->rise[0], steps->base[0] + problem->hidden_base)));
	add_other(account, "it takes longer than the access", over * over);
	if (entries == TABLE_PAGES)
		add_other(account, "page tables that leave a cache", TABLES_COST);
	else
		add_other(account, "replacement policy of a TLB", shapes_price(step->shape, true));
}

/* -2 ln of the density of what the last cache that the curve shows adds; 0: it shows none. */
static double cost_of_last(const struct steps_problem *problem, const struct steps *steps,
			   enum row row)
{
	for (size_t s = 0; s < steps->count; s++) {
		const struct step *step = &steps->items[s];
		if (!prior_is_last_cache(steps, s))
			continue;
		struct before before = before_step(problem, steps, step);
		return rarity(row, log(share_added(step->rise[0], before.hit))) + peak(row);
	}
	return 0;
}

static double count_cost(size_t caches)
{
	return count_costs[caches < COUNTS ? caches : COUNTS - 1];
}

/* The curve ends in memory, or in a cache that is larger than its largest size: the less likely the
 * larger that is. Of either: what the last step adds, what an access takes there, translation
 * apart, and how many caches there are then. */
static void add_end(const struct steps_problem *problem, const struct steps *steps,
		    struct account *account)
{
	const struct steps_curve *curve = &problem->curves[0];
	double end = steps->base[0] + problem->hidden_base;
	size_t caches = 0;
	for (size_t s = 0; s < steps->count; s++)
		if (!steps->items[s].translation) {
			end += steps->items[s].rise[0];
			caches++;
		}
	double past = (curve->ln_size[curve->count - 1] - rows[LAST_SIZE].ln_mean) /
		      rows[LAST_SIZE].ln_deviation;
	double in_cache = 0.5 * erfc(past / M_SQRT2);
	double memory = rarity(MEMORY_NS, ln_ns(problem, end)) + peak(MEMORY_NS) +
			cost_of_last(problem, steps, MEMORY_ADDED) + count_cost(caches);
	double cache = 2 * log(END_IN_CACHE_LN) + cost_of_last(problem, steps, CACHE_ADDED) +
		       count_cost(caches + 1);
	double cost = -2 * log((1 - in_cache) * exp(-memory / 2) + in_cache * exp(-cache / 2));
	account->cost += cost;
	if (account->described)
		add_words(account, "ns of an access at the end, in memory or in a cache",
			  exp(ln_ns(problem, end)), exp(rows[MEMORY_NS].ln_mean),
			  cost - peak(MEMORY_NS));
}

/* Nearly every machine has two TLBs, and a curve that goes far past what they hold shows them. */
static double cost_of_missing(const struct steps_problem *problem, const struct steps *steps)
{
	const struct steps_curve *curve = steps_widest(problem, true);
	double ln_most_pages = curve->ln_size[curve->count - 1] - problem->ln_page;
	double ln_mean = 0, variance = 0;
	size_t tlbs = 0, due = 0;
	for (size_t s = 0; s < steps->count; s++)
		tlbs += steps->items[s].translation;
	for (int row = FIRST_ENTRIES; row <= SECOND_ENTRIES; row++) {
		ln_mean += rows[row].ln_mean;
		variance += rows[row].ln_deviation * rows[row].ln_deviation;
		due += ln_most_pages > ln_mean + 2 * sqrt(variance);
	}
	return tlbs < due ? (double)(due - tlbs) * problem->missing_tlb : 0;
}

/* The last cache's rise in windows is one of its own: prefetchers take a part of it. */
static double cost_of_windows(const struct steps_problem *problem, const struct step *last)
{
	double cost = 0;
	for (size_t i = 1; i < problem->curve_count; i++) {
		double share = share_added(last->rise[i], last->rise[0]);
		double over = log(share) / OVER_MAIN_LN;
		double under = log(share / LEAST_WINDOWED) / UNDER_MAIN_LN;
		if (problem->curves[i].role == STEPS_CONTROL)
			cost += over > 0 ? over * over : under < 0 ? under * under : 0;
	}
	return cost;
}

/* The first cache's rise is one of its own where most accesses miss the first TLB, too. */
static double cost_of_both(const struct steps_problem *problem, const struct step *first)
{
	double cost = 0;
	for (size_t i = 1; i < problem->curve_count; i++) {
		double over = log(share_added(first->rise[i], first->rise[0])) / BOTH_LN;
		const struct steps_curve *curve = &problem->curves[i];
		double ln_most = curve->ln_size[curve->count - 1] + curve->paged.ln_line;
		if (curve->role == STEPS_PAGED && ln_most > first->ln_reach)
			cost += over * over;
	}
	return cost;
}

/* The last cache's rise is what a line costs that others took. */
static double cost_of_leak(const struct steps *steps, const struct step *last)
{
	double most = fmin(steps->leak, MOST_LEAK * fmax(1e-9, last->rise[0]));
	return steps->leak > 0 ? LEAK_COST * log(steps->leak / most) : 0;
}

static void add_step(const struct steps_problem *problem, const struct steps *steps, size_t which,
		     struct account *account)
{
	const struct step *step = &steps->items[which];
	struct before before = before_step(problem, steps, step);
	if (step->translation)
		add_translation(problem, steps, step, &before, account);
	else
		add_cache(problem, steps, which, &before, account);
	if (!step->translation && prior_is_first_cache(steps, which))
		add_other(account, "it costs another time where TLBs miss, too",
			  cost_of_both(problem, step));
	if (!prior_is_last_cache(steps, which))
		return;
	add_other(account, "windows show more of it", cost_of_windows(problem, step));
	add_other(account, "co-tenants evict much", cost_of_leak(steps, step));
}

static void add_all(const struct steps_problem *problem, const struct steps *steps,
		    struct account *account)
{
	if (problem->flat_prior) {
		for (size_t s = 0; s < steps->count; s++)
			account->cost += FLAT_COST + shapes_price(steps->items[s].shape, false);
		return;
	}
	add_other(account, "a TLB that shows no step", cost_of_missing(problem, steps));
	for (size_t s = 0; s < steps->count; s++)
		add_step(problem, steps, s, account);
	add_end(problem, steps, account);
}

double prior_least(const struct steps *steps)
{
	return 4 * (log(REPORTED_LN) - LN_PEAK) * (double)steps->count;
}

double prior_cost(const struct steps_problem *problem, const struct steps *steps)
{
	struct account account = {0};
	add_all(problem, steps, &account);
	return account.cost;
}

int prior_describe(const struct steps_problem *problem, const struct steps *steps,
		   struct fathom_hypothesis *described, struct fathom_error *error)
{
	struct account account = {.described = described};
	add_all(problem, steps, &account);
	return account.failed ? error_no_memory(error) : 0;
}
