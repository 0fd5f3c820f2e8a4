#include "model/loaded/load_law.h"

#include <math.h>
#include <stdlib.h>

#include "base/stats.h"

/* The grid of what is not linear: how far Bmax is above the greatest bandwidth, and p. */
#define PEAKS      32
#define LEAST_OVER 0.0005
#define MOST_OVER  1.0
/* How far the peak may be above the greatest bandwidth, a standard deviation in logarithms: of
 * tools that load memory until it gives no more. */
#define OVER_LN     0.1
#define EXPONENTS   32
#define LEAST_POWER 0.05
#define MOST_POWER  4.0

#define NARROWED      2 /* times that the grid is */
#define LIKELY_LN     9.0
#define FREEDOM       4.0   /* of Student's t, that errors have */
#define LEAST_SCATTER 0.003 /* of a latency: what tools round to, and no law is better */
#define FIRST_SCATTER 0.02
#define OF_NORMAL     1.4826 /* the standard deviation over the median of the magnitude */
#define ROUNDS        6      /* of reweighting */
#define SCALE_ROUNDS  20
#define PARAMETERS    (LOAD_LAW_FEWEST - 1)
/* Standard deviation of the logarithm of what the law tells, besides noise: a queue of several
 * banks has no such law quite. By the simulated queues of bench/accuracy_loaded.py. */
#define LAW_ERROR 0.012
#define Z_95      1.96
/* A bend: the bandwidths past the peak fall with the latency, by three standard errors and by more
 * than rounding; or, of too few points, by far. */
#define BEND_ERRORS 3.0
#define BEND_LEAST  0.01
#define BEND_OF_FEW 0.03
#define BEND_FEWEST 3
#define BEND_RISEN  1.1 /* times idle, at the peak: else the latencies are alike, but for noise */
/* Where it bends, there are two latencies at a bandwidth: the law is that of the lower branch. */
#define PAST_LATENCY 1.0
#define PAST_SHARE   0.985

struct points {
	const double *bandwidth, *latency_ns;
	size_t count;
	const struct load_known *known;
	double greatest;      /* bandwidth */
	double latency_there; /* of it, in ns */
	double *shape;        /* scratch: shape_at() of each point, at one place of the grid */
};

/* One place of the grid, and the two linear parameters there. */
struct place {
	double peak, power;
	double idle, rise;
	double variance_idle; /* of ln idle */
	double ln_likelihood;
};

static double shape_at(double bandwidth, double peak, double power)
{
	double u = fmax(0, bandwidth) / peak;
	return u < 1 ? u / pow(1 - u, power) : INFINITY;
}

/* Past the bend of a curve that bends back. */
static bool is_past(const struct points *points, size_t i)
{
	return points->latency_ns[i] > PAST_LATENCY * points->latency_there &&
	       points->bandwidth[i] < PAST_SHARE * points->greatest;
}

static bool is_at_peak(const struct points *points, size_t i)
{
	return points->bandwidth[i] > LOAD_LAW_AT_PEAK * points->known->peak.value;
}

/* Its latency is not the law's. */
static bool is_left_out(const struct points *points, size_t i)
{
	return is_past(points, i) || is_at_peak(points, i);
}

/* ---- one place of the grid ---- */

static double error_at(const struct points *points, const struct place *place, size_t i)
{
	return (place->idle + place->rise * points->shape[i]) / points->latency_ns[i] - 1;
}

