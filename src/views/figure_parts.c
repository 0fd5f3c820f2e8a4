#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/list.h"
#include "base/names.h"
#include "base/patterns.h"
#include "base/utf8.h"
#include "views/figure.h"
#include "views/points.h"
#include "views/rounding.h"
#include "views/view.h"

#define ROUNDED 0.01 /* octaves */
#define ASIDE   0.15 /* of the next warmth, so that none hides another */

int figure_add_series(struct figure *figure, struct text *name, size_t most_rows,
		      struct figure_series **series)
{
	char *taken = name->failed ? NULL : utf8_escaped(name->data, true);
	text_free(name);
	const struct figure_series made = {.name = taken,
					   .rows = calloc(most_rows + 1, sizeof(*made.rows))};
	if (taken && made.rows && LIST_APPEND(&figure->series, &figure->series_count, &made) == 0) {
		*series = &figure->series[figure->series_count - 1];
		return 0;
	}
	free(taken);
	free(made.rows);
	return -1;
}

void figure_add_row(struct figure_series *series, double x, struct estimate y)
{
	if (!isfinite(x) || !isfinite(y.value) || x <= 0 || y.value <= 0)
		return;
	bool known = isfinite(y.low) && isfinite(y.high) && y.low > 0;
	series->rows[series->count++] =
		(struct figure_row){x, y.value, known ? y.low : NAN, known ? y.high : NAN, false};
}

void figure_set_gaps(struct figure *figure)
{
	for (size_t i = 0; i < figure->series_count; i++)
		for (size_t k = 1; k < figure->series[i].count; k++) {
			struct figure_row *row = &figure->series[i].rows[k];
			bool far = log2(row->x / row[-1].x) > VIEW_WIDEST_OCTAVES + ROUNDED;
			row->apart |= (far && !figure->series[i].is_law) || figure->place_count;
		}
}

/* Escapes the name. */
static int add_mark(struct figure *figure, const char *name, struct estimate place, bool reported)
{
	const struct figure_mark mark = {utf8_escaped(name, true), place.value, place.low,
					 place.high, reported};
	if (mark.name && LIST_APPEND(&figure->marks, &figure->mark_count, &mark) == 0)
		return 0;
	free(mark.name);
	return -1;
}

int figure_add_marks(struct figure *figure, const struct fathom_result *result, size_t curve,
		     bool reported)
{
	int failed = 0;
	for (size_t i = 0; i < result->level_count && !failed; i++) {
		const struct fathom_level *level = &result->levels[i];
		double bytes = (double)level->reported_bytes;
		if (level->curve != curve || !level->name)
			continue;
		if (reported && level->reported_bytes)
			failed = add_mark(figure, level->name, ESTIMATE_ALONE(bytes), true);
		else if (!reported && isfinite(level->size_bytes) &&
			 level->kind != FATHOM_LEVEL_MEMORY)
			failed =
				add_mark(figure, level->name, ESTIMATE(level, size, _bytes), false);
	}
	return failed;
}

int figure_add_tlbs(struct figure *figure, const struct fathom_result *result)
{
	char name[64];
	int failed = 0;
	for (size_t i = 0; i < result->translation_count; i++)
		for (size_t k = 0; k < result->translations[i].tlb_count && !failed; k++) {
			const struct fathom_tlb *tlb = &result->translations[i].tlbs[k];
			snprintf(name, sizeof(name), "TLB %zu, %s", k + 1,
				 view_known(page_name((int)result->translations[i].page)));
			if (isfinite(tlb->entries))
				failed = add_mark(figure, name, ESTIMATE(tlb, entries, ), false);
		}
	return failed;
}

int figure_add_registers(struct figure *figure, const struct fathom_curve *curve)
{
	const struct fathom_point *before, *point = points_spilled(curve, &before);
	if (!point)
		return 0;
	double x = before->spec.lanes + 0.5;
	return add_mark(figure, "registers end", ESTIMATE_ALONE(x), false);
}

/* ---- machines ---- */

