#include "model/laws/hit_law.h"

#include <math.h>

/* Poisson weights farther from the mean than that many standard deviations are below 1e-9. */
#define TAIL_DEVIATIONS 6.5
#define TAIL_LINES      12

#define NEWTON_MOST 64

#define RESISTANT_LEADERS 0.01 /* of BRRIP and DRRIP alike */
#define RESISTANT_AGING   0.0033

static double ln_gamma(double x)
{
	int sign; /* lgamma() would keep it in a global */
	return lgamma_r(x, &sign);
}

/* 1/(first + 1) + ... + 1/last. */
static double harmonic_between(double first, double last)
{
	double sum = 0;
	for (; first < last && first < 64; first++)
		sum += 1 / (first + 1);
	if (first >= last)
		return sum;
	/* H_n = ln n + gamma + 1/2n - 1/12n^2 + ... */
	double near = 1 / (2 * last) - 1 / (12 * last * last);
	double far = 1 / (2 * first) - 1 / (12 * first * first);
	return sum + log(last / first) + near - far;
}

/* Of S2(n, A) = n!/A! [z^n] (e^z - 1)^A, at the saddle point z / (1 - e^-z) = n / A. */
struct saddle {
	double ln_height;
	double width; /* squared */
};

static struct saddle saddle_of(double ways, double lines)
{
	double x = lines / ways;
	double z = x > 2 ? x : 2 * (x - 1);
	/* The left side is convex in z and both starts lie above the root. */
	for (int i = 0; i < NEWTON_MOST; i++) {
		double part = -expm1(-z);
		double step = (z / part - x) * part * part / (part - z * exp(-z));
		z -= step;
		if (!(fabs(step) > 1e-13 * z))
			break;
	}
	return (struct saddle){
		.ln_height = ways * (z + log(-expm1(-z))) - lines * log(z),
		.width = lines * (1 - z / expm1(z)),
	};
}

/* R. Look at a set after each access. Which m = n - A lines are out is a Markov chain: let d_1 <
 * ... < d_m be how many accesses ahead they come. The line that comes next moves to the end, and if
 * it was out, one of the A others leaves, each as likely. Its stationary distribution is
 * proportional to the product of (n - d_i - (m - i)), as putting it into the balance shows. Summed
 * over all states that is the Stirling number of the second kind S2(n, A), and over those where the
 * next line is in, S2(n - 1, A - 1). The saddle points give their ratio within 0.002 from 4 ways on
 * and 0.01 for 2; for many ways it is the known h = exp(-x (1 - h)). */
static double random_hits(double ways, double lines)
{
	if (ways < 2)
		return 0;
	struct saddle in = saddle_of(ways - 1, lines - 1);
	struct saddle all = saddle_of(ways, lines);
	return ways / lines * exp(in.ln_height - all.ln_height) * sqrt(all.width / in.width);
}

/* M and K. A line hits where of the n - 1 others in its set at least n - A were not touched
 * since. Each was not, independently, with probability w, which differs from access to access:
 *   M  w = u v of two uniform places in the two laps:                 P(w < t) = t - t ln t
 *   K  w = (1 - s)^K, s the gap between two of K places in a lap:     P(w < t) = t^((K-1)/K)
 * P(Binomial(n - 1, w) >= n - A) is the distribution of B ~ Beta(n - A, A) at w, so that
 * h = 1 - E[P(w < B)]; with many lines B is 1 - 1/x, which gives 1 - a + a ln a and
 * 1 - (1 - 1/x)^((K-1)/K). */
static double laps_hits(double ways, double lines)
{
	double over = lines - ways;
	return 1 - over / lines * (1 + harmonic_between(over, lines));
}

static double shared_line_hits(double ways, double lines, double nodes_a_line)
{
	double over = lines - ways;
	double power = (nodes_a_line - 1) / nodes_a_line;
	return 1 - exp(ln_gamma(over + power) - ln_gamma(over) + ln_gamma(lines) -
		       ln_gamma(lines + power));
}

/* T. All but one way keep what they have, (A - 1) / n. But one insertion in 32 is a usual one, and
 * makes all lines of the set older: a line that sees three of them before its next hit may leave.
 * And DRRIP has one set in 64 that follows SRRIP, and misses. Both by the simulator, whose misses
 * this is within 0.01 of for 4 to 20 ways and up to 32 times the reach. */
static double resistant_hits(double ways, double lines)
{
	double kept = (1 - RESISTANT_LEADERS) * exp(-RESISTANT_AGING * pow(lines / ways, 1.6));
	return kept * (ways - 1) / lines;
}

/* Of a set of `ways` that holds `lines`, a whole number above `ways`. */
static double overfull_hits(const struct hit_shape *shape, double ways, double lines)
{
	switch (shape->law) {
	case HIT_CYCLE_RANDOM:
		return random_hits(ways, lines);
	case HIT_CYCLE_RESISTANT:
		return resistant_hits(ways, lines);
	case HIT_LAPS_LRU:
		return laps_hits(ways, lines);
	case HIT_INDEPENDENT: /* I: whatever the set holds, all lines are as likely */
		return ways / lines;
	case HIT_SHARED_LINE:
		return shared_line_hits(ways, lines, fmax(1, shape->nodes_a_line));
	default: /* S: the line that comes next is the one that was just evicted */
		return 0;
	}
}

/* A law by the lines in a set, each number worked out once. */
struct sets {
	const struct hit_shape *shape;
	double ways;
	double *known; /* HIT_SETS_KNOWN; NAN: not known yet. NULL: no room for any */
};

