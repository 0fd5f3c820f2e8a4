/* A plan, back from its document: strict, since whoever replays a plan wants that very plan. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/names.h"
#include "base/plan.h"
#include "base/utf8.h"
#include "document/document.h"
#include "document/json_put.h"

#define MOST_SPECS  65536
#define QUOTED_MOST 60 /* bytes of somebody's text in a message */

/* One object of the document. Each field that was read is taken out, so that what is left at the
 * end was not known. */
struct place {
	json_t *object;
	const char *path; /* "", "fathom.", "specs[3]." */
	struct fathom_error *error;
};

/* At most QUOTED_MOST bytes of it, fit for one line. NULL: out of memory. */
static char *quotable(const char *outside)
{
	char *start = strndup(outside, QUOTED_MOST);
	struct text text = {0};
	if (start)
		utf8_add_escaped(&text, start, false);
	if (strlen(outside) > QUOTED_MOST)
		text_add(&text, "...");
	free(start);
	return text_take(&text);
}

static int refuse(const struct place *place, const char *key, const char *what)
{
	return error_set(place->error, FATHOM_BAD_INPUT, NULL, "plan: '%s%s' %s", place->path, key,
			 what);
}

static int find_field(const struct place *place, const char *key, json_t **value)
{
	*value = json_object_get(place->object, key);
	return *value ? 0 : refuse(place, key, "is missing");
}

static int taken(const struct place *place, const char *key)
{
	json_object_del(place->object, key);
	return 0;
}

static int read_integer(const struct place *place, const char *key, int64_t low, int64_t high,
			int64_t *number)
{
	json_t *value;
	if (find_field(place, key, &value))
		return -1;
	if (!json_is_integer(value))
		return refuse(place, key, "is not a whole number");
	*number = json_integer_value(value);
	if (*number < low || *number > high)
		return error_set(place->error, FATHOM_BAD_INPUT, NULL,
				 "plan: '%s%s' is not between %lld and %lld", place->path, key,
				 (long long)low, (long long)high);
	return taken(place, key);
}

static int read_bytes(const struct place *place, const char *key, int64_t low, uint64_t *bytes)
{
	int64_t number;
	if (read_integer(place, key, low, INT64_MAX, &number))
		return -1;
	*bytes = (uint64_t)number;
	return 0;
}

static int read_count(const struct place *place, const char *key, int64_t low, uint32_t *count)
{
	int64_t number;
	if (read_integer(place, key, low, UINT32_MAX, &number))
		return -1;
	*count = (uint32_t)number;
	return 0;
}

/* A field that not every plan has. */
static bool has(const struct place *place, const char *key)
{
	return json_object_get(place->object, key);
}

/* `number` in (above, below) or equal to `also`. */
static int read_number(const struct place *place, const char *key, double above, double below,
		       double also, double *number)
{
	json_t *value;
	if (find_field(place, key, &value))
		return -1;
	if (!json_is_number(value))
		return refuse(place, key, "is not a number");
	*number = json_number_value(value);
	if (!(*number > above && *number < below) && *number != also)
		return error_set(place->error, FATHOM_BAD_INPUT, NULL,
				 "plan: '%s%s' is not between %g and %g", place->path, key, above,
				 below);
	return taken(place, key);
}

static int read_boolean(const struct place *place, const char *key, bool *boolean)
{
	json_t *value;
	if (find_field(place, key, &value))
		return -1;
	if (!json_is_boolean(value))
		return refuse(place, key, "is not true or false");
	*boolean = json_is_true(value);
	return taken(place, key);
}

/* Stays in the document: the caller copies it or is done with it before it goes. */
static int find_text(const struct place *place, const char *key, const char **text)
{
	json_t *value;
	if (find_field(place, key, &value))
		return -1;
	if (!json_is_string(value))
		return refuse(place, key, "is not a text");
	*text = json_string_value(value);
	return 0;
}

static int read_seed(const struct place *place, const char *key, uint64_t *seed)
{
	const char *text;
	if (find_text(place, key, &text))
		return -1;
	size_t digits = strlen(text) > 2 ? strlen(text + 2) : 0;
	if (strncmp(text, "0x", 2) != 0 || digits < 1 || digits > 16 ||
	    strspn(text + 2, "0123456789abcdef") != digits)
		return refuse(place, key, "is not a seed like \"0x1f\"");
	*seed = strtoull(text, NULL, 16);
	return taken(place, key);
}

