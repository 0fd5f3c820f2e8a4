/* A line on its way between CPUs: a row a class of pairs, and which CPUs are together. */
#include <math.h>
#include <string.h>

#include "base/list.h"
#include "base/names.h"
#include "base/point.h"
#include "base/warnings.h"
#include "views/experiments/experiments.h"
#include "views/figure.h"
#include "views/rounding.h"

#define SHOWN_GROUPS 8 /* of a class, unless all are asked for */

/* CPUs of a list "0-7,64-71". */
static size_t count_cpus(const char *list)
{
	size_t count = 0;
	int low, high;
	for (const char *at = list; *at && cpu_list_next(&at, &low, &high);)
		count += (size_t)(high - low + 1);
	return count;
}

/* How many groups have so many CPUs; 0 where the same was counted before. */
static size_t count_alike(char *const *lists, size_t count, size_t which)
{
	size_t cpus = count_cpus(lists[which]), alike = 0;
	for (size_t i = 0; i < count; i++) {
		bool same = count_cpus(lists[i]) == cpus;
		if (same && i < which)
			return 0;
		alike += same;
	}
	return alike;
}

void cores_add_groups(struct text *words, char *const *lists, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		size_t cpus = count_cpus(lists[i]);
		size_t alike = cpus > 1 ? count_alike(lists, count, i) : 0;
		if (alike)
			text_add(words, "%s%zu of %zu", words->length ? ", " : "", alike, cpus);
	}
}

static void add_groups(struct view *view, const struct fathom_core_class *one)
{
	struct text words = {0};
	cores_add_groups(&words, one->members, one->member_count);
	view_name_take(view, &words);
}

/* What has no room in a column. */
static void add_reported(struct view *view, const char *reported)
{
	struct text words = {0};
	text_add(&words, "the OS says: %s", reported);
	if (words.data)
		view_row_words(view, words.data);
	text_free(&words);
}

static void add_row(struct view *view, const struct fathom_core_class *one)
{
	view_row(view);
	view_name(view, "%s", view_known(core_class_words((int)one->kind)));
	add_groups(view, one);
	view_count(view, (double)one->pairs);
	view_estimate(view, ESTIMATE(one, latency, _ns));
	/* Of CPUs that move it is not known better. */
	bool moved = isnan(one->latency_ns);
	view_rounded(view, moved ? rounding_about(one->least_ns) : rounding_number(one->least_ns));
	view_rounded(view,
		     moved ? rounding_about(one->greatest_ns) : rounding_number(one->greatest_ns));
	bool several = one->reported && strchr(one->reported, ',');
	if (one->reported)
		view_name(view, "%s", several ? "see below" : one->reported);
	else
		view_empty(view);
	if (several)
		add_reported(view, one->reported);
}

/* "same cache: 0-7,64-71; 8-15,72-79; ...". The last class has all CPUs in one group. */
static void add_members(struct view *view, const struct fathom_core_class *one)
{
	struct text words = {0};
	size_t shown = 0, groups = 0;
	for (size_t i = 0; i < one->member_count; i++) {
		if (count_cpus(one->members[i]) < 2)
			continue;
		groups++;
		if (!view->every_point && shown == SHOWN_GROUPS)
			continue;
		text_add(&words, "%s%s", shown++ ? "; " : "CPUs ", one->members[i]);
	}
	if (groups > shown)
		text_add(&words, "; and %zu more groups", groups - shown);
	view_take_fact(view, view_known(core_class_words((int)one->kind)), &words);
}

static void add_class_of_curve(struct view *view, const struct fathom_result *result, size_t curve,
			       void (*add)(struct view *view, const struct fathom_core_class *one))
{
	for (size_t i = 0; i < result->core_class_count; i++)
		if (result->core_classes[i].curve == curve)
			add(view, &result->core_classes[i]);
}

