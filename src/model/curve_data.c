#include "model/curve_data.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/stats.h"

#define MOST_POINTS       400  /* a bound of work: 20 an octave over 20 */
#define MOST_NOISE        0.03 /* of a value: more is steps */
#define FEW_POINTS        12   /* whose scatter tells too little: */
#define FEW_NOISE         0.005
#define QUIET_SHARE       0.3   /* of the points lie in plateaus, on any curve worth the name */
#define QUIET_NORMAL      0.385 /* that quantile of the absolute value of a normal deviate */
#define SECOND_NORMAL     1.2247448713915890 /* sqrt(1.5): x - (a + b) / 2 of three of one variance */
#define OUTLYING          2e-3 /* over the density of no error: 6 % of points at most are off */
#define SPARSE_OUTLYING   1e-6 /* where each step has but a few points, none is given up */
#define SPARSE_AN_OCTAVE  3    /* fewer points than that */
#define START_REACH_ERROR 0.05 /* of the sizes of steps, before any is known: a guess */
#define WIDE_SHARE        0.1  /* of the value */
#define LEAST_ERROR       1e-6 /* of a value of 0 */
#define MANY_PLACEMENTS   3    /* their spread is in the interval */
#define PLACEMENT_SHARE   0.2  /* of what placements do, left to add */
#define UNKNOWN_LUCK      0.3  /* the same where a curve does not say how many: a guess */
#define MANY_VISITS       6    /* tell themselves how much they differ */
#define POOLED            3    /* neighbours to either side */
#define INTERVAL_ERRORS   5.0  /* of six blocks: the range is 2.53 sigma, the median errs by 0.51 */
#define QUANTUM_ERROR     0.3  /* of a rounding step: its uniform standard deviation, 1/sqrt(12) */

struct sample {
	double ln_size, value, error, placement_share;
	double per_ns;     /* of the core clock; NAN: not known */
	double core;       /* the value in cycles; NAN: not known */
	double core_share; /* of the error, that is left in cycles */
	double visits;     /* independent measurements behind the value; 0: not known */
	double placements; /* of pages; INFINITY: not known, perhaps of very many */
};

/* The interval of a point tells what the places of pages do where its blocks had several. */
static double placement_share_of(const struct fathom_point *point)
{
	size_t placements = point->placements;
	if (placements == 0)
		return UNKNOWN_LUCK;
	return placements < MANY_PLACEMENTS ? 1 / sqrt((double)placements) : PLACEMENT_SHARE;
}

/* Blocks that were taken one after the other share what disturbed them: what the mean of their
 * visits errs by, from the spread of these. NAN: of one visit. */
static double error_of_visits(const struct fathom_point *point)
{
	size_t visits = point->placements, blocks = point->block_count;
	double sum = 0, squares = 0;
	if (visits < 2)
		return NAN;
	for (size_t i = 0; i < visits; i++) {
		size_t first = i * blocks / visits, end = (i + 1) * blocks / visits;
		double mean_ns = 0;
		for (size_t k = first; k < end; k++)
			mean_ns += point->blocks_ns[k] / (double)(end - first);
		sum += mean_ns;
		squares += mean_ns * mean_ns;
	}
	double count = (double)visits;
	return sqrt(fmax(0, squares - sum * sum / count) / (count - 1) / count);
}

/* The median over blocks. Where the places of the pages make these differ much, few of them are far
 * above it, and the laws speak of the mean: that of six blocks from the least, the median and the
 * greatest, which are the ends of their interval. */
