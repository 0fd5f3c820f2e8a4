#include "accuracy_tally.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/stats.h"
#include "base/units.h"

#define WORST     10
#define GRID_STEP 1.189207115002721 /* 4 points an octave */

static const char *const row_names[ACCURACY_ROWS] = {"L1", "L2", "L3", "L4", "memory", "TLB step"};

struct target {
	const char *name;
	double value, limit;
	bool at_least; /* else at most */
	bool share;    /* printed in percent */
};

struct sums {
	size_t machines, right, wanted, found, false_caches;
	size_t reaches, reaches_held, latencies, latencies_held;
	size_t confusion[ACCURACY_ROWS][FATHOM_LEVEL_KIND_COUNT + 1];
	double *reach_errors, *latency_errors, *widths, *fit_s; /* one an interval or a fit */
	size_t width_count;
};

static double share(size_t part, size_t of)
{
	return of ? (double)part / (double)of : NAN;
}

/* ---- summing ---- */

static void add_truth(struct sums *sums, const struct accuracy_truth *truth)
{
	sums->confusion[truth->row][truth->column]++;
	if (!truth->paired)
		return;
	if (truth->row != ACCURACY_MEMORY) {
		sums->reach_errors[sums->reaches++] = fabs(truth->reach_ratio - 1);
		sums->reaches_held += truth->reach_held;
		if (isfinite(truth->width))
			sums->widths[sums->width_count++] = truth->width;
	}
	sums->latency_errors[sums->latencies++] = fabs(truth->latency_ratio - 1);
	sums->latencies_held += truth->latency_held;
}

static bool sum(const struct accuracy_case *cases, size_t count, struct sums *sums)
{
	size_t most = count * ACCURACY_TRUTHS + 1;
	*sums = (struct sums){.machines = count, .reach_errors = calloc(4 * most, sizeof(double))};
	if (!sums->reach_errors)
		return false;
	sums->latency_errors = sums->reach_errors + most;
	sums->widths = sums->latency_errors + most;
	sums->fit_s = sums->widths + most;
	for (size_t i = 0; i < count; i++) {
		const struct accuracy_verdict *verdict = &cases[i].verdict;
		sums->right += verdict->right;
		sums->wanted += verdict->wanted;
		sums->found += verdict->found;
		sums->false_caches += verdict->false_caches;
		sums->fit_s[i] = verdict->fit_s;
		for (size_t k = 0; k < verdict->truth_count; k++)
			add_truth(sums, &verdict->truths[k]);
	}
	return true;
}

/* ---- the targets ---- */

static bool met(const struct target *target)
{
	return target->at_least ? target->value >= target->limit : target->value <= target->limit;
}

/* `judged`: beside what is wanted. */
static void print_target(const struct target *target, bool judged)
{
	double scale = target->share ? 100 : 1;
	printf("  %-42s %8.*f%s", target->name, target->share ? 1 : 3, target->value * scale,
	       target->share ? " %" : "  ");
	if (judged)
		printf("   wanted %s %g%s   %s",
		       target->at_least ? ">=" : "<=", target->limit * scale,
		       target->share ? " %" : "", met(target) ? "met" : "MISSED");
	printf("\n");
}

static bool print_targets(struct sums *sums, enum accuracy_mode mode, bool judged)
{
	bool single = mode == ACCURACY_SINGLE, all = true;
	stats_sort(sums->fit_s, sums->machines);
	const struct target targets[] = {
		{"levels found", share(sums->found, sums->wanted), single ? 0.92 : 0.97, true,
		 true},
		{"machines right in all, no false cache", share(sums->right, sums->machines),
		 single ? 0.85 : 0.92, true, true},
		{"median error of a reach", stats_median(sums->reach_errors, sums->reaches), 0.05,
		 false, true},
		{"median error of a latency", stats_median(sums->latency_errors, sums->latencies),
		 0.02, false, true},
		{"95 % intervals that hold the truth",
		 share(sums->reaches_held + sums->latencies_held, sums->reaches + sums->latencies),
		 0.93, true, true},
		{"median width of a reach, high / low",
		 stats_median(sums->widths, sums->width_count), GRID_STEP, false, false},
		{"longest fit, s of one core", sums->fit_s[sums->machines - 1], 2, false, false},
	};
	for (size_t i = 0; i < sizeof(targets) / sizeof(*targets); i++) {
		print_target(&targets[i], judged);
		all = all && (!judged || met(&targets[i]));
	}
	printf("  intervals that hold the truth: of reaches %.1f %% of %zu, of latencies %.1f %% "
	       "of %zu\n",
	       100 * share(sums->reaches_held, sums->reaches), sums->reaches,
	       100 * share(sums->latencies_held, sums->latencies), sums->latencies);
	printf("  false caches %zu, median fit %.3f s\n\n", sums->false_caches,
	       stats_median_sorted(sums->fit_s, sums->machines));
	return all;
}