static void add_evidence(struct view *view, const struct fathom_core_class *one)
{
	if (isnan(one->latency_ns) && one->evidence)
		view_say(view, VIEW_NOTE, "no latency: %s", one->evidence);
	else if (one->kind == FATHOM_CORES_UNKNOWN && one->evidence)
		view_say(view, VIEW_NOTE, "unknown at %s ns: %s",
			 rounding_number(one->latency_ns).text, one->evidence);
}

static size_t count_curve_cpus(const struct fathom_result *result, size_t curve)
{
	size_t cpus = 0;
	for (size_t i = 0; i < result->core_class_count && !cpus; i++)
		for (size_t k = 0; result->core_classes[i].curve == curve &&
				   k < result->core_classes[i].member_count;
		     k++)
			cpus += count_cpus(result->core_classes[i].members[k]);
	return cpus;
}

static void add_second(struct view *view, const struct fathom_core_class *one)
{
	view_row(view);
	view_name(view, "%s", view_known(core_class_words((int)one->kind)));
	view_number(view, one->latency_ns);
	view_number(view, one->home_b_ns);
	view_number(view, one->home_other_ns);
	view_number(view, one->swap_ns);
}

static bool has_seconds(const struct fathom_result *result, size_t curve)
{
	for (size_t i = 0; i < result->core_class_count; i++) {
		const struct fathom_core_class *one = &result->core_classes[i];
		if (one->curve == curve && (isfinite(one->home_b_ns) ||
					    isfinite(one->home_other_ns) || isfinite(one->swap_ns)))
			return true;
	}
	return false;
}

/* What is known of fathom's own pairs: the same with other homes, and by another hand-over. */
static void add_seconds(struct view *view, const struct fathom_result *result, size_t curve)
{
	if (!has_seconds(result, curve))
		return;
	view_say(view, VIEW_PLAIN,
		 "the same, in ns, by where the line is at home: with the one CPU of the pair (as "
		 "above), the other, on a third node; and by compare-and-swap");
	view_gap(view);
	VIEW_TABLE(view, COLUMN("class"), COLUMN("home A"), COLUMN("home B"), COLUMN("third node"),
		   COLUMN("swap"));
	add_class_of_curve(view, result, curve, add_second);
	view_gap(view);
}

/* One pair is no picture, nor are CPUs that were moved, nor all of one class in a survey, which has
 * others. */
static bool is_drawn(const struct fathom_result *result)
{
	size_t pairs = 0;
	for (size_t i = 0; i < result->core_class_count; i++)
		if (isnan(result->core_classes[i].latency_ns))
			return false;
	for (size_t i = 0; i < result->curve_count; i++)
		if (result->curves[i].pair_count)
			pairs += pair_count_main(&result->curves[i]);
	return pairs > 1 && !(result->survey && result->core_class_count < 2);
}

/* Why pairs were not measured, as far as the warnings say; "": they say nothing of it. */
static void add_reasons(struct text *words, const struct fathom_result *result, size_t cpus)
{
	static const char *const reasons[][2] = {{"cpus-lost", "CPUs were taken away"},
						 {"pairs-left-out", "the budget was spent"},
						 {"pairs-disturbed", "their lines were disturbed"}};
	if (result->interrupted)
		text_add(words, "the run was interrupted");
	for (size_t i = 0; i < sizeof(reasons) / sizeof(*reasons); i++)
		if (warnings_find(&result->warnings, reasons[i][0]))
			text_add(words, "%s%s", words->length ? ", " : "", reasons[i][1]);
	bool planned = result->interrupted || warnings_find(&result->warnings, "pairs-left-out");
	if (words->length && !planned && cpus > PAIRS_ALL_CPUS)
		text_add(words, ", or classes are told without them");
}

