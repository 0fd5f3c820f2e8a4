/* A comparison as a table: of each run first what the verdicts are about, then its points. */
#include <math.h>

#include "base/error.h"
#include "base/names.h"
#include "document/csv_row.h"
#include "document/document.h"

struct values {
	const char *run, *kind, *name;
	const struct fathom_spec *spec;
	enum fathom_quantity quantity;
	double baseline, value, speedup, low, high, probability, visible;
	const char *verdict, *evidence;
	size_t points;
};

static void add_row(struct csv_row *row, const struct values *values)
{
	const struct fathom_spec *spec = values->spec;
	row->first = true;
	csv_quoted(row, "run", values->run);
	csv_text(row, "kind", values->kind);
	csv_quoted(row, "name", values->name);
	csv_text(row, "pattern", spec ? fathom_pattern_name(spec->pattern) : NULL);
	csv_text(row, "page_kind", spec ? page_name(spec->page) : NULL);
	csv_known(row, "size_bytes", spec ? spec->size_bytes : 0);
	csv_known(row, "node_bytes", spec ? spec->node_bytes : 0);
	csv_known(row, "lanes", spec ? spec->lanes : 0);
	csv_known(row, "threads", spec ? spec->threads : 0);
	csv_known(row, "lap", spec ? spec->lap : 0);
	csv_text(row, "unit", quantity_name(values->quantity));
	csv_number(row, "baseline", values->baseline);
	csv_number(row, "value", values->value);
	csv_number(row, "speedup", values->speedup);
	csv_number(row, "speedup_low", values->low);
	csv_number(row, "speedup_high", values->high);
	csv_number(row, "probability", values->probability);
	csv_number(row, "visible", values->visible);
	csv_text(row, "verdict", values->verdict);
	csv_known(row, "points", values->points);
	csv_quoted(row, "evidence", values->evidence);
	text_add(row->text, "\r\n");
}

static void add_run(struct csv_row *row, const struct fathom_compared_run *run)
{
	for (size_t i = 0; i < run->part_count; i++) {
		const struct fathom_compared_part *part = &run->parts[i];
		const struct values values = {
			.run = run->name,
			.kind = "part",
			.name = part->name,
			.quantity = part->quantity,
			.baseline = part->baseline,
			.value = part->value,
			.speedup = part->speedup,
			.low = part->speedup_low,
			.high = part->speedup_high,
			.probability = part->probability,
			.visible = part->visible,
			.verdict = fathom_verdict_name((int)part->verdict),
			.evidence = part->evidence,
			.points = part->points,
		};
		add_row(row, &values);
	}
	for (size_t i = 0; i < run->point_count; i++) {
		const struct fathom_compared_point *point = &run->points[i];
		const struct values values = {
			.run = run->name,
			.kind = "point",
			.spec = &point->spec,
			.quantity = point->quantity,
			.baseline = point->baseline,
			.value = point->value,
			.speedup = point->speedup,
			.low = point->speedup_low,
			.high = point->speedup_high,
			.probability = NAN,
			.visible = NAN,
		};
		add_row(row, &values);
	}
}

int csv_write_comparison(const struct fathom_comparison *comparison,
			 const struct fathom_style *style, struct text *text,
			 struct fathom_error *error)
{
	(void)style;
	struct csv_row row = {.text = text, .header = true};
	static const struct values none;
	add_row(&row, &none);
	row.header = false;
	for (size_t i = 0; i < comparison->run_count; i++)
		add_run(&row, &comparison->runs[i]);
	return text->failed ? error_no_memory(error) : 0;
}
