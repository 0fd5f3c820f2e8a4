/* What hardware counters said of a table's rows, and why they said nothing. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/names.h"
#include "base/text.h"
#include "render/experiments/text_patterns.h"

#define NAME_COLUMNS   19
#define LEAST_COLUMNS  9
#define VALUE_FORMAT   "%.3g"
#define COUNTED_MARGIN 2

/* An event that some row was counted for. */
struct event {
	const struct fathom_count *example; /* with a value where a row has one */
	bool known;                         /* a row has one */
};

struct counted {
	const struct fathom_result *result;
	uint64_t size_bytes;
	struct event *events; /* each name once */
	size_t count;
};

/* NULL: the curve is not warm, or has nothing counted at that size. */
static const struct fathom_point *point_of(const struct counted *counted, size_t curve)
{
	const struct fathom_curve *of = &counted->result->curves[curve];
	if (of->point_count == 0 || of->points[0].spec.warmth != FATHOM_WARM)
		return NULL;
	const struct fathom_point *point = text_point_at(of, counted->size_bytes);
	return point && point->event_count ? point : NULL;
}

/* Rows may have been counted for other events, or in another order. */
static const struct fathom_count *count_of(const struct fathom_point *point, const char *event)
{
	for (size_t i = 0; i < point->event_count; i++)
		if (strcmp(point->counts[i].event, event) == 0)
			return &point->counts[i];
	return NULL;
}

static void consider(struct counted *counted, const struct fathom_count *count)
{
	bool known = isfinite(count->per_access);
	for (size_t i = 0; i < counted->count; i++) {
		struct event *event = &counted->events[i];
		if (strcmp(event->example->event, count->event) != 0)
			continue;
		if (known && !event->known)
			*event = (struct event){count, true};
		return;
	}
	counted->events[counted->count++] = (struct event){count, known};
}

/* false: out of memory. */
static bool find_events(struct counted *counted)
{
	size_t most = 0;
	for (size_t i = 0; i < counted->result->curve_count; i++) {
		const struct fathom_point *point = point_of(counted, i);
		most += point ? point->event_count : 0;
	}
	counted->events = calloc(most + 1, sizeof(*counted->events));
	for (size_t i = 0; counted->events && i < counted->result->curve_count; i++) {
		const struct fathom_point *point = point_of(counted, i);
		for (size_t k = 0; point && k < point->event_count; k++)
			consider(counted, &point->counts[k]);
	}
	return counted->events != NULL;
}

/* ---- what is known ---- */

static unsigned columns_of(const struct event *event)
{
	size_t columns = strlen(event->example->event) + COUNTED_MARGIN;
	return columns < LEAST_COLUMNS ? LEAST_COLUMNS : (unsigned)columns;
}

/* The events from `from` on that fit in a line: the first that does not. */
static size_t end_of_part(const struct counted *counted, const struct layout *layout, size_t from)
{
	unsigned used = NAME_COLUMNS;
	size_t i = from;
	for (; i < counted->count; i++) {
		unsigned columns = counted->events[i].known ? columns_of(&counted->events[i]) : 0;
		if (used + columns > layout->columns && used > NAME_COLUMNS)
			break;
		used += columns;
	}
	return i;
}

/* With the node spacing where that alone tells it from a row before it. */
static char *name_of(const struct counted *counted, size_t curve, const struct fathom_spec *spec)
{
	char node[UNITS_TEXT_BYTES];
	char *name = text_row_name(spec), *longer = NULL;
	for (size_t i = 0; i < curve && name && !longer; i++) {
		const struct fathom_point *before = point_of(counted, i);
		char *other = before ? text_row_name(&before->spec) : NULL;
		if (other && strcmp(other, name) == 0)
			longer = text_format("%s %s", name,
					     layout_size(spec->node_bytes, true, node));
		free(other);
	}
	if (!longer)
		return name;
	free(name);
	return longer;
}

static void add_row(const struct counted *counted, const struct layout *layout, size_t curve,
		    size_t from, size_t end)
{
	const struct fathom_point *point = point_of(counted, curve);
	text_add(layout->text, "  ");
	layout_take_cell(layout, NAME_COLUMNS - 2, false, name_of(counted, curve, &point->spec));
	for (size_t i = from; i < end; i++) {
		const struct event *event = &counted->events[i];
		const struct fathom_count *count = count_of(point, event->example->event);
		if (!event->known)
			continue;
		bool known = count && isfinite(count->per_access);
		const char *mark = known && count->state == FATHOM_SCALED ? "~" : " ";
		layout_take_cell(layout, columns_of(event), true,
				 known ? text_format(VALUE_FORMAT "%s", count->per_access, mark)
				       : text_format("- "));
	}
	layout_end_line(layout);
}

static void add_part(const struct counted *counted, const struct layout *layout, size_t from,
		     size_t end)
{
	bool any = false;
	for (size_t i = from; i < end; i++)
		any |= counted->events[i].known;
	if (!any)
		return;
	layout_cell(layout, NAME_COLUMNS, false, "  an access, warm");
	for (size_t i = from; i < end; i++)
		if (counted->events[i].known)
			layout_take_cell(layout, columns_of(&counted->events[i]), true,
					 text_format("%s ", counted->events[i].example->event));
	layout_end_line(layout);
	for (size_t i = 0; i < counted->result->curve_count; i++)
		if (point_of(counted, i))
			add_row(counted, layout, i, from, end);
	layout_end_part(layout);
}

/* ---- what is not ---- */

/* Do both say the same of why there is no value? Neither where one says nothing. */
static bool same_reason(const struct event *a, const struct event *b)
{
	const struct fathom_count *first = a->example, *second = b->example;
	return !a->known && !b->known && first->reason && second->reason &&
	       first->state == second->state && strcmp(first->reason, second->reason) == 0;
}

/* A line for each reason. */
static void add_reasons(const struct counted *counted, const struct layout *layout)
{
	const struct event *events = counted->events;
	for (size_t i = 0; i < counted->count; i++) {
		const struct fathom_count *count = events[i].example;
		struct text line = {0};
		bool told = !same_reason(&events[i], &events[i]);
		for (size_t k = 0; k < i && !told; k++)
			told = same_reason(&events[i], &events[k]);
		if (told)
			continue;
		for (size_t k = i; k < counted->count; k++)
			if (same_reason(&events[i], &events[k]))
				text_add(&line, "%s%s", k > i ? ", " : "",
					 events[k].example->event);
		text_add(&line, ": %s: %s", count_state_name(count->state), count->reason);
		if (count->hint)
			text_add(&line, " (%s)", count->hint);
		layout_item(layout, "  ", false, &line);
	}
}

void text_counts(const struct layout *layout, const struct fathom_result *result,
		 uint64_t size_bytes)
{
	struct counted counted = {.result = result, .size_bytes = size_bytes};
	if (!find_events(&counted)) {
		layout->text->failed = true;
		return;
	}
	layout_end_part(layout);
	for (size_t from = 0, end; from < counted.count; from = end) {
		end = end_of_part(&counted, layout, from);
		add_part(&counted, layout, from, end);
	}
	add_reasons(&counted, layout);
	layout_end_part(layout);
	free(counted.events);
}
