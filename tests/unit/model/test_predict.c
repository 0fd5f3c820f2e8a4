/* Predictions against what a simulated machine does: its curves are measured, and then structures
 * are walked through its caches and TLBs, access by access. And what cannot be predicted. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "document/document.h"
#include "fathom.h"
#include "model/predict/structure.h"
#include "simulate/simulated_memory.h"
#include "unit.h"

#define MACHINE                                                                                    \
	"sim:l1=4K/4/lru/4c,l2=64K/8/lru/14c,l3=off,mem=80ns,dtlb=16/16/lru/0c,"                   \
	"stlb=256/8/lru/7c,noise=0"
/* Its last cache is shared. */
#define SHARED                                                                                     \
	"sim:l1=4K/4/lru/4c,l2=32K/8/lru/14c,l3=512K/16/lru/40c,mem=80ns,dtlb=16/16/lru/0c,"       \
	"stlb=256/8/lru/7c,noise=0"
#define WARMING 20000
#define WALKED  40000
#define CLOSE   0.15
#define FAR     0.25
#define HELD    0.95

static struct fathom_result *measured, *shared;

/* Up to 2 MiB; NULL: it failed. */
static struct fathom_result *measure_on(const char *description, enum fathom_experiment experiment,
					double budget_s)
{
	struct fathom_request request;
	struct fathom_machine *machine = NULL;
	struct fathom_plan *plan = NULL;
	struct fathom_result *result = NULL;
	fathom_request_for(&request, experiment);
	request.max_size_bytes = 2 << 20;
	request.budget_s = budget_s;
	request.spec.seed = 1; /* the same levels each time */
	if (fathom_machine_find(description, &machine, NULL) ||
	    fathom_plan_make(&request, machine, &plan, NULL) ||
	    fathom_measure(plan, machine, NULL, &result, NULL))
		fathom_machine_free(machine);
	fathom_plan_free(plan);
	return result;
}

static struct fathom_result *measure_experiment(enum fathom_experiment experiment, double budget_s)
{
	return measure_on(MACHINE, experiment, budget_s);
}

static int measure(void **state)
{
	(void)state;
	measured = measure_experiment(FATHOM_LATENCY, 0.3);
	struct fathom_result *pages = measure_experiment(FATHOM_PAGES, 0.3);
	struct fathom_result *lanes = measure_experiment(FATHOM_PARALLELISM, 0.1);
	int status = !measured || !pages || !lanes || fathom_result_join(measured, pages, NULL) ||
		     fathom_result_join(measured, lanes, NULL) || fathom_fit(measured, NULL, NULL);
	fathom_result_free(pages);
	fathom_result_free(lanes);
	shared = measure_on(SHARED, FATHOM_LATENCY, 0.3);
	pages = measure_on(SHARED, FATHOM_PAGES, 0.3);
	if (!shared || !pages || fathom_result_join(shared, pages, NULL) ||
	    fathom_fit(shared, NULL, NULL))
		status = -1;
	fathom_result_free(pages);
	return status;
}

static int forget(void **state)
{
	(void)state;
	fathom_result_free(measured);
	fathom_result_free(shared);
	return 0;
}

/* ---- structures, walked ---- */

struct walk {
	struct simulated_memory memory;
	struct rng rng;
	uint64_t keys;
	uint32_t *next; /* of a list */
	uint64_t at;
};

static void touch(struct walk *walk, uint64_t offset)
{
	simulated_memory_load(&walk->memory, offset);
}

static void search(struct walk *walk)
{
	uint64_t base = 0, length = walk->keys, key = rng_below(&walk->rng, walk->keys);
	while (length > 1) {
		uint64_t half = length / 2;
		touch(walk, 8 * (base + half));
		base += base + half <= key ? half : 0;
		length -= half;
	}
}

static void descend(struct walk *walk)
{
	for (uint64_t k = 1; k <= walk->keys; k = 2 * k + rng_below(&walk->rng, 2))
		touch(walk, 8 * (k - 1));
}

static void index_array(struct walk *walk)
{
	touch(walk, 8 * rng_below(&walk->rng, walk->keys));
}

static void follow_chain(struct walk *walk)
{
	touch(walk, 8 * rng_below(&walk->rng, walk->keys));
	for (uint64_t nodes = 1 + rng_below(&walk->rng, 2); nodes > 0; nodes--)
		touch(walk, 8 * walk->keys + 16 * rng_below(&walk->rng, walk->keys));
}