static struct sample sample_in(const struct fathom_point *point, bool cycles)
{
	double value = cycles ? point->latency_cycles : point->latency_ns;
	double low = cycles ? point->latency_low_cycles : point->latency_low_ns;
	double high = cycles ? point->latency_high_cycles : point->latency_high_ns;
	struct sample sample = {
		.ln_size = log((double)point->spec.size_bytes),
		.value = value,
		.placement_share = placement_share_of(point),
		.per_ns = cycles ? NAN : point->latency_cycles / point->latency_ns,
		.core = NAN,
		.core_share = 1,
		.placements = point->placements ? (double)point->placements : INFINITY,
	};
	if (point->block_count && point->placements && point->placements <= point->block_count) {
		double error = error_of_visits(point) / point->latency_ns;
		sample.visits = (double)point->placements;
		if (isfinite(error))
			sample.error = error * value;
	}
	if (!isfinite(high - low))
		return sample;
	if (high - low > WIDE_SHARE * value)
		sample.value = (low + 4 * value + high) / 6;
	sample.error = fmax(sample.error, (high - low) / INTERVAL_ERRORS);
	return sample;
}

static double width(double low, double high, double value)
{
	return (high - low) / value;
}

/* Where the clock moved between blocks the interval in cycles tells how well the core's own time is
 * known. */
static struct sample sample_of(const struct fathom_point *point, bool cycles)
{
	struct sample sample = sample_in(point, cycles);
	if (cycles)
		return sample;
	sample.core = sample_in(point, true).value;
	double share = width(point->latency_low_cycles, point->latency_high_cycles,
			     point->latency_cycles) /
		       width(point->latency_low_ns, point->latency_high_ns, point->latency_ns);
	if (share < 1)
		sample.core_share = share;
	return sample;
}

/* Few visits do not tell how much they differ: what they err by is that of their neighbours where
 * that is more. */
static void pool_errors(struct sample *samples, size_t count, double *scratch)
{
	for (size_t i = 0; i < count; i++) {
		size_t first = i > POOLED ? i - POOLED : 0, found = 0;
		double sum = 0;
		for (size_t k = first; k < count && k <= i + POOLED; k++)
			if (samples[k].visits > 1) {
				double share = samples[k].error / samples[k].value;
				sum += share * share * samples[k].visits;
				found++;
			}
		scratch[i] = samples[i].error;
		if (found && samples[i].visits > 0 && samples[i].visits < MANY_VISITS)
			scratch[i] = fmax(samples[i].error,
					  samples[i].value *
						  sqrt(sum / (double)found / samples[i].visits));
	}
	for (size_t i = 0; i < count; i++)
		samples[i].error = scratch[i];
}

bool curve_data_has_ns(const struct fathom_curve *curve)
{
	for (size_t i = 0; i < curve->point_count; i++)
		if (isfinite(curve->points[i].latency_ns))
			return true;
	return false;
}

static int by_size(const void *left, const void *right)
{
	const struct sample *a = left, *b = right;
	if (a->ln_size != b->ln_size)
		return a->ln_size < b->ln_size ? -1 : 1;
	return (a->value > b->value) - (a->value < b->value);
}

/* Sorted samples of one size follow each other in ascending value: the middle one stays. */
static size_t merge(struct sample *samples, size_t count)
{
	size_t kept = 0;
	for (size_t i = 0, next; i < count; i = next) {
		next = i;
		while (next < count && samples[next].ln_size == samples[i].ln_size)
			next++;
		const struct sample *low = &samples[i + (next - i - 1) / 2];
		const struct sample *high = &samples[i + (next - i) / 2];
		double value = (low->value + high->value) / 2;
		double core = (low->core + high->core) / 2;
		samples[kept] = *low;
		samples[kept].core = core;
		samples[kept++].value = value;
	}
	return kept;
}

static int by_value(const void *left, const void *right)
{
	const struct sample *a = left, *b = right;
	return (a->value > b->value) - (a->value < b->value);
}

/* More sizes than a fit has use for: of those in each of `MOST_POINTS` equal stretches of ln size
 * the median, at their middle. */
