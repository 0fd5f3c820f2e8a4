/* A plan comes back as it was written, and nothing else is taken for one. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "document/document.h"
#include "render/formats.h"
#include "samples.h"
#include "unit.h"

static char *write_plan(const struct fathom_plan *plan)
{
	struct text text = {0};
	assert_int_equal(format_find("json")->write(&(struct content){CONTENT_PLAN, {.plan = plan}},
						    NULL, &text, NULL),
			 0);
	return text_take(&text);
}

static json_t *plan_document(void)
{
	struct fathom_plan *plan = sample_plan();
	plan->spec_count = 5;
	char *text = write_plan(plan);
	json_t *document = json_loads(text, 0, NULL);
	assert_non_null(document);
	free(text);
	fathom_plan_free(plan);
	return document;
}

/* Refused as BAD_INPUT, in one line that names it; the output is untouched. */
static void check_refused(const char *text, size_t length, const char *named)
{
	struct fathom_plan *plan = NULL;
	struct fathom_error error = {0};
	if (json_read_plan(text, length, &plan, &error) == 0)
		fail_msg("taken, although %s is wrong: %s", named, text);
	assert_null(plan);
	assert_int_equal(error.status, FATHOM_BAD_INPUT);
	if (!strstr(error.text, named))
		fail_msg("'%s' does not name %s", error.text, named);
	for (const char *c = error.text; *c; c++)
		assert_true(*c >= ' ' && *c < 127);
	assert_true(strlen(error.text) < 400);
	fathom_error_clear(&error);
}

static void check_document_refused(json_t *document, const char *named)
{
	char *text = json_dumps(document, 0);
	check_refused(text, strlen(text), named);
	free(text);
}

static json_t *spec_of(json_t *document, size_t index)
{
	return json_array_get(json_object_get(document, "specs"), index);
}

static void check_same(const struct fathom_plan *a, const struct fathom_plan *b)
{
	assert_int_equal(a->experiment, b->experiment);
	assert_int_equal(a->axis, b->axis);
	assert_int_equal(a->machine == NULL, b->machine == NULL);
	if (a->machine)
		assert_string_equal(a->machine, b->machine);
	assert_true(a->seed == b->seed && a->cpu == b->cpu);
	assert_true(a->budget_s == b->budget_s && a->target == b->target);
	assert_true(a->keep_samples == b->keep_samples && a->node_is_line == b->node_is_line);
	assert_true(a->always_bytes == b->always_bytes && a->memory_bytes == b->memory_bytes);
	assert_true(a->estimated_s == b->estimated_s);
	assert_int_equal(a->spec_count, b->spec_count);
	for (size_t i = 0; i < a->spec_count; i++) {
		const struct fathom_spec *x = &a->specs[i], *y = &b->specs[i];
		assert_true(x->size_bytes == y->size_bytes && x->node_bytes == y->node_bytes);
		assert_true(x->window_bytes == y->window_bytes && x->seed == y->seed);
		assert_true(x->stride_bytes == y->stride_bytes && x->laps == y->laps);
		assert_true(x->lanes == y->lanes && x->threads == y->threads);
		assert_true(x->pattern == y->pattern && x->link == y->link);
		assert_true(x->warmth == y->warmth && x->page == y->page);
	}
}

static void check_round_trip(const struct fathom_plan *plan)
{
	struct fathom_plan *again;
	struct fathom_error error = {0};
	char *text = write_plan(plan);
	if (json_read_plan(text, strlen(text), &again, &error))
		fail_msg("%s", error.text);
	check_same(plan, again);
	char *text_again = write_plan(again);
	assert_string_equal(text, text_again);
	free(text);
	free(text_again);
	fathom_plan_free(again);
}

static void round_trip(void **state)
{
	(void)state;
	struct fathom_plan *plan = sample_plan();
	check_round_trip(plan);
	plan->budget_s = 1 / 3.0;
	plan->estimated_s = 0;
	plan->keep_samples = plan->node_is_line = false;
	plan->seed = 0;
	plan->specs[plan->spec_count - 1].size_bytes = INT64_MAX;
	plan->specs[4].pattern = FATHOM_LINE_PAIR;
	plan->specs[4].stride_bytes = 32;
	free(plan->machine);
	plan->machine = NULL;
	check_round_trip(plan);
	fathom_plan_free(plan);
}