static void say_missing(struct view *view, const struct fathom_result *result,
			const struct fathom_curve *curve, size_t cpus)
{
	struct text reasons = {0}, line = {0};
	if (!curve->tool)
		add_reasons(&reasons, result, cpus);
	if (curve->tool)
		text_add(&line, "the matrix has no others");
	else if (reasons.length)
		text_add(&line, "the others were not measured: %s", reasons.data);
	else if (cpus > PAIRS_ALL_CPUS)
		text_add(&line, "as many as tell the classes (--all-pairs: all)");
	else
		text_add(&line, "the others were not measured");
	if (is_drawn(result))
		text_add(&line, "; in the picture the others are the median of their class");
	text_free(&reasons);
	view_take(view, VIEW_PLAIN, &line);
}

static void add_subject(struct view *view, const struct fathom_result *result, size_t curve)
{
	const struct fathom_curve *of = &result->curves[curve];
	size_t cpus = count_curve_cpus(result, curve), pairs = pair_count_main(of);
	size_t all = cpus * (cpus - 1) / 2;
	struct text line = {0};
	text_add(&line, "%zu ", pairs);
	if (pairs < all)
		text_add(&line, "of the %zu ", all);
	text_add(&line, "pair%s of %zu CPUs; latency one way, half of the round trip",
		 all == 1 ? "" : "s", cpus);
	if (isfinite(of->loop_ns))
		text_add(&line, "; the loop alone, on one CPU: %s ns",
			 rounding_number(of->loop_ns).text);
	view_take(view, VIEW_PLAIN, &line);
	if (pairs < all)
		say_missing(view, result, of, cpus);
}

static void add_curve(struct view *view, const struct fathom_result *result, size_t curve)
{
	add_subject(view, result, curve);
	view_gap(view);
	VIEW_TABLE(view, COLUMN("class"), COLUMN("groups", .unit = "of CPUs"),
		   COLUMN("pairs", .rank = 1), COLUMN("latency", .unit = "ns"),
		   COLUMN("least", .unit = "ns"), COLUMN("greatest", .unit = "ns"),
		   COLUMN("OS says"));
	add_class_of_curve(view, result, curve, add_row);
	add_class_of_curve(view, result, curve, add_evidence);
	view_gap(view);
	add_class_of_curve(view, result, curve, add_members);
	view_gap(view);
	add_seconds(view, result, curve);
}

void cores_say(struct view *view, const struct fathom_result *result)
{
	struct text words = {0};
	for (size_t i = 0; i < result->core_class_count; i++) {
		const struct fathom_core_class *one = &result->core_classes[i];
		if (isnan(one->latency_ns))
			text_add(&words, "%s from %s to %s ns (CPUs were moved)",
				 i ? "," : "A cache line goes from one CPU to another in anything",
				 rounding_about(one->least_ns).text,
				 rounding_about(one->greatest_ns).text);
		else
			text_add(&words, "%s%s ns (%s)",
				 i ? ", " : "A cache line goes from one CPU to another in ",
				 rounding_number(one->latency_ns).text,
				 one->kind ? view_known(core_class_words((int)one->kind))
					   : "what they share is not known");
	}
	if (words.length)
		text_add(&words, ".");
	if (words.length)
		view_take(view, VIEW_ITEM, &words);
}

void cores_view(struct view *view, const struct fathom_result *result)
{
	bool any = false;
	for (size_t i = 0; i < result->curve_count; i++) {
		if (!result->curves[i].pair_count)
			continue;
		if (!any)
			view_part(view, "cores", "Core to core");
		any = true;
		add_curve(view, result, i);
	}
	if (any && result->machine && result->machine->hypervisor) {
		view_say(
			view, VIEW_NOTE,
			"in a guest: the host may have its CPUs elsewhere in the next run; measure "
			"several times before you quote this");
		view_gap(view);
	}
	if (any && is_drawn(result)) {
		figure_add(view, result, (struct figure_wish){.kind = FIGURE_CORES});
		view_gap(view);
	}
	sharing_view(view, result);
	contention_view(view, result);
}
