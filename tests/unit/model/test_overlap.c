/* Loads that overlap in a window, against a window that is walked load by load. */
#include <math.h>
#include <stddef.h>
#include <stdint.h>

#include "base/rng.h"
#include "model/predict/overlap.h"
#include "unit.h"

#define WALKED   200000
#define MOST_LAG 16
#define CLOSE    0.08

/* ns from one load to the next, where each takes one of so many times, all as likely. */
static double overlapped_ns(const double *times, size_t count, double window)
{
	double mean = 0, variance = 0, third = 0;
	for (size_t i = 0; i < count; i++)
		mean += times[i] / (double)count;
	for (size_t i = 0; i < count; i++) {
		double away = times[i] - mean;
		variance += away * away / (double)count;
		third += away * away * away / (double)count;
	}
	return mean / overlap_of(mean, variance, third, window);
}

static double walked_ns(const double *times, size_t count, size_t window)
{
	struct rng rng = rng_make(1);
	double left[MOST_LAG] = {0}, last = 0;
	for (size_t i = 0; i < WALKED; i++) {
		double own = left[i % window] + times[rng_below(&rng, count)];
		last = fmax(last, own);
		left[i % window] = last;
	}
	return last / WALKED;
}

static void windows_are_as_walked(void **state)
{
	static const double times[][10] = {
		{7, 7, 7, 7, 7, 7, 7, 7, 7, 7},
		{1, 1, 1, 1, 1, 1, 1, 1, 1, 100},
		{1, 100, 100, 100, 100, 100, 100, 100, 100, 100},
		{1, 100, 1, 100, 1, 100, 1, 100, 1, 100},
		{50, 100, 50, 100, 50, 100, 50, 100, 50, 100},
		{5, 5, 5, 5, 5, 5, 20, 20, 20, 120},
		{10, 20, 30, 40, 50, 60, 70, 80, 90, 100},
		{1, 2, 4, 8, 16, 32, 64, 128, 256, 512},
	};
	(void)state;
	for (size_t i = 0; i < sizeof(times) / sizeof(*times); i++)
		for (size_t window = 1; window <= MOST_LAG; window *= 2) {
			double walked = walked_ns(times[i], 10, window);
			double ns = overlapped_ns(times[i], 10, (double)window);
			if (!(fabs(ns / walked - 1) < CLOSE))
				fail_msg("times %zu, window %zu: %g ns, walked %g", i, window, ns,
					 walked);
		}
}

static void equal_loads_overlap_all(void **state)
{
	(void)state;
	assert_true(fabs(overlap_of(80, 0, 0, 3.5) - 3.5) < 1e-9);
	assert_true(overlap_of(80, 1e-12, -1e-12, 3.5) > 3.49);
}

/* One in a million takes all the time. */
static void one_that_dominates_overlaps_nothing(void **state)
{
	const double rare = 1e-6, mean = 1;
	double ns = mean / rare, variance = rare * ns * ns, third = rare * ns * ns * ns;
	(void)state;
	assert_true(fabs(overlap_of(mean, variance, third, 8) - 1) < 1e-4);
}

/* The variance of a pair falls as its cheaper load gets dearer; its time must not. */
static void dearer_loads_take_longer(void **state)
{
	(void)state;
	for (double window = 2; window <= 32; window *= 2) {
		double before = 0;
		for (double cheaper = 0; cheaper <= 100; cheaper += 5) {
			const double times[] = {cheaper, 100, 100, cheaper, cheaper};
			double ns = overlapped_ns(times, 5, window);
			assert_true(ns > before);
			before = ns;
		}
	}
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(windows_are_as_walked),
	cmocka_unit_test(equal_loads_overlap_all),
	cmocka_unit_test(one_that_dominates_overlaps_nothing),
	cmocka_unit_test(dearer_loads_take_longer),
};
UNIT_GROUP();
