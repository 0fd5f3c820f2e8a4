#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/names.h"
#include "base/utf8.h"
#include "views/figure.h"
#include "views/rounding.h"
#include "views/view.h"

#define ROUNDED 0.01 /* octaves */

int figure_add_series(struct figure *figure, struct text *name, size_t most_rows,
		      struct figure_series **series)
{
	size_t count = figure->series_count + 1;
	char *taken = text_take(name);
	struct figure_row *rows = calloc(most_rows + 1, sizeof(*rows));
	struct figure_series *all = realloc(figure->series, count * sizeof(*all));
	if (all)
		figure->series = all;
	if (!taken || !rows || !all) {
		free(taken);
		free(rows);
		return -1;
	}
	all[figure->series_count++] = (struct figure_series){.name = taken, .rows = rows};
	*series = &all[count - 1];
	return 0;
}

void figure_add_row(struct figure_series *series, double x, double y, double low, double high)
{
	if (!isfinite(x) || !isfinite(y) || x <= 0 || y <= 0)
		return;
	bool known = isfinite(low) && isfinite(high) && low > 0;
	series->rows[series->count++] =
		(struct figure_row){x, y, known ? low : NAN, known ? high : NAN, false};
}

void figure_set_gaps(struct figure *figure)
{
	for (size_t i = 0; i < figure->series_count; i++)
		for (size_t k = 1; k < figure->series[i].count; k++) {
			struct figure_row *row = &figure->series[i].rows[k];
			bool far = figure->x_is_bytes &&
				   log2(row->x / row[-1].x) > VIEW_WIDEST_OCTAVES + ROUNDED;
			row->apart |= (far && !figure->series[i].is_law) || figure->place_count;
		}
}

int figure_add_marks(struct figure *figure, const struct fathom_result *result, size_t curve)
{
	figure->marks = calloc(result->level_count + 1, sizeof(*figure->marks));
	if (!figure->marks)
		return -1;
	for (size_t i = 0; i < result->level_count; i++) {
		const struct fathom_level *level = &result->levels[i];
		struct text name = {0};
		if (level->curve != curve || !isfinite(level->size_bytes) || !level->name ||
		    level->kind == FATHOM_LEVEL_MEMORY)
			continue;
		utf8_add_escaped(&name, level->name, true);
		char *taken = text_take(&name);
		if (!taken)
			return -1;
		figure->marks[figure->mark_count++] =
			(struct figure_mark){taken, level->size_bytes};
	}
	return 0;
}

int figure_add_registers(struct figure *figure, const struct fathom_curve *curve)
{
	for (size_t i = 1; i < curve->point_count; i++) {
		const struct fathom_point *before = &curve->points[i - 1];
		const struct fathom_point *point = &curve->points[i];
		if (before->lane_store != FATHOM_STORE_REGISTERS ||
		    point->lane_store == FATHOM_STORE_REGISTERS ||
		    point->lane_store == FATHOM_STORE_UNKNOWN)
			continue;
		figure->marks = calloc(1, sizeof(*figure->marks));
		char *name = strdup("registers end");
		if (!figure->marks || !name) {
			free(name);
			return -1;
		}
		figure->marks[figure->mark_count++] =
			(struct figure_mark){name, (before->spec.lanes + point->spec.lanes) / 2.0};
		break;
	}
	return 0;
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

void figure_add_machine(struct text *text, const struct fathom_run *run)
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
	const char *told = trait_of_run(&runs[which], trait);
	bool unique = trait_tells(runs, count, trait);
	utf8_add_escaped(text, unique ? told : runs[which].name, true);
}

/* ---- curves ---- */

/* One trait of a curve in words; nothing where it is not known or not worth a word. */
typedef void add_trait(struct text *text, const struct fathom_result *result, size_t curve);

static void add_level(struct text *text, const struct fathom_result *result, size_t curve)
{
	for (size_t i = 0; i < result->parallelism_count; i++)
		if (result->parallelism[i].curve == curve && result->parallelism[i].level)
			utf8_add_escaped(text, result->parallelism[i].level, true);
}

static void add_lanes_size(struct text *text, const struct fathom_result *result, size_t curve)
{
	const struct fathom_curve *of = &result->curves[curve];
	if (of->axis == FATHOM_AXIS_LANES || of->axis == FATHOM_AXIS_LAP)
		text_add(text, "%s", rounding_size(of->points[0].spec.size_bytes).text);
}

