#include "samples.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/point.h"
#include "base/warnings.h"

#define HOSTILE                                                                                    \
	"a\033[31mb\nc\td\r\xFFg\xC3(h\xE2\x80\xAEi\xC2\x9Bj\x7F,\"quoted\" "                      \
	"\xC3\xA9\xF0\x9F\x92\xA5\xED\xA0\x80"

static void *must(void *pointer)
{
	if (!pointer)
		abort();
	return pointer;
}

static char *copy(const char *text)
{
	return must(strdup(text));
}

static void add_caches(struct fathom_machine *machine)
{
	static const struct fathom_cache caches[] = {
		{1, FATHOM_CACHE_DATA, 48 << 10, 64, 12, 2},
		{1, FATHOM_CACHE_INSTRUCTION, 32 << 10, 64, 8, 2},
		{2, FATHOM_CACHE_UNIFIED, 2 << 20, 64, 16, 2},
		{3, FATHOM_CACHE_UNIFIED, 480u << 20, 64, 0, 1},
	};
	machine->cache_count = 4;
	machine->caches = must(malloc(sizeof(caches)));
	memcpy(machine->caches, caches, sizeof(caches));
}

struct fathom_machine *sample_machine(void)
{
	struct fathom_machine *machine = must(calloc(1, sizeof(*machine)));
	*machine = (struct fathom_machine){
		.hostname = copy("sample"),
		.cpu_model = copy("Example(R) Processor 9000 @ 2.70GHz"),
		.architecture = copy("x86_64"),
		.kernel = copy("Linux 6.1.0"),
		.hypervisor = copy("kvm"),
		.allowed_cpus = copy("0-1"),
		.online_cpus = 2,
		.smt_threads = 2,
		.base_page_bytes = 4096,
		.thp_page_bytes = 2 << 20,
		.thp_state = copy("madvise"),
		.governor = copy("performance"),
		.clock_driver = copy("intel_pstate"),
		.boost = 1,
		.memory_bytes = (uint64_t)8 << 30,
		.available_bytes = (uint64_t)7 << 30,
		.limit_bytes = (uint64_t)6 << 30,
		.limit_reason = copy("free memory"),
	};
	add_caches(machine);
	machine->cpu_kinds = must(calloc(1, sizeof(*machine->cpu_kinds)));
	machine->cpu_kind_count = 1;
	machine->cpu_kinds[0] = (struct fathom_cpu_kind){copy("kind 0"), copy("0-1"), NAN, NULL, 0};
	machine->nodes = must(calloc(1, sizeof(*machine->nodes)));
	machine->node_count = 1;
	machine->nodes[0] = (struct fathom_node){0, (uint64_t)8 << 30, copy("0-1")};
	machine->pools = must(calloc(1, sizeof(*machine->pools)));
	machine->pool_count = 1;
	machine->pools[0] = (struct fathom_page_pool){2 << 20, 4, 1};
	machine->thp_sizes = must(calloc(2, sizeof(*machine->thp_sizes)));
	machine->thp_size_count = 2;
	machine->thp_sizes[0] = (struct fathom_thp_size){64 << 10, copy("never")};
	machine->thp_sizes[1] = (struct fathom_thp_size){2 << 20, copy("inherit")};
	warnings_add(
		&machine->conditions, "no-pmu", NULL, NULL,
		"no hardware counters: the core clock comes from dependent chains, \u00b11 %%");
	warnings_add(&machine->conditions, "thp-madvise", NULL,
		     "echo always > /sys/kernel/mm/transparent_hugepage/enabled",
		     "transparent huge pages are given to those who ask, which malloc does not do; "
		     "so the default is what most programs get");
	return machine;
}

struct fathom_machine *sample_unknown_machine(void)
{
	struct fathom_machine *machine = must(calloc(1, sizeof(*machine)));
	machine->boost = -1;
	return machine;
}

