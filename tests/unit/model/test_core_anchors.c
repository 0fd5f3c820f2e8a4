/* Which pairs are measured where not all are: enough to tell every class, and far fewer than all.
 */
#include <math.h>
#include <stdlib.h>

#include "base/rng.h"
#include "model/cores/core_anchors.h"
#include "model/cores/core_levels.h"
#include "unit.h"

/* CPUs in units of several sizes, of which each holds whole ones of the size before. */
struct machine {
	size_t cpus, sizes[3];
};

static double latency_ns(const struct machine *machine, size_t a, size_t b, struct rng *rng)
{
	static const double ns[] = {6, 22, 60, 150};
	size_t way = 0;
	while (way < 3 && a / machine->sizes[way] != b / machine->sizes[way])
		way++;
	return ns[way] * (1 + 0.03 * rng_normal(rng));
}

/* How many pairs were asked for; each once. */
static size_t measure(const struct machine *machine, uint64_t seed, double *logs)
{
	struct core_anchors *anchors;
	struct rng rng = rng_make(seed);
	const struct core_pair *pairs;
	size_t count, all = 0, n = machine->cpus;
	for (size_t i = 0; i < n * n; i++)
		logs[i] = NAN;
	assert_int_equal(core_anchors_open(n, seed, &anchors, NULL), 0);
	do {
		assert_int_equal(core_anchors_next(anchors, logs, &pairs, &count, NULL), 0);
		for (size_t i = 0; i < count; i++) {
			size_t a = pairs[i].a, b = pairs[i].b;
			assert_true(a != b && a < n && b < n);
			assert_true(isnan(logs[a * n + b]));
			logs[a * n + b] = logs[b * n + a] = log(latency_ns(machine, a, b, &rng));
		}
		all += count;
	} while (count);
	core_anchors_close(anchors);
	return all;
}

static void a_fraction_of_the_pairs_tells_all_classes(void **state)
{
	(void)state;
	static const struct machine machines[] = {
		{576, {2, 24, 288}}, {256, {2, 16, 128}}, {192, {1, 8, 96}}, {128, {1, 128, 128}}};
	for (size_t i = 0; i < sizeof(machines) / sizeof(*machines); i++)
		for (uint64_t seed = 0; seed < 5; seed++) {
			const struct machine *machine = &machines[i];
			size_t n = machine->cpus;
			double *logs = malloc(n * n * sizeof(*logs));
			struct core_levels levels;
			size_t pairs = measure(machine, seed, logs);
			assert_true(pairs < n * (n - 1) / 2 / 4);
			assert_int_equal(core_levels_find(logs, n, &levels, NULL), 0);
			for (size_t k = 0; k + 1 < levels.class_count; k++) {
				const size_t *of = core_levels_of(&levels, k);
				size_t size = 0, which = 0;
				for (size_t cpu = 0; cpu < n; cpu++)
					size += of[cpu] == of[0];
				while (which < 3 && machine->sizes[which] != size)
					which++;
				assert_true(which < 3);
				for (size_t cpu = 0; cpu < n; cpu++)
					assert_int_equal(of[cpu], cpu / size * size);
			}
			assert_int_equal(levels.class_count, i < 2 ? 4 : i == 2 ? 3 : 1);
			core_levels_free(&levels);
			free(logs);
		}
}

static void cpus_that_are_gone_are_passed_over(void **state)
{
	(void)state;
	struct core_anchors *anchors;
	const struct core_pair *pairs;
	double logs[9 * 9];
	size_t count = 1;
	for (size_t i = 0; i < 81; i++)
		logs[i] = NAN;
	assert_int_equal(core_anchors_open(9, 1, &anchors, NULL), 0);
	for (int round = 0; round < 2; round++)
		assert_int_equal(core_anchors_next(anchors, logs, &pairs, &count, NULL), 0);
	assert_int_equal(count, 0);
	core_anchors_close(anchors);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(a_fraction_of_the_pairs_tells_all_classes),
	cmocka_unit_test(cpus_that_are_gone_are_passed_over),
};
UNIT_GROUP();