static void follow_list(struct walk *walk)
{
	touch(walk, 16 * walk->at);
	walk->at = walk->next[walk->at];
}

static void make_list(struct walk *walk)
{
	walk->next = calloc(walk->keys, sizeof(*walk->next));
	for (uint64_t i = 0; i < walk->keys; i++)
		walk->next[i] = (uint32_t)i;
	for (uint64_t i = walk->keys - 1; i > 0; i--) { /* Sattolo */
		uint64_t other = rng_below(&walk->rng, i);
		uint32_t swapped = walk->next[i];
		walk->next[i] = walk->next[other];
		walk->next[other] = swapped;
	}
}

static double walked_ns(void (*operate)(struct walk *walk), uint64_t keys, uint64_t bytes)
{
	struct walk walk = {.rng = rng_make(7), .keys = keys};
	struct simulated_spec spec;
	assert_int_equal(simulated_spec_parse(MACHINE, &spec, NULL), 0);
	assert_int_equal(simulated_memory_open(&walk.memory, &spec, NULL), 0);
	assert_int_equal(simulated_memory_map(&walk.memory, bytes, 4096, 3, NULL), 0);
	make_list(&walk);
	for (uint64_t i = 0; i < WARMING + keys; i++)
		operate(&walk);
	simulated_memory_forget(&walk.memory);
	for (uint64_t i = 0; i < WALKED; i++)
		operate(&walk);
	struct simulated_cost cost = simulated_memory_cost(&walk.memory);
	simulated_memory_close(&walk.memory);
	free(walk.next);
	return (cost.ns + cost.cycles * 1e9 / spec.clock_hz) / WALKED;
}

/* ---- the tests ---- */

static double loads_ns(const struct fathom_prediction *one)
{
	double ns = 0;
	for (int part = FATHOM_PREDICT_L1; part <= FATHOM_PREDICT_WALK; part++)
		ns += one->parts_ns[part];
	return ns;
}

static void predictions_are_near_what_is_walked(void **state)
{
	static const struct {
		const char *name;
		void (*operate)(struct walk *walk);
		unsigned bytes; /* a key */
	} kinds[] = {{"bsearch", search, 8},
		     {"eytzinger", descend, 8},
		     {"array-random", index_array, 8},
		     {"chained-hash", follow_chain, 24},
		     {"list-shuffled", follow_list, 16}};
	static const uint64_t keys[] = {100, 1000, 20000, 60000};
	unsigned close = 0, held = 0, all = 0;
	(void)state;
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		struct fathom_predict_request request;
		fathom_predict_default(&request);
		request.structures = &kinds[i].name;
		request.structure_count = 1;
		request.payload_bytes = 0;
		request.keys = keys;
		request.key_count = sizeof(keys) / sizeof(*keys);
		assert_int_equal(fathom_predict(measured, &request, NULL), 0);
		assert_int_equal(measured->prediction_count, request.key_count);
		for (size_t k = 0; k < request.key_count; k++) {
			double ns = loads_ns(&measured->predictions[k]);
			double true_ns =
				walked_ns(kinds[i].operate, keys[k], keys[k] * kinds[i].bytes);
			const struct fathom_prediction *one = &measured->predictions[k];
			double total_ns = one->predicted_ns - ns + true_ns;
			held += total_ns >= one->predicted_low_ns &&
				total_ns <= one->predicted_high_ns;
			close += fabs(ns / true_ns - 1) <= CLOSE;
			all++;
			if (!(fabs(ns / true_ns - 1) <= FAR))
				fail_msg("%s of %u keys: %g ns predicted, %g walked", kinds[i].name,
					 (unsigned)keys[k], ns, true_ns);
		}
	}
	if (held < HELD * all)
		fail_msg("%u of %u intervals hold what is walked", held, all);
	if (close < 0.75 * all)
		fail_msg("%u of %u predictions are within %g of what is walked", close, all, CLOSE);
}