struct fathom_machine *sample_hostile_machine(void)
{
	struct fathom_machine *machine = sample_machine();
	char **texts[] = {&machine->description,
			  &machine->hostname,
			  &machine->cpu_model,
			  &machine->architecture,
			  &machine->kernel,
			  &machine->hypervisor,
			  &machine->container,
			  &machine->allowed_cpus,
			  &machine->thp_state,
			  &machine->thp_sizes[0].state,
			  &machine->governor,
			  &machine->clock_driver,
			  &machine->limit_reason,
			  &machine->counters_missing,
			  &machine->cpu_kinds[0].name,
			  &machine->cpu_kinds[0].cpus,
			  &machine->nodes[0].cpus};
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		free(*texts[i]);
		*texts[i] = copy(HOSTILE);
	}
	warnings_add(&machine->conditions, HOSTILE, HOSTILE, HOSTILE, "%s", HOSTILE);
	return machine;
}

/* Four levels with soft edges. */
static double latency_of(double bytes)
{
	static const struct {
		double reach_bytes, added_ns;
	} levels[] = {{0, 1.36}, {48 * 1024., 3.1}, {2.1e6, 32}, {1.2e7, 220}};
	double ns = 0;
	for (size_t i = 0; i < sizeof(levels) / sizeof(*levels); i++)
		ns += levels[i].added_ns *
		      (1 - exp(-pow(bytes / fmax(levels[i].reach_bytes, 1), 3)));
	return ns;
}

static struct fathom_point sample_point(unsigned i)
{
	uint64_t size = (uint64_t)(exp2(10 + i / 8.) / 64) * 64;
	double ns = latency_of((double)size), spread = size > 1 << 21 && i % 3 ? 0.03 : 0.004;
	struct fathom_point point = {
		.spec = {.size_bytes = size,
			 .node_bytes = 64,
			 .seed = 0xFEDCBA9876543210u + i,
			 .lanes = 1,
			 .threads = 1},
		.nodes = size / 64,
		.lines_touched = size / 64,
		.page_bytes = 4096,
		.page_share = 1,
		.latency_ns = ns,
		.latency_low_ns = ns * (1 - spread),
		.latency_high_ns = ns * (1 + spread),
		.latency_cycles = ns * 3.65,
		.latency_low_cycles = ns * 3.65 * (1 - spread),
		.latency_high_cycles = ns * 3.65 * (1 + spread),
		.clock_hz = 3.65e9,
		.target = 0.01,
		.within_target = spread < 0.01,
		.estimator = i % 3 ? FATHOM_ESTIMATOR_MODE : FATHOM_ESTIMATOR_MEAN,
		.latency_mean_ns = ns * (1 + spread),
		.mean_ns_per_access = NAN,
		.disturbed_share = 0.125,
		.block_count = 6,
		.placements = 6,
		.sample_count = 12,
		.accesses = 98304,
	};
	point.rejected[FATHOM_REJECTED_STEAL] = i % 2;
	point.rejected[FATHOM_REJECTED_CLOCK] = i % 5 == 0;
	point.blocks_ns = must(calloc(6, sizeof(double)));
	for (int block = 0; block < 6; block++)
		point.blocks_ns[block] = ns * (1 + spread * (block - 2.5) / 2.5);
	return point;
}

static void add_argv(struct fathom_result *result, const char *const *argv, size_t count)
{
	result->argv = must(calloc(count + 1, sizeof(char *)));
	for (size_t i = 0; i < count; i++)
		result->argv[i] = copy(argv[i]);
}

struct fathom_result *sample_empty_result(void)
{
	struct fathom_result *result = must(calloc(1, sizeof(*result)));
	*result = (struct fathom_result){.seed = UINT64_MAX,
					 .elapsed_s = 19.8,
					 .measured_line_bytes = 64,
					 .clock_min_hz = 3.59e9,
					 .clock_median_hz = 3.65e9,
					 .clock_max_hz = 3.69e9,
					 .clock_drift = -0.012,
					 .machine = sample_machine(),
					 .curve_count = 1};
	result->curves = must(calloc(1, sizeof(*result->curves)));
	result->curves[0].memory_node = -1;
	return result;
}

struct fathom_result *sample_result(unsigned octaves)
{
	static const char *const argv[] = {"fathom", "latency", "--cpu", "1", "-o", "\xFF.json"};
	struct fathom_result *result = sample_empty_result();
	struct fathom_curve *curve = &result->curves[0];
	add_argv(result, argv, 6);
	result->measured_at = copy("2026-11-20T08:30:00Z");
	curve->cpu = 1;
	curve->point_count = octaves * 8 + 1;
	curve->points = must(calloc(curve->point_count, sizeof(*curve->points)));
	for (unsigned i = 0; i < curve->point_count; i++)
		curve->points[i] = sample_point(i);
	curve->points[0].samples_ns = must(calloc(12, sizeof(double)));
	warnings_add(&result->warnings, "clock-wandered", "64 MiB",
		     "fix the frequency, or compare cycles, which are unaffected",
		     "the core clock varied between 3.59 and 3.69 GHz during the run, and the "
		     "times in ns with it, by \u00b11 %%");
	return result;
}

