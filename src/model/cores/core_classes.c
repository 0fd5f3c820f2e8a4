#include "model/cores/core_classes.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/list.h"
#include "base/point.h"
#include "base/stats.h"
#include "base/text.h"
#include "base/warnings.h"
#include "document/core_groups.h"
#include "document/table.h"
#include "model/cores/core_halves.h"
#include "model/cores/core_home.h"
#include "model/cores/core_kinds.h"
#include "model/cores/core_levels.h"
#include "model/cores/core_moved.h"

/* c2clat hands over two lines: 14 and 50 ns (its README.md) where core-to-core-latency has 7 and 20
 * (Core i7-6700K). */
#define TWO_LINES 2.0
static bool has_halves(const struct fathom_curve *curve)
{
	for (size_t i = 0; i < curve->pair_count; i++)
		if (pair_is_main(curve, &curve->pairs[i]) && curve->pairs[i].block_count < 2)
			return false;
	return true;
}

/* Logarithms. NULL: out of memory. */
static double *make_matrix(const struct fathom_curve *curve, const struct core_groups *cpus,
			   enum core_half which)
{
	size_t count = cpus->cpu_count;
	double *logs = malloc(count * count * sizeof(*logs));
	for (size_t i = 0; logs && i < count * count; i++)
		logs[i] = NAN;
	for (size_t i = 0; logs && i < curve->pair_count; i++) {
		const struct fathom_pair *pair = &curve->pairs[i];
		size_t a = core_groups_place(cpus, pair->cpu_a);
		size_t b = core_groups_place(cpus, pair->cpu_b);
		if (pair_is_main(curve, pair))
			logs[a * count + b] = logs[b * count + a] = log(core_pair_ns(pair, which));
	}
	return logs;
}