static struct sets sets_of(const struct hit_shape *shape, double *known)
{
	for (size_t i = 0; known && i < HIT_SETS_KNOWN; i++)
		known[i] = NAN;
	return (struct sets){shape, fmax(1, round(shape->ways)), known};
}

static double set_hits(struct sets *sets, double lines)
{
	if (lines <= sets->ways)
		return 1;
	double *known = sets->known && lines < HIT_SETS_KNOWN ? &sets->known[(size_t)lines] : NULL;
	if (known && !isnan(*known))
		return *known;
	double hits = fmin(1, fmax(0, overfull_hits(sets->shape, sets->ways, lines)));
	if (known)
		*known = hits;
	return hits;
}

/* Sets differ by one line at most. Under LRU that is (1 - A (x - 1)) / x up to x = 1 + 1/A. */
static double even_hits(struct sets *sets, double lines)
{
	double fewer = floor(lines);
	double more = lines - fewer; /* share of the sets that hold one more */
	double hits = (1 - more) * fewer * set_hits(sets, fewer);
	if (more > 0)
		hits += more * (fewer + 1) * set_hits(sets, fewer + 1);
	return hits / lines;
}

/* The numbers that a Poisson distribution gives any weight worth the name, and that of the first.
 */
struct poisson {
	double first, last, weight;
};

static struct poisson poisson_of(double mean)
{
	double reach = TAIL_DEVIATIONS * sqrt(mean) + TAIL_LINES;
	double first = fmax(0, floor(mean - reach));
	return (struct poisson){first, ceil(mean + reach),
				exp(first * log(mean) - mean - ln_gamma(first + 1))};
}

/* A line that is looked at shares its set with Poisson(lines) others: n weighted by n. */
static double poisson_hits(struct sets *sets, double lines)
{
	struct poisson poisson = poisson_of(lines);
	double weight = poisson.weight, total = 0, hits = 0;
	for (double others = poisson.first; others <= poisson.last; others++) {
		total += weight;
		hits += weight * set_hits(sets, others + 1);
		weight *= lines / (others + 1);
	}
	return hits / total;
}

/* A page that is looked at shares its set with each of `pages` others with a chance of 1 / colors.
 */
static double binomial_hits(struct sets *sets, double pages)
{
	double colors = sets->shape->colors, mean = pages / colors;
	double reach = TAIL_DEVIATIONS * sqrt(mean * (1 - 1 / colors)) + TAIL_LINES;
	double others = fmax(0, floor(mean - reach));
	double last = fmin(pages, ceil(mean + reach));
	double weight =
		exp(ln_gamma(pages + 1) - ln_gamma(others + 1) - ln_gamma(pages - others + 1) -
		    others * log(colors) + (pages - others) * log1p(-1 / colors));
	double total = 0, hits = 0;
	for (; others <= last; others++) {
		total += weight;
		hits += weight * set_hits(sets, others + 1);
		weight *= (pages - others) / (others + 1) / (colors - 1);
	}
	return hits / total;
}

static double scattered_hits(struct sets *sets, double lines)
{
	if (sets->shape->colors == 0)
		return poisson_hits(sets, lines);
	double others = fmax(0, lines * sets->shape->colors - 1), fewer = floor(others);
	double more = others - fewer;
	double hits = (1 - more) * binomial_hits(sets, fewer);
	return hits + (more > 0 ? more * binomial_hits(sets, fewer + 1) : 0);
}

/* C. Others turn the cache over in a time T, whatever this curve does: a line is kept if it comes
 * again within T. On a fixed cycle that is up to where a lap takes T, which is x = 1; independent
 * accesses come again after an exponential time of mean x T. */
static double co_tenants_hits(double x)
{
	return -expm1(-1 / x);
}

static double share_at(struct sets *sets, double x)
{
	double lines = sets->ways * x;
	bool scattered =
		sets->shape->scattered && (sets->shape->colors == 0 || sets->shape->colors > 1);
	if (sets->shape->law == HIT_CO_TENANTS)
		return co_tenants_hits(x);
	if (!(lines < HIT_LINES_MOST)) /* a set of that many lines hits as little as none */
		lines = HIT_LINES_MOST;
	if (!scattered && x <= 1)
		return 1;
	double hits = scattered ? scattered_hits(sets, lines) : even_hits(sets, lines);
	return fmin(1, fmax(0, hits));
}

double hit_share(const struct hit_shape *shape, double x)
{
	struct sets sets = sets_of(shape, NULL);
	return share_at(&sets, x);
}

void hit_shares(const struct hit_shape *shape, const double *x, size_t count, double *known,
		double *shares)
{
	struct sets sets = sets_of(shape, known);
	for (size_t i = 0; i < count; i++)
		shares[i] = share_at(&sets, x[i]);
}

static double placement_sd_at(struct sets *sets, double x)
{
	double mean = fmin(sets->ways * x, HIT_LINES_MOST);
	struct poisson poisson = poisson_of(mean);
	double weight = poisson.weight, missed = 0, square = 0, product = 0;
	for (double lines = poisson.first; lines <= poisson.last; lines++) {
		double each = lines * (1 - set_hits(sets, lines));
		missed += weight * each;
		square += weight * each * each;
		product += weight * each * (lines - mean);
		weight *= mean / (lines + 1);
	}
	double variance = square - missed * missed - product * product / mean;
	return sqrt(fmax(0, variance)) / mean;
}

void hit_placement_sds(const struct hit_shape *shape, const double *x, size_t count, double *known,
		       double *placement_sds)
{
	struct sets sets = sets_of(shape, known);
	for (size_t i = 0; i < count; i++)
		placement_sds[i] = placement_sd_at(&sets, x[i]);
}
