/* Classes of pairs of CPUs: each kind of neighbours a part of its own. */
#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/names.h"
#include "base/point.h"
#include "base/stats.h"
#include "base/text.h"
#include "document/core_groups.h"
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
static double spread_of(const struct fathom_result *result, const struct fathom_core_class *class,
			struct fathom_error *error)
{
	const struct fathom_curve *curve = &result->curves[class->curve];
	struct core_groups groups;
	size_t count = 0;
	double *values = malloc((curve->pair_count + 1) * sizeof(*values));
	/* Its pairs are in the groups of the result. */
	if (!values || core_groups_make(result, class->curve, &groups, error)) {
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

static int add_class(const struct compare_set *set, size_t which, struct compare_sample *sample,
		     struct fathom_compared_run *run, struct fathom_error *error)
{
	const struct fathom_result *first = compare_set_run(set, 0)->result;
	struct fathom_compared_part part = {.quantity = FATHOM_QUANTITY_NS};
	enum fathom_core_class_kind kind = first->core_classes[which].kind;
	size_t before = count_before(first, which), last = sample->runs - 1;
	double sum = 0;
	for (size_t i = 0; i <= last; i++) {
		const struct fathom_result *result = compare_set_run(set, i)->result;
		const struct fathom_core_class *class = find_class(result, kind, before);
		if (!class)
			return 0;
		sample->ln[i] = log(class->latency_ns);
		sample->spread[i] = spread_of(result, class, error);
		sum += i < last ? sample->ln[i] : 0;
		part.value = class->latency_ns;
		part.points = class->pairs;
	}
	part.baseline = exp(sum / (double)last);
	compare_estimate(sample, &part);
	part.evidence = text_format("medians over the pairs of the class; %s",
				    isnan(part.error) ? "there are no intervals"
						      : "the spread is taken from lines");
	part.name = name_of(first, which);
	return compare_add_part(run, &part, error);
}

int compare_cores(const struct compare_set *set, struct fathom_compared_run *run,
		  struct fathom_error *error)
{
	const struct fathom_result *first = compare_set_run(set, 0)->result;
	struct compare_sample sample = {.runs = compare_set_count(set)};
	sample.ln = calloc(2 * sample.runs, sizeof(*sample.ln));
	sample.spread = sample.ln + sample.runs;
	int status = sample.ln ? 0 : error_no_memory(error);
	for (size_t i = 0; i < first->core_class_count && !status; i++)
		status = add_class(set, i, &sample, run, error);
	free(sample.ln);
	return status;
}

bool compare_cores_are_common(const struct compare_set *set)
{
	for (size_t i = 0; i < compare_set_count(set); i++)
		if (!compare_set_run(set, i)->result->core_class_count)
			return false;
	return true;
}
