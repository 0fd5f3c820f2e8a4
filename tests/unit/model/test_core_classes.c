/* Classes of pairs of CPUs in matrices made here: a line's way is so many steps through a machine,
 * each with its cost, and what the machine is like is known of each pair. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "base/warnings.h"
#include "document/core_groups.h"
#include "document/document.h"
#include "document/table.h"
#include "model/cores/core_classes.h"
#include "unit.h"

#define BLOCKS 4

/* What a machine is made of, from the inside: threads in cores, cores round rings. */
struct made {
	int sockets, caches, cores, threads; /* of each in the one before */
	bool siblings_apart; /* CPU i and i + half are of one core; else neighbours */
	double inside_ns, ring_step_ns, cache_ns, hub_ns, link_ns;
	double noise;     /* share, of each block */
	double doubled;   /* share of the sibling pairs that read double */
	bool fixed_home;  /* the line lives in socket 0 for all pairs */
	bool moves;       /* threads are anywhere while a pair is measured */
	uint64_t shuffle; /* 0: CPUs in order; else numbered by that seed */
	uint64_t seed;
};

struct place {
	int socket, cache, core;
};

static int count_cpus(const struct made *made)
{
	return made->sockets * made->caches * made->cores * made->threads;
}

static struct place place_of(const struct made *made, int cpu)
{
	int cores = count_cpus(made) / made->threads;
	int core = made->siblings_apart ? cpu % cores : cpu / made->threads;
	return (struct place){core / made->cores / made->caches, core / made->cores, core};
}

/* 0: one core, 1: one cache, 2: one socket, 3: two. */
static int distance(struct place a, struct place b)
{
	return a.core == b.core ? 0 : a.cache == b.cache ? 1 : a.socket == b.socket ? 2 : 3;
}

/* The way of a line from one to the other, stop by stop. */
static double way_ns(const struct made *made, struct place a, struct place b)
{
	int steps = abs(a.core % made->cores - b.core % made->cores);
	double ring_ns =
		made->ring_step_ns * (steps < made->cores - steps ? steps : made->cores - steps);
	int far = distance(a, b);
	if (far == 0)
		return made->inside_ns;
	if (far == 1)
		return made->cache_ns + ring_ns;
	bool abroad = made->fixed_home && (a.socket || b.socket);
	return made->cache_ns + made->hub_ns + ring_ns / 2 +
	       (far == 3 || abroad ? made->link_ns : 0);
}

static int shuffled(const struct made *made, int cpu)
{
	int count = count_cpus(made), *order = malloc((size_t)count * sizeof(*order));
	struct rng rng = rng_make(made->shuffle);
	for (int i = 0; i < count; i++)
		order[i] = i;
	for (int i = count - 1; i > 0; i--) {
		int other = (int)rng_below(&rng, (uint64_t)i + 1), kept = order[i];
		order[i] = order[other];
		order[other] = kept;
	}
	int at = made->shuffle ? order[cpu] : cpu;
	free(order);
	return at;
}

static struct place where(const struct made *made, int cpu, struct rng *rng)
{
	int count = count_cpus(made);
	return place_of(made,
			made->moves ? (int)rng_below(rng, (uint64_t)count) : shuffled(made, cpu));
}

static void fill_pair(const struct made *made, int a, int b, struct rng *rng,
		      struct fathom_pair *pair)
{
	double sum_ns = 0, times = 1;
	table_unknown(&pair_table, pair);
	pair->cpu_a = a;
	pair->cpu_b = b;
	pair->blocks_ns = malloc(BLOCKS * sizeof(*pair->blocks_ns));
	pair->block_count = BLOCKS;
	if (distance(place_of(made, shuffled(made, a)), place_of(made, shuffled(made, b))) == 0 &&
	    rng_unit(rng) < made->doubled)
		times = 2;
	for (int i = 0; i < BLOCKS; i++) {
		struct place from = where(made, a, rng), to = where(made, b, rng);
		pair->blocks_ns[i] = times * way_ns(made, from, to) *
				     (1 + made->noise * (2 * rng_unit(rng) - 1));
		sum_ns += pair->blocks_ns[i];
	}
	pair->latency_ns = sum_ns / BLOCKS;
}

