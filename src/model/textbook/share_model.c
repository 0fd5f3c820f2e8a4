#include "model/textbook/share_model.h"

#include <math.h>

#define LEAST_SHARE     0.01       /* of the last value: what is less counts as that much */
#define ROUNDED         (1 + 1e-9) /* what exp(log(size)) can make of a size */
#define FEWEST_TO_BEND  3          /* two sizes lie on a hyperbola, whatever they are */
#define ANY_NUMBER_WAYS 8          /* the law is the same for all */
#define FLAT            1e-9       /* a share that is nothing but rounding */

struct stack_level share_model_level(double reach_bytes)
{
	return (struct stack_level){
		.reach_bytes = reach_bytes,
		.latency = NAN,
		.shape = {HIT_INDEPENDENT, false, ANY_NUMBER_WAYS, 1},
	};
}

/* Of a squared deviation. A curve of what is added to the first level has values of 0. */
static double weight_of(const struct curve_data *data, size_t i)
{
	double value = fmax(data->value[i], LEAST_SHARE * data->value[data->count - 1]);
	return value > 0 ? 1 / (value * value) : 0;
}

/* E - (what the levels before answer) = share x latency. */
static double deduce_one(const struct curve_data *data, const struct stack_level *levels,
			 size_t count, double up_to_bytes)
{
	double product = 0, square = 0;
	double from_bytes = count ? levels[count - 1].reach_bytes : 0;
	for (size_t i = 0; i < data->count; i++) {
		double bytes = exp(data->ln_size[i]);
		if (bytes <= ROUNDED * from_bytes || bytes > ROUNDED * up_to_bytes)
			continue;
		double known = stack_latency(levels, count, 0, bytes);
		double share = 1;
		if (count)
			share -= hit_share(&levels[count - 1].shape, bytes / from_bytes);
		double weight = weight_of(data, i);
		product += weight * share * (data->value[i] - known);
		square += weight * share * share;
	}
	return square > 0 ? product / square : NAN;
}

void share_model_deduce(const struct curve_data *data, struct stack_level *levels, size_t count,
			double *last)
{
	for (size_t i = 0; i < count; i++)
		levels[i].latency = deduce_one(data, levels, i, levels[i].reach_bytes);
	*last = deduce_one(data, levels, count, INFINITY);
}

double share_model_last_two(const struct curve_data *data, double reach_bytes, double latency)
{
	struct stack_level level = share_model_level(reach_bytes);
	level.latency = latency;
	return deduce_one(data, &level, 1, INFINITY);
}

double share_model_constant(const struct stack_level *levels, size_t count, double last)
{
	double constant = 0;
	for (size_t i = 0; i < count; i++) {
		double above = i + 1 < count ? levels[i + 1].latency : last;
		constant += levels[i].reach_bytes * (above - levels[i].latency);
	}
	return constant;
}

struct share_step share_model_step(const struct curve_data *data, const struct stack_level *levels,
				   size_t count, double up_to_bytes)
{
	double from_bytes = count ? levels[count - 1].reach_bytes : 0;
	struct share_step step = {0, NAN, NAN, NAN, NAN, NAN};
	for (size_t i = 0; i < data->count; i++) {
		double bytes = exp(data->ln_size[i]);
		if (bytes <= ROUNDED * from_bytes || bytes > ROUNDED * up_to_bytes)
			continue;
		step.size_count++;
		step.at_bytes = bytes;
		step.expected = data->value[i];
	}
	if (!step.size_count)
		return step;
	step.before = stack_latency(levels, count, 0, step.at_bytes);
	step.share =
		count ? 1 - hit_share(&levels[count - 1].shape, step.at_bytes / from_bytes) : 1;
	step.latency = (step.expected - step.before) / step.share;
	return step;
}

bool share_model_hyperbola(const struct curve_data *data, double from_bytes, double up_to_bytes,
			   struct share_hyperbola *hyperbola)
{
	double weights = 0, u = 0, uu = 0, v = 0, uv = 0; /* of u = from / size, v = value */
	hyperbola->size_count = 0;
	for (size_t i = 0; i < data->count; i++) {
		double bytes = exp(data->ln_size[i]), weight = weight_of(data, i);
		double inverse = from_bytes / bytes;
		if (ROUNDED * inverse >= 1 || bytes > ROUNDED * up_to_bytes)
			continue;
		hyperbola->size_count++;
		weights += weight;
		u += weight * inverse;
		uu += weight * inverse * inverse;
		v += weight * data->value[i];
		uv += weight * inverse * data->value[i];
	}
	double spread = weights * uu - u * u;
	if (hyperbola->size_count < FEWEST_TO_BEND || !(spread > 0))
		return false;
	double slope = (weights * uv - u * v) / spread;
	hyperbola->last = (v - slope * u) / weights;
	hyperbola->constant = -slope * from_bytes;
	if (fabs(hyperbola->constant) <= FLAT * from_bytes * hyperbola->last)
		hyperbola->constant = 0;
	return true;
}

double share_hyperbola_value(const void *context, double size_bytes)
{
	const struct share_hyperbola *hyperbola = context;
	return hyperbola->last - hyperbola->constant / size_bytes;
}
