/* Which format a name or a path means. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/names.h"
#include "render/formats.h"
#include "unit.h"

static void names(void **state)
{
	(void)state;
	static const char *const known[] = {"text",     "json",    "csv",        "html",
					    "markdown", "gnuplot", "prometheus", "benchmark",
					    "hwloc",    "hgrm"};
	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++) {
		assert_non_null(format_find(known[i]));
		assert_string_equal(format_find(known[i])->name, known[i]);
		assert_true(format_find(known[i])->holds[CONTENT_RESULT]);
	}
	assert_null(format_find("xml"));
	assert_null(format_find(""));
	assert_null(format_find("JSON"));
}

static void assert_formats(const char *(*name_of)(int number), int count, const char *expected)
{
	char *names = names_join(name_of, count);
	assert_string_equal(names, expected);
	free(names);
}

static void contents(void **state)
{
	(void)state;
	assert_formats(
		fathom_result_format, 0,
		"text, json, csv, html, markdown, gnuplot, prometheus, benchmark, hwloc or hgrm");
	assert_formats(fathom_comparison_format, 0, "text, json, csv or html");
	assert_formats(fathom_plan_format, 0, "text or json");
	assert_formats(fathom_machine_format, 1, "text");
	assert_formats(fathom_result_format, 3, "text, json or csv");
}

static void extensions(void **state)
{
	(void)state;
	assert_string_equal(fathom_format_of("x.json"), "json");
	assert_string_equal(fathom_format_of("/a.csv/b.c/x.y.CSV"), "csv");
	assert_string_equal(fathom_format_of("./x.txt"), "text");
	static const char *const silent[] = {"",      "x",        "json",    ".json", "a/.json",
					     "x.xml", "x.json/y", "x.json/", "x.",    "x.jsonl"};
	for (size_t i = 0; i < sizeof(silent) / sizeof(*silent); i++)
		assert_null(fathom_format_of(silent[i]));
}

static const struct CMUnitTest tests[] = {cmocka_unit_test(names), cmocka_unit_test(contents),
					  cmocka_unit_test(extensions)};
UNIT_GROUP();
