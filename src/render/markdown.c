/* Tables for a page, a ticket or a paper's notes; GitHub's markdown. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/names.h"
#include "base/utf8.h"
#include "render/experiments/text_patterns.h"
#include "render/text/layout.h"
#include "render/text_survey.h"
#include "render/writers.h"

#define GB 1e9

/* So that it is text and nothing else. */
static void add_outside(struct text *text, const char *outside)
{
	struct text plain = {0};
	utf8_add_escaped(&plain, outside ? outside : "unknown", true);
	for (const char *c = plain.data; c && *c; c++)
		text_add(text, "%s%c", strchr("\\`*_{}[]<>|#~&!$", *c) ? "\\" : "", *c);
	text->failed |= plain.failed;
	text_free(&plain);
}

/* ---- cells, each of which begins with its bar ---- */

static void cell_outside(struct text *text, const char *outside)
{
	text_add(text, "| ");
	add_outside(text, outside);
	text_add(text, " ");
}

static void cell_size(struct text *text, const char *before, double bytes)
{
	char size[UNITS_TEXT_BYTES];
	if (bytes >= 0 && bytes < 0x1p63)
		text_add(text, "| %s%s ", before,
			 layout_size((uint64_t)llround(bytes), false, size));
	else
		text_add(text, "| ");
}

static void cell_time(struct text *text, double ns, bool quoted)
{
	char *time = text_time(ns, true, quoted);
	text_add(text, "| %s ", time ? time : "");
	text->failed |= !time;
	free(time);
}

static void cell_count(struct text *text, double value)
{
	if (isfinite(value))
		text_add(text, "| %.0f ", value);
	else
		text_add(text, "| ");
}

static void cell_number(struct text *text, double value)
{
	char number[UNITS_TEXT_BYTES];
	if (isfinite(value))
		text_add(text, "| %s ", units_format_number(value, number));
	else
		text_add(text, "| ");
}

/* "1.35 ±0.01", with as many decimals in both, after the sign. */
static void cell_signed(struct text *text, const char *sign, double value, double low, double high)
{
	double half = (high - low) / 2;
	int decimals = fabs(value) < 9.995 ? 2 : fabs(value) < 99.95 ? 1 : 0;
	int finer = decimals == 0 && half < 0.95; /* a half-width of 0 would be wrong */
	if (fabs(value) < 0.005)
		value = 0; /* "-0.00" says nothing */
	if (!isfinite(value))
		text_add(text, "| ");
	else if (!isfinite(half))
		text_add(text, "| %s%.*f ", sign, decimals, value);
	else
		text_add(text, "| %s%.*f \u00b1%.*f ", sign, decimals, value, decimals + finer,
			 half);
}

/* What cannot be below 0. */
static void cell_measured(struct text *text, double value, double low, double high)
{
	const struct layout layout = {.text = text, .utf8 = true};
	char range[UNITS_TEXT_BYTES], number[UNITS_TEXT_BYTES];
	if (layout_is_wide(value, low, high))
		text_add(text, "| about %s, %s ", layout_about(value, number),
			 layout_range(&layout, low, high, range));
	else
		cell_signed(text, "", value, low, high);
}

static void end_row(struct text *text)
{
	text_add(text, "|\n");
}

/* `columns` begin with ":" where they are of text. */
struct table {
	const char *heading;
	const char *const *columns;
	size_t count;
	bool begun;
};
#define TABLE(heading, columns)                                                                    \
	{                                                                                          \
		heading, columns, sizeof(columns) / sizeof(*(columns)), false                      \
	}

/* Before the first row the heading, and the table's own: no table is without rows. */
static void begin_row(struct text *text, struct table *table)
{
	if (table->begun)
		return;
	table->begun = true;
	text_add(text, "\n## %s\n\n", table->heading);
	for (size_t i = 0; i < table->count; i++)
		text_add(text, "| %s ", table->columns[i] + (table->columns[i][0] == ':'));
	text_add(text, "|\n");
	for (size_t i = 0; i < table->count; i++)
		text_add(text, "|%s", table->columns[i][0] == ':' ? ":---" : "---:");
	text_add(text, "|\n");
}