/* A power of two puts the first middles at one place of their pages, and so in few sets. */
static void middles_that_collide_are_told(void **state)
{
	static const char *const name = "bsearch";
	static const uint64_t keys[] = {4096, 16384, 32768, 65536};
	(void)state;
	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++) {
		struct fathom_predict_request request;
		fathom_predict_default(&request);
		request.structures = &name;
		request.structure_count = request.key_count = 1;
		request.payload_bytes = 0;
		request.keys = &keys[i];
		assert_int_equal(fathom_predict(measured, &request, NULL), 0);
		double ns = loads_ns(measured->predictions);
		double true_ns = walked_ns(search, keys[i], keys[i] * 8);
		double beside_ns = walked_ns(search, keys[i] - keys[i] / 50, keys[i] * 8);
		assert_true(true_ns > 1.3 * beside_ns);
		if (!(fabs(ns / true_ns - 1) <= CLOSE))
			fail_msg("%u keys: %g ns predicted, %g walked", (unsigned)keys[i], ns,
				 true_ns);
	}
}

static void parts_are_the_sum_for_all_structures(void **state)
{
	(void)state;
	for (int i = 0; fathom_predict_structure(i); i++) {
		const char *name = fathom_predict_structure(i);
		struct fathom_predict_request request;
		struct fathom_error error = {0};
		fathom_predict_default(&request);
		request.structures = &name;
		request.structure_count = 1;
		request.size_bytes = 1 << 20;
		int status = fathom_predict(measured, &request, &error);
		if (status) { /* not of lanes, streams or cores, which these curves lack */
			assert_int_equal(error.status, FATHOM_BAD_INPUT);
			assert_non_null(error.hint);
			assert_int_equal(measured->prediction_count, 0);
		} else {
			const struct fathom_prediction *one = measured->predictions;
			double sum = 0;
			for (int part = 0; part < FATHOM_PREDICT_PART_COUNT; part++)
				sum += one->parts_ns[part];
			assert_true(fabs(sum - one->predicted_ns) < 1e-9 * one->predicted_ns);
			assert_true(one->predicted_low_ns <= one->predicted_ns);
			assert_true(one->predicted_high_ns >= one->predicted_ns);
			assert_true(one->model_scatter > 1);
			assert_true(one->predicted_high_ns >=
				    0.999 * one->model_scatter * one->predicted_ns);
			assert_true(one->predicted_low_ns <=
				    1.001 * one->predicted_ns / one->model_scatter);
			assert_true(one->size_bytes <= 1.02 * (1 << 20));
		}
		fathom_error_clear(&error);
	}
}

static double predict_one(const char *name, double theta, uint64_t keys)
{
	struct fathom_predict_request request;
	fathom_predict_default(&request);
	request.structures = &name;
	request.structure_count = request.key_count = 1;
	request.keys = &keys;
	request.theta = theta;
	assert_int_equal(fathom_predict(measured, &request, NULL), 0);
	return measured->predictions[0].predicted_ns;
}

static void popular_keys_are_cheaper(void **state)
{
	(void)state;
	double before = predict_one("open-hash", 0, 50000);
	for (double theta = 0.5; theta <= 1.5; theta += 0.25) {
		double now = predict_one("open-hash", theta, 50000);
		assert_true(now < before);
		before = now;
	}
}

static void more_keys_do_not_cost_less(void **state)
{
	static const char *const names[] = {"bsearch", "bst", "open-hash", "list-shuffled"};
	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		double before = 0;
		for (uint64_t keys = 64; keys <= 1 << 16; keys *= 2) {
			double now = predict_one(names[i], 0, keys);
			assert_true(now >= 0.99 * before);
			before = now;
		}
	}
}

static void predictors_agree_with_predictions(void **state)
{
	static const char *const names[] = {"open-hash", "bsearch", "list-shuffled"};
	static const uint64_t keys[] = {16, 1000, 30000, 60000};
	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		struct fathom_predict_request request;
		struct fathom_predictor *predictor = NULL;
		fathom_predict_default(&request);
		request.structures = &names[i];
		request.structure_count = 1;
		assert_int_equal(fathom_predictor_open(measured, &request, &predictor, NULL), 0);
		for (size_t k = 0; k < sizeof(keys) / sizeof(*keys); k++) {
			double ns = predict_one(names[i], 0, keys[k]);
			double again_ns = fathom_predictor_ns(predictor, keys[k]);
			if (!(fabs(again_ns / ns - 1) < 0.08))
				fail_msg("%s of %u keys: %g ns, %g by the predictor", names[i],
					 (unsigned)keys[k], ns, again_ns);
		}
		assert_true(isnan(fathom_predictor_ns(predictor, 0)));
		assert_true(isnan(fathom_predictor_ns(predictor, UINT64_MAX)));
		fathom_predictor_close(predictor);
	}
}