static struct fathom_result *make(const struct made *made)
{
	struct fathom_result *result = document_new_result();
	struct rng rng = rng_make(made->seed);
	int count = count_cpus(made);
	result->curves = calloc(1, sizeof(*result->curves));
	result->curve_count = 1;
	table_unknown(&curve_table, result->curves);
	result->curves->experiment = FATHOM_CORE_TO_CORE;
	result->curves->pairs =
		calloc((size_t)(count * (count - 1) / 2), sizeof(struct fathom_pair));
	for (int b = 0; b < count; b++)
		for (int a = 0; a < b; a++)
			fill_pair(made, a, b, &rng,
				  &result->curves->pairs[result->curves->pair_count++]);
	return result;
}

static struct fathom_result *find(const struct made *made)
{
	struct fathom_result *result = make(made);
	assert_int_equal(core_classes_find(result, NULL), 0);
	return result;
}

/* Each pair is of the class that its distance has, and no class is of two distances. */
static void check(const struct made *made, const struct fathom_result *result)
{
	struct core_groups groups;
	size_t class_of[4], seen = 0;
	for (int i = 0; i < 4; i++)
		class_of[i] = SIZE_MAX;
	assert_int_equal(core_groups_make(result, 0, &groups, NULL), 0);
	for (size_t i = 0; i < result->curves->pair_count; i++) {
		const struct fathom_pair *pair = &result->curves->pairs[i];
		size_t class = core_groups_class(&groups, (size_t)pair->cpu_a, (size_t)pair->cpu_b);
		int far = distance(place_of(made, shuffled(made, pair->cpu_a)),
				   place_of(made, shuffled(made, pair->cpu_b)));
		seen += class_of[far] == SIZE_MAX;
		if (class_of[far] == SIZE_MAX)
			class_of[far] = class;
		assert_int_equal(class, class_of[far]);
	}
	assert_int_equal(seen, result->core_class_count);
	core_groups_free(&groups);
}

#define COSTS .inside_ns = 6, .cache_ns = 16, .ring_step_ns = 1.5, .noise = 0.03, .seed = 1
#define OF(sockets_, caches_, cores_, threads_)                                                    \
	.sockets = (sockets_), .caches = (caches_), .cores = (cores_), .threads = (threads_)

static void each_pair_is_of_its_class(void **state)
{
	static const struct made machines[] = {
		{OF(1, 1, 8, 2), COSTS},
		{OF(1, 1, 8, 2), COSTS, .siblings_apart = true, .doubled = 0.3},
		{OF(1, 1, 8, 1), COSTS},
		{OF(1, 1, 4, 4), COSTS},
		{OF(1, 1, 2, 1), COSTS},
		{OF(1, 2, 8, 2), COSTS, .hub_ns = 60},
		{OF(1, 8, 8, 2), COSTS, .hub_ns = 60, .siblings_apart = true},
		{OF(1, 3, 2, 1), COSTS, .hub_ns = 60},
		{OF(2, 1, 8, 2), COSTS, .link_ns = 70},
		{OF(2, 4, 8, 2), COSTS, .hub_ns = 60, .link_ns = 120},
		{OF(2, 4, 8, 2), COSTS, .hub_ns = 60, .link_ns = 120, .shuffle = 7},
		{OF(2, 4, 8, 2), COSTS, .hub_ns = 60, .link_ns = 120, .fixed_home = true},
	};
	(void)state;
	for (size_t i = 0; i < sizeof(machines) / sizeof(*machines); i++) {
		struct fathom_result *result = find(&machines[i]);
		check(&machines[i], result);
		assert_int_equal(warnings_find(&result->warnings, "fixed-home") != NULL,
				 machines[i].fixed_home);
		fathom_result_free(result);
	}
}

static void kinds_are_named(void **state)
{
	static const struct made machine = {OF(1, 12, 8, 2), COSTS, .hub_ns = 60};
	(void)state;
	struct fathom_result *result = find(&machine);
	assert_int_equal(result->core_class_count, 3);
	assert_int_equal(result->core_classes[0].kind, FATHOM_CORES_SMT);
	assert_int_equal(result->core_classes[1].kind, FATHOM_CORES_SAME_CACHE);
	assert_int_equal(result->core_classes[2].kind, FATHOM_CORES_SAME_SOCKET);
	assert_int_equal(result->core_classes[0].member_count, 96);
	assert_string_equal(result->core_classes[1].members[1], "16-31");
	assert_string_equal(result->core_classes[2].members[0], "0-191");
	fathom_result_free(result);
}

