/* Classes of pairs of CPUs: each kind of neighbours a part of its own. */
#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/names.h"
#include "base/point.h"
#include "base/stats.h"
#include "base/text.h"
#include "base/warnings.h"
#include "document/core_groups.h"
#include "document/table.h"
#include "model/compare/compare_judge.h"
#include "model/compare/compare_parts.h"

/* The one of that kind that has `before` others of it before it; NULL: there is none. */
static const struct fathom_core_class *find_class(const struct fathom_result *result,
						  enum fathom_core_class_kind kind, size_t before)
{
	for (size_t i = 0; i < result->core_class_count; i++)
		if (result->core_classes[i].kind == kind && before-- == 0)
			return &result->core_classes[i];
	return NULL;
}

static size_t count_before(const struct fathom_result *result, size_t which)
{
	size_t before = 0;
	for (size_t i = 0; i < which; i++)
		before += result->core_classes[i].kind == result->core_classes[which].kind;
	return before;
}

/* By how much a pair would read differently with other lines, as a standard deviation of
 * logarithms: the median over the pairs of the class. What all pairs have in common counts as much:
 * the median of a class of many is no more exact than one of them. NAN: not known. */
static double spread_of(const struct fathom_result *result, const struct fathom_core_class *class)
{
	const struct fathom_curve *curve = &result->curves[class->curve];
	struct core_groups groups;
	size_t count = 0;
	double *values = malloc((curve->pair_count + 1) * sizeof(*values));
	/* Its pairs are in the groups of the result. */
	if (!values || core_groups_make(result, class->curve, &groups, NULL)) {
		free(values);
		return NAN;
	}
	for (size_t i = 0; i < curve->pair_count; i++) {
		const struct fathom_pair *pair = &curve->pairs[i];
		size_t of = core_groups_class(&groups, core_groups_place(&groups, pair->cpu_a),
					      core_groups_place(&groups, pair->cpu_b));
		if (pair_is_main(curve, pair) && of < groups.class_count &&
		    groups.classes[of] == class && isfinite(pair->line_spread_ns))
			values[count++] = STATS_MEDIAN_ERROR * pair->line_spread_ns /
					  pair->latency_ns / sqrt((double)pair->block_count);
	}
	double spread = stats_median(values, count);
	core_groups_free(&groups);
	free(values);
	return spread;
}

static char *name_of(const struct fathom_result *result, size_t which)
{
	enum fathom_core_class_kind kind = result->core_classes[which].kind;
	bool alone = !find_class(result, kind, 1);
	if (kind == FATHOM_CORES_UNKNOWN || !alone)
		return text_format("pairs of class %zu", which + 1);
	return text_format("%s", core_class_words((int)kind));
}

bool compare_class_is_like(const struct fathom_result *a, int class_a,
			   const struct fathom_result *b, int class_b)
{
	bool known = class_a >= 0 && class_b >= 0 && (size_t)class_a < a->core_class_count &&
		     (size_t)class_b < b->core_class_count;
	if (!known)
		return class_a < 0 && class_b < 0;
	return a->core_classes[class_a].kind == b->core_classes[class_b].kind &&
	       count_before(a, (size_t)class_a) == count_before(b, (size_t)class_b);
}

void compare_class_add_name(struct text *name, const struct fathom_result *result, int class)
{
	char *own = class >= 0 && (size_t) class < result->core_class_count
			    ? name_of(result, (size_t) class)
			    : NULL;
	if (own)
		text_add(name, ", %s", own);
	free(own);
}

int compare_add_lacking(struct fathom_compared_run *run, struct fathom_compared_part *part,
			const char *reason, struct fathom_error *error)
{
	char *name = part->name;
	enum fathom_quantity quantity = part->quantity;
	table_unknown(&compared_part_table, part);
	part->name = name;
	part->quantity = quantity;
	part->evidence = text_format("%s", reason);
	return compare_add_part(run, part, error);
}

static const struct fathom_core_class *find_like(const struct compare_set *set, size_t run,
						 size_t which)
{
	const struct fathom_result *first = compare_set_run(set, 0)->result;
	return find_class(compare_set_run(set, run)->result, first->core_classes[which].kind,
			  count_before(first, which));
}