static void predictors_refuse_what_is_not_known(void **state)
{
	static const char *const names[] = {"ring", "nothing"};
	struct fathom_predict_request request;
	struct fathom_predictor *predictor = NULL;
	struct fathom_error error = {0};
	(void)state;
	fathom_predict_default(&request);
	request.structure_count = 1;
	request.structures = &names[0];
	assert_int_equal(fathom_predictor_open(measured, &request, &predictor, &error), -1);
	assert_int_equal(error.status, FATHOM_BAD_INPUT);
	request.structures = &names[1];
	assert_int_equal(fathom_predictor_open(measured, &request, &predictor, &error), -1);
	assert_int_equal(error.status, FATHOM_USAGE);
	assert_null(predictor);
	fathom_error_clear(&error);
}

static struct fathom_prediction *predict_mode(const char *name, uint64_t keys,
					      enum fathom_predict_mode mode)
{
	struct fathom_predict_request request;
	fathom_predict_default(&request);
	request.structures = &name;
	request.structure_count = request.key_count = 1;
	request.keys = &keys;
	request.mode = mode;
	request.clock_hz = 2e9;
	assert_int_equal(fathom_predict(measured, &request, NULL), 0);
	return measured->predictions;
}

/* ---- caches that others take lines from ---- */

#define SETTLED_POINTS 3
#define MANY_PAGES     300
#define TAKEN_NS       200

/* What the sweep has there, times as much. */
static double swept_ns(uint64_t size_bytes, double times)
{
	const struct fathom_curve *sweep = measured->curves;
	size_t i = 0;
	while (i + 1 < sweep->point_count && sweep->points[i].spec.size_bytes < size_bytes)
		i++;
	return times * sweep->points[i].latency_ns;
}

/* 128 KiB, 512 KiB, 2 MiB: of the sweep's chain, settled. */
static struct fathom_curve settled_curve(struct fathom_point points[SETTLED_POINTS], double times)
{
	struct fathom_curve curve = measured->curves[0];
	curve.experiment = FATHOM_SETTLING;
	curve.points = points;
	curve.point_count = SETTLED_POINTS;
	for (size_t i = 0; i < SETTLED_POINTS; i++) {
		points[i] = measured->curves[0].points[0];
		points[i].spec.warmth = FATHOM_SETTLED;
		points[i].spec.size_bytes = 1ull << (17 + 2 * i);
		points[i].lines_touched = points[i].spec.size_bytes / 64;
		points[i].latency_ns = swept_ns(points[i].spec.size_bytes, times);
		points[i].latency_low_ns = points[i].latency_high_ns = NAN;
		points[i].block_count = 0;
	}
	return curve;
}

static double dependent_ns(const char *name, uint64_t keys)
{
	return predict_mode(name, keys, FATHOM_PREDICT_DEPENDENT)->predicted_ns;
}

struct settled_times {
	double small_ns, list_ns, search_ns, array_ns;
};

/* A result's curves and one more; the latter are its own. */
static struct fathom_curve *add_curve(struct fathom_result *result,
				      const struct fathom_curve *curve)
{
	struct fathom_curve *own = result->curves;
	result->curves = calloc(result->curve_count + 1, sizeof(*own));
	memcpy(result->curves, own, result->curve_count * sizeof(*own));
	result->curves[result->curve_count++] = *curve;
	return own;
}

static void take_curve_away(struct fathom_result *result, struct fathom_curve *own)
{
	free(result->curves);
	result->curves = own;
	result->curve_count--;
}

/* Of predictions beside that curve; NULL: none. */
static struct settled_times predict_beside(const struct fathom_curve *curve)
{
	struct fathom_curve *own = curve ? add_curve(measured, curve) : NULL;
	const struct settled_times times = {
		dependent_ns("list-shuffled", 100), dependent_ns("list-shuffled", 20000),
		dependent_ns("bsearch", 60000), dependent_ns("array-random", 131072)};
	if (curve)
		take_curve_away(measured, own);
	return times;
}

/* Where others take lines a list takes what the settled chain does, and so does a search, whose
 * lines are gone to less often. */
