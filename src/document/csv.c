/* A row a point, curve after curve. Of runs at several clocks a row a level and a size, for what
 * follows the clock. Levels are not in it: they are rows of another table; JSON holds them. */
#include "document/csv.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/names.h"
#include "base/point.h"
#include "base/utf8.h"
#include "document/core_groups.h"
#include "document/document.h"
#include "document/json_read.h"
#include "document/read_curve.h"

#define MOST_COLUMNS 96 /* that the tables of a row have */
#define MOST_OBJECTS 4  /* that a row is of */

/* ---- columns ----------------------------------------------------------------------------- */

/* Of rows that are of several objects, each of a table of its own. */
struct layout {
	struct csv_column columns[MOST_COLUMNS];
	unsigned object[MOST_COLUMNS]; /* whose it is */
	size_t count;
};

static void add_column(struct layout *layout, const struct csv_column *column, unsigned object)
{
	size_t at = layout->count++;
	for (; at > 0 && layout->columns[at - 1].field->column > column->field->column; at--) {
		layout->columns[at] = layout->columns[at - 1];
		layout->object[at] = layout->object[at - 1];
	}
	layout->columns[at] = *column;
	layout->object[at] = object;
}

static void add_table(struct layout *layout, const struct table *table, size_t offset,
		      size_t outside, unsigned object)
{
	for (size_t i = 0; i < table->count; i++) {
		const struct field *field = &table->fields[i];
		struct csv_column column = {field, offset, outside, 0};
		size_t elements = field->type == FIELD_BY_NAME ? field->length : 1;
		if (!field->column)
			continue;
		if (field->type == FIELD_MEMBERS || field->type == FIELD_OBJECT)
			add_table(layout, field->of, offset + field->offset, offset, object);
		else
			for (; column.element < elements; column.element++)
				add_column(layout, &column, object);
	}
}

/* ---- cells ------------------------------------------------------------------------------- */

/* Text from outside: control characters are shown as \xNN, and before what a spreadsheet would take
 * for a formula stands a '. */
static void add_quoted(struct text *text, const char *outside)
{
	text_add(text, "\"%s", *outside && strchr("=+-@", *outside) ? "'" : "");
	utf8_add_marked(text, outside, "\"", '"');
	text_add(text, "\"");
}

/* Those that are known, in one cell: "l1d_misses=0.98;dtlb_misses=0.6". */
static void add_counts(struct text *text, const struct fathom_point *point)
{
	struct text known = {0};
	for (size_t i = 0; i < point->event_count; i++)
		if (isfinite(point->counts[i].per_access))
			text_add(&known, "%s%s=%.6g", known.length ? ";" : "",
				 point->counts[i].event, point->counts[i].per_access);
	text->failed |= known.failed;
	if (known.length)
		add_quoted(text, known.data);
	text_free(&known);
}

static void add_value(struct text *text, const struct field *field, const struct value *value)
{
	switch (value->kind) {
	case VALUE_NUMBER:
		text_add(text, "%.9g", value->number);
		break;
	case VALUE_WHOLE:
		if (value->whole || !(field->flags & FIELD_CSV_NONZERO))
			text_add(text, "%lld", (long long)value->whole);
		break;
	case VALUE_BOOLEAN:
		text_add(text, "%s", value->whole ? "true" : "false");
		break;
	case VALUE_SEED:
		text_add(text, "0x%llx", (unsigned long long)value->whole);
		break;
	case VALUE_TEXT:
		if (field->type == FIELD_TEXT)
			add_quoted(text, value->text);
		else
			text_add(text, "%s", value->text);
		break;
	default:
		break;
	}
}

static void add_cell(struct text *text, const struct csv_column *column, const void *object)
{
	const struct field *field = column->field;
	const char *of = (const char *)object + column->offset;
	if (field->type == FIELD_LIST) {
		add_counts(text, object);
	} else if (field->type == FIELD_BY_NAME) {
		const uint64_t *counts = (const uint64_t *)(const void *)(of + field->offset);
		text_add(text, "%llu", (unsigned long long)counts[column->element]);
	} else {
		struct value value = field_value(field, of, (const char *)object + column->outside);
		add_value(text, field, &value);
	}
}

/* ---- rows -------------------------------------------------------------------------------- */

static bool is_same_column(const struct csv_column *a, const struct csv_column *b)
{
	return a->field->column == b->field->column && a->element == b->element;
}