static void missing_fields_are_named(void **state)
{
	(void)state;
	json_t *good = plan_document(), *member;
	const char *key;
	size_t tried = 0;
	json_object_foreach(good, key, member)
	{
		json_t *bad = json_deep_copy(good);
		json_object_del(bad, key);
		check_document_refused(bad, key);
		json_decref(bad);
		tried++;
	}
	json_object_foreach(spec_of(good, 3), key, member)
	{
		char *path = text_format("'specs[3].%s'", key);
		json_t *bad = json_deep_copy(good);
		json_object_del(spec_of(bad, 3), key);
		check_document_refused(bad, path);
		json_decref(bad);
		free(path);
		tried++;
	}
	assert_int_equal(tried, 16 + 12);
	json_decref(good);
}

static void wrong_types_are_named(void **state)
{
	(void)state;
	static const char *const wrong[] = {"[]", "1.5", "null", "\"\xC3\xA9\"", "true"};
	/* what a field of the plan may also be */
	static const char *const allowed[] = {"machine_description null",
					      "machine_description \"\xC3\xA9\"",
					      "keep_samples true",
					      "node_is_line true",
					      "budget_s 1.5",
					      "estimated_s 1.5"};
	json_t *good = plan_document(), *member;
	const char *key;
	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
		json_object_foreach(good, key, member)
		{
			char *both = text_format("%s %s", key, wrong[i]);
			bool fine = false;
			for (size_t k = 0; k < sizeof(allowed) / sizeof(*allowed); k++)
				fine = fine || strcmp(both, allowed[k]) == 0;
			json_t *bad = json_deep_copy(good);
			json_object_set_new(bad, key, json_loads(wrong[i], JSON_DECODE_ANY, NULL));
			if (!fine)
				check_document_refused(bad, key);
			json_decref(bad);
			free(both);
		}
		json_object_foreach(spec_of(good, 0), key, member)
		{
			char *path = text_format("'specs[0].%s'", key);
			json_t *bad = json_deep_copy(good);
			json_object_set_new(spec_of(bad, 0), key,
					    json_loads(wrong[i], JSON_DECODE_ANY, NULL));
			check_document_refused(bad, path);
			json_decref(bad);
			free(path);
		}
	}
	json_decref(good);
}

static void values_out_of_range_are_named(void **state)
{
	(void)state;
	static const struct {
		const char *key, *value;
		bool in_spec;
	} wrong[] = {
		{"size_bytes", "-1", true},
		{"size_bytes", "-1", true},
		{"size_bytes", "64.0", true},
		{"node_bytes", "0", true},
		{"window_bytes", "-1", true},
		{"stride_bytes", "-9223372036854775808", true},
		{"laps", "4294967296", true},
		{"lanes", "0", true},
		{"threads", "4294967296", true},
		{"pattern", "\"RANDOM_CYCLE\"", true},
		{"pattern", "\"random\"", true},
		{"link", "\"\"", true},
		{"page_kind", "\"4K\"", true},
		{"seed", "\"\"", true},
		{"seed", "\"0x\"", true},
		{"seed", "\"1f\"", true},
		{"seed", "\"0x1F\"", true},
		{"seed", "\"0x-1\"", true},
		{"seed", "\"0x10000000000000000\"", true},
		{"seed", "12", false},
		{"cpu", "-1", false},
		{"cpu", "2147483648", false},
		{"budget_s", "0", false},
		{"budget_s", "1e10", false},
		{"target", "0.0", false},
		{"target", "1.01", false},
		{"target", "-0.01", false},
		{"estimated_s", "-1", false},
		{"always_bytes", "-1", false},
		{"memory_bytes", "-1", false},
		{"experiment", "\"speed\"", false},
		{"axis", "\"speed\"", false},
		{"specs", "[]", false},
		{"specs", "{}", false},
		{"specs", "[1]", false},
		{NULL, NULL, false},
	};
	for (size_t i = 0; wrong[i].value; i++) {
		json_t *document = plan_document();
		json_object_set_new(wrong[i].in_spec ? spec_of(document, 2) : document,
				    wrong[i].key,
				    json_loads(wrong[i].value, JSON_DECODE_ANY, NULL));
		char *path = text_format("%s%s", wrong[i].in_spec ? "specs[2]." : "", wrong[i].key);
		check_document_refused(document, path);
		free(path);
		json_decref(document);
	}
}

static void sizes_must_ascend(void **state)
{
	(void)state;
	json_t *document = plan_document();
	json_object_set_new(spec_of(document, 2), "size_bytes", json_integer(1 << 20));
	check_document_refused(document, "'specs[3].size_bytes' is less");
	json_decref(document);
}