static const char *tool_of(const struct fathom_result *result)
{
	return result->curve_count ? result->curves[0].tool : NULL;
}

/* What it is by, in the order in which that is tried; NULL: not known. */
static const char *trait_of_run(const struct fathom_run *run, int trait)
{
	const struct fathom_machine *machine = run->result->machine;
	const char *slash = strrchr(run->name, '/');
	switch (trait) {
	case 0:
		return !machine               ? NULL
		       : machine->description ? machine->description
					      : machine->cpu_model;
	case 1:
		return machine ? machine->hostname : NULL;
	default:
		return slash ? slash + 1 : run->name;
	}
}

/* The simulated machine of several clocks, without the one of its first run. */
static void add_without_clock(struct text *text, const char *description)
{
	const char *clock = strstr(description, ",clock=");
	const char *rest = clock ? strchr(clock + 1, ',') : NULL;
	struct text words = {0};
	text_add_bytes(&words, description,
		       clock ? (size_t)(clock - description) : strlen(description));
	text_add(&words, "%s", rest ? rest : "");
	char *taken = text_take(&words);
	text->failed |= !taken;
	utf8_add_escaped(text, taken ? taken : "", true);
	free(taken);
}

static void add_machine(struct text *text, const struct fathom_run *run)
{
	const struct fathom_machine *machine = run->result->machine;
	const char *model = trait_of_run(run, 0);
	if (machine && machine->description)
		text_add(text, "simulated machine ");
	if (!model)
		model = tool_of(run->result);
	if (run->result->clock_count && machine && machine->description)
		add_without_clock(text, model);
	else
		utf8_add_escaped(text, model ? model : run->name, true);
	if (machine && machine->hypervisor && model) {
		text_add(text, ", guest of ");
		utf8_add_escaped(text, machine->hypervisor, true);
	}
}

static bool same_machine(const struct fathom_run *a, const struct fathom_run *b)
{
	const char *one = trait_of_run(a, 0), *other = trait_of_run(b, 0);
	return one && other && strcmp(one, other) == 0;
}

void figure_add_title(struct text *text, const struct fathom_run *runs, size_t count)
{
	bool same = true;
	size_t doubtful = 0;
	for (size_t i = 1; i < count; i++)
		same &= same_machine(&runs[0], &runs[i]);
	if (same)
		add_machine(text, &runs[0]);
	for (size_t i = 0; i < count; i++) {
		if (runs[i].result->quality != FATHOM_QUALITY_DO_NOT_QUOTE)
			continue;
		text_add(text, "%sdo not quote", doubtful++ ? ", " : same ? " \u2013 " : "");
		if (count > 1) {
			text_add(text, " ");
			utf8_add_escaped(text, trait_of_run(&runs[i], 2), true);
		}
	}
}

static bool trait_tells(const struct fathom_run *runs, size_t count, int trait)
{
	for (size_t i = 0; i < count; i++) {
		const char *own = trait_of_run(&runs[i], trait);
		if (!own)
			return false;
		for (size_t k = 0; k < i; k++)
			if (strcmp(own, trait_of_run(&runs[k], trait)) == 0)
				return false;
	}
	return true;
}

void figure_add_run(struct text *text, const struct fathom_run *runs, size_t count, size_t which)
{
	int trait = 0;
	while (trait < 2 && !trait_tells(runs, count, trait))
		trait++;
	const char *value = trait_of_run(&runs[which], trait);
	bool unique = trait_tells(runs, count, trait);
	utf8_add_escaped(text, unique ? value : runs[which].name, true);
}

/* ---- patterns at one size: what an access costs in each order, beside each other ---- */

/* What costs the same at any size is no order of memory. */
static bool is_pattern(const struct fathom_curve *curve)
{
	return curve->experiment == FATHOM_PATTERNS && curve->point_count &&
	       !pattern_traits(curve->points[0].spec.pattern)->own_bytes;
}

static bool is_one(const struct fathom_curve *curve)
{
	return is_pattern(curve) && curve->point_count == 1;
}