/* One class, whose kind nobody can tell. */
static void threads_that_move_make_no_class(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= 20; seed++) {
		struct made machine = {OF(2, 1, 8, 2), COSTS, .link_ns = 70, .moves = true};
		machine.seed = seed;
		struct fathom_result *result = find(&machine);
		assert_int_equal(result->core_class_count, 1);
		assert_int_equal(result->core_classes->kind, FATHOM_CORES_UNKNOWN);
		fathom_result_free(result);
	}
}

/* Groups that the first half of the blocks alone has. `tool`: whose pairs they are. */
static struct fathom_result *make_unrepeated(const char *tool)
{
	static const struct made flat = {OF(1, 1, 8, 1), COSTS},
				 parted = {OF(1, 2, 4, 1), COSTS, .hub_ns = 60};
	struct fathom_result *result = make(&flat), *other = make(&parted);
	for (size_t i = 0; i < result->curves->pair_count; i++) {
		struct fathom_pair *pair = &result->curves->pairs[i];
		double sum_ns = 0;
		for (size_t k = 0; k < BLOCKS / 2; k++)
			pair->blocks_ns[k] = other->curves->pairs[i].blocks_ns[k];
		for (size_t k = 0; k < BLOCKS; k++)
			sum_ns += pair->blocks_ns[k];
		pair->latency_ns = sum_ns / BLOCKS;
	}
	fathom_result_free(other);
	result->curves->tool = tool ? strdup(tool) : NULL;
	assert_int_equal(core_classes_find(result, NULL), 0);
	assert_int_equal(result->core_class_count, 1);
	return result;
}

static void a_class_of_one_half_is_left_out(void **state)
{
	(void)state;
	struct fathom_result *result = make_unrepeated("core-to-core-latency");
	assert_non_null(warnings_find(&result->warnings, "class-not-repeated"));
	fathom_result_free(result);
}

static void cpus_that_moved_are_told(void **state)
{
	(void)state;
	struct fathom_result *result = make_unrepeated(NULL);
	assert_non_null(warnings_find(&result->warnings, "cpus-moved"));
	const struct fathom_core_class *all = &result->core_classes[0];
	assert_int_equal(all->kind, FATHOM_CORES_UNKNOWN);
	assert_true(isnan(all->latency_ns) && all->least_ns < all->greatest_ns);
	fathom_result_free(result);
}

/* All of the second half so much slower. */
static struct fathom_result *make_slower(double times)
{
	static const struct made machine = {OF(1, 2, 4, 2), COSTS, .hub_ns = 60};
	struct fathom_result *result = make(&machine);
	for (size_t i = 0; i < result->curves->pair_count; i++)
		for (size_t k = BLOCKS / 2; k < BLOCKS; k++)
			result->curves->pairs[i].blocks_ns[k] *= times;
	assert_int_equal(core_classes_find(result, NULL), 0);
	return result;
}

static void a_slower_half_is_told(void **state)
{
	static const struct {
		double times;
		const char *told;
	} cases[] = {{1.05, NULL}, {1.2, "pairs-drifted"}, {1.4, "cpus-moved"}};
	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct fathom_result *result = make_slower(cases[i].times);
		assert_int_equal(result->warnings.count, cases[i].told != NULL);
		if (cases[i].told)
			assert_non_null(warnings_find(&result->warnings, cases[i].told));
		assert_true((result->core_class_count > 1) == (i < 2));
		fathom_result_free(result);
	}
}

#define MANY_BLOCKS 60

/* Of each pair MANY_BLOCKS, of which `count` of some pairs, from `first` on, are three times as
 * long as the rest. */
