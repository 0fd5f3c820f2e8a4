/* Laws of latency under load: idle latency, knee and peak of each kind of traffic. */
#include <math.h>

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

/* SIDES of each law. */
static bool read_side(const struct compare_set *set, size_t run, size_t which,
		      struct compare_reading *reading)
{
	const struct fathom_result *first = compare_set_run(set, 0)->result;
	const struct fathom_result *result = compare_set_run(set, run)->result;
	const struct fathom_load_law *law =
		find_law(result, first, &first->load_laws[which / SIDES]);
	if (!law)
		return false;
	struct bounded found = find_value(result, law, &sides[which % SIDES]);
	*reading = (struct compare_reading){
		found.value,
		log(found.high / found.low) / 2 / STATS_NORMAL_95,
		result->curves[law->curve].load_count,
	};
	return true;
}

int compare_loads(const struct compare_set *set, struct fathom_compared_run *run,
		  struct fathom_error *error)
{
	const struct fathom_result *first = compare_set_run(set, 0)->result;
	for (size_t i = 0; i < SIDES * first->load_law_count; i++) {
		const struct side *side = &sides[i % SIDES];
		struct fathom_compared_part part = {.quantity = side->quantity};
		int lacking = compare_estimate_readings(set, read_side, i, &part, error);
		if (lacking < 0)
			return -1;
		if (lacking)
			continue;
		part.evidence =
			text_format("laws of latency under load; %s",
				    isnan(part.error) ? "there are no intervals"
						      : "the spread is taken from their intervals");
		part.name = name_of(first, &first->load_laws[i / SIDES], side);
		if (compare_add_part(run, &part, error))
			return -1;
	}
	return 0;
}

bool compare_loads_are_common(const struct compare_set *set)
{
	for (size_t i = 0; i < compare_set_count(set); i++)
		if (!compare_set_run(set, i)->result->load_law_count)
			return false;
	return true;
}
