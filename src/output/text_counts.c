/* What hardware counters said of a table's rows, and why they said nothing. */
#include <math.h>
#include <string.h>

#include "base/names.h"
#include "base/text.h"
#include "output/text_patterns.h"

#define NAME_COLUMNS   19
#define LEAST_COLUMNS  9
#define VALUE_FORMAT   "%.3g"
#define COUNTED_MARGIN 2

struct counted {
	const struct fathom_result *result;
	enum fathom_warmth warmth;
	uint64_t size_bytes;
	const struct fathom_point *first; /* whose events are those of all */
};

/* NULL: the curve is of another warmth, or has nothing counted at that size. */
static const struct fathom_point *point_of(const struct counted *counted, size_t curve)
{
	const struct fathom_curve *of = &counted->result->curves[curve];
	if (of->point_count == 0 || of->points[0].spec.warmth != counted->warmth)
		return NULL;
	const struct fathom_point *point = text_point_at(of, counted->size_bytes);
	return point && point->event_count ? point : NULL;
}

static bool is_known(const struct counted *counted, size_t event)
{
	for (size_t i = 0; i < counted->result->curve_count; i++) {
		const struct fathom_point *point = point_of(counted, i);
		if (point && event < point->event_count &&
		    isfinite(point->counts[event].per_access))
			return true;
	}
	return false;
}

static unsigned columns_of(const struct counted *counted, size_t event)
{
	size_t columns = strlen(counted->first->counts[event].event) + COUNTED_MARGIN;
	return columns < LEAST_COLUMNS ? LEAST_COLUMNS : (unsigned)columns;
}

/* The events from `from` on that fit in a line: the first that does not. */
static size_t end_of_part(const struct counted *counted, const struct layout *layout, size_t from)
{
	unsigned used = NAME_COLUMNS;
	size_t event = from;
	for (; event < counted->first->event_count; event++) {
		unsigned columns = is_known(counted, event) ? columns_of(counted, event) : 0;
		if (used + columns > layout->columns && used > NAME_COLUMNS)
			break;
		used += columns;
	}
	return event;
}

static void add_row(const struct counted *counted, const struct layout *layout,
		    const struct fathom_point *point, size_t from, size_t end)
{
	text_add(layout->text, "  ");
	layout_take_cell(layout, NAME_COLUMNS - 2, false, text_row_name(&point->spec));
	for (size_t event = from; event < end; event++) {
		const struct fathom_count *count =
			event < point->event_count ? &point->counts[event] : NULL;
		if (!is_known(counted, event))
			continue;
		bool known = count && isfinite(count->per_access);
		const char *mark = known && count->state == FATHOM_SCALED ? "~" : " ";
		layout_take_cell(layout, columns_of(counted, event), true,
				 known ? text_format(VALUE_FORMAT "%s", count->per_access, mark)
				       : text_format("- "));
	}
	layout_end_line(layout);
}

static void add_part(const struct counted *counted, const struct layout *layout, size_t from,
		     size_t end)
{
	layout_cell(layout, NAME_COLUMNS, false, "  an access, warm");
	for (size_t event = from; event < end; event++)
		if (is_known(counted, event))
			layout_take_cell(layout, columns_of(counted, event), true,
					 text_format("%s ", counted->first->counts[event].event));
	layout_end_line(layout);
	for (size_t i = 0; i < counted->result->curve_count; i++) {
		const struct fathom_point *point = point_of(counted, i);
		if (point)
			add_row(counted, layout, point, from, end);
	}
	text_add(layout->text, "\n");
}

static bool same_reason(const struct fathom_count *a, const struct fathom_count *b)
{
	return a->state == b->state && strcmp(a->reason, b->reason) == 0;
}

/* Those that nothing is known of, a line for each reason. */
static void add_reasons(const struct counted *counted, const struct layout *layout)
{
	const struct fathom_count *counts = counted->first->counts;
	for (size_t i = 0; i < counted->first->event_count; i++) {
		struct text line = {0};
		bool told = !counts[i].reason || is_known(counted, i);
		for (size_t k = 0; k < i && !told; k++)
			told = counts[k].reason && !is_known(counted, k) &&
			       same_reason(&counts[i], &counts[k]);
		if (told)
			continue;
		for (size_t k = i; k < counted->first->event_count; k++)
			if (counts[k].reason && !is_known(counted, k) &&
			    same_reason(&counts[i], &counts[k]))
				text_add(&line, "%s%s", k > i ? ", " : "", counts[k].event);
		text_add(&line, ": %s: %s", count_state_name(counts[i].state), counts[i].reason);
		if (counts[i].hint)
			text_add(&line, " (%s)", counts[i].hint);
		layout_item(layout, "  ", false, &line);
	}
}

void text_counts(const struct layout *layout, const struct fathom_result *result,
		 uint64_t size_bytes)
{
	struct counted counted = {
		.result = result, .warmth = FATHOM_WARM, .size_bytes = size_bytes};
	for (size_t i = 0; i < result->curve_count && !counted.first; i++)
		counted.first = point_of(&counted, i);
	if (!counted.first)
		return;
	for (size_t from = 0, end; from < counted.first->event_count; from = end) {
		end = end_of_part(&counted, layout, from);
		bool part = false;
		for (size_t event = from; event < end; event++)
			part |= is_known(&counted, event);
		if (part)
			add_part(&counted, layout, from, end);
	}
	add_reasons(&counted, layout);
	text_add(layout->text, "\n");
}