void figure_add_order(struct text *text, const struct fathom_result *result, size_t curve)
{
	const struct fathom_spec *spec = &result->curves[curve].points[0].spec;
	const char *name = fathom_pattern_name((int)spec->pattern);
	if (spec->pattern == FATHOM_WINDOW)
		text_add(text, "windows of %s", rounding_size(spec->window_bytes).text);
	else
		for (const char *c = name; c && *c; c++)
			text_add(text, "%c", *c == '_' ? ' ' : *c);
	if (spec->stride_bytes && spec->pattern != FATHOM_WINDOW)
		text_add(text, " %s", rounding_size(spec->stride_bytes).text);
}

static void add_nodes(struct text *text, const struct fathom_result *result, size_t curve)
{
	uint64_t bytes = result->curves[curve].points[0].spec.node_bytes;
	if (bytes)
		text_add(text, "nodes of %s", rounding_size(bytes).text);
}

static void add_pages(struct text *text, const struct fathom_result *result, size_t curve)
{
	const char *name = page_name((int)result->curves[curve].points[0].spec.page);
	if (name)
		text_add(text, "%s pages", name);
}

static void add_warmth(struct text *text, const struct fathom_result *result, size_t curve)
{
	const char *name = warmth_name((int)result->curves[curve].points[0].spec.warmth);
	for (const char *c = name; c && *c; c++)
		text_add(text, "%c", *c == '_' ? ' ' : *c);
}

static void add_links(struct text *text, const struct fathom_result *result, size_t curve)
{
	const char *name = link_words((int)result->curves[curve].points[0].spec.link);
	if (name)
		text_add(text, "%s", name);
}

static void add_threads(struct text *text, const struct fathom_result *result, size_t curve)
{
	const struct fathom_spec *spec = &result->curves[curve].points[0].spec;
	uint32_t threads = spec->threads;
	if (threads && fathom_pattern_streams((int)spec->pattern))
		text_add(text, "%u thread%s", threads, threads == 1 ? "" : "s");
}

static void add_vectors(struct text *text, const struct fathom_result *result, size_t curve)
{
	uint32_t bytes = result->curves[curve].points[0].spec.vector_bytes;
	if (bytes)
		text_add(text, "vectors of %u bits", 8 * bytes);
}

static void add_clock(struct text *text, const struct fathom_result *result, size_t curve)
{
	for (size_t i = 0; i < result->clock_count; i++) {
		const struct fathom_clock *clock = &result->clocks[i];
		if (clock->curve == curve && isfinite(clock->hz))
			text_add(text, "%.3g GHz", clock->hz * 1e-9);
		else if (clock->curve == curve)
			text_add(text, "clock %.3gx", clock->relative);
	}
}

static void add_tool(struct text *text, const struct fathom_result *result, size_t curve)
{
	if (result->curves[curve].tool)
		utf8_add_escaped(text, result->curves[curve].tool, true);
}

static void add_cpu(struct text *text, const struct fathom_result *result, size_t curve)
{
	if (result->curves[curve].cpu >= 0)
		text_add(text, "CPU %d", result->curves[curve].cpu);
}

static const struct {
	add_trait *add;
	bool always; /* also where all curves have it */
} traits[] = {
	{add_level, true},  {add_lanes_size, true}, {figure_add_order, false},
	{add_nodes, false}, {add_pages, false},     {add_warmth, false},
	{add_links, false}, {add_threads, false},   {add_vectors, false},
	{add_clock, false}, {add_tool, false},      {add_cpu, false},
};
#define TRAITS (sizeof(traits) / sizeof(*traits))

static bool differs(struct text *scratch, add_trait *add, const struct fathom_result *result,
		    const size_t *curves, size_t count)
{
	struct text other = {0};
	bool found = false;
	for (size_t i = 0; i < count && !found; i++) {
		struct text *text = i ? &other : scratch;
		text->length = 0;
		text_add(text, "%s", "");
		add(text, result, curves[i]);
		found = i && scratch->data && other.data && strcmp(scratch->data, other.data) != 0;
	}
	scratch->failed |= other.failed;
	text_free(&other);
	return found;
}

void figure_add_curve(struct text *text, const struct fathom_result *result, const size_t *curves,
		      size_t count, size_t which)
{
	struct text words = {0};
	size_t before = text->length;
	for (size_t i = 0; i < TRAITS; i++) {
		bool wanted =
			differs(&words, traits[i].add, result, curves, count) || traits[i].always;
		words.length = 0;
		text_add(&words, "%s", "");
		traits[i].add(&words, result, curves[which]);
		if (wanted && words.length)
			text_add(text, "%s%s", text->length > before ? ", " : "", words.data);
	}
	if (text->length == before)
		figure_add_order(text, result, curves[which]);
	if (text->length == before)
		add_tool(text, result, curves[which]);
	if (text->length == before)
		text_add(text, "curve %zu", curves[which] + 1);
	text->failed |= words.failed;
	text_free(&words);
}