/* ---- what it is ---- */

static void add_fact(struct text *text, const char *name, const char *outside)
{
	if (!outside)
		return;
	text_add(text, "- %s: ", name);
	add_outside(text, outside);
	text_add(text, "\n");
}

static void add_title(struct text *text, const struct fathom_result *result)
{
	const struct fathom_machine *machine = result->machine;
	const char *tool = result->curve_count ? result->curves[0].tool : NULL;
	const char *title = !machine               ? tool
			    : machine->description ? machine->description
						   : machine->cpu_model;
	text_add(text, "# Memory of ");
	add_outside(text, title ? title : "a machine that is not known");
	text_add(text, "\n\n");
	if (machine) {
		add_fact(text, "host", machine->hostname);
		add_fact(text, "architecture", machine->architecture);
		add_fact(text, "kernel", machine->kernel);
		add_fact(text, "hypervisor", machine->hypervisor);
	}
	if (isfinite(result->clock_median_hz))
		text_add(text, "- core clock: %.3g GHz (%.3g to %.3g)\n",
			 result->clock_median_hz / GB, result->clock_min_hz / GB,
			 result->clock_max_hz / GB);
	add_fact(text, "measured at", result->measured_at);
	if (isfinite(result->elapsed_s))
		text_add(text, "- measured in %.3g s by fathom " FATHOM_VERSION ", seed 0x%llx\n",
			 result->elapsed_s, (unsigned long long)result->seed);
	if (result->interrupted)
		text_add(text, "- **interrupted**: not all of it was measured\n");
}

/* ---- levels ---- */

static void add_reach(struct text *text, const struct fathom_level *level)
{
	if (level->kind == FATHOM_LEVEL_MEMORY)
		cell_size(text, "at ", level->at_bytes);
	else if (isfinite(level->size_bytes))
		cell_size(text, "", level->size_bytes);
	else
		cell_size(text, "> ", level->size_low_bytes);
}

static void add_levels(struct text *text, const struct fathom_result *result)
{
	static const char *const columns[] = {":level",      ":kind",  "reach",   "OS says",
					      "latency, ns", "cycles", "adds, ns"};
	struct table table = TABLE("Levels", columns);
	for (size_t i = 0; i < result->level_count; i++) {
		const struct fathom_level *level = &result->levels[i];
		begin_row(text, &table);
		cell_outside(text, level->name);
		cell_outside(text, level_kind_name((int)level->kind));
		add_reach(text, level);
		cell_size(text, "", level->reported_bytes ? (double)level->reported_bytes : NAN);
		cell_measured(text, level->latency_ns, level->latency_low_ns,
			      level->latency_high_ns);
		cell_number(text, level->latency_cycles);
		cell_number(text, level->penalty_ns);
		end_row(text);
	}
}

static void add_numbers(struct text *text, const struct fathom_result *result)
{
	static const char *const columns[] = {":number", "here", ":from", "2009", "2020"};
	struct table table = TABLE("Latency numbers every programmer should know", columns);
	for (size_t i = 0; i < result->number_count; i++) {
		const struct fathom_number *number = &result->numbers[i];
		begin_row(text, &table);
		cell_outside(text, number->name);
		cell_time(text, number->ns, false);
		cell_outside(text, number->how);
		cell_time(text, number->dean_2009_ns, true);
		cell_time(text, number->scott_2020_ns, true);
		end_row(text);
	}
	if (table.begun)
		text_add(text, "\n2009: J. Dean, LADIS keynote; 2020: C. Scott's page of these "
			       "numbers.\n");
}

/* ---- the experiments ---- */

static void cell_overlap(struct text *text, const struct fathom_parallelism *one)
{
	char speedup[UNITS_TEXT_BYTES];
	if (isnan(one->speedup))
		text_add(text, "| ");
	else
		text_add(text, "| %s%s ", one->saturated ? "" : "> ",
			 units_format_overlap(one->speedup, !one->saturated, speedup));
}

