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
static void add_ratio(struct view *view, double random, double sequential, const char *less,
		      const char *more)
{
	double times = random / sequential;
	if (!(times > 0) || !isfinite(times))
		view_name(view, "-");
	else if (fabs(times - 1) < SAME)
		view_name(view, "the same");
	else if (times >= 1)
		view_name(view, "%s\u00d7 %s", rounding_number(times).text, less);
	else
		view_name(view, "%s\u00d7 %s", rounding_number(1 / times).text, more);
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

static double time_of(const struct fathom_point *point, enum fathom_y y)
{
	return points_time(point, y).value;
}

static double count_of(const struct fathom_point *point, const char *event)
{
	for (size_t i = 0; i < point->event_count; i++)
		if (strcmp(point->counts[i].event, event) == 0)
			return point->counts[i].per_access;
	return NAN;
}

static double instructions_of(const struct fathom_point *point)
{
	return point->instructions_per_access ? point->instructions_per_access : NAN;
}

static double per_cycle(const struct fathom_point *point)
{
	return instructions_of(point) / time_of(point, FATHOM_Y_CYCLES);
}

/* `times`: what an access has of it becomes what all have. */
static void add_counted(struct view *view, const char *name, double random, double sequential,
			double times)
{
	if (!isfinite(random) && !isfinite(sequential))
		return;
	view_row(view);
	view_name(view, "%s", name);
	add_amount(view, times * random);
	add_amount(view, times * sequential);
	add_ratio(view, random, sequential, "fewer", "more");
}

static void add_rows(struct view *view, const struct fathom_point *random,
		     const struct fathom_point *sequential)
{
	static const struct {
		const char *name, *event;
	} refills[] = {{"L1 refills", "l1d_misses"}, {"last-level refills", "llc_misses"}};
	double cycles[] = {time_of(random, FATHOM_Y_CYCLES), time_of(sequential, FATHOM_Y_CYCLES)};
	double ns[] = {time_of(random, FATHOM_Y_NS), time_of(sequential, FATHOM_Y_NS)};
	view_row(view);
	view_name(view, "time");
	view_rounded(view, rounding_time(STEPS * ns[0], false));
	view_rounded(view, rounding_time(STEPS * ns[1], false));
	add_ratio(view, ns[0], ns[1], "faster", "slower");
	add_counted(view, "cycles", cycles[0], cycles[1], STEPS);
	add_counted(view, "cycles per access", cycles[0], cycles[1], 1);
	add_counted(view, "instructions", instructions_of(random), instructions_of(sequential),
		    STEPS);
	for (size_t i = 0; i < sizeof(refills) / sizeof(*refills); i++)
		add_counted(view, refills[i].name, count_of(random, refills[i].event),
			    count_of(sequential, refills[i].event), STEPS);
	if (!isfinite(per_cycle(random)) || !isfinite(per_cycle(sequential)))
		return;
	view_row(view);
	view_name(view, "IPC");
	view_quantity(view, "%s", rounding_small(per_cycle(random)).text);
	view_quantity(view, "%s", rounding_small(per_cycle(sequential)).text);
	add_ratio(view, per_cycle(random), per_cycle(sequential), "lower", "higher");
}

void contrast_view(struct view *view, const struct fathom_point *random,
		   const struct fathom_point *sequential)
{
	if (!random || !sequential || !isfinite(time_of(random, FATHOM_Y_NS)) ||
	    !isfinite(time_of(sequential, FATHOM_Y_NS)))
		return;
	bool cold = random->spec.warmth != FATHOM_WARM;
	view_gap(view);
	view_say(view, VIEW_PLAIN, "20 million dependent accesses in %s:",
		 rounding_size(random->spec.size_bytes).text);
	VIEW_TABLE(view, COLUMN(NULL), COLUMN(cold ? "random, cold" : "random, warm"),
		   COLUMN("sequential, warm"), COLUMN("ratio"));
	add_rows(view, random, sequential);
	view_say(view, VIEW_NOTE, "computed: 20 million times what one access takes above");
	view_gap(view);
}
