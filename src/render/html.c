/* The page of web/ with the document in it, as the text of a <script> that is no program. Where
 * JSON holds an object for each point, this holds a column for each field, which the page takes
 * apart again:
 *
 *     "points": {"count": 2, "fields": {"lanes": {"all": 1}, "latency_ns": {"each": [1.36, 1.37]}}}
 *
 * `absent` lists the points that lack the field. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "document/json_write.h"
#include "render/page.h"
#include "render/view_json.h"
#include "render/writers.h"
#include "views/fleet/fleet.h"
#include "views/views.h"

/* What is larger goes without what only a second analysis asks for, the largest first. */
#define DATA_BYTES_MOST ((size_t)340 << 10)
static const char *const bulk[] = {"samples_ns", "blocks_ns"};
#define BULK_COUNT (sizeof(bulk) / sizeof(*bulk))

/* ---- columns ---- */

static bool all_equal(const json_t *list)
{
	size_t count = json_array_size(list);
	for (size_t i = 1; i < count; i++)
		if (!json_equal(json_array_get(list, 0), json_array_get(list, i)))
			return false;
	return true;
}

static json_t *field_column(const json_t *points, const char *key)
{
	json_t *column = json_object(), *each = json_array(), *absent = json_array(), *point;
	size_t index;
	json_array_foreach(points, index, point)
	{
		json_t *value = json_object_get(point, key);
		json_put_next(&each, value ? json_incref(value) : json_null());
		if (!value)
			json_put_next(&absent, json_integer((json_int_t)index));
	}
	if (!absent) { /* no memory: what is absent is not known */
		json_decref(each);
		json_decref(column);
		return NULL;
	}
	if (json_array_size(absent) == 0 && all_equal(each)) {
		json_put(&column, "all", json_incref(json_array_get(each, 0)));
		json_decref(each);
	} else {
		json_put(&column, "each", each);
	}
	if (json_array_size(absent))
		json_put(&column, "absent", absent);
	else
		json_decref(absent);
	return column;
}

static json_t *columns(json_t *points)
{
	json_t *object = json_object(), *fields = json_object(), *point, *value;
	const char *key;
	size_t index;
	json_array_foreach(points, index, point)
	{
		json_object_foreach(point, key, value) if (!json_object_get(fields, key))
			json_put(&fields, key, field_column(points, key));
	}
	json_put_bytes(&object, "count", json_array_size(points));
	json_put(&object, "fields", fields);
	return object;
}

/* Of each of the things in that list that have points. NULL: no memory. Takes it over. */
static json_t *compact(json_t *document, const char *list)
{
	json_t *holder;
	size_t index;
	json_array_foreach(json_object_get(document, list), index, holder)
	{
		json_t *points = json_incref(json_object_get(holder, "points"));
		int failed = json_object_set_new(holder, "points", columns(points));
		json_decref(points);
		if (failed) {
			json_decref(document);
			return NULL;
		}
	}
	return document;
}

/* ---- less than all ---- */

/* True: there was some. */
static bool leave_out(json_t *document, const char *key)
{
	json_t *curve;
	size_t index;
	bool any = false;
	json_array_foreach(json_object_get(document, "curves"), index, curve)
	{
		json_t *points = json_object_get(curve, "points");
		any |= json_object_del(json_object_get(points, "fields"), key) == 0;
	}
	return any;
}

/* Takes it. */
static json_t *take_view(struct view *view)
{
	json_t *parts = view_json(view);
	view_free(view);
	return parts;
}

static json_t *views_of(const struct fathom_result *result)
{
	struct view view = {.full = true, .explain = true, .trace = result->hypothesis_count > 0};
	view_result(&view, result);
	return take_view(&view);
}

/* Takes all of them over. NULL: no memory. */
static char *dump(json_t *document, json_t *left_out, json_t *views)
{
	json_t *data = json_object();
	json_put(&data, "left_out", left_out);
	json_put(&data, "views", views);
	json_put(&data, "document", document);
	struct text text = {0};
	json_add(&text, data, JSON_RESULT_DIGITS, JSON_COMPACT);
	json_decref(data);
	return text_take(&text);
}

static char *dump_result(const struct fathom_result *result, size_t left_out)
{
	json_t *document = compact(json_of(&result_table, result, NULL), "curves"),
	       *missing = json_array();
	for (size_t i = 0; i < left_out; i++)
		if (leave_out(document, bulk[i]))
			json_put_next(&missing, json_text(bulk[i]));
	return dump(document, missing, views_of(result));
}

static char *small_enough(const struct fathom_result *result)
{
	char *text = NULL;
	for (size_t left_out = 0; left_out <= BULK_COUNT; left_out++) {
		free(text);
		text = dump_result(result, left_out);
		if (!text || strlen(text) <= DATA_BYTES_MOST)
			break;
	}
	return text;
}