static void add_overlap(struct text *text, const struct fathom_result *result)
{
	static const char *const columns[] = {":level",     "size",    ":pages",      "latency, ns",
					      "access, ns", "overlap", "knee, lanes", ":limit"};
	struct table table = TABLE("Accesses that overlap", columns);
	for (size_t i = 0; i < result->parallelism_count; i++) {
		const struct fathom_parallelism *one = &result->parallelism[i];
		const struct fathom_curve *curve = &result->curves[one->curve];
		begin_row(text, &table);
		cell_outside(text, one->level ? one->level : "");
		cell_size(text, "", (double)one->size_bytes);
		cell_outside(text, page_name((int)curve->points[0].spec.page));
		cell_measured(text, one->latency_ns, one->latency_low_ns, one->latency_high_ns);
		cell_measured(text, one->ns_per_access, one->ns_per_access_low,
			      one->ns_per_access_high);
		cell_overlap(text, one);
		cell_count(text, one->knee_lanes);
		cell_outside(text, limit_name((int)one->limit));
		end_row(text);
	}
}

static void add_bandwidth(struct text *text, const struct fathom_result *result)
{
	static const char *const columns[] = {":operation", "threads", ":pages", "size", "GB/s"};
	struct table table = TABLE("Bandwidth", columns);
	for (size_t i = 0; i < result->curve_count; i++)
		for (size_t k = 0; k < result->curves[i].point_count; k++) {
			const struct fathom_point *point = &result->curves[i].points[k];
			if (!fathom_pattern_streams((int)point->spec.pattern))
				continue;
			begin_row(text, &table);
			cell_outside(text, fathom_pattern_name((int)point->spec.pattern));
			text_add(text, "| %u ", point->spec.threads);
			cell_outside(text, page_name((int)point->spec.page));
			cell_size(text, "", (double)point->spec.size_bytes);
			cell_measured(text, point->bandwidth_bytes_per_second / GB,
				      point->bandwidth_low / GB, point->bandwidth_high / GB);
			end_row(text);
		}
}

static void add_tlbs(struct text *text, const struct fathom_result *result)
{
	static const char *const columns[] = {":pages", ":what", "pages visited", "costs, ns",
					      "cycles"};
	struct table table = TABLE("Address translation", columns);
	for (size_t i = 0; i < result->translation_count; i++) {
		const struct fathom_translation *one = &result->translations[i];
		for (size_t k = 0; k < one->tlb_count; k++) {
			const struct fathom_tlb *tlb = &one->tlbs[k];
			begin_row(text, &table);
			cell_outside(text, page_name((int)one->page));
			text_add(text, "| TLB %zu misses | > %.0f ", k + 1, tlb->entries);
			cell_measured(text, tlb->penalty_ns, tlb->penalty_low_ns,
				      tlb->penalty_high_ns);
			cell_number(text, tlb->penalty_cycles);
			end_row(text);
		}
		for (size_t k = 0; k < one->walk_count; k++) {
			const struct fathom_walk *walk = &one->walks[k];
			begin_row(text, &table);
			cell_outside(text, page_name((int)one->page));
			text_add(text, "| walk, tables in ");
			add_outside(text, walk->level);
			text_add(text, " | > %.0f ", walk->from_pages);
			cell_measured(text, walk->ns, walk->low_ns, walk->high_ns);
			cell_number(text, walk->cycles);
			end_row(text);
		}
	}
	if (!table.begun)
		return;
	text_add(text, "\n");
	for (size_t i = 0; i < result->translation_count; i++) {
		const struct fathom_translation *one = &result->translations[i];
		if (!one->splintered_evidence)
			continue;
		text_add(text, "- %s: %s: ", page_name((int)one->page),
			 one->splintered == 1   ? "splintered"
			 : one->splintered == 0 ? "not splintered"
						: "splintered or not is not known");
		add_outside(text, one->splintered_evidence);
		text_add(text, "\n");
	}
}

