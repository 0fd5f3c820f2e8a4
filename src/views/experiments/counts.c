/* What hardware counters said of a table's rows, and why they said nothing. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/names.h"
#include "views/experiments/experiments.h"
#include "views/points.h"
#include "views/rounding.h"

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
	const struct fathom_point *point = points_at(of, counted->size_bytes);
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

/* Has a row before the same name? Then node spacing alone tells it from that. */
static bool needs_nodes(const struct counted *counted, size_t curve, const char *name)
{
	for (size_t i = 0; i < curve; i++) {
		const struct fathom_point *before = point_of(counted, i);
		struct text other = {0};
		if (!before)
			continue;
		points_add_order(&other, &before->spec);
		bool same = other.data && strcmp(other.data, name) == 0;
		text_free(&other);
		if (same)
			return true;
	}
	return false;
}

static void add_name(struct view *view, const struct counted *counted, size_t curve)
{
	const struct fathom_spec *spec = &point_of(counted, curve)->spec;
	struct text words = {0};
	points_add_order(&words, spec);
	if (needs_nodes(counted, curve, words.data ? words.data : ""))
		text_add(&words, " %s", rounding_brief_size(spec->node_bytes).text);
	view_name_take(view, &words);
}

static void add_row(struct view *view, const struct counted *counted, size_t curve)
{
	view_row(view);
	add_name(view, counted, curve);
	for (size_t i = 0; i < counted->count; i++) {
		const struct event *event = &counted->events[i];
		const struct fathom_count *count =
			count_of(point_of(counted, curve), event->example->event);
		bool known = count && isfinite(count->per_access);
		if (!event->known)
			continue;
		view_number(view, known ? count->per_access : NAN);
		view_mark(view, known && count->state == FATHOM_SCALED ? '~' : 0);
	}
}

static void add_table(struct view *view, const struct counted *counted)
{
	bool any = false;
	for (size_t i = 0; i < counted->count; i++)
		any |= counted->events[i].known;
	if (!any)
		return;
	VIEW_TABLE(view, COLUMN("per access, warm"));
	for (size_t i = 0; i < counted->count; i++)
		if (counted->events[i].known)
			view_column(view, COLUMN(counted->events[i].example->event));
	for (size_t i = 0; i < counted->result->curve_count; i++)
		if (point_of(counted, i))
			add_row(view, counted, i);
	view_gap(view);
	view_say(view, VIEW_NOTE,
		 "counts are of whole batches: their cycles have what beginning and ending a batch "
		 "takes, which the times above leave out");
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
static void add_reasons(struct view *view, const struct counted *counted)
{
	const struct event *events = counted->events;
	for (size_t i = 0; i < counted->count; i++) {
		const struct fathom_count *count = events[i].example;
		struct text line = {0};
		bool said = !same_reason(&events[i], &events[i]);
		for (size_t k = 0; k < i && !said; k++)
			said = same_reason(&events[i], &events[k]);
		if (said)
			continue;
		for (size_t k = i; k < counted->count; k++)
			if (same_reason(&events[i], &events[k]))
				text_add(&line, "%s%s", k > i ? ", " : "",
					 events[k].example->event);
		text_add(&line, ": %s: %s", count_state_name(count->state), count->reason);
		if (count->hint)
			text_add(&line, " (%s)", count->hint);
		view_take(view, VIEW_NOTE, &line);
	}
}

void counts_view(struct view *view, const struct fathom_result *result, uint64_t size_bytes)
{
	struct counted counted = {.result = result, .size_bytes = size_bytes};
	if (!find_events(&counted)) {
		view->failed = true;
		return;
	}
	view_gap(view);
	add_table(view, &counted);
	add_reasons(view, &counted);
	view_gap(view);
	free(counted.events);
}