static void add_header(struct text *text, const struct layout *layout)
{
	for (size_t i = 0; i < layout->count; i++) {
		const struct csv_column *column = &layout->columns[i];
		if (i && is_same_column(column, column - 1))
			continue;
		text_add(text, "%s%s", i ? "," : "", column->field->name);
		if (column->field->type == FIELD_BY_NAME)
			text_add(text, "_%s", column->field->name_of((int)column->element));
	}
	text_add(text, "\r\n");
}

/* `objects`: NULL where the row is not of one. */
static void add_row(struct text *text, const struct layout *layout, const void *const *objects)
{
	for (size_t i = 0; i < layout->count; i++) {
		const struct csv_column *column = &layout->columns[i];
		if (i && !is_same_column(column, column - 1))
			text_add(text, ",");
		if (objects[layout->object[i]])
			add_cell(text, column, objects[layout->object[i]]);
	}
	text_add(text, "\r\n");
}

/* Of rows of objects of these tables; with the header, unless `text` is NULL. */
static void layout_make(struct layout *layout, const struct table *const *tables, unsigned count,
			struct text *text)
{
	layout->count = 0;
	for (unsigned i = 0; i < count; i++)
		add_table(layout, tables[i], 0, 0, i);
	if (text)
		add_header(text, layout);
}

static void add_points(struct text *text, const struct fathom_result *result)
{
	static const struct table *const tables[] = {&curve_table, &point_table,
						     &curve_place_table};
	struct layout layout;
	layout_make(&layout, tables, 3, text);
	for (size_t i = 0; i < result->curve_count; i++) {
		const struct fathom_curve *curve = &result->curves[i];
		const struct fathom_curve_place place = {i};
		for (size_t k = 0; k < curve->point_count; k++) {
			const void *const row[MOST_OBJECTS] = {curve, &curve->points[k], &place};
			add_row(text, &layout, row);
		}
	}
}

/* Of runs at several clocks the laws are the answer; JSON holds the points too. */
static void add_laws(struct text *text, const struct fathom_result *result)
{
	static const struct table *const tables[] = {&clock_law_table};
	struct layout layout;
	layout_make(&layout, tables, 1, text);
	for (size_t i = 0; i < result->clock_law_count; i++) {
		const void *const row[MOST_OBJECTS] = {&result->clock_laws[i]};
		add_row(text, &layout, row);
	}
}

/* A row a pair, with the kind of its class; then one for each of the threads that contend. */
static int add_pairs(struct text *text, const struct fathom_result *result,
		     struct fathom_error *error)
{
	static const struct table *const tables[] = {&pair_table, &core_class_table,
						     &contention_table};
	struct core_groups groups;
	struct layout layout;
	layout_make(&layout, tables, result->contention_count ? 3 : 2, text);
	for (size_t i = 0; i < result->curve_count; i++) {
		const struct fathom_curve *curve = &result->curves[i];
		if (!curve->pair_count)
			continue;
		if (core_groups_make(result, i, &groups, error))
			return -1;
		for (size_t k = 0; k < curve->pair_count; k++) {
			const struct fathom_pair *pair = &curve->pairs[k];
			size_t class =
				core_groups_class(&groups, core_groups_place(&groups, pair->cpu_a),
						  core_groups_place(&groups, pair->cpu_b));
			const void *const row[MOST_OBJECTS] = {
				pair, class < groups.class_count ? groups.classes[class] : NULL};
			add_row(text, &layout, row);
		}
		core_groups_free(&groups);
	}
	for (size_t i = 0; i < result->contention_count; i++) {
		const void *const row[MOST_OBJECTS] = {NULL, NULL, &result->contention[i]};
		add_row(text, &layout, row);
	}
	return 0;
}

/* A row a load, with the law of its curve. */
static void add_loads(struct text *text, const struct fathom_result *result)
{
	static const struct table *const tables[] = {&curve_place_table, &load_table,
						     &load_law_table};
	struct layout layout;
	layout_make(&layout, tables, 3, text);
	for (size_t i = 0; i < result->curve_count; i++) {
		const struct fathom_curve *curve = &result->curves[i];
		const struct fathom_load_law *law = NULL;
		const struct fathom_curve_place place = {i};
		for (size_t k = 0; k < result->load_law_count; k++)
			if (result->load_laws[k].curve == i)
				law = &result->load_laws[k];
		for (size_t k = 0; k < curve->load_count; k++) {
			const void *const row[MOST_OBJECTS] = {&place, &curve->loads[k], law};
			add_row(text, &layout, row);
		}
	}
}