/* Weighted least squares of relative errors; neither parameter is below 0. */
static void solve(const struct points *points, double scatter, bool weighted, struct place *place)
{
	double s11 = 0, s12 = 0, s22 = 0, t1 = 0, t2 = 0;
	for (size_t i = 0; i < points->count; i++) {
		if (is_left_out(points, i))
			continue;
		double deviates = weighted ? error_at(points, place, i) / scatter : 0;
		double weight = weighted ? (FREEDOM + 1) / (FREEDOM + deviates * deviates) : 1;
		double one = 1 / points->latency_ns[i];
		double x = one * points->shape[i];
		s11 += weight * one * one;
		s12 += weight * one * x;
		s22 += weight * x * x;
		t1 += weight * one;
		t2 += weight * x;
	}
	double determinant = s11 * s22 - s12 * s12, known = points->known->idle_ns.value;
	bool both = determinant > 1e-12 * s11 * s22;
	if (isfinite(known)) {
		place->idle = known;
		place->rise = s22 > 0 ? fmax(0, (t2 - s12 * known) / s22) : 0;
		return;
	}
	place->rise = both ? fmax(0, (s11 * t2 - s12 * t1) / determinant) : 0;
	place->idle = fmax(0, (t1 - s12 * place->rise) / s11);
	if (place->idle == 0)
		place->rise = s22 > 0 ? t2 / s22 : 0;
	double inverse = both && place->rise > 0 ? s22 / determinant : 1 / s11;
	place->variance_idle =
		scatter * scatter * inverse / fmax(1e-300, place->idle * place->idle);
}

static void set_shapes(const struct points *points, const struct place *place)
{
	for (size_t i = 0; i < points->count; i++)
		points->shape[i] = shape_at(points->bandwidth[i], place->peak, place->power);
}

static void fit_place(const struct points *points, double scatter, struct place *place)
{
	set_shapes(points, place);
	solve(points, scatter, false, place);
	for (int round = 0; round < ROUNDS; round++)
		solve(points, scatter, true, place);
	double over = log(place->peak / points->greatest) / OVER_LN;
	place->ln_likelihood = -over * over / 2;
	for (size_t i = 0; i < points->count; i++) {
		double deviates = error_at(points, place, i) / scatter;
		if (!is_left_out(points, i))
			place->ln_likelihood -=
				(FREEDOM + 1) / 2 * log1p(deviates * deviates / FREEDOM);
	}
}

/* ---- all of them ---- */

struct range {
	double low, high; /* ln */
};

struct grid {
	struct range over, power; /* of the peak over the greatest bandwidth, less 1; of p */
	size_t peaks;             /* PEAKS; one that is known */
	struct place places[PEAKS][EXPONENTS];
	double weights[PEAKS][EXPONENTS]; /* sum to 1 */
	const struct place *best;
};

static double along(const struct range *range, size_t i, size_t count)
{
	return exp(range->low + (range->high - range->low) * (double)i / (double)(count - 1));
}

static double peak_at(const struct points *points, const struct grid *grid, size_t i)
{
	double known = points->known->peak.value;
	return isfinite(known) ? known : points->greatest * (1 + along(&grid->over, i, PEAKS));
}

static void fill(const struct points *points, double scatter, struct grid *grid)
{
	double sum = 0;
	grid->best = &grid->places[0][0];
	for (size_t i = 0; i < grid->peaks; i++)
		for (size_t k = 0; k < EXPONENTS; k++) {
			struct place *place = &grid->places[i][k];
			*place = (struct place){
				.peak = peak_at(points, grid, i),
				.power = along(&grid->power, k, EXPONENTS),
			};
			fit_place(points, scatter, place);
			if (place->ln_likelihood > grid->best->ln_likelihood)
				grid->best = place;
		}
	for (size_t i = 0; i < grid->peaks; i++)
		for (size_t k = 0; k < EXPONENTS; k++) {
			const struct place *place = &grid->places[i][k];
			/* As the grid is there. */
			double wide = grid->peaks > 1 ? place->peak - points->greatest : 1;
			sum += grid->weights[i][k] =
				wide * exp(place->ln_likelihood - grid->best->ln_likelihood);
		}
	for (size_t i = 0; i < grid->peaks; i++)
		for (size_t k = 0; k < EXPONENTS; k++)
			grid->weights[i][k] /= sum;
}