static int read_name(const struct place *place, const char *key, int (*parse)(const char *),
		     const char *(*name)(int), int *value)
{
	const char *text;
	if (find_text(place, key, &text))
		return -1;
	*value = parse(text);
	if (*value >= 0 && strcmp(name(*value), text) == 0)
		return taken(place, key);
	char *quoted = quotable(text);
	if (!quoted)
		return error_no_memory(place->error);
	error_set(place->error, FATHOM_BAD_INPUT, NULL, "plan: '%s%s' is '%s', which is not known",
		  place->path, key, quoted);
	free(quoted);
	return -1;
}

static int refuse_rest(const struct place *place)
{
	void *rest = json_object_iter(place->object);
	if (!rest)
		return 0;
	char *key = quotable(json_object_iter_key(rest));
	if (!key)
		return error_no_memory(place->error);
	int failed = refuse(place, key, "is not a field of a plan");
	free(key);
	return failed;
}

static int read_spec_fields(const struct place *place, enum fathom_axis usual_axis,
			    struct fathom_spec *spec)
{
	int pattern, warmth, link, page, axis = (int)usual_axis;
	if (read_name(place, "pattern", fathom_pattern_parse, fathom_pattern_name, &pattern) ||
	    read_name(place, "warmth", warmth_parse, warmth_name, &warmth) ||
	    read_name(place, "link", link_parse, link_name, &link) ||
	    read_name(place, "page_kind", page_parse, page_name, &page) ||
	    (has(place, "axis") && read_name(place, "axis", axis_parse, axis_name, &axis)) ||
	    read_bytes(place, "size_bytes", 0, &spec->size_bytes) ||
	    read_bytes(place, "node_bytes", 1, &spec->node_bytes) ||
	    read_bytes(place, "window_bytes", 0, &spec->window_bytes) ||
	    read_bytes(place, "stride_bytes", 0, &spec->stride_bytes) ||
	    read_count(place, "laps", 0, &spec->laps) ||
	    (has(place, "lap") && read_count(place, "lap", 1, &spec->lap)) ||
	    read_count(place, "lanes", 1, &spec->lanes) ||
	    read_count(place, "threads", 1, &spec->threads) ||
	    (has(place, "vector_bytes") &&
	     read_count(place, "vector_bytes", 0, &spec->vector_bytes)) ||
	    read_seed(place, "seed", &spec->seed))
		return -1;
	spec->pattern = (enum fathom_pattern)pattern;
	spec->warmth = (enum fathom_warmth)warmth;
	spec->link = (enum fathom_link)link;
	spec->page = (enum fathom_page)page;
	spec->axis = (enum fathom_axis)axis;
	return refuse_rest(place);
}

static int read_spec(json_t *object, size_t index, enum fathom_axis usual_axis,
		     struct fathom_spec *spec, struct fathom_error *error)
{
	char *path = text_format("specs[%zu].", index);
	if (!path)
		return error_no_memory(error);
	struct place place = {object, path, error};
	int failed;
	if (!json_is_object(object))
		failed = error_set(error, FATHOM_BAD_INPUT, NULL,
				   "plan: 'specs[%zu]' is not an object", index);
	else
		failed = read_spec_fields(&place, usual_axis, spec);
	if (!failed && index > 0 && plan_same_curve(&spec[-1], spec) &&
	    spec->size_bytes < spec[-1].size_bytes)
		failed = refuse(&place, "size_bytes", "is less than the one before");
	free(path);
	return failed;
}

static int read_specs(const struct place *place, struct fathom_plan *plan)
{
	json_t *list;
	if (find_field(place, "specs", &list))
		return -1;
	if (!json_is_array(list))
		return refuse(place, "specs", "is not an array");
	size_t count = json_array_size(list);
	if (count == 0 || count > MOST_SPECS)
		return error_set(place->error, FATHOM_BAD_INPUT, NULL,
				 "plan: 'specs' holds %zu elements, not between 1 and %d", count,
				 MOST_SPECS);
	plan->specs = calloc(count, sizeof(*plan->specs));
	if (!plan->specs)
		return error_no_memory(place->error);
	plan->spec_count = count;
	for (size_t i = 0; i < count; i++)
		if (read_spec(json_array_get(list, i), i, plan->axis, &plan->specs[i],
			      place->error))
			return -1;
	return taken(place, "specs");
}