static void settled_caches_are_believed(void **state)
{
	struct fathom_point points[SETTLED_POINTS];
	const struct settled_times filled = predict_beside(NULL);
	struct fathom_curve curve = settled_curve(points, 3);
	const struct settled_times settled = predict_beside(&curve);
	(void)state;
	assert_true(fabs(settled.small_ns / filled.small_ns - 1) < 1e-9);
	assert_true(settled.list_ns > 2 * filled.list_ns);
	assert_true(settled.list_ns < 4 * filled.list_ns);
	assert_true(settled.search_ns > 1.5 * filled.search_ns);
}

/* Settled as filled: nobody takes lines. */
static void quiet_caches_change_nothing(void **state)
{
	struct fathom_point points[SETTLED_POINTS];
	const struct settled_times filled = predict_beside(NULL);
	struct fathom_curve curve = settled_curve(points, 1);
	const struct settled_times settled = predict_beside(&curve);
	(void)state;
	assert_true(fabs(settled.list_ns / filled.list_ns - 1) < 0.05);
	assert_true(fabs(settled.search_ns / filled.search_ns - 1) < 0.05);
}

/* Nor where the last cache is shared, however long ago a line was gone to. */
static void nobody_takes_anything_in_any_time(void **state)
{
	struct fathom_result *own = measured;
	struct fathom_point points[SETTLED_POINTS];
	(void)state;
	measured = shared;
	struct fathom_curve curve = settled_curve(points, 1);
	const struct settled_times settled = predict_beside(&curve);
	curve = settled_curve(points, 1.5);
	const struct settled_times taken = predict_beside(&curve);
	const struct settled_times filled = predict_beside(NULL);
	measured = own;
	assert_true(settled.search_ns < 1.1 * filled.search_ns);
	assert_true(taken.search_ns > 1.1 * settled.search_ns);
}

/* One visit of three finds nothing in the cache: a list takes the median, and a search goes to its
 * last lines less often than the chain comes round in the others. */
static void settled_visits_count_each(void **state)
{
	struct fathom_result *own = measured;
	struct fathom_point points[SETTLED_POINTS];
	double blocks_ns[SETTLED_POINTS][3];
	(void)state;
	measured = shared;
	struct fathom_curve curve = settled_curve(points, 1);
	const struct settled_times kept = predict_beside(&curve);
	for (size_t i = 0; i < SETTLED_POINTS; i++) {
		blocks_ns[i][0] = blocks_ns[i][1] = points[i].latency_ns;
		blocks_ns[i][2] = 5 * points[i].latency_ns;
		points[i].blocks_ns = blocks_ns[i];
		points[i].block_count = 3;
	}
	const struct settled_times visits = predict_beside(&curve);
	measured = own;
	assert_true(fabs(visits.list_ns / kept.list_ns - 1) < 1e-9);
	assert_true(visits.search_ns > 1.2 * kept.search_ns);
}

/* Lines of a page take half as long as others while its other lines are gone to: so do those of a
 * wide node after its first, and no others. */
static void lines_of_a_node_come_as_those_of_a_page(void **state)
{
	struct fathom_point point = measured->curves[0].points[0];
	struct fathom_curve curve = measured->curves[0];
	const struct fathom_point *last = &curve.points[curve.point_count - 1];
	const double tree_ns = dependent_ns("btree", 1000000);
	const double search_ns = dependent_ns("bsearch", 1000000);
	(void)state;
	curve.experiment = FATHOM_PATTERNS;
	curve.warmth = FATHOM_WARM;
	curve.points = &point;
	curve.point_count = 1;
	point.spec.pattern = FATHOM_PAGE_LOCAL;
	point.spec.warmth = FATHOM_WARM;
	point.spec.size_bytes = last->spec.size_bytes;
	point.lines_touched = last->lines_touched;
	point.latency_ns = last->latency_ns / 2;
	struct fathom_curve *own = add_curve(measured, &curve);
	assert_true(dependent_ns("btree", 1000000) < 0.95 * tree_ns);
	assert_true(dependent_ns("bsearch", 1000000) == search_ns);
	point.lines_touched = 16; /* in the first cache */
	assert_true(dependent_ns("btree", 1000000) == tree_ns);
	take_curve_away(measured, own);
}

/* Of one line a page in many pages all take longer. Where nobody takes lines that is translation,
 * and an array takes longer; where others have all of a chain once it comes round it is not. */