static struct fathom_result *make_moved(const struct made *machine, size_t pairs, size_t first,
					size_t count)
{
	struct fathom_result *result = make(machine);
	for (size_t i = 0; i < result->curves->pair_count; i++) {
		struct fathom_pair *pair = &result->curves->pairs[i];
		double ns = pair->blocks_ns[0];
		free(pair->blocks_ns);
		pair->blocks_ns = malloc(MANY_BLOCKS * sizeof(*pair->blocks_ns));
		pair->block_count = MANY_BLOCKS;
		for (size_t k = 0; k < MANY_BLOCKS; k++)
			pair->blocks_ns[k] =
				i < pairs && k >= first && k < first + count ? 3 * ns : ns;
		pair->latency_ns = ns;
		pair->latency_low_ns = 0.99 * ns;
		pair->latency_high_ns = 1.01 * ns;
	}
	assert_int_equal(core_classes_find(result, NULL), 0);
	return result;
}

static void moves_in_a_part_of_the_run_are_told(void **state)
{
	static const struct made many = {OF(1, 2, 4, 2), COSTS, .hub_ns = 60},
				 few = {OF(1, 1, 2, 1), COSTS};
	static const struct {
		const struct made *machine;
		size_t pairs, first, count;
		const char *told;
	} cases[] = {
		{&many, 4, 48, 12, "cpus-moved"}, {&many, 4, 0, 12, "cpus-moved"},
		{&many, 4, 30, 10, "cpus-moved"}, {&many, 3, 48, 12, "pairs-moved"},
		{&many, 4, 56, 4, NULL},          {&few, 1, 48, 12, "pairs-moved"},
		{&few, 1, 29, 31, "cpus-moved"},  {&few, 1, 56, 4, NULL},
	};
	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct fathom_result *result = make_moved(cases[i].machine, cases[i].pairs,
							  cases[i].first, cases[i].count);
		const struct fathom_pair *pair = &result->curves->pairs[0];
		assert_int_equal(result->warnings.count, cases[i].told != NULL);
		if (cases[i].told)
			assert_non_null(warnings_find(&result->warnings, cases[i].told));
		assert_true((pair->latency_high_ns > 2.9 * pair->latency_ns) == !!cases[i].told);
		assert_true(pair->latency_low_ns <= pair->latency_ns);
		fathom_result_free(result);
	}
}

static void a_class_of_one_pair_has_its_interval(void **state)
{
	static const struct made machine = {OF(1, 1, 2, 1), COSTS};
	(void)state;
	struct fathom_result *result = make_moved(&machine, 0, 0, 0);
	const struct fathom_core_class *one = &result->core_classes[0];
	assert_int_equal(one->pairs, 1);
	assert_true(one->latency_low_ns == 0.99 * one->latency_ns);
	assert_true(one->latency_high_ns == 1.01 * one->latency_ns);
	fathom_result_free(result);
}

/* Pairs that nobody measured take no class away, and CPUs without any in common none in. */
static void few_pairs_suffice(void **state)
{
	static const struct made machine = {OF(1, 4, 8, 2), COSTS, .hub_ns = 60};
	(void)state;
	struct fathom_result *result = make(&machine);
	struct rng rng = rng_make(3);
	size_t kept = 0;
	for (size_t i = 0; i < result->curves->pair_count; i++) {
		struct fathom_pair *pair = &result->curves->pairs[i];
		bool keep = pair->cpu_a % 16 < 2 || pair->cpu_b - pair->cpu_a == 1 ||
			    rng_below(&rng, 4) == 0;
		if (keep)
			result->curves->pairs[kept++] = *pair;
		else
			free(pair->blocks_ns);
	}
	result->curves->pair_count = kept;
	assert_int_equal(core_classes_find(result, NULL), 0);
	check(&machine, result);
	fathom_result_free(result);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(each_pair_is_of_its_class),
	cmocka_unit_test(kinds_are_named),
	cmocka_unit_test(threads_that_move_make_no_class),
	cmocka_unit_test(a_class_of_one_half_is_left_out),
	cmocka_unit_test(cpus_that_moved_are_told),
	cmocka_unit_test(a_slower_half_is_told),
	cmocka_unit_test(moves_in_a_part_of_the_run_are_told),
	cmocka_unit_test(a_class_of_one_pair_has_its_interval),
	cmocka_unit_test(few_pairs_suffice),
};
UNIT_GROUP();
