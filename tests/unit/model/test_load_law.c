/* The law of latency under load: on curves that it made, with noise, and on a queue that knows no
 * law. */
#include <math.h>
#include <stdlib.h>

#include "base/rng.h"
#include "base/stats.h"
#include "model/loaded/load_law.h"
#include "unit.h"

#define COUNT 24
#define DRAWS 60

static const struct load_known nothing = LOAD_NOTHING_KNOWN;

struct curve {
	double bandwidth[COUNT], latency_ns[COUNT];
};

static double normal(struct rng *rng)
{
	double sum = -6;
	for (int i = 0; i < 12; i++)
		sum += rng_unit(rng);
	return sum;
}

static struct load_law made_law(double idle_ns, double rise_ns, double peak, double exponent)
{
	return (struct load_law){.idle_ns.value = idle_ns,
				 .rise_ns = rise_ns,
				 .peak.value = peak,
				 .exponent.value = exponent};
}

/* Up to `most` of the peak, each latency with a noise of 1 %. */
static struct curve make_curve(const struct load_law *law, double most, struct rng *rng)
{
	struct curve curve;
	for (int i = 0; i < COUNT; i++) {
		double share = most * (1 - pow(1 - (double)i / (COUNT - 1), 2));
		curve.bandwidth[i] = share * law->peak.value;
		curve.latency_ns[i] =
			load_law_ns(law, curve.bandwidth[i]) * (1 + 0.01 * normal(rng));
	}
	return curve;
}

static bool holds(const struct load_estimate *estimate, double value)
{
	return value >= estimate->low && value <= estimate->high;
}

static void a_law_comes_back(void **state)
{
	(void)state;
	size_t idle = 0, peak = 0, exponent = 0;
	for (uint64_t seed = 0; seed < DRAWS; seed++) {
		struct rng rng = rng_make(seed);
		struct load_law law =
			made_law(70 + 60 * rng_unit(&rng), 5 + 40 * rng_unit(&rng),
				 1e10 * (1 + 20 * rng_unit(&rng)), 0.3 + 0.9 * rng_unit(&rng));
		struct curve curve = make_curve(&law, 0.97, &rng);
		struct load_law found;
		assert_int_equal(
			load_law_fit(curve.bandwidth, curve.latency_ns, COUNT, &nothing, &found),
			0);
		assert_true(fabs(found.idle_ns.value / law.idle_ns.value - 1) < 0.03);
		assert_true(fabs(found.peak.value / law.peak.value - 1) < 0.06);
		assert_true(found.median_error < 0.02 && !found.bends_back);
		idle += holds(&found.idle_ns, law.idle_ns.value);
		peak += holds(&found.peak, law.peak.value);
		exponent += holds(&found.exponent, law.exponent.value);
	}
	assert_in_range(idle, DRAWS * 17 / 20, DRAWS);
	assert_in_range(peak, DRAWS * 17 / 20, DRAWS);
	assert_in_range(exponent, DRAWS * 17 / 20, DRAWS);
}

/* Requests arrive at random at one channel that serves a line in `service_ns`. */
static double queue_ns(double idle_ns, double service_ns, double load, struct rng *rng)
{
	double now = 0, free_at = 0, waited = 0;
	const int requests = 200000;
	for (int i = 0; i < requests; i++) {
		now += -log(1 - rng_unit(rng)) * service_ns / load;
		double begins = fmax(now, free_at);
		waited += begins - now;
		free_at = begins + service_ns;
	}
	return idle_ns + waited / requests;
}

static void a_queue_has_its_idle_latency_and_its_peak(void **state)
{
	(void)state;
	const double idle_ns = 90, service_ns = 8;
	for (uint64_t seed = 0; seed < 5; seed++) {
		struct rng rng = rng_make(seed);
		struct curve curve;
		struct load_law found;
		for (int i = 0; i < COUNT; i++) {
			double load = 0.02 + 0.94 * (1 - pow(1 - (double)i / (COUNT - 1), 2));
			curve.bandwidth[i] = load * 64 / service_ns;
			curve.latency_ns[i] = queue_ns(idle_ns, service_ns, load, &rng);
		}
		assert_int_equal(
			load_law_fit(curve.bandwidth, curve.latency_ns, COUNT, &nothing, &found),
			0);
		assert_true(fabs(found.idle_ns.value / idle_ns - 1) < 0.03);
		assert_true(fabs(found.peak.value / (64 / service_ns) - 1) < 0.03);
		assert_true(found.exponent.low < 1.05 && found.exponent.high > 0.95);
	}
}

