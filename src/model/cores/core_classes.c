#include "model/cores/core_classes.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/list.h"
#include "base/stats.h"
#include "base/text.h"
#include "base/warnings.h"
#include "document/core_groups.h"
#include "document/table.h"
#include "model/cores/core_home.h"
#include "model/cores/core_levels.h"

/* Medians of classes in published matrices (corpus/cores, and nviennot/core-to-core-latency), each
 * bound the geometric mean of what it parts. Siblings read up to 10.3 ns (Threadripper 1950X),
 * cores of one cache from 16 ns (Ryzen 9 5900X) to 48 ns, and cores that share none from 74 ns
 * (Xeon X5650). What lies between may be either: siblings at a low clock 16.5 ns (Ryzen 7 5700X,
 * issue 7), and the first number of two cores with a cache of their own that no siblings read is 41
 * ns (Xeon Phi). */
#define SIBLINGS_MOST_NS 12.8
#define TWOS_MOST_NS     26.0
#define CACHE_MOST_NS    59.6
/* c2clat hands over two lines: 14 and 50 ns (its README.md) where core-to-core-latency has 7 and 20
 * (Core i7-6700K). */
#define TWO_LINES     2.0
#define MOST_SCATTER  0.15 /* of logarithms in one cache: half again the widest there */
#define MOST_SIBLINGS 8    /* of a core: SPARC and POWER */
/* That are joined without a node controller. Source: Intel Xeon Processor Scalable Family
 * Datasheet: up to eight sockets by UPI links alone. */
#define MOST_SOCKETS 8

enum which_blocks { BLOCKS_ALL, BLOCKS_EVEN, BLOCKS_ODD };

/* ---- from pairs to a matrix ---- */

static double pair_ns(const struct fathom_pair *pair, enum which_blocks which)
{
	double sum = 0;
	size_t count = 0;
	if (which == BLOCKS_ALL)
		return pair->latency_ns;
	for (size_t i = which == BLOCKS_ODD; i < pair->block_count; i += 2) {
		sum += pair->blocks_ns[i];
		count++;
	}
	return sum / (double)count;
}

static bool is_of_home(const struct fathom_curve *curve, const struct fathom_pair *pair)
{
	return pair->home == curve->pairs[0].home;
}

static bool has_halves(const struct fathom_curve *curve)
{
	for (size_t i = 0; i < curve->pair_count; i++)
		if (is_of_home(curve, &curve->pairs[i]) && curve->pairs[i].block_count < 2)
			return false;
	return true;
}

/* Logarithms. NULL: out of memory. */
static double *make_matrix(const struct fathom_curve *curve, const struct core_groups *cpus,
			   enum which_blocks which)
{
	size_t count = cpus->cpu_count;
	double *logs = malloc(count * count * sizeof(*logs));
	for (size_t i = 0; logs && i < count * count; i++)
		logs[i] = NAN;
	for (size_t i = 0; logs && i < curve->pair_count; i++) {
		const struct fathom_pair *pair = &curve->pairs[i];
		size_t a = core_groups_place(cpus, pair->cpu_a);
		size_t b = core_groups_place(cpus, pair->cpu_b);
		if (is_of_home(curve, pair))
			logs[a * count + b] = logs[b * count + a] = log(pair_ns(pair, which));
	}
	return logs;
}

static int find_levels(const struct fathom_curve *curve, const struct core_groups *cpus,
		       enum which_blocks which, struct core_levels *levels,
		       struct fathom_error *error)
{
	double *logs = make_matrix(curve, cpus, which);
	int failed = logs ? core_levels_find(logs, cpus->cpu_count, levels, error)
			  : error_no_memory(error);
	free(logs);
	return failed;
}

/* ---- halves ---- */

/* Do the two agree on more than half of the pairs that either has in one group? */
static bool agree(const size_t *a, const size_t *b, size_t count)
{
	size_t both = 0, either = 0;
	for (size_t i = 0; i < count; i++)
		for (size_t k = 0; k < i; k++) {
			both += a[i] == a[k] && b[i] == b[k];
			either += a[i] == a[k] || b[i] == b[k];
		}
	return 2 * both > either;
}

static bool is_repeated(const struct core_levels *levels, size_t class,
			const struct core_levels *half)
{
	for (size_t i = 0; i + 1 < half->class_count; i++)
		if (agree(core_levels_of(levels, class), core_levels_of(half, i),
			  levels->cpu_count))
			return true;
	return false;
}

