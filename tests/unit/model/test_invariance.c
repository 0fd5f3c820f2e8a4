/* What must not matter to the levels: a factor, the unit, the order of the points, every second one
 * of them, and the seed. The curves are traced. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "base/units.h"
#include "fathom.h"
#include "traces.h"
#include "unit.h"

#define SMALLEST_BYTES 4096
#define PER_OCTAVE     6
#define MOST_POINTS    128
#define NOISE          0.005
#define FEW_LINES      16384 /* placements differ */
#define PLACEMENTS     5
#define MEASURED_HOPS  65536
#define TOLERANCE      0.10
#define COARSE         0.30 /* of half the points: what lies between two of them */
/* What latencies are usual is in the prior, which a factor moves them away from. */
#define MAY_DIFFER 1
/* Other frames and other noise change where random pages make a cache end. */
#define MORE_MAY_DIFFER 3

struct machine {
	const char *description;
	uint64_t page_bytes;
	double largest_bytes;
};

static const struct machine machines[] = {
	{"sim:l1=32K/8/lru/4c,l2=512K/8/lru/14c,l3=4M/16/lru/44c,mem=85ns", 4096, 32 << 20},
	{"sim:l1=48K/12/lru/5c,l2=2M/16/lru/16c,l3=6M/12/lru/70c,mem=110ns", 2 << 20, 40 << 20},
	{"sim:l1=32K/8/plru/4c,l2=256K/4/plru/12c,l3=3M/12/lru/40c,mem=75ns,stlb=1536/12/lru/7c",
	 4096, 24 << 20},
	{"sim:l1=64K/4/lru/4c,l2=1M/8/lru/11c,l3=off,mem=95ns,dtlb=48/48/lru/0c,stlb=1280/5/lru/5c",
	 4096, 16 << 20},
	{"sim:clock=1.5G,l1=32K/4/random/3c,l2=512K/16/random/15c,l3=off,mem=130ns,dtlb=off", 4096,
	 8 << 20},
	{"sim:l1=32K/8/lru/4c,l2=512K/8/lru/12c,l3=4M/16/lru/39c/victim,mem=90ns,dtlb=off", 4096,
	 32 << 20},
	{"sim:l1=24K/6/lru/3c,l2=1M/16/lru/15c,l3=off,mem=100ns,placement=even", 4096, 8 << 20},
	{"sim:l1=128K/8/lru/3c,l2=4M/16/lru/17c,l3=off,mem=110ns,page=16K,dtlb=160/5/lru/0c", 16384,
	 32 << 20},
	{"sim:l1=32K/8/srrip/4c,l2=256K/8/srrip/13c,l3=2M/16/srrip/36c,mem=80ns,dtlb=off,"
	 "placement=even",
	 4096, 16 << 20},
	{"sim:clock=4.2G,l1=48K/12/lru/4c,l2=1M/16/lru/14c,l3=4M/16/random/50c,mem=70ns,"
	 "placement=even",
	 2 << 20, 32 << 20},
	{"sim:l1=16K/4/lru/3c,l2=128K/8/lru/10c,l3=1M/16/lru/30c,l4=8M/16/lru/60ns,mem=160ns,"
	 "dtlb=off",
	 4096, 48 << 20},
	{"sim:clock=2.4G,l1=32K/2/lru/4c,l2=1M/16/plru/20c,l3=off,mem=120ns,dtlb=32/32/lru/0c,"
	 "stlb=1024/4/lru/6c,walk_from=l1",
	 4096, 16 << 20},
};
#define COUNT (sizeof(machines) / sizeof(*machines))

struct curve {
	size_t count;
	double size_bytes[MOST_POINTS], ns[MOST_POINTS];
};

static struct curve curves[COUNT], again[COUNT]; /* of two seeds */
static struct fathom_result *before[COUNT];      /* the levels as they are */

/* ---- tracing ---- */

static double trace_once(struct simulated_memory *memory, uint32_t lines, uint64_t page_bytes,
			 uint64_t key)
{
	uint32_t *order = traces_order(lines, key);
	uint32_t hops = lines < MEASURED_HOPS ? lines : MEASURED_HOPS;
	traces_map(memory, (uint64_t)lines * memory->spec.line_bytes, page_bytes, key);
	for (int lap = 0; lap < 2; lap++)
		for (uint32_t i = 0; i < lines; i++)
			simulated_memory_load(memory, (uint64_t)order[i] * memory->spec.line_bytes);
	simulated_memory_forget(memory);
	for (uint32_t i = 0; i < hops; i++)
		simulated_memory_load(memory, (uint64_t)order[i] * memory->spec.line_bytes);
	struct simulated_cost cost = simulated_memory_take_cost(memory);
	free(order);
	return (cost.cycles / memory->spec.clock_hz * 1e9 + cost.ns) / hops;
}

static void trace(const struct machine *machine, uint64_t seed, struct curve *curve)
{
	struct simulated_memory memory = traces_open(machine->description);
	struct rng rng = rng_make(seed);
	for (curve->count = 0; curve->count < MOST_POINTS; curve->count++) {
		double bytes = SMALLEST_BYTES * exp2((double)curve->count / PER_OCTAVE), sum = 0;
		uint32_t lines = (uint32_t)(bytes / (double)memory.spec.line_bytes);
		int placements = lines < FEW_LINES ? PLACEMENTS : 1;
		if (bytes > machine->largest_bytes * 1.001)
			break;
		for (int i = 0; i < placements; i++)
			sum += trace_once(&memory, lines, machine->page_bytes, rng_next(&rng));
		curve->size_bytes[curve->count] = (double)(lines * memory.spec.line_bytes);
		curve->ns[curve->count] = sum / placements * (1 + NOISE * rng_normal(&rng));
	}
	simulated_memory_close(&memory);
}