/* To the places that are likely at all, and one more at either end. */
static void narrow(struct grid *grid)
{
	size_t peaks[2] = {PEAKS, 0}, powers[2] = {EXPONENTS, 0};
	for (size_t i = 0; i < grid->peaks; i++)
		for (size_t k = 0; k < EXPONENTS; k++) {
			if (grid->places[i][k].ln_likelihood <
			    grid->best->ln_likelihood - LIKELY_LN)
				continue;
			peaks[0] = i < peaks[0] ? i : peaks[0];
			peaks[1] = i > peaks[1] ? i : peaks[1];
			powers[0] = k < powers[0] ? k : powers[0];
			powers[1] = k > powers[1] ? k : powers[1];
		}
	struct range over = grid->over, power = grid->power;
	grid->over.low = log(along(&over, peaks[0] ? peaks[0] - 1 : 0, PEAKS));
	grid->over.high = log(along(&over, peaks[1] + 1 < PEAKS ? peaks[1] + 1 : peaks[1], PEAKS));
	grid->power.low = log(along(&power, powers[0] ? powers[0] - 1 : 0, EXPONENTS));
	grid->power.high = log(
		along(&power, powers[1] + 1 < EXPONENTS ? powers[1] + 1 : powers[1], EXPONENTS));
}

static double knee_of(const struct place *place)
{
	double low = 0, high = 1;
	if (place->rise <= 0)
		return NAN;
	for (int i = 0; i < 60; i++) {
		double u = (low + high) / 2;
		bool above = place->rise * shape_at(u, 1, place->power) >
			     (LOAD_LAW_KNEE - 1) * place->idle;
		*(above ? &high : &low) = u;
	}
	return (low + high) / 2 * place->peak;
}

/* Of the likeliest place, and by the mean and the standard deviation of the logarithm over all. */
static struct load_estimate estimate(const struct grid *grid, double widened, double law_error,
				     double (*value)(const struct place *),
				     double (*variance)(const struct place *))
{
	double mean = 0, square = 0, within = 0, total = 0, best = value(grid->best);
	for (size_t i = 0; i < grid->peaks; i++)
		for (size_t k = 0; k < EXPONENTS; k++) {
			const struct place *place = &grid->places[i][k];
			double ln = log(value(place)), weight = grid->weights[i][k];
			if (!isfinite(ln))
				continue;
			total += weight;
			mean += weight * ln;
			square += weight * ln * ln;
			within += weight * (variance ? variance(place) : 0);
		}
	mean /= total;
	double deviation = hypot(
		law_error, widened * sqrt(fmax(0, square / total - mean * mean) + within / total));
	return (struct load_estimate){best, fmin(best, exp(mean - Z_95 * deviation)),
				      fmax(best, exp(mean + Z_95 * deviation))};
}

static double idle_of(const struct place *place)
{
	return place->idle;
}

static double peak_of(const struct place *place)
{
	return place->peak;
}

static double power_of(const struct place *place)
{
	return place->power;
}

static double variance_of_idle(const struct place *place)
{
	return place->variance_idle;
}

/* ---- past the peak ---- */

/* A line through ln bandwidth by ln latency, of the points beyond the latency at the peak. */
static void find_bend(const struct points *points, struct load_law *law)
{
	double n = 0, sx = 0, sy = 0, sxx = 0, sxy = 0, syy = 0;
	double most_ns = points->latency_there, left = 1;
	for (size_t i = 0; i < points->count; i++) {
		if (points->latency_ns[i] < points->latency_there || points->bandwidth[i] <= 0)
			continue;
		double x = log(points->latency_ns[i]);
		double y = log(points->bandwidth[i] / points->greatest);
		n++;
		sx += x;
		sy += y;
		sxx += x * x;
		sxy += x * y;
		syy += y * y;
		if (points->latency_ns[i] > most_ns) {
			most_ns = points->latency_ns[i];
			left = points->bandwidth[i] / points->greatest;
		}
	}
	double spread = n > 0 ? sxx - sx * sx / n : 0, slope = 0, error = INFINITY;
	if (n >= BEND_FEWEST && spread > 0) {
		slope = (sxy - sx * sy / n) / spread;
		double rest = syy - sy * sy / n - slope * slope * spread;
		error = n > 2 ? sqrt(fmax(0, rest) / (n - 2) / spread) : INFINITY;
	}
	double fall = slope * log(most_ns / points->latency_there);
	bool rises = points->latency_there > BEND_RISEN * law->idle_ns.value;
	law->bends_back =
		rises &&
		((n >= BEND_FEWEST && slope < -BEND_ERRORS * error && fall < -BEND_LEAST) ||
		 left < 1 - BEND_OF_FEW);
	law->bent_share = law->bends_back ? left : 1;
}