static void lines_that_are_taken_are_no_translation(void **state)
{
	struct fathom_curve *spread = &shared->curves[shared->translations[0].spread];
	struct fathom_result *own = measured;
	struct fathom_point kept_points[SETTLED_POINTS], taken_points[SETTLED_POINTS];
	(void)state;
	measured = shared;
	struct fathom_curve kept = settled_curve(kept_points, 1);
	struct fathom_curve taken = settled_curve(taken_points, 1);
	taken_points[0].latency_ns = taken_points[SETTLED_POINTS - 1].latency_ns;
	const double kept_ns = predict_beside(&kept).array_ns;
	const double taken_ns = predict_beside(&taken).array_ns;
	for (size_t i = 0; i < spread->point_count; i++)
		if (spread->points[i].nodes > MANY_PAGES)
			spread->points[i].latency_ns += TAKEN_NS;
	const double kept_longer_ns = predict_beside(&kept).array_ns;
	const double taken_longer_ns = predict_beside(&taken).array_ns;
	measured = own;
	assert_true(kept_longer_ns > 1.1 * kept_ns);
	assert_true(fabs(taken_longer_ns / taken_ns - 1) < 0.02);
}

/* Of one point, of nodes a page apart, of another node's memory. */
static void other_settled_curves_are_ignored(void **state)
{
	struct fathom_point points[SETTLED_POINTS];
	const struct settled_times filled = predict_beside(NULL);
	struct fathom_curve curve = settled_curve(points, 3);
	(void)state;
	curve.point_count = 1;
	assert_true(predict_beside(&curve).search_ns == filled.search_ns);
	curve = settled_curve(points, 3);
	points[0].spec.node_bytes = 4096;
	assert_true(predict_beside(&curve).search_ns == filled.search_ns);
	curve = settled_curve(points, 3);
	curve.memory_node = measured->curves[0].memory_node + 1;
	assert_true(predict_beside(&curve).search_ns == filled.search_ns);
}

/* Of each access to memory one of ten takes three times as long: those behind it wait, where others
 * overlap. */
static void slow_accesses_keep_others_waiting(void **state)
{
	struct fathom_bin bins[] = {{99, 101, 900}, {299, 301, 100}};
	struct fathom_curve curve = measured->curves[0], *own = measured->curves;
	struct fathom_distribution *none = measured->distributions;
	struct fathom_distribution one = {.curve = measured->curve_count,
					  .run_accesses = 1,
					  .mean_ns = 120,
					  .bins = bins,
					  .bin_count = 2};
	(void)state;
	double dependent = dependent_ns("array-random", 200000);
	double alone =
		predict_mode("array-random", 200000, FATHOM_PREDICT_INDEPENDENT)->predicted_ns;
	struct fathom_curve *curves = calloc(measured->curve_count + 1, sizeof(*curves));
	memcpy(curves, own, measured->curve_count * sizeof(*curves));
	curve.experiment = FATHOM_DISTRIBUTION;
	curve.point_count = 0;
	curve.size_bytes = 2 << 20;
	curve.warmth = FATHOM_WARM;
	curves[measured->curve_count++] = curve;
	measured->curves = curves;
	measured->distributions = &one;
	measured->distribution_count = 1;
	double slowed =
		predict_mode("array-random", 200000, FATHOM_PREDICT_INDEPENDENT)->predicted_ns;
	assert_true(fabs(dependent_ns("array-random", 200000) / dependent - 1) < 1e-9);
	measured->distributions = none;
	measured->distribution_count = 0;
	measured->curves = own;
	measured->curve_count--;
	free(curves);
	assert_true(slowed > 1.05 * alone);
	assert_true(slowed < 3 * alone);
}

static double translation_ns(void)
{
	const double *parts_ns = predict_mode("bst", 100000, FATHOM_PREDICT_DEPENDENT)->parts_ns;
	return parts_ns[FATHOM_PREDICT_TLB] + parts_ns[FATHOM_PREDICT_WALK];
}

static double walks_ns(enum fathom_predict_mode mode)
{
	return predict_mode("list-shuffled", 100000, mode)->predicted_ns;
}

/* Pages beyond those that were measured cost more as packed lines do there; several walks, which
 * come back to a page sooner, keep its tables. */