/* ---- fitting ---- */

/* What is changed of a curve. */
struct change {
	double factor;     /* of the values */
	double clock_hz;   /* 0: values in ns, else in cycles of it alone */
	uint32_t thinning; /* every how many-th point is kept */
	bool shuffled;
};
static const struct change none = {.factor = 1, .thinning = 1};

/* As a table of sizes and values that another tool made. */
static struct fathom_result *fit(const struct curve *curve, const struct change *change)
{
	struct fathom_result *result = calloc(1, sizeof(*result));
	struct fathom_curve *made = calloc(1, sizeof(*made));
	uint32_t order[MOST_POINTS];
	struct rng rng = rng_make(11);
	assert_true(result && made);
	uint32_t count = ((uint32_t)curve->count + change->thinning - 1) / change->thinning;
	made->points = calloc(count, sizeof(*made->points));
	assert_non_null(made->points);
	made->cpu = -1;
	made->tool = strdup("traced");
	made->point_count = count;
	for (uint32_t i = 0; i < count; i++)
		order[i] = i * change->thinning;
	if (change->shuffled)
		traces_shuffle(order, count, &rng);
	for (size_t i = 0; i < count; i++) {
		double value = curve->ns[order[i]] * change->factor;
		bool cycles = change->clock_hz > 0;
		made->points[i] = (struct fathom_point){
			.spec = {.size_bytes = (uint64_t)curve->size_bytes[order[i]],
				 .pattern = FATHOM_PATTERN_UNKNOWN},
			.page_share = NAN,
			.latency_ns = cycles ? NAN : value,
			.latency_low_ns = NAN,
			.latency_high_ns = NAN,
			.latency_cycles = cycles ? value * change->clock_hz * 1e-9 : NAN,
			.latency_low_cycles = NAN,
			.latency_high_cycles = NAN,
			.clock_hz = NAN,
			.overhead_ns = NAN,
			.target = NAN,
		};
	}
	result->curves = made;
	result->curve_count = 1;
	result->clock_min_hz = result->clock_median_hz = result->clock_max_hz = NAN;
	assert_int_equal(fathom_fit(result, NULL, NULL), 0);
	return result;
}

static int trace_all(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT; i++) {
		trace(&machines[i], i + 1, &curves[i]);
		trace(&machines[i], COUNT + i + 1, &again[i]);
		before[i] = fit(&curves[i], &none);
	}
	return 0;
}

static int free_all(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT; i++)
		fathom_result_free(before[i]);
	return 0;
}

/* ---- comparing ---- */

static void print_levels(const char *what, const struct fathom_result *result)
{
	print_message("  %s:", what);
	for (size_t i = 0; i < result->level_count; i++) {
		char size[UNITS_TEXT_BYTES] = "";
		if (isfinite(result->levels[i].size_bytes))
			units_format_size((uint64_t)result->levels[i].size_bytes, size);
		print_message(" %s %s,", result->levels[i].name, size);
	}
	print_message("\n");
}

/* The levels of each kind, in their order: as many, and of the same sizes. */
static bool same_levels(const struct fathom_result *a, const struct fathom_result *b,
			double tolerance)
{
	if (a->level_count != b->level_count)
		return false;
	for (size_t i = 0; i < a->level_count; i++) {
		const struct fathom_level *left = &a->levels[i], *right = &b->levels[i];
		if (left->kind != right->kind ||
		    isfinite(left->size_bytes) != isfinite(right->size_bytes))
			return false;
		if (isfinite(left->size_bytes) &&
		    fabs(log(left->size_bytes / right->size_bytes)) > log1p(tolerance))
			return false;
	}
	return true;
}

static size_t count_affected(const struct curve *after_change, const struct change *change,
			     double tolerance)
{
	size_t different = 0;
	for (size_t i = 0; i < COUNT; i++) {
		struct fathom_result *after = fit(&after_change[i], change);
		if (!same_levels(before[i], after, tolerance)) {
			different++;
			print_message("%s\n", machines[i].description);
			print_levels("before", before[i]);
			print_levels("after", after);
		}
		fathom_result_free(after);
	}
	return different;
}

static void test_factor(void **state)
{
	(void)state;
	const struct change change = {.factor = 2, .thinning = 1};
	assert_in_range(count_affected(curves, &change, TOLERANCE), 0, MAY_DIFFER);
}

static void test_order(void **state)
{
	(void)state;
	const struct change change = {.factor = 1, .thinning = 1, .shuffled = true};
	assert_in_range(count_affected(curves, &change, TOLERANCE), 0, MAY_DIFFER);
}

static void test_unit(void **state)
{
	(void)state;
	const struct change change = {.factor = 1, .thinning = 1, .clock_hz = 3e9};
	assert_in_range(count_affected(curves, &change, TOLERANCE), 0, MAY_DIFFER);
}

static void test_thinning(void **state)
{
	(void)state;
	const struct change change = {.factor = 1, .thinning = 2};
	assert_in_range(count_affected(curves, &change, COARSE), 0, MORE_MAY_DIFFER);
}

static void test_seed(void **state)
{
	(void)state;
	assert_in_range(count_affected(again, &none, COARSE), 0, MORE_MAY_DIFFER);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(test_factor),   cmocka_unit_test(test_order), cmocka_unit_test(test_unit),
	cmocka_unit_test(test_thinning), cmocka_unit_test(test_seed),
};
UNIT_GROUP(.setup = trace_all, .teardown = free_all);