/* ---- the law ---- */

double load_law_ns(const struct load_law *law, double bandwidth)
{
	return law->idle_ns.value +
	       law->rise_ns * shape_at(bandwidth, law->peak.value, law->exponent.value);
}

static void find_greatest(struct points *points)
{
	for (size_t i = 0; i < points->count; i++)
		if (points->bandwidth[i] > points->greatest) {
			points->greatest = points->bandwidth[i];
			points->latency_there = points->latency_ns[i];
		}
}

/* Of the likeliest place. At a peak that was measured the law says no latency. */
static double median_error(const struct points *points, const struct grid *grid)
{
	size_t count = 0;
	set_shapes(points, grid->best);
	for (size_t i = 0; i < points->count; i++)
		if (!is_at_peak(points, i))
			points->shape[count++] = fabs(error_at(points, grid->best, i));
	return stats_median(points->shape, count);
}

/* The likeliest scale of Student's t, by expectation and maximisation from the median on; as much
 * as four parameters took of it is added. Source: Lange, Little and Taylor 1989, section 3. */
static double scatter_of(const struct points *points, const struct grid *grid)
{
	double scatter = OF_NORMAL * median_error(points, grid);
	set_shapes(points, grid->best);
	for (int round = 0; round < SCALE_ROUNDS; round++) {
		double sum = 0, count = 0;
		scatter = fmax(LEAST_SCATTER, scatter);
		for (size_t i = 0; i < points->count; i++) {
			double error = error_at(points, grid->best, i), deviates = error / scatter;
			if (is_left_out(points, i))
				continue;
			sum += (FREEDOM + 1) / (FREEDOM + deviates * deviates) * error * error;
			count++;
		}
		scatter = sqrt(sum / fmax(1, count - PARAMETERS));
	}
	return fmax(LEAST_SCATTER, scatter);
}

static void take(const struct grid *grid, const struct points *points, struct load_law *law)
{
	double free_points = fmax(3, (double)points->count - PARAMETERS);
	double widened = sqrt(free_points / (free_points - 2)); /* the scatter is not known */
	const struct load_known *known = points->known;
	law->idle_ns = isfinite(known->idle_ns.value)
			       ? known->idle_ns
			       : estimate(grid, widened, LAW_ERROR, idle_of, variance_of_idle);
	law->peak =
		grid->peaks == 1 ? known->peak : estimate(grid, widened, LAW_ERROR, peak_of, NULL);
	law->knee = estimate(grid, widened, LAW_ERROR, knee_of, NULL);
	law->exponent = estimate(grid, widened, LAW_ERROR, power_of, NULL);
	law->rise_ns = grid->best->rise;
	law->median_error = median_error(points, grid);
	if (!(law->knee.value < points->greatest))
		law->knee = (struct load_estimate){NAN, NAN, NAN};
	find_bend(points, law);
}

bool load_law_is_saturated(double times_idle, double of_greatest)
{
	return times_idle > LOAD_LAW_KNEE || of_greatest < LOAD_LAW_AT_PEAK;
}

int load_law_fit(const double *bandwidth, const double *latency_ns, size_t count,
		 const struct load_known *known, struct load_law *law)
{
	struct points points = {
		bandwidth, latency_ns, count, known, 0, INFINITY, calloc(count, sizeof(double))};
	struct grid *grid = malloc(sizeof(*grid)); /* too much for a small stack */
	bool failed = !points.shape || !grid;
	if (!failed) {
		find_greatest(&points);
		grid->peaks = isfinite(known->peak.value) ? 1 : PEAKS;
		grid->over = (struct range){log(LEAST_OVER), log(MOST_OVER)};
		grid->power = (struct range){log(LEAST_POWER), log(MOST_POWER)};
		fill(&points, FIRST_SCATTER, grid);
		for (int i = 0; i < NARROWED; i++) {
			double scatter = scatter_of(&points, grid);
			fill(&points, scatter, grid);
			narrow(grid);
		}
		fill(&points, scatter_of(&points, grid), grid);
		take(grid, &points, law);
	}
	free(points.shape);
	free(grid);
	return failed ? -1 : 0;
}