static int drop_unrepeated(const struct fathom_curve *curve, const struct core_groups *cpus,
			   struct core_levels *levels, size_t *dropped, struct fathom_error *error)
{
	for (int which = BLOCKS_EVEN; which <= BLOCKS_ODD; which++) {
		struct core_levels half;
		if (find_levels(curve, cpus, (enum which_blocks)which, &half, error))
			return -1;
		for (size_t i = 0; i + 1 < levels->class_count;)
			if (is_repeated(levels, i, &half)) {
				i++;
			} else {
				core_levels_drop(levels, i);
				++*dropped;
			}
		core_levels_free(&half);
	}
	return 0;
}

/* ---- names ---- */

static size_t widest_group(const struct core_levels *levels, size_t class)
{
	const size_t *of = core_levels_of(levels, class);
	size_t widest = 0;
	for (size_t i = 0; i < levels->cpu_count; i++) {
		size_t cpus = 0;
		for (size_t k = i; of[i] == i && k < levels->cpu_count; k++)
			cpus += of[k] == i;
		widest = cpus > widest ? cpus : widest;
	}
	return widest;
}

static size_t count_groups(const struct core_levels *levels, size_t class)
{
	const size_t *of = core_levels_of(levels, class);
	size_t groups = 0;
	for (size_t i = 0; i < levels->cpu_count; i++)
		groups += of[i] == i;
	return groups;
}

/* `made` has its latencies, `lines` is how many lines that is of, `scatter` is the standard
 * deviation of their logarithms, `before` the kind of the class before. */
static char *name_class(const struct core_levels *levels, size_t class, double scatter,
			double lines, struct fathom_core_class *made,
			enum fathom_core_class_kind before)
{
	bool last = class + 1 == levels->class_count;
	bool nearest = class == 0 || before == FATHOM_CORES_SMT;
	size_t cpus = widest_group(levels, class);
	size_t groups = class ? count_groups(levels, class - 1) : levels->cpu_count;
	double ns = made->latency_ns / lines;
	made->kind = FATHOM_CORES_UNKNOWN;
	if (class == 0 && cpus <= MOST_SIBLINGS && ns < SIBLINGS_MOST_NS) {
		made->kind = FATHOM_CORES_SMT;
		return text_format("groups of %zu CPUs, nearer than two cores are", cpus);
	}
	if (class == 0 && cpus == 2 && !last && ns < TWOS_MOST_NS)
		return text_format(
			"in twos: threads of a core, or cores with a cache of their own");
	if (nearest && scatter > MOST_SCATTER)
		return text_format("scatters more than one cache does, as where threads moved");
	if (nearest && (!last || ns < CACHE_MOST_NS)) {
		made->kind = FATHOM_CORES_SAME_CACHE;
		return text_format("the nearest CPUs%s", class ? " of different cores" : "");
	}
	if (nearest)
		return text_format("no farther class to hold it against");
	if (groups > MOST_SOCKETS && before != FATHOM_CORES_UNKNOWN) {
		made->kind = FATHOM_CORES_SAME_SOCKET;
		return text_format("joins %zu groups: more than a machine has sockets", groups);
	}
	return text_format("joins %zu groups: parts of one socket, or sockets", groups);
}

/* ---- classes ---- */

static int add_members(const struct core_levels *levels, size_t class,
		       const struct core_groups *cpus, struct fathom_core_class *made,
		       struct fathom_error *error)
{
	const size_t *of = core_levels_of(levels, class);
	int *group = calloc(levels->cpu_count, sizeof(*group));
	made->members = calloc(count_groups(levels, class) + 1, sizeof(*made->members));
	bool failed = !group || !made->members;
	for (size_t i = 0; !failed && i < levels->cpu_count; i++) {
		struct text list = {0};
		size_t count = 0;
		for (size_t k = i; of[i] == i && k < levels->cpu_count; k++)
			if (of[k] == i)
				group[count++] = cpus->cpus[k];
		if (!count)
			continue;
		cpu_list_add(&list, group, count);
		made->members[made->member_count] = text_take(&list);
		failed = !made->members[made->member_count++];
	}
	free(group);
	return failed ? error_no_memory(error) : 0;
}

/* Into `values`, which has room for all pairs. */
static size_t take_pairs(const struct fathom_curve *curve, const struct core_levels *levels,
			 size_t class, const struct core_groups *cpus, double *values)
{
	size_t count = 0;
	for (size_t i = 0; i < curve->pair_count; i++) {
		const struct fathom_pair *pair = &curve->pairs[i];
		size_t a = core_groups_place(cpus, pair->cpu_a);
		size_t b = core_groups_place(cpus, pair->cpu_b);
		if (is_of_home(curve, pair) && core_levels_class(levels, a, b) == class)
			values[count++] = pair->latency_ns;
	}
	stats_sort(values, count);
	return count;
}