static bool read_class(const struct compare_set *set, size_t run, size_t which,
		       struct compare_reading *reading)
{
	const struct fathom_core_class *class = find_like(set, run, which);
	if (!class)
		return false;
	*reading = (struct compare_reading){class->latency_ns,
					    spread_of(compare_set_run(set, run)->result, class),
					    class->pairs};
	return true;
}

static int add_class(const struct compare_set *set, size_t which, struct fathom_compared_run *run,
		     struct fathom_error *error)
{
	struct fathom_compared_part part = {.quantity = FATHOM_QUANTITY_NS};
	int lacking = compare_estimate_readings(set, read_class, which, &part, error);
	if (lacking < 0)
		return -1;
	part.name = name_of(compare_set_run(set, 0)->result, which);
	if (lacking)
		return compare_add_lacking(run, &part,
					   find_like(set, (size_t)lacking - 1, which)
						   ? "CPUs were moved"
					   : (size_t)lacking < compare_set_count(set)
						   ? "not all baselines have such a class"
						   : "the run has no such class",
					   error);
	part.evidence = text_format("medians over the pairs of the class; %s",
				    isnan(part.error) ? "there are no intervals"
						      : "the spread is taken from lines");
	return compare_add_part(run, &part, error);
}

/* Those of `a` that `b` has not. */
static void list_lacking(struct text *text, const struct fathom_result *a,
			 const struct fathom_result *b)
{
	for (size_t i = 0; i < a->core_class_count; i++) {
		char *name = NULL;
		if (find_class(b, a->core_classes[i].kind, count_before(a, i)))
			continue;
		name = name_of(a, i);
		text_add(text, "%s%s", text->length ? ", " : "", name ? name : "");
		text->failed |= !name;
		free(name);
	}
}

int compare_cores_warn(const struct compare_set *set, struct fathom_warnings *warnings,
		       struct fathom_error *error)
{
	const struct fathom_run *a = compare_set_run(set, 0), *b = set->runs[1];
	struct text of_a = {0}, of_b = {0};
	int failed = 0;
	if (!compare_cores_are_common(set))
		return 0;
	list_lacking(&of_a, a->result, b->result);
	list_lacking(&of_b, b->result, a->result);
	failed = of_a.failed || of_b.failed;
	if (!failed && of_a.length)
		failed = warnings_add(warnings, "class-lacking", b->name, NULL,
				      "pairs of CPUs have no class '%s', as '%s' has", of_a.data,
				      a->name);
	if (!failed && of_b.length)
		failed = warnings_add(warnings, "class-new", b->name, NULL,
				      "pairs of CPUs have the class '%s', which '%s' has not",
				      of_b.data, a->name);
	text_free(&of_a);
	text_free(&of_b);
	return failed ? error_no_memory(error) : 0;
}

/* Classes of the run that the baseline lacks. */
static int add_new(const struct fathom_result *first, const struct fathom_result *result,
		   struct fathom_compared_run *run, struct fathom_error *error)
{
	for (size_t i = 0; i < result->core_class_count; i++) {
		struct fathom_compared_part part = {.quantity = FATHOM_QUANTITY_NS};
		if (find_class(first, result->core_classes[i].kind, count_before(result, i)))
			continue;
		part.name = name_of(result, i);
		if (compare_add_lacking(run, &part, "the baseline has no such class", error))
			return -1;
	}
	return 0;
}

int compare_cores(const struct compare_set *set, struct fathom_compared_run *run,
		  struct fathom_error *error)
{
	const struct fathom_result *first = compare_set_run(set, 0)->result;
	const struct fathom_result *last = compare_set_run(set, compare_set_count(set) - 1)->result;
	if (!compare_cores_are_common(set))
		return 0;
	for (size_t i = 0; i < first->core_class_count; i++)
		if (add_class(set, i, run, error))
			return -1;
	return add_new(first, last, run, error);
}

bool compare_cores_are_common(const struct compare_set *set)
{
	for (size_t i = 0; i < compare_set_count(set); i++)
		if (!compare_set_run(set, i)->result->core_class_count)
			return false;
	return true;
}