static void tables_that_leave_the_caches_cost(void **state)
{
	const struct fathom_translation *pages = &measured->translations[0];
	struct fathom_curve *spread = &measured->curves[pages->spread];
	struct fathom_point *end = &measured->curves[0].points[measured->curves[0].point_count - 1];
	size_t all = spread->point_count;
	(void)state;
	while (spread->point_count && spread->points[spread->point_count - 1].nodes > 64)
		spread->point_count--;
	assert_true(spread->point_count > 0 && spread->point_count < all);
	double before_ns = translation_ns(), walk_ns = walks_ns(FATHOM_PREDICT_DEPENDENT);
	double walks_before_ns = walks_ns(FATHOM_PREDICT_INTERLEAVED);
	end->latency_ns += 50;
	double after_ns = translation_ns();
	double walk_more_ns = walks_ns(FATHOM_PREDICT_DEPENDENT) - walk_ns;
	double walks_more_ns = walks_ns(FATHOM_PREDICT_INTERLEAVED) - walks_before_ns;
	end->latency_ns -= 50;
	spread->point_count = all;
	assert_true(after_ns > before_ns + 50);
	assert_true(walk_more_ns > 25);
	assert_true(walks_more_ns < walk_more_ns / 16);
}

/* Several walks along a list are as many chains: no more of their loads overlap. */
static void walks_overlap_by_their_number(void **state)
{
	(void)state;
	for (uint64_t keys = 100; keys <= 30000; keys *= 17) {
		double one_ns =
			predict_mode("list-shuffled", keys, FATHOM_PREDICT_DEPENDENT)->predicted_ns;
		double ns = predict_mode("list-shuffled", keys, FATHOM_PREDICT_INTERLEAVED)
				    ->predicted_ns;
		assert_true(ns >= one_ns / 8);
		assert_true(ns < one_ns);
	}
}

/* The generator of independent keys takes 3 cycles, 1.5 ns, more than the instructions. */
static void keys_take_their_time(void **state)
{
	const struct fathom_prediction *one =
		predict_mode("array-random", 50, FATHOM_PREDICT_INDEPENDENT);
	(void)state;
	assert_true(one->predicted_ns >= 1.5);
	assert_non_null(strstr(one->formula, "with 1.9 ns of work for the core"));
}

/* Where the next node is stands in the one before: nothing is known ahead. */
static void lists_are_never_independent(void **state)
{
	(void)state;
	const struct fathom_prediction *one =
		predict_mode("list-shuffled", 8000, FATHOM_PREDICT_INDEPENDENT);
	assert_int_equal(one->mode, FATHOM_PREDICT_DEPENDENT);
}

/* Of two lines that a lookup waits for, the farther one; where all are near that is no other. */
static void two_lines_are_waited_for(void **state)
{
	(void)state;
	double near_one = loads_ns(predict_mode("open-hash", 50, FATHOM_PREDICT_DEPENDENT));
	double near_two = loads_ns(predict_mode("cuckoo", 50, FATHOM_PREDICT_DEPENDENT));
	double one = loads_ns(predict_mode("open-hash", 8000, FATHOM_PREDICT_DEPENDENT));
	double two = loads_ns(predict_mode("cuckoo", 8000, FATHOM_PREDICT_DEPENDENT));
	assert_true(near_two <= near_one);
	assert_true(two > 1.1 * one);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(predictions_are_near_what_is_walked),
	cmocka_unit_test(middles_that_collide_are_told),
	cmocka_unit_test(parts_are_the_sum_for_all_structures),
	cmocka_unit_test(popular_keys_are_cheaper),
	cmocka_unit_test(more_keys_do_not_cost_less),
	cmocka_unit_test(settled_caches_are_believed),
	cmocka_unit_test(quiet_caches_change_nothing),
	cmocka_unit_test(nobody_takes_anything_in_any_time),
	cmocka_unit_test(settled_visits_count_each),
	cmocka_unit_test(lines_that_are_taken_are_no_translation),
	cmocka_unit_test(lines_of_a_node_come_as_those_of_a_page),
	cmocka_unit_test(other_settled_curves_are_ignored),
	cmocka_unit_test(slow_accesses_keep_others_waiting),
	cmocka_unit_test(tables_that_leave_the_caches_cost),
	cmocka_unit_test(walks_overlap_by_their_number),
	cmocka_unit_test(keys_take_their_time),
	cmocka_unit_test(lists_are_never_independent),
	cmocka_unit_test(two_lines_are_waited_for),
	cmocka_unit_test(predictors_agree_with_predictions),
	cmocka_unit_test(predictors_refuse_what_is_not_known),
};
UNIT_GROUP(.setup = measure, .teardown = forget);
