/* A comparison as a document of its own kind. */
#include "base/names.h"
#include "document/document.h"
#include "document/json_put.h"

static json_t *part_object(const struct fathom_compared_part *part)
{
	json_t *object = json_object();
	json_put_text(&object, "name", part->name);
	json_put_text(&object, "verdict", fathom_verdict_name((int)part->verdict));
	json_put_text(&object, "unit", quantity_name((int)part->quantity));
	json_put_number(&object, "baseline", part->baseline);
	json_put_number(&object, "value", part->value);
	json_put_number(&object, "speedup", part->speedup);
	json_put_number(&object, "speedup_low", part->speedup_low);
	json_put_number(&object, "speedup_high", part->speedup_high);
	json_put_number(&object, "error", part->error);
	json_put_number(&object, "freedom", part->freedom);
	json_put_number(&object, "probability", part->probability);
	json_put_number(&object, "visible", part->visible);
	json_put_bytes(&object, "points", part->points);
	json_put_text(&object, "evidence", part->evidence);
	return object;
}

static json_t *point_object(const struct fathom_compared_point *point)
{
	json_t *object = json_object();
	json_put_bytes(&object, "curve", point->curve);
	json_put_spec(&object, &point->spec);
	json_put_text(&object, "unit", quantity_name((int)point->quantity));
	json_put_number(&object, "baseline", point->baseline);
	json_put_number(&object, "value", point->value);
	json_put_number(&object, "speedup", point->speedup);
	json_put_number(&object, "speedup_low", point->speedup_low);
	json_put_number(&object, "speedup_high", point->speedup_high);
	return object;
}

static json_t *run_object(const struct fathom_compared_run *run)
{
	json_t *object = json_object(), *parts = json_array(), *points = json_array();
	for (size_t i = 0; i < run->part_count; i++)
		json_put_next(&parts, part_object(&run->parts[i]));
	for (size_t i = 0; i < run->point_count; i++)
		json_put_next(&points, point_object(&run->points[i]));
	json_put_text(&object, "name", run->name);
	json_put_boolean(&object, "faster", run->faster);
	json_put_boolean(&object, "slower", run->slower);
	json_put(&object, "parts", parts);
	json_put(&object, "points", points);
	return object;
}

json_t *json_comparison(const struct fathom_comparison *comparison)
{
	static const char *const units[] = {"auto", "ns", "cycles"};
	json_t *document = json_document("comparison");
	json_t *baselines = json_array(), *runs = json_array();
	for (size_t i = 0; i < comparison->baseline_count; i++)
		json_put_next(&baselines, json_text(comparison->baselines[i]));
	for (size_t i = 0; i < comparison->run_count; i++)
		json_put_next(&runs, run_object(&comparison->runs[i]));
	json_t *fathom = json_object();
	json_put_text(&fathom, "version", FATHOM_VERSION);
	json_put(&document, "fathom", fathom);
	json_put_number(&document, "threshold", comparison->threshold);
	json_put_text(&document, "unit", units[comparison->unit]);
	json_put(&document, "baselines", baselines);
	json_put_warnings(&document, "warnings", &comparison->warnings);
	json_put(&document, "runs", runs);
	return document;
}

int json_write_comparison(const struct fathom_comparison *comparison,
			  const struct fathom_style *style, struct text *text,
			  struct fathom_error *error)
{
	(void)style;
	return json_finish(json_comparison(comparison), JSON_RESULT_DIGITS, text, error);
}