bool figure_is_of_orders(const struct fathom_result *result)
{
	bool any = false;
	for (size_t i = 0; i < result->curve_count; i++) {
		const struct fathom_curve *curve = &result->curves[i];
		if (is_pattern(curve) && curve->point_count > 1)
			return false;
		any |= is_one(curve);
	}
	return any;
}

/* The place of that order, a new one where it has none; FIGURE_MOST_PLACES: there is no room, or no
 * memory. */
static size_t place_of(struct figure *figure, const struct fathom_spec *spec)
{
	struct text words = {0};
	size_t place = 0;
	points_add_order(&words, spec);
	char *name = text_take(&words);
	while (name && place < figure->place_count && strcmp(figure->places[place], name) != 0)
		place++;
	if (!name)
		return FIGURE_MOST_PLACES;
	if (place < figure->place_count || place == FIGURE_MOST_PLACES)
		free(name);
	else
		figure->places[figure->place_count++] = name;
	return place;
}

static int add_warmth(struct figure *figure, const struct fathom_result *result,
		      enum fathom_warmth warmth, bool cycles)
{
	struct figure_series *series = NULL;
	for (size_t i = 0; i < result->curve_count; i++) {
		const struct fathom_curve *curve = &result->curves[i];
		if (!is_one(curve) || curve->points[0].spec.warmth != warmth)
			continue;
		const struct fathom_spec *spec = &curve->points[0].spec;
		struct text name = {0};
		for (const char *c = warmth_name((int)warmth); *c; c++)
			text_add(&name, "%c", *c == '_' ? ' ' : *c);
		text_add(&name, ", %s", rounding_size(spec->size_bytes).text);
		if (!series && figure_add_series(figure, &name, result->curve_count, &series))
			return -1;
		text_free(&name);
		struct estimate value =
			points_time(&curve->points[0], cycles ? FATHOM_Y_CYCLES : FATHOM_Y_NS);
		size_t place = place_of(figure, spec);
		if (place == FIGURE_MOST_PLACES)
			figure->left_out++;
		else
			figure_add_row(series, (double)place + 1 + ASIDE * (double)warmth, value);
	}
	return 0;
}

int figure_add_orders(struct figure *figure, const struct fathom_result *result, bool cycles)
{
	figure->x_label = "access pattern (* overlapping)";
	figure->x_is_bytes = false;
	figure->x_is_linear = true;
	for (int warmth = 0; warmth_name(warmth); warmth++)
		if (add_warmth(figure, result, (enum fathom_warmth)warmth, cycles))
			return -1;
	return 0;
}

/* ---- words, and the end ---- */

static int replace(char **words, const char *with, struct fathom_error *error)
{
	char *taken = utf8_escaped(with, true);
	if (!taken)
		return error_no_memory(error);
	free(*words);
	*words = taken;
	return 0;
}

int figure_set_words(struct figure *figure, const char *title, const char *const *labels,
		     size_t label_count, struct fathom_error *error)
{
	if (label_count > figure->series_count)
		return error_set(error, FATHOM_USAGE, "give one for each curve, in their order",
				 "%zu labels for %zu curve%s", label_count, figure->series_count,
				 figure->series_count == 1 ? "" : "s");
	for (size_t i = 0; i < label_count; i++)
		if (replace(&figure->series[i].name, labels[i], error))
			return -1;
	return title ? replace(&figure->title, title, error) : 0;
}

void figure_free(struct figure *figure)
{
	for (size_t i = 0; i < figure->series_count; i++) {
		free(figure->series[i].name);
		free(figure->series[i].rows);
	}
	for (size_t i = 0; i < figure->mark_count; i++)
		free(figure->marks[i].name);
	for (size_t i = 0; i < figure->place_count; i++)
		free(figure->places[i]);
	free(figure->series);
	free(figure->marks);
	free(figure->title);
	free(figure->beside_label);
	figure_free_matrix(&figure->matrix);
	*figure = (struct figure){0};
}