/* That the tool hands over, on the way there. */
static double lines_of(const struct fathom_curve *curve)
{
	return curve->tool && strcmp(curve->tool, "c2clat") == 0 ? TWO_LINES : 1;
}

static double scatter(const double *values, size_t count)
{
	double sum = 0, squares = 0;
	for (size_t i = 0; i < count; i++) {
		sum += log(values[i]);
		squares += log(values[i]) * log(values[i]);
	}
	sum /= (double)count;
	return sqrt(fmax(0, squares / (double)count - sum * sum));
}

static int add_class(struct fathom_result *result, size_t curve, const struct core_levels *levels,
		     size_t class, const struct core_groups *cpus, double *values,
		     struct fathom_error *error)
{
	struct fathom_core_class made;
	table_unknown(&core_class_table, &made);
	made.curve = curve;
	made.pairs = take_pairs(&result->curves[curve], levels, class, cpus, values);
	if (made.pairs == 0)
		return 0; /* of CPUs that no pair joins */
	struct stats_interval interval = stats_median_interval(values, made.pairs);
	made.latency_ns = stats_median_sorted(values, made.pairs);
	made.latency_low_ns = interval.low;
	made.latency_high_ns = interval.high;
	made.least_ns = values[0];
	made.greatest_ns = values[made.pairs - 1];
	made.evidence = name_class(levels, class, scatter(values, made.pairs),
				   lines_of(&result->curves[curve]), &made,
				   class ? result->core_classes[result->core_class_count - 1].kind
					 : FATHOM_CORES_UNKNOWN);
	if (made.evidence && !add_members(levels, class, cpus, &made, error) &&
	    !LIST_APPEND(&result->core_classes, &result->core_class_count, &made))
		return 0;
	table_clear(&core_class_table, &made);
	return error_no_memory(error);
}

/* `class`: the one that was repaired; NULL: none. `home`: which of its groups is as measured. */
static int tell_home(struct fathom_result *result, const struct fathom_core_class *class,
		     size_t home)
{
	if (!class)
		return 0;
	return warnings_add(&result->warnings, "fixed-home", NULL,
			    "measure each pair with a line of its own that one of the two touches "
			    "first",
			    "CPUs %s are as far from each other as from CPUs %s: the line lives in "
			    "the memory of the latter for all pairs. They are taken for a group as "
			    "the others are; their latencies are of that home",
			    class->members[!home], class->members[home]);
}

static int tell_dropped(struct fathom_result *result, size_t dropped)
{
	if (!dropped)
		return 0;
	return warnings_add(&result->warnings, "class-not-repeated", NULL,
			    "measure longer, or on a quiet machine",
			    "of the classes of pairs %zu %s left out: not in both halves of the "
			    "samples",
			    dropped, dropped == 1 ? "is" : "are");
}

static int find_classes(struct fathom_result *result, size_t curve, const struct core_groups *cpus,
			struct core_levels *levels, struct fathom_error *error)
{
	const struct fathom_curve *of = &result->curves[curve];
	size_t dropped = 0, repaired = 0, home = 0, first = result->core_class_count;
	if (has_halves(of) && drop_unrepeated(of, cpus, levels, &dropped, error))
		return -1;
	bool fixed = core_home_repair(levels, &repaired, &home);
	double *values = malloc(of->pair_count * sizeof(*values));
	int failed = values ? 0 : error_no_memory(error);
	for (size_t i = 0; i < levels->class_count && !failed; i++)
		failed = add_class(result, curve, levels, i, cpus, values, error);
	free(values);
	if (!failed &&
	    (tell_dropped(result, dropped) ||
	     tell_home(result, fixed ? &result->core_classes[first + repaired] : NULL, home != 0)))
		failed = error_no_memory(error);
	return failed;
}

static int find_in(struct fathom_result *result, size_t curve, struct fathom_error *error)
{
	struct core_groups cpus;
	struct core_levels levels = {0};
	if (core_groups_make(result, curve, &cpus, error))
		return -1;
	int failed = find_levels(&result->curves[curve], &cpus, BLOCKS_ALL, &levels, error);
	if (!failed)
		failed = find_classes(result, curve, &cpus, &levels, error);
	core_levels_free(&levels);
	core_groups_free(&cpus);
	return failed;
}

int core_classes_find(struct fathom_result *result, struct fathom_error *error)
{
	table_free_items(&core_class_table, result->core_classes, result->core_class_count);
	result->core_classes = NULL;
	result->core_class_count = 0;
	warnings_remove(&result->warnings, "fixed-home");
	warnings_remove(&result->warnings, "class-not-repeated");
	for (size_t i = 0; i < result->curve_count; i++)
		if (result->curves[i].pair_count && find_in(result, i, error))
			return -1;
	return 0;
}