static void print_confusion(const struct sums *sums)
{
	printf("  %-9s is reported as%8s%8s%8s%9s%8s\n", "what", "cache", "tlb", "memory",
	       "unknown", "none");
	for (size_t row = 0; row < ACCURACY_ROWS; row++) {
		const size_t *at = sums->confusion[row];
		printf("  %-9s               %8zu%8zu%8zu%9zu%8zu\n", row_names[row],
		       at[FATHOM_LEVEL_CACHE], at[FATHOM_LEVEL_TLB], at[FATHOM_LEVEL_MEMORY],
		       at[FATHOM_LEVEL_UNKNOWN], at[FATHOM_LEVEL_KIND_COUNT]);
	}
	printf("\n");
}

/* ---- groups ---- */

struct group {
	const char *name;
	size_t machines, right, wanted, found;
};

static void add_to(struct group *group, const struct accuracy_verdict *verdict)
{
	group->machines++;
	group->right += verdict->right;
	group->wanted += verdict->wanted;
	group->found += verdict->found;
}

static void print_group(const struct group *group)
{
	if (!group->wanted)
		return;
	printf("  %-22s levels %5zu of %5zu = %5.1f %%", group->name, group->found, group->wanted,
	       100 * share(group->found, group->wanted));
	if (group->machines)
		printf("   machines %4zu of %4zu = %5.1f %%", group->right, group->machines,
		       100 * share(group->right, group->machines));
	printf("\n");
}

static bool reports_lie(const struct simulated_spec *spec)
{
	bool lie = false;
	for (size_t i = 0; i < spec->cache_count; i++)
		lie = lie || spec->os_size_bytes[i] != spec->caches[i].size_bytes;
	return lie;
}

static void print_machine_groups(const struct accuracy_case *cases, size_t count)
{
	struct group groups[] = {{.name = "even frames"},    {.name = "random frames"},
				 {.name = "4 KiB pages"},    {.name = "2 MiB pages"},
				 {.name = "no victim"},      {.name = "victim last"},
				 {.name = "no TLB"},         {.name = "TLB"},
				 {.name = "one visit"},      {.name = "in rounds"},
				 {.name = "2 caches"},       {.name = "3 caches"},
				 {.name = "4 caches"},       {.name = "noise < 0.6 %"},
				 {.name = "noise >= 0.6 %"}, {.name = "steady share"},
				 {.name = "swinging share"}, {.name = "unhelped windows"},
				 {.name = "helped windows"}, {.name = "right reports"},
				 {.name = "wrong reports"}};
	for (size_t i = 0; i < count; i++) {
		const struct accuracy_machine *machine = &cases[i].machine;
		const struct simulated_spec *spec = &machine->spec;
		bool victim = spec->caches[spec->cache_count - 1].victim;
		size_t members[] = {0 + (spec->placement == SIMULATED_RANDOM_FRAMES),
				    2 + (machine->page_bytes > 4096),
				    4 + victim,
				    6 + (spec->tlb_count > 0),
				    8 + machine->in_rounds,
				    10 + spec->cache_count - 2,
				    13 + (spec->noise >= 0.006),
				    15 + (machine->tenant_ways > 0),
				    17 + (machine->window_help > 0),
				    19 + reports_lie(spec)};
		size_t of_all = sizeof(members) / sizeof(*members) - (machine->guest ? 0 : 3);
		for (size_t k = 0; k < of_all; k++)
			add_to(&groups[members[k]], &cases[i].verdict);
	}
	for (size_t i = 0; i < sizeof(groups) / sizeof(*groups); i++)
		print_group(&groups[i]);
}

