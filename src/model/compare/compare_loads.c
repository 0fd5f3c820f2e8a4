/* Laws of latency under load: idle latency, knee and peak of each kind of traffic. */
#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/names.h"
#include "base/stats.h"
#include "base/text.h"
#include "model/compare/compare_judge.h"
#include "model/compare/compare_parts.h"

/* What of a law is compared. */
struct side {
	const char *name;
	enum fathom_quantity quantity;
	size_t value, low, high; /* offsets */
};

#define SIDE(name_, quantity_, member, unit)                                                       \
	{                                                                                          \
		name_, FATHOM_QUANTITY_##quantity_,                                                \
			offsetof(struct fathom_load_law, member##unit),                            \
			offsetof(struct fathom_load_law, member##_low##unit),                      \
			offsetof(struct fathom_load_law, member##_high##unit)                      \
	}
static const struct side sides[] = {
	SIDE("idle latency", NS, idle_latency, _ns),
	SIDE("knee", BYTES_PER_SECOND, knee, _bytes_per_second),
	SIDE("peak", BYTES_PER_SECOND, peak, _bytes_per_second),
};
#define SIDES (sizeof(sides) / sizeof(*sides))

static double at(const struct fathom_load_law *law, size_t offset)
{
	return *(const double *)(const void *)((const char *)law + offset);
}

struct bounded {
	double value, low, high;
};

/* Without traffic what was measured is better known than what the law says. */
static struct bounded find_value(const struct fathom_result *result,
				 const struct fathom_load_law *law, const struct side *side)
{
	const struct fathom_load *none = &result->curves[law->curve].loads[0];
	if (side->quantity == FATHOM_QUANTITY_NS && none->wanted_bytes_per_second <= 0 &&
	    isfinite(none->latency_low_ns))
		return (struct bounded){none->latency_ns, none->latency_low_ns,
					none->latency_high_ns};
	return (struct bounded){at(law, side->value), at(law, side->low), at(law, side->high)};
}

static bool is_alike(double a, double b)
{
	return a == b || (isnan(a) && isnan(b));
}

/* The same traffic, of as many threads and along the same chain, as far as that is known. */
static bool is_same(const struct fathom_result *a, const struct fathom_load_law *of_a,
		    const struct fathom_result *b, const struct fathom_load_law *of_b)
{
	const struct fathom_curve *x = &a->curves[of_a->curve], *y = &b->curves[of_b->curve];
	bool known = x->traffic != FATHOM_TRAFFIC_UNKNOWN && y->traffic != FATHOM_TRAFFIC_UNKNOWN;
	if (!known)
		return is_alike(of_a->read_share, of_b->read_share);
	return x->traffic == y->traffic && x->page == y->page &&
	       x->traffic_threads == y->traffic_threads && x->size_bytes == y->size_bytes;
}

static const struct fathom_load_law *find_law(const struct fathom_result *result,
					      const struct fathom_result *first,
					      const struct fathom_load_law *law)
{
	for (size_t i = 0; i < result->load_law_count; i++)
		if (is_same(first, law, result, &result->load_laws[i]))
			return &result->load_laws[i];
	return NULL;
}

static char *name_of(const struct fathom_result *result, const struct fathom_load_law *law,
		     const struct side *side)
{
	const struct fathom_curve *curve = &result->curves[law->curve];
	const char *page = page_name((int)curve->page);
	if (curve->traffic != FATHOM_TRAFFIC_UNKNOWN)
		return text_format("%s, %s, %s pages", side->name,
				   fathom_traffic_name((int)curve->traffic),
				   page ? page : "unknown");
	return isnan(law->read_share)
		       ? text_format("%s", side->name)
		       : text_format("%s, %.0f %% reads", side->name, 100 * law->read_share);
}

static int add_side(const struct compare_set *set, const struct fathom_load_law *law,
		    const struct side *side, struct compare_sample *sample,
		    struct fathom_compared_run *run, struct fathom_error *error)
{
	const struct fathom_result *first = compare_set_run(set, 0)->result;
	struct fathom_compared_part part = {.quantity = side->quantity};
	double sum = 0, sign = side->quantity == FATHOM_QUANTITY_NS ? 1 : -1;
	size_t last = sample->runs - 1;
	for (size_t i = 0; i <= last; i++) {
		const struct fathom_result *result = compare_set_run(set, i)->result;
		const struct fathom_load_law *other = find_law(result, first, law);
		if (!other)
			return 0;
		struct bounded found = find_value(result, other, side);
		if (!(found.value > 0))
			return 0;
		sample->ln[i] = sign * log(found.value);
		sample->spread[i] = log(found.high / found.low) / 2 / STATS_NORMAL_95;
		sum += i < last ? log(found.value) : 0;
		part.value = found.value;
		part.points = result->curves[other->curve].load_count;
	}
	part.baseline = exp(sum / (double)last);
	compare_estimate(sample, &part);
	part.evidence = text_format("laws of latency under load; %s",
				    isnan(part.error) ? "there are no intervals"
						      : "the spread is taken from their intervals");
	part.name = name_of(first, law, side);
	return compare_add_part(run, &part, error);
}

int compare_loads(const struct compare_set *set, struct fathom_compared_run *run,
		  struct fathom_error *error)
{
	const struct fathom_result *first = compare_set_run(set, 0)->result;
	struct compare_sample sample = {.runs = compare_set_count(set)};
	sample.ln = calloc(2 * sample.runs, sizeof(*sample.ln));
	sample.spread = sample.ln + sample.runs;
	int status = sample.ln ? 0 : error_no_memory(error);
	for (size_t i = 0; i < first->load_law_count && !status; i++)
		for (size_t k = 0; k < SIDES && !status; k++)
			status =
				add_side(set, &first->load_laws[i], &sides[k], &sample, run, error);
	free(sample.ln);
	return status;
}

bool compare_loads_are_common(const struct compare_set *set)
{
	for (size_t i = 0; i < compare_set_count(set); i++)
		if (!compare_set_run(set, i)->result->load_law_count)
			return false;
	return true;
}