static size_t thin(struct sample *samples, size_t count)
{
	double first = samples[0].ln_size;
	double wide = (samples[count - 1].ln_size - first) / MOST_POINTS;
	size_t kept = 0;
	for (size_t i = 0, next; i < count; i = next) {
		double end = first + wide * (floor((samples[i].ln_size - first) / wide) + 1);
		double middle = 0;
		for (next = i; next < count && (next == i || samples[next].ln_size < end); next++)
			middle += samples[next].ln_size;
		middle /= (double)(next - i);
		qsort(samples + i, next - i, sizeof(*samples), by_value);
		samples[kept] = samples[i + (next - i) / 2];
		samples[kept++].ln_size = middle;
	}
	return kept;
}

/* How far the middle one of three neighbours is from the line through the others: in plateaus that
 * is noise alone. */
static double noise_of(const struct sample *samples, size_t count, double *scratch)
{
	size_t found = 0;
	for (size_t i = 1; i + 1 < count; i++) {
		const struct sample *at = &samples[i];
		double wide = at[1].ln_size - at[-1].ln_size;
		double share = (at->ln_size - at[-1].ln_size) / wide;
		double line = at[-1].value + share * (at[1].value - at[-1].value);
		if (line > 0)
			scratch[found++] = fabs(at->value - line) / line;
	}
	double noise = MOST_NOISE;
	if (found) {
		stats_sort(scratch, found);
		noise = scratch[(size_t)((double)found * QUIET_SHARE)] /
			(QUIET_NORMAL * SECOND_NORMAL);
	}
	return fmin(MOST_NOISE,
		    fmax(noise, count < FEW_POINTS ? FEW_NOISE : CURVE_DATA_LEAST_NOISE));
}

static bool all_multiples(const struct sample *samples, size_t count, double quantum)
{
	for (size_t i = 0; i < count; i++) {
		double multiple = samples[i].value / quantum;
		if (fabs(multiple - round(multiple)) > 1e-6)
			return false;
	}
	return true;
}

/* The last digit that the values were printed with; 0: more than six. */
static double quantum_of(const struct sample *samples, size_t count)
{
	for (double quantum = 1; quantum > 0.5e-6; quantum /= 10)
		if (all_multiples(samples, count, quantum))
			return quantum;
	return 0;
}

static int allocate(struct curve_data *data, size_t count, struct fathom_error *error)
{
	data->ln_size = calloc(12 * count + 1, sizeof(double));
	if (!data->ln_size)
		return error_no_memory(error);
	data->value = data->ln_size + count;
	data->error = data->value + count;
	data->start_error = data->error + count;
	data->outlying = data->start_error + count;
	data->least_error = data->outlying + count;
	data->placement_share = data->least_error + count;
	data->placed_bytes = data->placement_share + count;
	data->given = data->placed_bytes + count;
	data->per_ns = data->given + count;
	data->core = data->per_ns + count;
	data->core_share = data->core + count;
	data->count = count;
	return 0;
}

static size_t collect(const struct fathom_curve *curve, bool cycles, struct sample *samples,
		      double *scratch)
{
	size_t count = 0;
	for (size_t i = 0; i < curve->point_count; i++) {
		const struct fathom_point *point = &curve->points[i];
		struct sample sample = sample_of(point, cycles);
		if (!isfinite(sample.value) || sample.value < 0 ||
		    (sample.value == 0 && !curve->relative_to_l1) || point->spec.size_bytes == 0)
			continue;
		samples[count++] = sample;
	}
	qsort(samples, count, sizeof(*samples), by_size);
	count = merge(samples, count);
	pool_errors(samples, count, scratch);
	return count > MOST_POINTS ? thin(samples, count) : count;
}

static void fill(struct curve_data *data, const struct sample *samples, double quantum_error)
{
	for (size_t i = 0; i < data->count; i++) {
		data->ln_size[i] = samples[i].ln_size;
		data->value[i] = data->given[i] = samples[i].value;
		data->per_ns[i] = samples[i].per_ns;
		data->core[i] = samples[i].core;
		data->core_share[i] = samples[i].core_share;
		data->placement_share[i] = samples[i].placement_share;
		data->placed_bytes[i] = samples[i].placements * exp(samples[i].ln_size);
		data->least_error[i] = fmax(LEAST_ERROR, fmax(quantum_error, samples[i].error));
		data->measured |= samples[i].error > 0;
	}
}