/* A row a bin. */
static void add_bins(struct text *text, const struct fathom_result *result)
{
	static const struct table *const tables[] = {&curve_place_table, &bin_table};
	struct layout layout;
	layout_make(&layout, tables, 2, text);
	for (size_t i = 0; i < result->distribution_count; i++) {
		const struct fathom_distribution *one = &result->distributions[i];
		const struct fathom_curve_place place = {one->curve};
		for (size_t k = 0; k < one->bin_count; k++) {
			const void *const row[MOST_OBJECTS] = {&place, &one->bins[k]};
			add_row(text, &layout, row);
		}
	}
}

/* A row a prediction: of a result whose predictions alone are asked for. */
static void add_predictions(struct text *text, const struct fathom_result *result)
{
	static const struct table *const tables[] = {&prediction_table};
	struct layout layout;
	layout_make(&layout, tables, 1, text);
	for (size_t i = 0; i < result->prediction_count; i++) {
		const void *const row[MOST_OBJECTS] = {&result->predictions[i]};
		add_row(text, &layout, row);
	}
}

/* Of each run first what the verdicts are about, then its points. */
static void add_comparison(struct text *text, const struct fathom_comparison *comparison)
{
	static const struct table *const tables[] = {&compared_run_table, &compared_part_table,
						     &compared_point_table};
	struct layout layout;
	layout_make(&layout, tables, 3, text);
	for (size_t i = 0; i < comparison->run_count; i++) {
		const struct fathom_compared_run *run = &comparison->runs[i];
		for (size_t k = 0; k < run->part_count; k++) {
			const void *const row[MOST_OBJECTS] = {run, &run->parts[k], NULL};
			add_row(text, &layout, row);
		}
		for (size_t k = 0; k < run->point_count; k++) {
			const void *const row[MOST_OBJECTS] = {run, NULL, &run->points[k]};
			add_row(text, &layout, row);
		}
	}
}

int csv_write(const struct content *content, const struct fathom_style *style, struct text *text,
	      struct fathom_error *error)
{
	if (content->kind == CONTENT_COMPARISON)
		add_comparison(text, content->comparison);
	else if (style && style->predictions)
		add_predictions(text, content->result);
	else if (content->result->clock_count)
		add_laws(text, content->result);
	else if (result_is_of_loads(content->result))
		add_loads(text, content->result);
	else if (result_has_accesses(content->result))
		add_bins(text, content->result);
	else if (!core_groups_any(content->result))
		add_points(text, content->result);
	else if (add_pairs(text, content->result, error))
		return -1;
	return text->failed ? error_no_memory(error) : 0;
}

/* ---- reading ----------------------------------------------------------------------------- */

static bool is_column(struct span name, const struct csv_column *column)
{
	const struct field *field = column->field;
	size_t length = strlen(field->name);
	if (field->type != FIELD_BY_NAME)
		return span_is(name, field->name) || (field->old && span_is(name, field->old));
	if (!span_starts(name, field->name) || name.length <= length || name.start[length] != '_')
		return false;
	struct span element = span_after(name, length + 1);
	const char *old = name_before(field->name_of, (int)column->element);
	return span_is(element, field->name_of((int)column->element)) ||
	       (old && span_is(element, old));
}

bool csv_find(const struct table *table, struct span name, struct csv_column *column)
{
	struct layout layout;
	layout_make(&layout, &table, 1, NULL);
	for (size_t i = 0; i < layout.count; i++) {
		*column = layout.columns[i];
		if (!(column->field->flags & FIELD_CSV_ONLY) && is_column(name, column))
			return true;
	}
	return false;
}

int csv_read_cell(const struct csv_column *column, struct span cell, size_t line, void *object,
		  struct fathom_error *error)
{
	static const struct field counted = {.type = FIELD_BYTES};
	const struct field *field = column->field;
	bool by_name = field->type == FIELD_BY_NAME;
	char *of = (char *)object + column->offset;
	char wrong[WRONG_BYTES];
	struct value value;
	if (cell.length == 0)
		return 0;
	if (!value_of_cell(by_name ? &counted : field, cell, &value, wrong))
		return span_refuse(cell, line, wrong, CURVE_WRONG_HINT, error);
	if (by_name)
		((uint64_t *)(void *)(of + field->offset))[column->element] = value.whole;
	else
		field_set(field, of, &value);
	return 0;
}