static void each_curve_ascends_for_itself(void **state)
{
	(void)state;
	struct fathom_plan *plan = sample_plan();
	size_t last = plan->spec_count - 1;
	assert_true(plan->specs[last].size_bytes < plan->specs[160].size_bytes);
	check_round_trip(plan);
	plan->specs[last].size_bytes = plan->specs[last - 1].size_bytes - 64;
	char *text = write_plan(plan), *named = text_format("'specs[%zu].size_bytes'", last);
	check_refused(text, strlen(text), named);
	free(text);
	free(named);
	fathom_plan_free(plan);
}

static void specs_are_bounded(void **state)
{
	(void)state;
	json_t *document = plan_document();
	json_t *specs = json_array();
	for (int i = 0; i <= 65536; i++)
		json_array_append(specs, spec_of(document, 0));
	json_object_set_new(document, "specs", specs);
	check_document_refused(document, "'specs' has 65537 elements");
	json_decref(document);
}

static void strangers_are_named(void **state)
{
	(void)state;
	json_t *document = plan_document();
	json_object_set_new(document, "colour\n\x1b", json_null());
	check_document_refused(document, "'colour\\x0a\\x1b' is not a field");
	json_object_del(document, "colour\n\x1b");
	json_object_set_new(spec_of(document, 4), "colour", json_null());
	check_document_refused(document, "'specs[4].colour' is not a field");
	json_object_del(spec_of(document, 4), "colour");
	json_object_set_new(json_object_get(document, "fathom"), "seed", json_null());
	check_document_refused(document, "'fathom.seed' is not a field");
	json_decref(document);
}

static void long_names_are_cut(void **state)
{
	(void)state;
	char name[10001];
	memset(name, 'x', sizeof(name) - 1);
	name[sizeof(name) - 1] = 0;
	json_t *document = plan_document();
	json_object_set_new(spec_of(document, 0), "pattern", json_string(name));
	check_document_refused(document, "xxx...'");
	json_decref(document);
}

static void other_documents_are_refused(void **state)
{
	(void)state;
	json_t *document = plan_document();
	json_object_set_new(document, "schema", json_string("fathom/2"));
	check_document_refused(document, "'schema' is not 'fathom/1'");
	json_object_set_new(document, "schema", json_string("fathom/1"));
	json_object_set_new(document, "kind", json_string("result"));
	check_document_refused(document, "'kind' is not 'plan'");
	json_decref(document);
	check_refused("[]", 2, "not a JSON object");
	check_refused("{}", 2, "'schema' is missing");
}

static void syntax_errors_name_the_line(void **state)
{
	(void)state;
	static const char *const wrong[] = {"{\n\n\"schema\" \x1b[31m 1}",
					    "{\n\n\"a\": 1,\n",
					    "{\n\n\"a\": 1, \"a\": 2}",
					    "{\n\n\"a\": NaN}",
					    "{\n\n\"a\": \"\xFF\"}",
					    "{\n\n\"a\": 99999999999999999999}",
					    "{\n\n} x"};
	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++)
		check_refused(wrong[i], strlen(wrong[i]), i == 1 ? "line 4: " : "line 3: ");
	check_refused("", 0, "line 1: ");
	check_refused("{\"a\": \"b\0c\"}", 12, "line 1: ");
	char deep[20000];
	memset(deep, '[', sizeof(deep));
	check_refused(deep, sizeof(deep), "line 1: ");
}

static void a_plan_cut_anywhere_is_refused(void **state)
{
	(void)state;
	json_t *document = plan_document();
	char *text = json_dumps(document, 0);
	for (size_t length = 0; length < strlen(text); length++)
		check_refused(text, length, "line 1: ");
	free(text);
	json_decref(document);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(round_trip),
	cmocka_unit_test(missing_fields_are_named),
	cmocka_unit_test(wrong_types_are_named),
	cmocka_unit_test(values_out_of_range_are_named),
	cmocka_unit_test(sizes_must_ascend),
	cmocka_unit_test(each_curve_ascends_for_itself),
	cmocka_unit_test(specs_are_bounded),
	cmocka_unit_test(strangers_are_named),
	cmocka_unit_test(long_names_are_cut),
	cmocka_unit_test(other_documents_are_refused),
	cmocka_unit_test(syntax_errors_name_the_line),
	cmocka_unit_test(a_plan_cut_anywhere_is_refused),
};
UNIT_GROUP();
