#include "node/deadline.h"

#include <math.h>
#include <sys/time.h>

#include "base/stopwatch.h"

#define RESERVE      0.15
#define LEAST_S      2.0
#define BUDGET_SHARE 0.95 /* surveys overrun theirs by up to 3 % */
#define SHORTEST_S   1e-3

double deadline_reserve_s(double deadline_s)
{
	return fmin(fmax(RESERVE * deadline_s, LEAST_S), deadline_s / 2);
}

double deadline_left_s(const struct options *options)
{
	if (!options->deadline_s)
		return INFINITY;
	uint64_t spent_ns = stopwatch_now_ns() - options->environment->begun_ns;
	return options->deadline_s - deadline_reserve_s(options->deadline_s) -
	       1e-9 * (double)spent_ns;
}

static struct timeval time_of(double seconds)
{
	double whole = floor(seconds);
	return (struct timeval){(time_t)whole, (suseconds_t)((seconds - whole) * 1e6)};
}

void deadline_start(const struct options *options)
{
	const struct itimerval timer = {
		.it_value = time_of(fmax(deadline_left_s(options), SHORTEST_S)),
		.it_interval = time_of(deadline_reserve_s(options->deadline_s)),
	};
	setitimer(ITIMER_REAL, &timer, NULL);
}

void deadline_cut_budget(struct options *options)
{
	double *budget_s = &options->request.budget_s;
	if (!options->machine)
		*budget_s =
			fmin(*budget_s, fmax(BUDGET_SHARE * deadline_left_s(options), SHORTEST_S));
}