static int find_levels(const struct fathom_curve *curve, const struct core_groups *cpus,
		       enum core_half which, struct core_levels *levels, struct fathom_error *error)
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
	for (int which = CORE_FIRST_HALF; which <= CORE_SECOND_HALF; which++) {
		struct core_levels half;
		if (find_levels(curve, cpus, (enum core_half)which, &half, error))
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

/* ---- classes ---- */

static int add_members(const struct core_levels *levels, size_t class,
		       const struct core_groups *cpus, struct fathom_core_class *made,
		       struct fathom_error *error)
{
	const size_t *of = core_levels_of(levels, class);
	int *group = calloc(levels->cpu_count, sizeof(*group));
	made->members = calloc(core_levels_groups(levels, class) + 1, sizeof(*made->members));
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

/* Into `values`, which has room for all pairs. *hull: from the least bound of their intervals to
 * the greatest; NAN: not all have one. */
static size_t take_pairs(const struct fathom_curve *curve, const struct core_levels *levels,
			 size_t class, const struct core_groups *cpus, double *values,
			 struct stats_interval *hull)
{
	size_t count = 0;
	bool known = true;
	*hull = (struct stats_interval){INFINITY, 0};
	for (size_t i = 0; i < curve->pair_count; i++) {
		const struct fathom_pair *pair = &curve->pairs[i];
		size_t a = core_groups_place(cpus, pair->cpu_a);
		size_t b = core_groups_place(cpus, pair->cpu_b);
		if (!pair_is_main(curve, pair) || core_levels_class(levels, a, b) != class)
			continue;
		values[count++] = pair->latency_ns;
		known &= isfinite(pair->latency_low_ns) && isfinite(pair->latency_high_ns);
		hull->low = fmin(hull->low, pair->latency_low_ns);
		hull->high = fmax(hull->high, pair->latency_high_ns);
	}
	if (!known)
		*hull = (struct stats_interval){NAN, NAN};
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

/* Of those with another home or hand-over than the main pairs: median, NAN where there is none.
 * `values` has room for all pairs. */
static double second_ns(const struct fathom_curve *curve, const struct core_levels *levels,
			size_t class, const struct core_groups *cpus, enum fathom_home home,
			enum fathom_handover handover, double *values)
{
	size_t count = 0;
	for (size_t i = 0; i < curve->pair_count; i++) {
		const struct fathom_pair *pair = &curve->pairs[i];
		if (pair_is_main(curve, pair) || pair->home != home || pair->handover != handover)
			continue;
		size_t a = core_groups_place(cpus, pair->cpu_a);
		size_t b = core_groups_place(cpus, pair->cpu_b);
		if (core_levels_class(levels, a, b) == class)
			values[count++] = pair->latency_ns;
	}
	return stats_median(values, count);
}

static void add_seconds(const struct fathom_curve *curve, const struct core_levels *levels,
			size_t class, const struct core_groups *cpus, double *values,
			struct fathom_core_class *made)
{
	const struct fathom_pair *main = &curve->pairs[0];
	made->home_b_ns =
		second_ns(curve, levels, class, cpus, FATHOM_HOME_B, main->handover, values);
	made->home_other_ns =
		second_ns(curve, levels, class, cpus, FATHOM_HOME_OTHER, main->handover, values);
	made->swap_ns =
		second_ns(curve, levels, class, cpus, main->home, FATHOM_HANDOVER_SWAP, values);
}

static int add_class(struct fathom_result *result, size_t curve, const struct core_levels *levels,
		     size_t class, const struct core_groups *cpus, double *values,
		     struct fathom_error *error)
{
	struct fathom_core_class made;
	table_unknown(&core_class_table, &made);
	made.curve = curve;
	struct stats_interval hull;
	made.pairs = take_pairs(&result->curves[curve], levels, class, cpus, values, &hull);
	if (made.pairs == 0)
		return 0; /* of CPUs that no pair joins */
	struct stats_interval interval = stats_median_interval(values, made.pairs);
	made.latency_ns = stats_median_sorted(values, made.pairs);
	/* Few pairs tell nothing of how they scatter. */
	made.latency_low_ns = isnan(interval.low) ? hull.low : interval.low;
	made.latency_high_ns = isnan(interval.high) ? hull.high : interval.high;
	made.least_ns = values[0];
	made.greatest_ns = values[made.pairs - 1];
	made.evidence = core_kinds_name(
		levels, class, scatter(values, made.pairs), lines_of(&result->curves[curve]), &made,
		class ? result->core_classes[result->core_class_count - 1].kind
		      : FATHOM_CORES_UNKNOWN);
	add_seconds(&result->curves[curve], levels, class, cpus, values, &made);
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
			    "the memory of the latter for all pairs. The former are counted as one "
			    "group, too; latencies between them are of that home",
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

/* Between places that change a line takes anything from the least to the greatest of all lines. */
static int withhold(const struct fathom_curve *curve, struct fathom_core_class *made)
{
	made->kind = FATHOM_CORES_UNKNOWN;
	made->latency_ns = made->latency_low_ns = made->latency_high_ns = NAN;
	made->home_b_ns = made->home_other_ns = made->swap_ns = NAN;
	for (size_t i = 0; i < curve->pair_count; i++) {
		const struct fathom_pair *pair = &curve->pairs[i];
		for (size_t k = 0; pair_is_main(curve, pair) && k < pair->block_count; k++) {
			made->least_ns = fmin(made->least_ns, pair->blocks_ns[k]);
			made->greatest_ns = fmax(made->greatest_ns, pair->blocks_ns[k]);
		}
	}
	free(made->evidence);
	made->evidence = text_format("CPUs were moved while it was measured");
	return made->evidence ? 0 : -1;
}

/* Places that change tell of no class but that of all. */
static int drop_doubtful(const struct fathom_curve *curve, const struct core_groups *cpus,
			 struct core_levels *levels, bool moved, size_t *dropped,
			 struct fathom_error *error)
{
	if (moved)
		while (levels->class_count > 1)
			core_levels_drop(levels, 0);
	return has_halves(curve) ? drop_unrepeated(curve, cpus, levels, dropped, error) : 0;
}

static int find_classes(struct fathom_result *result, size_t curve, const struct core_groups *cpus,
			struct core_levels *levels, struct fathom_error *error)
{
	const struct fathom_curve *of = &result->curves[curve];
	size_t dropped = 0, repaired = 0, home = 0, first = result->core_class_count;
	/* Other tools' repetitions are of other things. */
	const struct core_moves moves = of->tool ? (struct core_moves){0} : core_halves_moves(of);
	bool moved = core_moved(&moves);
	if (drop_doubtful(of, cpus, levels, moved, &dropped, error))
		return -1;
	/* Where the home is stated there is no artefact. */
	bool fixed = of->pairs[0].home == FATHOM_HOME_UNKNOWN &&
		     core_home_repair(levels, &repaired, &home);
	double *values = malloc(of->pair_count * sizeof(*values));
	int failed = values ? 0 : error_no_memory(error);
	for (size_t i = 0; i < levels->class_count && !failed; i++)
		failed = add_class(result, curve, levels, i, cpus, values, error);
	free(values);
	for (size_t i = first; moved && i < result->core_class_count; i++)
		failed |= withhold(of, &result->core_classes[i]);
	if (!failed &&
	    (core_moved_tell(result, of, &moves) || tell_dropped(result, dropped) ||
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
	if (!result->curves[curve].tool)
		core_halves_widen(&result->curves[curve]);
	int failed = find_levels(&result->curves[curve], &cpus, CORE_BOTH, &levels, error);
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
	warnings_remove(&result->warnings, "cpus-moved");
	warnings_remove(&result->warnings, "pairs-drifted");
	warnings_remove(&result->warnings, "pairs-moved");
	for (size_t i = 0; i < result->curve_count; i++)
		if (result->curves[i].pair_count && find_in(result, i, error))
			return -1;
	return 0;
}