static void the_knee_is_where_the_law_says(void **state)
{
	(void)state;
	struct rng rng = rng_make(3);
	struct load_law law = made_law(100, 50, 1e11, 1), found;
	struct curve curve = make_curve(&law, 0.9, &rng);
	assert_int_equal(load_law_fit(curve.bandwidth, curve.latency_ns, COUNT, &nothing, &found),
			 0);
	/* 50 u / (1 - u) = 50 */
	assert_true(holds(&found.knee, 0.5e11) && fabs(found.knee.value / 0.5e11 - 1) < 0.08);
	curve = make_curve(&law, 0.3, &rng);
	assert_int_equal(load_law_fit(curve.bandwidth, curve.latency_ns, COUNT, &nothing, &found),
			 0);
	assert_true(isnan(found.knee.value));
}

static void a_bend_back_is_told(void **state)
{
	(void)state;
	for (uint64_t seed = 0; seed < DRAWS; seed++) {
		struct rng rng = rng_make(seed);
		struct load_law law = made_law(90, 20, 1e11, 0.6), found;
		struct curve curve = make_curve(&law, 0.97, &rng);
		bool bent = seed % 2;
		for (int i = COUNT - 6; bent && i < COUNT; i++)
			curve.bandwidth[i] *= 1 - 0.02 * (i - COUNT + 6);
		assert_int_equal(
			load_law_fit(curve.bandwidth, curve.latency_ns, COUNT, &nothing, &found),
			0);
		assert_int_equal(found.bends_back, bent);
		assert_true(bent ? found.bent_share < 0.97 : found.bent_share == 1);
	}
}

/* Threads that have so many lines under way: where memory gives no more, an access waits for these
 * and no longer. */
static void what_was_measured_is_not_inferred(void **state)
{
	(void)state;
	for (uint64_t seed = 0; seed < DRAWS; seed++) {
		struct rng rng = rng_make(seed);
		struct load_law law = made_law(90, 20, 1e11, 0.6), found;
		struct curve curve = make_curve(&law, 0.97, &rng);
		for (int i = COUNT - 3; i < COUNT; i++) {
			curve.bandwidth[i] = 1e11 * (1 - 0.001 * (COUNT - i));
			curve.latency_ns[i] = 260 + normal(&rng);
		}
		const struct load_known known = {.idle_ns = {90, 89, 91},
						 .peak = {0.999e11, 0.998e11, 1.001e11}};
		assert_int_equal(
			load_law_fit(curve.bandwidth, curve.latency_ns, COUNT, &known, &found), 0);
		assert_memory_equal(&found.idle_ns, &known.idle_ns, sizeof(known.idle_ns));
		assert_memory_equal(&found.peak, &known.peak, sizeof(known.peak));
		/* 20 u / (1 - u)^0.6 = 45 at 0.816 */
		assert_true(fabs(found.knee.value / 0.816e11 - 1) < 0.03);
		assert_true(found.median_error < 0.02 && !found.bends_back);
	}
}

static void more_traffic_that_gets_no_more_through_is_saturation(void **state)
{
	(void)state;
	assert_true(load_law_is_saturated(2, 1));
	assert_true(load_law_is_saturated(1.2, 0.9)); /* it bends back */
	assert_false(load_law_is_saturated(1.2, 1));
}

static void odd_curves_have_a_law(void **state)
{
	(void)state;
	double bandwidth[LOAD_LAW_FEWEST] = {-5, 0, 0, 0, 1e9};
	double latency_ns[LOAD_LAW_FEWEST] = {90, 90, 90, 90, 90};
	struct load_law found;
	assert_int_equal(load_law_fit(bandwidth, latency_ns, LOAD_LAW_FEWEST, &nothing, &found), 0);
	assert_true(fabs(found.idle_ns.value - 90) < 1 && isnan(found.knee.value));
	assert_true(isfinite(found.peak.value) && isfinite(found.exponent.value));
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(a_law_comes_back),
	cmocka_unit_test(a_queue_has_its_idle_latency_and_its_peak),
	cmocka_unit_test(the_knee_is_where_the_law_says),
	cmocka_unit_test(a_bend_back_is_told),
	cmocka_unit_test(what_was_measured_is_not_inferred),
	cmocka_unit_test(more_traffic_that_gets_no_more_through_is_saturation),
	cmocka_unit_test(odd_curves_have_a_law),
};
UNIT_GROUP();