static void print_cache_groups(const struct accuracy_case *cases, size_t count)
{
	struct group policies[] = {{.name = "policy lru"},    {.name = "policy plru"},
				   {.name = "policy random"}, {.name = "policy srrip"},
				   {.name = "policy brrip"},  {.name = "policy drrip"}};
	struct group rows[] = {
		{.name = "L1"}, {.name = "L2"}, {.name = "L3"}, {.name = "L4"}, {.name = "memory"}};
	for (size_t i = 0; i < count; i++)
		for (size_t k = 0; k < cases[i].verdict.wanted; k++) {
			const struct accuracy_truth *truth = &cases[i].verdict.truths[k];
			struct group *row = &rows[truth->row];
			row->wanted++;
			row->found += truth->found;
			if (truth->row == ACCURACY_MEMORY)
				continue;
			struct group *policy =
				&policies[cases[i].machine.spec.caches[truth->row].policy];
			policy->wanted++;
			policy->found += truth->found;
		}
	for (size_t i = 0; i < sizeof(policies) / sizeof(*policies); i++)
		print_group(&policies[i]);
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		print_group(&rows[i]);
	printf("\n");
}

/* ---- readers ---- */

static void print_readers(const struct accuracy_case *cases, size_t count)
{
	struct readings_row row = {.name = "caches by size alone"};
	for (size_t i = 0; i < count; i++)
		readings_add(&row, cases[i].verdict.readings);
	readings_print(&row, 1);
	printf("\n");
}

/* ---- single machines ---- */

static void print_truths(const struct accuracy_case *at)
{
	printf("      truth:");
	for (size_t i = 0; i < at->verdict.truth_count; i++) {
		const struct accuracy_truth *truth = &at->verdict.truths[i];
		char size[UNITS_TEXT_BYTES], value[UNITS_TEXT_BYTES];
		printf("%s %s", i ? "," : "", row_names[truth->row]);
		if (isfinite(truth->reach_bytes))
			printf(" %s", units_format_size((uint64_t)truth->reach_bytes, size));
		if (isfinite(truth->latency_ns))
			printf(" %s ns", units_format_number(truth->latency_ns, value));
		if (!truth->found && truth->row != ACCURACY_TLB)
			printf(" (missed)");
	}
	printf("\n      found: %s\n", at->verdict.reported);
}

static void print_case(const struct accuracy_case *at)
{
	printf("  %s --page %s\n", at->machine.description,
	       at->machine.page_bytes == 4096 ? "4K" : "thp");
	print_truths(at);
}

/* How bad: levels missed and caches made up first, then how far the reaches are off. */
static double badness(const struct accuracy_verdict *verdict)
{
	double bad = 10 * (double)(verdict->wanted - verdict->found + verdict->false_caches);
	for (size_t i = 0; i < verdict->wanted; i++)
		if (verdict->truths[i].paired && isfinite(verdict->truths[i].reach_ratio))
			bad += fmin(1, fabs(log(verdict->truths[i].reach_ratio)));
	return bad;
}

static int by_badness(const void *left, const void *right)
{
	const struct accuracy_case *a = *(const struct accuracy_case *const *)left;
	const struct accuracy_case *b = *(const struct accuracy_case *const *)right;
	double x = badness(&a->verdict), y = badness(&b->verdict);
	return (x < y) - (x > y);
}

static void print_worst(const struct accuracy_case *cases, size_t count, size_t most)
{
	const struct accuracy_case **order = calloc(count, sizeof(*order));
	if (!order)
		return;
	for (size_t i = 0; i < count; i++)
		order[i] = &cases[i];
	qsort(order, count, sizeof(*order), by_badness);
	printf("  the worst %zu:\n", most < count ? most : count);
	for (size_t i = 0; i < most && i < count; i++)
		print_case(order[i]);
	printf("\n");
	free(order);
}

bool accuracy_report(const struct accuracy_case *cases, size_t count, enum accuracy_mode mode,
		     bool verbose)
{
	struct sums sums;
	if (!count || !sum(cases, count, &sums))
		return false;
	printf("%zu machines, %s\n\n", count,
	       mode == ACCURACY_SINGLE ? "the main curve alone, sizes and values"
				       : "main and control curve");
	/* Guests have a worse view, and no targets yet. */
	bool all = print_targets(&sums, mode, !cases[0].machine.guest);
	print_readers(cases, count);
	print_confusion(&sums);
	print_machine_groups(cases, count);
	print_cache_groups(cases, count);
	print_worst(cases, count, verbose ? count : WORST);
	free(sums.reach_errors);
	return all;
}