struct fathom_result *sample_poor_result(void)
{
	struct fathom_result *result = sample_result(3);
	fathom_machine_free(result->machine);
	result->machine = NULL;
	result->interrupted = true;
	result->measured_line_bytes = 0;
	result->clock_missing = copy("no probe: the additions \u2265 2 cycles");
	result->clock_min_hz = result->clock_median_hz = result->clock_max_hz =
		result->clock_drift = NAN;
	for (size_t i = 0; i < result->curves[0].point_count; i++) {
		struct fathom_point *point = &result->curves[0].points[i];
		point->latency_low_ns = point->latency_high_ns = NAN;
		point->latency_cycles = point->clock_hz = NAN;
		point->latency_low_cycles = point->latency_high_cycles = NAN;
		point->page_bytes = 0;
		point->page_share = NAN;
		point->within_target = false;
	}
	result->curves[0].points[8].latency_ns = NAN;
	return result;
}

/* One of each sort. */
static void add_counts(struct fathom_point *point, const char *text)
{
	const struct fathom_count counts[] = {
		{copy("cycles"), FATHOM_COUNTED, 5.002, 1, NULL, NULL},
		{copy("l1d_misses"), FATHOM_SCALED, 0, 0.5, NULL, NULL},
		{copy(text), FATHOM_NOT_PERMITTED, NAN, NAN, copy(text), copy(text)},
	};
	point->counts = must(calloc(1, sizeof(counts)));
	memcpy(point->counts, counts, sizeof(counts));
	point->event_count = sizeof(counts) / sizeof(*counts);
}

struct fathom_result *sample_hostile_result(void)
{
	static const char *const argv[] = {HOSTILE, HOSTILE};
	struct fathom_result *result = sample_empty_result();
	add_argv(result, argv, 2);
	fathom_machine_free(result->machine);
	result->machine = sample_hostile_machine();
	result->clock_missing = copy(HOSTILE);
	result->curves[0].point_count = 1;
	result->curves[0].points = must(calloc(1, sizeof(struct fathom_point)));
	result->curves[0].points[0] = sample_point(0);
	add_counts(&result->curves[0].points[0], HOSTILE);
	result->curves[0].points[0].latency_cycles = NAN;
	result->curves[0].points[0].latency_ns = INFINITY;
	warnings_add(&result->warnings, HOSTILE, HOSTILE, HOSTILE, "%s", HOSTILE);
	return result;
}

struct fathom_plan *sample_plan(void)
{
	struct fathom_plan *plan = must(calloc(1, sizeof(*plan)));
	*plan = (struct fathom_plan){
		.memory_node = -1,
		.machine = copy("sim:l1=48K,l2=2M"),
		.seed = UINT64_MAX,
		.cpu = 1,
		.budget_s = 20.1,
		.target = 0.01,
		.keep_samples = true,
		.node_is_line = true,
		.always_bytes = 64 << 20,
		.memory_bytes = (uint64_t)1 << 40,
		.estimated_s = 19.3,
		.spec_count = 161 + 6,
	};
	plan->specs = must(calloc(plan->spec_count, sizeof(*plan->specs)));
	for (unsigned i = 0; i < plan->spec_count; i++) {
		struct fathom_point point = sample_point(i < 161 ? i : i - 100);
		plan->specs[i] = point.spec;
		plan->specs[i].seed = plan->seed;
		free(point.blocks_ns);
	}
	for (unsigned i = 161; i < 163; i++) {
		plan->specs[i].pattern = FATHOM_RANDOM_LAPS;
		plan->specs[i].laps = 4;
	}
	plan->specs[163].link = FATHOM_LINK_INDEX32;
	plan->specs[163].page = FATHOM_PAGE_1G;
	for (unsigned i = 164; i < 167; i++) {
		plan->specs[i].pattern = FATHOM_WINDOW;
		plan->specs[i].window_bytes = 64 << 10;
	}
	return plan;
}
