/* Random order in cold memory against sequential order in warm memory: the two ends of what the
 * same accesses can cost. */
#include <math.h>
#include <string.h>

#include "views/experiments/experiments.h"
#include "views/points.h"
#include "views/rounding.h"

#define STEPS           20e6 /* that times and counts are stated for */
#define BILLION         1e9
#define MILLION         1e6
#define THOUSAND        1e3
#define LEAST_THOUSANDS 1e5
#define SAME            0.005 /* to three digits */

/* How many times, and which way. */
static void add_ratio(struct view *view, struct estimate random, struct estimate sequential,
		      const char *less, const char *more)
{
	bool up = random.value >= sequential.value;
	struct estimate times =
		up ? estimate_over(random, sequential) : estimate_over(sequential, random);
	if (!(times.value > 0) || !isfinite(times.value)) {
		view_quantity(view, "-");
		view_empty(view);
	} else if (times.value - 1 < SAME) {
		view_empty(view);
		view_name(view, "the same");
	} else {
		view_quantity(view, "%s\u00d7", rounding_known(times).text);
		view_spread(view, rounding_spread(times).text);
		view_name(view, "%s", up ? less : more);
	}
}

static void add_amount(struct view *view, double amount)
{
	if (amount >= BILLION)
		view_quantity(view, "%s billion", rounding_number(amount / BILLION).text);
	else if (amount >= MILLION)
		view_quantity(view, "%s million", rounding_number(amount / MILLION).text);
	else if (amount >= LEAST_THOUSANDS)
		view_quantity(view, "%s thousand", rounding_number(amount / THOUSAND).text);
	else
		view_number(view, amount);
}

static struct estimate count_of(const struct fathom_point *point, const char *event)
{
	for (size_t i = 0; i < point->event_count; i++)
		if (strcmp(point->counts[i].event, event) == 0)
			return ESTIMATE_ALONE(point->counts[i].per_access);
	return ESTIMATE_UNKNOWN;
}

/* Known, as the loop is. */
static struct estimate instructions_of(const struct fathom_point *point)
{
	double count = point->instructions_per_access ? point->instructions_per_access : NAN;
	return ESTIMATE_ALONE(count);
}

static struct estimate per_cycle(const struct fathom_point *point)
{
	double count = instructions_of(point).value;
	struct estimate cycles = points_time(point, FATHOM_Y_CYCLES);
	return (struct estimate){count / cycles.value, count / cycles.high, count / cycles.low};
}

/* `times`: what an access has of it becomes what all have. */
static void add_counted(struct view *view, const char *name, struct estimate random,
			struct estimate sequential, double times)
{
	if (!isfinite(random.value) && !isfinite(sequential.value))
		return;
	view_row(view);
	view_name(view, "%s", name);
	add_amount(view, times * random.value);
	add_amount(view, times * sequential.value);
	add_ratio(view, random, sequential, "fewer", "more");
}

static void add_rows(struct view *view, const struct fathom_point *random,
		     const struct fathom_point *sequential)
{
	static const struct {
		const char *name, *event;
	} refills[] = {{"L1 refills", "l1d_misses"}, {"last-level refills", "llc_misses"}};
	struct estimate cycles[] = {points_time(random, FATHOM_Y_CYCLES),
				    points_time(sequential, FATHOM_Y_CYCLES)};
	struct estimate ns[] = {points_time(random, FATHOM_Y_NS),
				points_time(sequential, FATHOM_Y_NS)};
	view_row(view);
	view_name(view, "time");
	view_rounded(view, rounding_time(STEPS * ns[0].value, false));
	view_rounded(view, rounding_time(STEPS * ns[1].value, false));
	add_ratio(view, ns[0], ns[1], "faster", "slower");
	add_counted(view, "cycles", cycles[0], cycles[1], STEPS);
	add_counted(view, "cycles per access", cycles[0], cycles[1], 1);
	add_counted(view, "instructions", instructions_of(random), instructions_of(sequential),
		    STEPS);
	for (size_t i = 0; i < sizeof(refills) / sizeof(*refills); i++)
		add_counted(view, refills[i].name, count_of(random, refills[i].event),
			    count_of(sequential, refills[i].event), STEPS);
	if (!isfinite(per_cycle(random).value) || !isfinite(per_cycle(sequential).value))
		return;
	view_row(view);
	view_name(view, "IPC");
	view_quantity(view, "%s", rounding_small(per_cycle(random).value).text);
	view_quantity(view, "%s", rounding_small(per_cycle(sequential).value).text);
	add_ratio(view, per_cycle(random), per_cycle(sequential), "lower", "higher");
}

void contrast_view(struct view *view, const struct fathom_point *random,
		   const struct fathom_point *sequential)
{
	if (!random || !sequential || !isfinite(points_time(random, FATHOM_Y_NS).value) ||
	    !isfinite(points_time(sequential, FATHOM_Y_NS).value))
		return;
	bool cold = random->spec.warmth != FATHOM_WARM;
	view_gap(view);
	view_say(view, VIEW_PLAIN, "20 million dependent accesses in %s:",
		 rounding_size(random->spec.size_bytes).text);
	VIEW_TABLE(view, COLUMN(NULL), COLUMN(cold ? "random, cold" : "random, warm"),
		   COLUMN("sequential, warm"), COLUMN("ratio", .spread_rank = 1), COLUMN(NULL));
	add_rows(view, random, sequential);
	view_say(view, VIEW_NOTE, "computed: 20 million times what one access takes above");
	view_gap(view);
}