/* Is it a plan at all, and one that this version can read? */
static int read_head(const struct place *place)
{
	const char *schema, *kind, *version;
	if (find_text(place, "schema", &schema))
		return -1;
	if (strcmp(schema, FATHOM_SCHEMA) != 0)
		return error_set(place->error, FATHOM_BAD_INPUT,
				 "print the plan again with --dry-run --json",
				 "plan: 'schema' is not '%s', the only one known", FATHOM_SCHEMA);
	if (find_text(place, "kind", &kind))
		return -1;
	if (strcmp(kind, "survey") == 0)
		return error_set(place->error, FATHOM_USAGE,
				 "run one of its 'plans', or 'fathom survey' again with its --seed",
				 "plan: it holds several, those of a survey");
	if (strcmp(kind, "plan") != 0)
		return error_set(place->error, FATHOM_BAD_INPUT, "--dry-run --json prints a plan",
				 "plan: 'kind' is not 'plan'");
	json_t *fathom;
	if (find_field(place, "fathom", &fathom))
		return -1;
	if (!json_is_object(fathom))
		return refuse(place, "fathom", "is not an object");
	struct place inner = {fathom, "fathom.", place->error};
	if (find_text(&inner, "version", &version) || taken(&inner, "version") ||
	    refuse_rest(&inner))
		return -1;
	return taken(place, "schema") || taken(place, "kind") || taken(place, "fathom");
}

static int read_machine(const struct place *place, struct fathom_plan *plan)
{
	const char *text;
	if (json_is_null(json_object_get(place->object, "machine_description")))
		return taken(place, "machine_description");
	if (find_text(place, "machine_description", &text))
		return -1;
	plan->machine = strdup(text);
	return plan->machine ? taken(place, "machine_description") : error_no_memory(place->error);
}

static int read_events(const struct place *place, struct fathom_plan *plan)
{
	const char *text;
	if (!has(place, "events"))
		return 0;
	if (find_text(place, "events", &text))
		return -1;
	plan->events = strdup(text);
	return plan->events ? taken(place, "events") : error_no_memory(place->error);
}

static int read_plan(const struct place *place, struct fathom_plan *plan)
{
	int experiment, axis;
	int64_t cpu;
	if (read_head(place) ||
	    read_name(place, "experiment", experiment_parse, experiment_name, &experiment) ||
	    read_name(place, "axis", axis_parse, axis_name, &axis) || read_machine(place, plan) ||
	    read_seed(place, "seed", &plan->seed) || read_integer(place, "cpu", 0, INT_MAX, &cpu) ||
	    read_number(place, "budget_s", 0, 1e9, 1e9, &plan->budget_s) ||
	    read_number(place, "target", 0, 1, 1, &plan->target) ||
	    (has(place, "placements") && read_count(place, "placements", 1, &plan->placements)) ||
	    (has(place, "steps") && read_bytes(place, "steps", 1, &plan->steps)) ||
	    read_events(place, plan) || read_boolean(place, "keep_samples", &plan->keep_samples) ||
	    (has(place, "asked") && read_boolean(place, "asked", &plan->asked)) ||
	    read_boolean(place, "node_is_line", &plan->node_is_line) ||
	    read_bytes(place, "always_bytes", 0, &plan->always_bytes) ||
	    read_bytes(place, "memory_bytes", 0, &plan->memory_bytes) ||
	    read_number(place, "estimated_s", 0, 1e12, 0, &plan->estimated_s))
		return -1;
	if (experiment == FATHOM_FREQUENCY)
		return error_set(place->error, FATHOM_USAGE,
				 "'fathom frequency' again, with its options and its --seed",
				 "plan: it is for runs at several clocks");
	plan->experiment = (enum fathom_experiment)experiment;
	plan->axis = (enum fathom_axis)axis;
	plan->cpu = (int)cpu;
	return read_specs(place, plan) || refuse_rest(place) ? -1 : 0;
}

static json_t *parse(const char *text, size_t length, struct fathom_error *error)
{
	json_error_t where;
	json_t *document = json_loadb(text, length, JSON_REJECT_DUPLICATES, &where);
	if (document && json_is_object(document))
		return document;
	if (document) {
		error_set(error, FATHOM_BAD_INPUT, NULL, "plan: it is not a JSON object");
		json_decref(document);
		return NULL;
	}
	char *reason = where.text[0] ? quotable(where.text) : NULL; /* jansson says why, or has
								     * no memory to say it */
	if (reason && json_error_code(&where) != json_error_out_of_memory)
		error_set(error, FATHOM_BAD_INPUT, "--dry-run --json prints a plan",
			  "plan: line %d: %s", where.line, reason);
	else
		error_no_memory(error);
	free(reason);
	return NULL;
}

int json_read_plan(const char *text, size_t length, struct fathom_plan **plan,
		   struct fathom_error *error)
{
	json_t *document = parse(text, length, error);
	if (!document)
		return -1;
	struct fathom_plan *made = calloc(1, sizeof(*made));
	struct place place = {document, "", error};
	int failed = made ? read_plan(&place, made) : error_no_memory(error);
	json_decref(document);
	if (failed) {
		fathom_plan_free(made);
		return -1;
	}
	*plan = made;
	return 0;
}