/* A fleet's page shows what each node measured, and not what else is kept of it. */
static const char *const of_nodes[] = {"settings", "errors", "hardware", "version", "measured_at"};

/* By how much each of its numbers deviates, to draw and to read. */
static void put_deviations(json_t *node, const struct fathom_fleet *fleet,
			   const struct fathom_fleet_node *of)
{
	json_t *deviations = json_array(), *shown = json_array();
	for (size_t i = 0; i < of->value_count; i++) {
		double centre = fleet->groups[of->group].numbers[i].centre;
		double deviation = of->values[i] / centre - 1;
		struct text text = {0};
		fleet_add_share(&text, deviation);
		json_put_next(&deviations,
			      isfinite(deviation) ? json_real(deviation) : json_null());
		json_put_next(&shown, json_text(text.data));
		text_free(&text);
	}
	json_object_del(node, "values");
	json_object_set_new(node, "deviations", deviations);
	json_object_set_new(node, "shown", shown);
}

static void put_reach(json_t *group, const struct fathom_fleet *fleet, size_t which)
{
	json_t *number;
	size_t index;
	json_array_foreach(json_object_get(group, "numbers"), index, number)
	{
		double reach = fleet_reach(fleet, which, index);
		struct text least = {0}, most = {0};
		fleet_add_share(&least, -reach);
		fleet_add_share(&most, reach);
		json_object_set_new(number, "reach",
				    isfinite(reach) ? json_real(reach) : json_null());
		json_object_set_new(number, "ends",
				    json_pack("[s,s]", least.data ? least.data : "",
					      most.data ? most.data : ""));
		text_free(&least);
		text_free(&most);
	}
}

static char *dump_fleet(const struct fathom_fleet *fleet)
{
	json_t *document = json_of(&fleet_table, fleet, NULL), *missing = json_array(), *item;
	size_t index, count = sizeof(of_nodes) / sizeof(*of_nodes);
	json_array_foreach(json_object_get(document, "nodes"), index, item)
	{
		put_deviations(item, fleet, &fleet->nodes[index]);
		for (size_t i = 0; i < count; i++)
			json_object_del(item, of_nodes[i]);
	}
	json_array_foreach(json_object_get(document, "groups"), index, item)
	{
		json_object_set_new(item, "called", json_text(fleet_group_name(index).text));
		put_reach(item, fleet, index);
	}
	for (size_t i = 0; i < count; i++)
		json_put_next(&missing, json_text(of_nodes[i]));
	struct view view = {.full = true};
	view_fleet(&view, fleet);
	return dump(document, missing, take_view(&view));
}

/* ---- as HTML ---- */

/* JSON has these inside of strings alone, where \u means the same; the line separators end a line
 * for a reader that takes JSON for a program. */
static const struct {
	const char *bytes, *instead;
} escapes[] = {{"<", "\\u003c"},
	       {">", "\\u003e"},
	       {"&", "\\u0026"},
	       {"\u2028", "\\u2028"},
	       {"\u2029", "\\u2029"}};

static void add_escaped(struct text *text, const char *json)
{
	for (const char *c = json; *c;) {
		size_t plain = strcspn(c, "<>&\xe2"), taken = 1;
		text_add_bytes(text, c, plain);
		c += plain;
		const char *instead = NULL;
		for (size_t i = 0; *c && i < sizeof(escapes) / sizeof(*escapes); i++) {
			size_t length = strlen(escapes[i].bytes);
			if (strncmp(c, escapes[i].bytes, length) != 0)
				continue;
			instead = escapes[i].instead;
			taken = length;
		}
		if (instead)
			text_add(text, "%s", instead);
		else if (*c)
			text_add_bytes(text, c, 1);
		c += *c ? taken : 0;
	}
}

/* Takes the data over; NULL: no memory. */
static int add_page(char *json, struct text *text, struct fathom_error *error)
{
	if (!json)
		return error_no_memory(error);
	text_add_bytes(text, page_before_data, page_before_data_length);
	add_escaped(text, json);
	text_add_bytes(text, page_after_data, page_after_data_length);
	free(json);
	return text->failed ? error_no_memory(error) : 0;
}

int html_write(const struct content *content, const struct fathom_style *style, struct text *text,
	       struct fathom_error *error)
{
	(void)style;
	if (content->kind == CONTENT_RESULT)
		return add_page(small_enough(content->result), text, error);
	if (content->kind == CONTENT_FLEET)
		return add_page(dump_fleet(content->fleet), text, error);
	json_t *document = compact(json_of(&comparison_table, content->comparison, NULL), "runs");
	struct view view = {.every_point = true};
	view_comparison(&view, content->comparison);
	return add_page(dump(document, json_array(), take_view(&view)), text, error);
}