static void add_parts(struct text *text, const struct fathom_result *result)
{
	static const char *const columns[] = {"size",  "access, ns", "memory",
					      "TLB 2", "walk",       "residual"};
	struct table table = TABLE("Parts of a random access on base pages", columns);
	for (size_t i = 0; i < result->decomposition_count; i++) {
		const struct fathom_decomposition *one = &result->decompositions[i];
		begin_row(text, &table);
		cell_size(text, "", (double)one->size_bytes);
		cell_measured(text, one->total.ns, one->total.low_ns, one->total.high_ns);
		for (int part = 0; part < FATHOM_PART_COUNT; part++) {
			const struct fathom_cost *cost = &one->parts[part];
			bool bound = part == FATHOM_PART_MEMORY && one->memory_is_bound;
			cell_signed(text, bound ? "\u2264" : "", cost->ns, cost->low_ns,
				    cost->high_ns);
		}
		end_row(text);
	}
}

/* ---- the curves ---- */

/* The points of an octave are told by its own: a table of all of them is CSV. */
static bool is_told(const struct fathom_curve *curve, size_t which)
{
	uint64_t bytes = curve->points[which].spec.size_bytes;
	bool all = curve->axis != FATHOM_AXIS_SIZE || curve->point_count <= 24;
	return all || (bytes & (bytes - 1)) == 0;
}

static void add_curves(struct text *text, const struct fathom_result *result)
{
	static const char *const columns[] = {":order",        ":pages",       "size",  "lanes",
					      "pages visited", "ns an access", "cycles"};
	struct table table = TABLE("Curves", columns);
	for (size_t i = 0; i < result->curve_count; i++)
		for (size_t k = 0; k < result->curves[i].point_count; k++) {
			const struct fathom_curve *curve = &result->curves[i];
			const struct fathom_point *point = &curve->points[k];
			struct text_time time = text_time_of(point);
			if (!is_told(curve, k) || fathom_pattern_streams((int)point->spec.pattern))
				continue;
			const char *name = fathom_pattern_name((int)point->spec.pattern);
			const char *page = page_name((int)point->spec.page);
			begin_row(text, &table);
			cell_outside(text, name ? name : "");
			cell_outside(text, page ? page : "");
			cell_size(text, "", (double)point->spec.size_bytes);
			cell_count(text,
				   curve->axis == FATHOM_AXIS_LANES ? point->spec.lanes : NAN);
			cell_count(text,
				   curve->axis == FATHOM_AXIS_PAGES ? (double)point->nodes : NAN);
			cell_measured(text, time.ns, time.low_ns, time.high_ns);
			cell_number(text, time.cycles);
			end_row(text);
		}
}

static void add_warning(struct text *text, const struct fathom_warning *warning)
{
	text_add(text, "- ");
	if (warning->where) {
		add_outside(text, warning->where);
		text_add(text, ": ");
	}
	add_outside(text, warning->text);
	text_add(text, "\n");
	if (warning->hint) {
		text_add(text, "  - ");
		add_outside(text, warning->hint);
		text_add(text, "\n");
	}
}

/* Notes after what is wrong. */
static void add_warnings(struct text *text, const struct fathom_warnings *warnings)
{
	for (int note = 0; note < 2; note++) {
		bool any = false;
		for (size_t i = 0; i < warnings->count; i++) {
			if (warnings->items[i].note != (note == 1))
				continue;
			if (!any)
				text_add(text, "\n## %s\n\n",
					 note ? "Not measured here" : "Warnings");
			any = true;
			add_warning(text, &warnings->items[i]);
		}
	}
}

int markdown_write_result(const struct fathom_result *result, const struct fathom_style *style,
			  struct text *text, struct fathom_error *error)
{
	(void)style;
	add_title(text, result);
	add_levels(text, result);
	add_numbers(text, result);
	add_overlap(text, result);
	add_bandwidth(text, result);
	add_tlbs(text, result);
	add_parts(text, result);
	add_curves(text, result);
	add_warnings(text, &result->warnings);
	return text->failed ? error_no_memory(error) : 0;
}
