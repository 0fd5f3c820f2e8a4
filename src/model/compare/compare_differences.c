/* What two runs differ in besides, and what is to be said of it. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "base/units.h"
#include "base/warnings.h"
#include "model/compare/compare_match.h"

#define SHARE_MOVED 0.1 /* of the buffer that got large pages */

static const char *name_or_unknown(const char *text)
{
	return text ? text : "unknown";
}

static bool same_text(const char *a, const char *b)
{
	return (!a && !b) || (a && b && strcmp(a, b) == 0);
}

/* The fields that differ, in one sentence. */
static int machines(const struct fathom_machine *a, const struct fathom_machine *b,
		    const char *name, struct fathom_warnings *warnings)
{
	const struct {
		const char *field, *a, *b;
	} fields[] = {
		{"description", a->description, b->description},
		{"hostname", a->hostname, b->hostname},
		{"cpu_model", a->cpu_model, b->cpu_model},
		{"architecture", a->architecture, b->architecture},
		{"hypervisor", a->hypervisor, b->hypervisor},
		{"kernel", a->kernel, b->kernel},
		{"thp_state", a->thp_state, b->thp_state},
		{"governor", a->governor, b->governor},
	};
	struct text text = {0};
	for (size_t i = 0; i < sizeof(fields) / sizeof(*fields); i++)
		if (!same_text(fields[i].a, fields[i].b))
			text_add(&text, "%s'%s' is '%s' against '%s'", text.length ? ", " : "",
				 fields[i].field, name_or_unknown(fields[i].a),
				 name_or_unknown(fields[i].b));
	int failed = text.failed;
	if (!failed && text.length)
		failed = warnings_add(warnings, "machine-differs", name, NULL,
				      "the machines differ: %s", text.data);
	text_free(&text);
	return failed;
}

static int pages(const struct compare_set *set, const struct compare_match *match,
		 struct fathom_warnings *warnings)
{
	char a_text[UNITS_TEXT_BYTES], b_text[UNITS_TEXT_BYTES], size[UNITS_TEXT_BYTES];
	for (size_t row = 0; row < match->count; row++) {
		const struct fathom_point *a = match->points[row * match->runs];
		const struct fathom_point *b = match->points[(row + 1) * match->runs - 1];
		if (!a->page_bytes || !b->page_bytes ||
		    (a->page_bytes == b->page_bytes &&
		     !(fabs(a->page_share - b->page_share) > SHARE_MOVED)))
			continue;
		units_format_size(a->page_bytes, a_text);
		units_format_size(b->page_bytes, b_text);
		units_format_size(a->spec.size_bytes, size);
		return warnings_add(
			warnings, "pages-differ", set->runs[1]->name,
			"request one kind with --page; 'fathom info' lists what is available",
			"the page sizes differ: at %s 'page_bytes' is %s (%.0f %%) against %s "
			"(%.0f %%)",
			size, a_text, 100 * a->page_share, b_text, 100 * b->page_share);
	}
	return 0;
}

static size_t curves_of(const struct fathom_result *result)
{
	size_t count = 0;
	for (size_t i = 0; i < result->curve_count; i++)
		count += result->curves[i].point_count > 0;
	return count;
}

static int alone(const struct compare_set *set, const struct compare_match *match,
		 struct fathom_warnings *warnings)
{
	const struct fathom_run *a = compare_set_run(set, 0), *b = set->runs[1];
	size_t of_a = curves_of(a->result) - match->curve_count;
	size_t of_b = curves_of(b->result) - match->curve_count;
	if (!of_a && !of_b)
		return 0;
	return warnings_add(
		warnings, "curves-left-out", b->name, NULL,
		"some curves are in one run only: %zu of '%s' and %zu of '%s' are left out", of_a,
		a->name, of_b, b->name);
}

static int orders(const struct compare_set *set, const struct compare_match *match,
		  struct fathom_warnings *warnings)
{
	bool unknown = false, known = false;
	for (size_t run = 0; match->count && run < match->runs; run++) {
		bool is_known = match->points[run]->spec.pattern != FATHOM_PATTERN_UNKNOWN;
		known |= is_known;
		unknown |= !is_known;
	}
	if (!known || !unknown)
		return 0;
	return warnings_add(warnings, "order-unknown", set->runs[1]->name, NULL,
			    "the 'pattern' of one tool is not known: another order changes where "
			    "caches seem to end");
}

static bool same_number(double a, double b)
{
	return a == b || (isnan(a) && isnan(b));
}

static bool same_point(const struct fathom_point *a, const struct fathom_point *b)
{
	if (a->spec.size_bytes != b->spec.size_bytes || a->block_count != b->block_count)
		return false;
	for (size_t i = 0; i < a->block_count; i++)
		if (a->blocks_ns[i] != b->blocks_ns[i])
			return false;
	return same_number(a->latency_ns, b->latency_ns) &&
	       same_number(a->ns_per_access, b->ns_per_access) &&
	       same_number(a->latency_cycles, b->latency_cycles);
}

static bool same_pairs(const struct fathom_curve *a, const struct fathom_curve *b)
{
	if (a->pair_count != b->pair_count)
		return false;
	for (size_t i = 0; i < a->pair_count; i++)
		if (a->pairs[i].latency_ns != b->pairs[i].latency_ns)
			return false;
	return true;
}

static bool same_loads(const struct fathom_curve *a, const struct fathom_curve *b)
{
	if (a->load_count != b->load_count)
		return false;
	for (size_t i = 0; i < a->load_count; i++)
		if (a->loads[i].latency_ns != b->loads[i].latency_ns)
			return false;
	return true;
}

static bool same_accesses(const struct fathom_result *a, const struct fathom_result *b)
{
	if (a->distribution_count != b->distribution_count)
		return false;
	for (size_t i = 0; i < a->distribution_count; i++)
		if (a->distributions[i].mean_ns != b->distributions[i].mean_ns)
			return false;
	return true;
}

bool fathom_same_measurement(const struct fathom_result *a, const struct fathom_result *b)
{
	if (a->curve_count != b->curve_count || a->seed != b->seed || !same_accesses(a, b))
		return false;
	for (size_t i = 0; i < a->curve_count; i++) {
		if (a->curves[i].point_count != b->curves[i].point_count)
			return false;
		for (size_t k = 0; k < a->curves[i].point_count; k++)
			if (!same_point(&a->curves[i].points[k], &b->curves[i].points[k]))
				return false;
		if (!same_pairs(&a->curves[i], &b->curves[i]) ||
		    !same_loads(&a->curves[i], &b->curves[i]))
			return false;
	}
	return true;
}

static int same(const struct compare_set *set, struct fathom_warnings *warnings)
{
	const struct fathom_run *run = set->runs[1];
	for (size_t i = 0; i < set->baseline_count; i++)
		if (fathom_same_measurement(set->runs[0][i].result, run->result))
			return warnings_add(warnings, "same-measurement", run->name,
					    "measure again",
					    "'%s' and '%s' hold the same measurement: that they "
					    "agree means nothing",
					    set->runs[0][i].name, run->name);
	return 0;
}

int compare_differences(const struct compare_set *set, const struct compare_match *match,
			struct fathom_warnings *warnings, struct fathom_error *error)
{
	const struct fathom_machine *a = set->runs[0][0].result->machine;
	const struct fathom_machine *b = set->runs[1]->result->machine;
	if ((a && b && machines(a, b, set->runs[1]->name, warnings)) || same(set, warnings) ||
	    pages(set, match, warnings) || orders(set, match, warnings) ||
	    alone(set, match, warnings))
		return error_no_memory(error);
	return 0;
}