/* Has it so few sizes an octave that one or two show a step? */
static bool is_sparse(const struct curve_data *data)
{
	if (data->count == 0)
		return true;
	double octaves = (data->ln_size[data->count - 1] - data->ln_size[0]) / M_LN2;
	return (double)data->count < SPARSE_AN_OCTAVE * octaves;
}

/* The lesser of the slopes to either side: that of the greater is a cliff's edge. */
static double slope_at(const struct curve_data *data, size_t i)
{
	double least = INFINITY;
	for (size_t a = i ? i - 1 : 0; a <= i && a + 1 < data->count; a++)
		least = fmin(least, fabs(data->value[a + 1] - data->value[a]) /
					    (data->ln_size[a + 1] - data->ln_size[a]));
	return isfinite(least) ? least : 0;
}

/* Latency does not fall with size: by how much a value is above both of the next two, or below both
 * before. */
static double oddity_at(const struct curve_data *data, size_t i)
{
	const double *value = data->value;
	double odd = 0;
	if (i + 2 < data->count)
		odd = fmax(odd, value[i] - fmax(value[i + 1], value[i + 2]));
	if (i >= 2)
		odd = fmax(odd, fmin(value[i - 1], value[i - 2]) - value[i]);
	return odd;
}

static bool is_core(const struct curve_data *data, size_t i)
{
	return data->ln_size[i] < data->ln_core && isfinite(data->core[i]);
}

void curve_data_set_noise(struct curve_data *data, double noise)
{
	double usual = !data->measured && is_sparse(data) ? SPARSE_OUTLYING : OUTLYING;
	for (size_t i = 0; i < data->count; i++) {
		double least = data->least_error[i] * (is_core(data, i) ? data->core_share[i] : 1);
		data->error[i] = fmax(least, noise * data->value[i]);
		double odd = oddity_at(data, i);
		data->start_error[i] =
			hypot(data->error[i] + odd, START_REACH_ERROR * slope_at(data, i));
		data->outlying[i] = usual;
	}
}

void curve_data_set_clock(struct curve_data *data, double per_ns, double ln_core)
{
	data->ln_core = ln_core;
	for (size_t i = 0; i < data->count; i++) {
		data->value[i] = data->given[i];
		if (is_core(data, i))
			data->value[i] = data->core[i] / per_ns;
	}
}

double curve_data_clock(const struct curve_data *data, double ln_low, double ln_high)
{
	double sum = 0;
	size_t count = 0;
	for (size_t i = 0; i < data->count; i++) {
		double ln = data->ln_size[i];
		if (ln < ln_low || ln > ln_high || !isfinite(data->per_ns[i]))
			continue;
		sum += data->per_ns[i];
		count++;
	}
	return count ? sum / (double)count : NAN;
}

int curve_data_make(const struct fathom_curve *curve, bool cycles, struct curve_data *data,
		    struct fathom_error *error)
{
	struct sample *samples = calloc(curve->point_count + 1, sizeof(*samples));
	double *scratch = calloc(curve->point_count + 1, sizeof(*scratch));
	struct curve_data made = {.cycles = cycles, .ln_core = -INFINITY};
	size_t count = samples && scratch ? collect(curve, cycles, samples, scratch) : 0;
	int status = samples && scratch ? allocate(&made, count, error) : error_no_memory(error);
	if (status == 0) {
		fill(&made, samples, QUANTUM_ERROR * quantum_of(samples, count));
		made.scatter = noise_of(samples, count, scratch);
		curve_data_set_noise(&made, made.scatter);
		*data = made;
	}
	free(scratch);
	free(samples);
	return status;
}

void curve_data_free(struct curve_data *data)
{
	free(data->ln_size);
	*data = (struct curve_data){0};
}
