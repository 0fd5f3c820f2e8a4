/* fathom's own documents come back as they were written. */
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "reading.h"
#include "samples.h"
#include "unit.h"

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

static struct fathom_result *sample_long_result(void)
{
	return sample_result(12);
}

static struct fathom_result *(*const samples[])(void) = {
	sample_long_result,    sample_empty_result,       sample_poor_result,
	sample_hostile_result, sample_levels_result,      sample_foreign_result,
	sample_cycles_result,  sample_parallelism_result, sample_pages_result,
};

static char *write_result(const struct fathom_result *result, const char *format)
{
	char *text = NULL;
	size_t length;
	assert_int_equal(fathom_result_write(result, format, NULL, &text, &length, NULL), 0);
	assert_int_equal(strlen(text), length);
	return text;
}

/* How good a result is, is found anew when it is read: the sample's is taken from there. */
static void find_quality(struct fathom_result *sample, const char *format)
{
	char *text = write_result(sample, format);
	struct fathom_result *result = read_text(text, NULL);
	sample->quality = result->quality;
	free(sample->quality_reason);
	sample->quality_reason = result->quality_reason;
	result->quality_reason = NULL;
	fathom_result_free(result);
	free(text);
}

/* Written, read and written again: not a byte is another. */
static void check_same_again(struct fathom_result *sample, const char *format)
{
	find_quality(sample, format);
	char *text = write_result(sample, format);
	struct fathom_result *result = read_text(text, NULL);
	char *again = write_result(result, format);
	assert_string_equal(text, again);
	free(text);
	free(again);
	fathom_result_free(result);
	fathom_result_free(sample);
}

static void test_json_comes_back(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(samples); i++)
		check_same_again(samples[i](), "json");
	check_same_again(sample_clocks_result(), "json");
}

/* In place of each `name` in the text its `other`. */
static char *rename_all(char *text, const char *name, const char *other)
{
	size_t length = strlen(name), count = 0;
	for (const char *at = text; (at = strstr(at, name)); at += length)
		count++;
	char *made = calloc(1, strlen(text) + count * strlen(other) + 1), *end = made;
	assert_non_null(made);
	const char *from = text;
	for (const char *at; (at = strstr(from, name)); from = at + length) {
		memcpy(end, from, (size_t)(at - from));
		end = stpcpy(end + (at - from), other);
	}
	strcpy(end, from);
	free(text);
	return made;
}

/* What earlier versions wrote under other names is read, and written under those of today. */
static void check_old_names(struct fathom_result *sample, const char *format)
{
	static const char *const names[][2] = {
		{"low_ns_per_access", "ns_per_access_low"},
		{"high_ns_per_access", "ns_per_access_high"},
		{"low_cycles_per_access", "cycles_per_access_low"},
		{"high_cycles_per_access", "cycles_per_access_high"},
		{"read_low_bytes_per_second", "read_low"},
		{"read_high_bytes_per_second", "read_high"},
		{"all_low_bytes_per_second", "all_low"},
		{"all_high_bytes_per_second", "all_high"},
		{"bandwidth_low_bytes_per_second", "bandwidth_low"},
		{"bandwidth_high_bytes_per_second", "bandwidth_high"},
		{"\"low_bytes_per_second", "\"bytes_per_second_low"},
		{"\"high_bytes_per_second", "\"bytes_per_second_high"},
		{"relative_to_l1", "over_first"},
		{"\"outlier\"", "\"gap\""},
		{"rejected_outlier", "rejected_gap"},
		{"\"source\": \"user\"", "\"source\": \"told\""},
	};
	find_quality(sample, format);
	char *text = write_result(sample, format), *old = strdup(text);
	assert_non_null(old);
	for (size_t i = 0; i < COUNT(names); i++)
		old = rename_all(old, names[i][0], names[i][1]);
	assert_string_not_equal(text, old);
	struct fathom_result *result = read_text(old, NULL);
	char *again = write_result(result, format);
	assert_string_equal(text, again);
	free(text);
	free(old);
	free(again);
	fathom_result_free(result);
	fathom_result_free(sample);
}

static void test_old_names_are_read(void **state)
{
	(void)state;
	struct fathom_result *clocks = sample_clocks_result();
	clocks->clocks[0].source = FATHOM_CLOCK_USER;
	clocks->curves[0].points[0].rejected[FATHOM_REJECTED_OUTLIER] = 3;
	check_old_names(clocks, "json");
	check_old_names(sample_parallelism_result(), "json");
	struct fathom_result *foreign = sample_foreign_result();
	foreign->curves[0].relative_to_l1 = true;
	check_old_names(foreign, "csv");
}

/* A row a law, which is no table of points. */
static void test_csv_of_clocks(void **state)
{
	(void)state;
	struct fathom_result *sample = sample_clocks_result();
	char *csv = write_result(sample, "csv");
	assert_non_null(strstr(csv, "\r\n\"memory\",134217728,536870912,9,61,56.66,65.34,30.5,"));
	assert_non_null(strstr(csv, "\r\n,1024,1024,1,5,,,2.5,,,0,"));
	free(csv);
	fathom_result_free(sample);
}

/* What a tool does not tell stays untold: of tinymembench the order is known, the rest is not. */
static void test_other_tools_come_back(void **state)
{
	static const char text[] = "block size : single random read / dual random read\n"
				   "1024 : 0.0 ns / 0.0 ns\n65536 : 5.2 ns / 8.0 ns\n";
	static const char *const absent[] = {
		"\"seed\": null}",
		"\"pattern\": \"independent\", \"warmth\": null, \"link\": null, "
		"\"page_kind\": \"default\"",
		"\"lanes\": 1, \"threads\": 1, \"seed\": null",
	};
	(void)state;
	struct fathom_result *result = read_text(text, NULL);
	char *json = write_result(result, "json"), *csv = write_result(result, "csv");
	for (size_t i = 0; i < COUNT(absent); i++)
		if (!strstr(json, absent[i]))
			fail_msg("'%s' is not in\n%s", absent[i], json);
	assert_non_null(strstr(csv, "\nlatency,,independent,,,default,1024,1,,,,,1,1,,"));
	free(json);
	free(csv);
	check_same_again(result, "json");
	check_same_again(read_text(text, NULL), "csv");
	check_same_again(read_text("\"stride=64\n0.00049 1.5\n0.5 4\n", NULL), "json");
}

static void test_csv_comes_back(void **state)
{
	(void)state;
	/* How many blocks there were is in it, their values are not: so none come back. */
	for (size_t i = 0; i < COUNT(samples); i++) {
		struct fathom_result *sample = samples[i]();
		size_t points = 0;
		for (size_t c = 0; c < sample->curve_count; c++) {
			points += sample->curves[c].point_count;
			for (size_t p = 0; p < sample->curves[c].point_count; p++)
				sample->curves[c].points[p].block_count = 0;
		}
		if (points)
			check_same_again(sample, "csv");
		else
			fathom_result_free(sample);
	}
}

static void test_what_a_machine_has(void **state)
{
	(void)state;
	struct fathom_result *sample = sample_result(3);
	char *text = write_result(sample, "json");
	struct fathom_result *result = read_text(text, NULL);
	const struct fathom_machine *is = result->machine, *was = sample->machine;
	assert_string_equal(is->cpu_model, was->cpu_model);
	assert_null(is->description);
	assert_int_equal(is->cache_count, was->cache_count);
	for (size_t i = 0; i < is->cache_count; i++) {
		assert_int_equal(is->caches[i].level, was->caches[i].level);
		assert_int_equal(is->caches[i].kind, was->caches[i].kind);
		assert_true(is->caches[i].size_bytes == was->caches[i].size_bytes);
		assert_int_equal(is->caches[i].ways, was->caches[i].ways);
		assert_int_equal(is->caches[i].shared_cpus, was->caches[i].shared_cpus);
	}
	assert_int_equal(is->boost, 1);
	assert_true(is->limit_bytes == was->limit_bytes);
	assert_int_equal(is->conditions.count, was->conditions.count);
	assert_true(result->seed == UINT64_MAX);
	assert_null(result->curves[0].tool);
	assert_int_equal(result->curves[0].cpu, 1);
	assert_int_equal(result->curves[0].points[0].sample_count, 12);
	assert_int_equal(result->curves[0].points[0].accesses, 98304);
	assert_non_null(result->curves[0].points[0].samples_ns);
	assert_null(result->curves[0].points[1].samples_ns);
	free(text);
	fathom_result_free(sample);
	fathom_result_free(result);
}

static void test_what_is_missing_is_not_known(void **state)
{
	(void)state;
	struct fathom_result *result = read_text(
		" {\"schema\": \"fathom/1\", \"kind\": \"result\", \"later\": [1], \"curves\": "
		"[{\"points\": [{\"size_bytes\": 4096, \"latency_ns\": 2, \"more\": 1}]}]}",
		NULL);
	const struct fathom_curve *curve = &result->curves[0];
	assert_int_equal(curve->cpu, -1);
	assert_int_equal(curve->points[0].spec.pattern, FATHOM_PATTERN_UNKNOWN);
	assert_true(curve->points[0].latency_ns == 2 && isnan(curve->points[0].latency_cycles));
	assert_null(result->machine);
	assert_null(result->argv);
	assert_true(isnan(result->elapsed_s) && isnan(result->clock_median_hz));
	fathom_result_free(result);
}

static void test_limits_that_are_not_known(void **state)
{
	(void)state;
	struct fathom_result *result =
		read_text("{\"schema\": \"fathom/1\", \"kind\": \"result\", \"curves\": [], "
			  "\"machine\": {\"limit_bytes\": null}}",
			  NULL);
	assert_true(result->machine->limit_bytes == UINT64_MAX);
	assert_int_equal(result->machine->boost, -1);
	assert_int_equal(result->machine->default_cpu, -1);
	fathom_result_free(result);
}

static void test_other_documents(void **state)
{
	(void)state;
	struct fathom_plan *plan = sample_plan();
	struct fathom_machine *machine = sample_machine();
	char *text = NULL;
	size_t length;
	assert_int_equal(fathom_plan_write(plan, "json", NULL, &text, &length, NULL), 0);
	refuse_text(text, NULL, FATHOM_BAD_INPUT, "it is a plan, not a result", "fathom run");
	free(text);
	assert_int_equal(fathom_machine_write(machine, "json", NULL, &text, &length, NULL), 0);
	refuse_text(text, NULL, FATHOM_BAD_INPUT, "a machine, not a result", "fathom latency");
	free(text);
	fathom_plan_free(plan);
	fathom_machine_free(machine);
	refuse_text("{\"schema\": \"fathom/1\", \"kind\": \"dream\"}", NULL, FATHOM_BAD_INPUT,
		    "'kind' is not 'result'", NULL);
	refuse_text("{\"schema\": \"fathom/2\", \"kind\": \"result\"}", NULL, FATHOM_BAD_INPUT,
		    "'schema' is 'fathom/2'", "the version of fathom that wrote it");
	refuse_text("{\"schema\": \"fathom/x\", \"kind\": \"result\"}", NULL, FATHOM_BAD_INPUT,
		    "'schema' is not 'fathom/1'", NULL);
	refuse_text("{\"schema\": \"fathom/1\", \"kind\": \"comparison\"}", NULL, FATHOM_BAD_INPUT,
		    "it is a comparison", NULL);
	refuse_text("{\"ns\": [1, 2]}", NULL, FATHOM_BAD_INPUT, "it is JSON, but 'schema'", NULL);
	refuse_text("{\n\"schema\": fathom\n}", NULL, FATHOM_BAD_INPUT, "line 2: not valid JSON",
		    NULL);
}

/* A document with one thing in it that is wrong, and how it is named. */
static void test_fields_that_are_wrong(void **state)
{
	static const char *const cases[][2] = {
		{"\"curves\": 3", "'curves' is not an array"},
		{"\"curves\": [3]", "'curves[0]' is not an object"},
		{"\"levels\": []", "'curves' is missing"},
		{"\"curves\": [{\"cpu\": \"a\"}]", "'curves[0].cpu' is not a whole number"},
		{"\"curves\": [{\"cpu\": 5000000000}]",
		 "'curves[0].cpu' is out of range: it is not between -2147483648 and"},
		{"\"curves\": [{\"axis\": \"speed\"}]",
		 "'curves[0].axis' is not a name that this version knows: 'speed'"},
		{"\"curves\": [{\"points\": [{}]}]", "'curves[0].points[0].size_bytes' is missing"},
		{"\"curves\": [{\"points\": [{\"size_bytes\": -1}]}]", "is out of range"},
		{"\"curves\": [{\"points\": [{\"size_bytes\": 1.5}]}]", "is not a whole number"},
		{"\"curves\": [{\"points\": [{\"size_bytes\": 2}, {\"size_bytes\": 1}]}]",
		 "'curves[0].points' do not ascend"},
		{"\"curves\": [{\"points\": [{\"size_bytes\": 2, \"latency_ns\": \"1\"}]}]",
		 "'curves[0].points[0].latency_ns' is not a number"},
		{"\"curves\": [{\"points\": [{\"size_bytes\": 2, \"latency_ns\": 1e101}]}]",
		 "'curves[0].points[0].latency_ns' is out of range"},
		{"\"curves\": [{\"points\": [{\"size_bytes\": 2, \"latency_ns\": -1}]}]",
		 "'curves[0].points[0].latency_ns' is not above 0"},
		{"\"curves\": [{\"points\": [{\"size_bytes\": 2, \"latency_cycles\": 0}]}]",
		 "'curves[0].points[0].latency_cycles' is not above 0"},
		{"\"curves\": [{\"points\": [{\"size_bytes\": 2, \"latency_ns\": 2, "
		 "\"latency_low_ns\": 3, \"latency_high_ns\": 1}]}]",
		 "'curves[0].points[0].latency_high_ns' is below the lower bound"},
		{"\"curves\": [{\"points\": [{\"size_bytes\": 2, \"blocks_ns\": [-1e101]}]}]",
		 "'curves[0].points[0].blocks_ns' has an element that is out of range"},
		{"\"curves\": [], \"clock\": {\"drift\": 1e308}", "'clock.drift' is out of range"},
		{"\"curves\": [{\"points\": [{\"size_bytes\": 2, \"blocks_ns\": [true]}]}]",
		 "'curves[0].points[0].blocks_ns' has an element that is not a number"},
		{"\"curves\": [{\"points\": [{\"size_bytes\": 2, \"samples_ns\": [1, 2]}]}]",
		 "'curves[0].points[0].samples_ns' does not have as many elements as 'samples' "
		 "says"},
		{"\"curves\": [{\"points\": [{\"size_bytes\": 2, \"seed\": \"0xg\"}]}]",
		 "is not a seed"},
		{"\"curves\": [{\"points\": [{\"size_bytes\": 2, \"counts\": [{}]}]}]",
		 "'curves[0].points[0].counts[0].event' is missing"},
		{"\"curves\": [{\"points\": [{\"size_bytes\": 2, \"counts\": [{\"event\": "
		 "\"a\"}]}]}]",
		 "'curves[0].points[0].counts[0].state' is missing"},
		{"\"curves\": [{\"points\": [{\"size_bytes\": 2, \"counts\": [{\"event\": \"a\", "
		 "\"state\": \"counted\"}]}]}]",
		 "'curves[0].points[0].counts[0].per_access' does not go with 'state'"},
		{"\"curves\": [{\"points\": [{\"size_bytes\": 2, \"counts\": [{\"event\": \"a\", "
		 "\"state\": \"not permitted\", \"per_access\": 0}]}]}]",
		 "'curves[0].points[0].counts[0].per_access' does not go with 'state'"},
		{"\"curves\": [{\"axis\": \"lanes\", \"points\": [{\"size_bytes\": 2, \"lanes\": "
		 "2}, {\"size_bytes\": 2, \"lanes\": 2}]}]",
		 "'curves[0].points' do not ascend by 'lanes'"},
		{"\"curves\": [], \"clocks\": [{\"curve\": 0, \"relative\": 1}]",
		 "'clocks[0].curve' is the index of a curve that does not exist"},
		{"\"curves\": [], \"clocks\": [{}]", "'clocks[0].curve' is missing"},
		{"\"curves\": [{}], \"clocks\": [{\"curve\": 0}]",
		 "'clocks[0].relative' is missing"},
		{"\"curves\": [{}], \"clocks\": [{\"curve\": 0, \"relative\": 0}]",
		 "'clocks[0].relative' is not above 0"},
		{"\"curves\": [], \"clock_laws\": [{\"from_bytes\": 2, \"to_bytes\": 1}]",
		 "'clock_laws[0].to_bytes' is less"},
		{"\"curves\": [], \"clock_laws\": [{\"from_bytes\": 1, \"to_bytes\": 1}]",
		 "'clocks' are fewer than two"},
		{"\"curves\": [{\"points\": []}], \"parallelism\": [{\"curve\": 0}]",
		 "'parallelism[0].curve' is the index of a curve that does not exist"},
		{"\"curves\": [], \"translations\": [{\"spread\": 0}]",
		 "'translations[0].line_per_page_curve' is the index of a curve that does not "
		 "exist"},
		{"\"curves\": [], \"translations\": [{\"tlbs\": [{\"entries\": true}]}]",
		 "'translations[0].tlbs[0].entries' is not a number"},
		{"\"curves\": [{\"points\": [{\"size_bytes\": 2}]}], \"page_differences\": "
		 "[{\"small\": 0, \"large\": 1}]",
		 "'page_differences[0].large_curve' is the index of a curve that does not exist"},
		{"\"curves\": [], \"decompositions\": [{\"curve\": 0}]",
		 "'decompositions[0].curve' is the index of a curve that does not exist"},
		{"\"curves\": [{\"points\": [{\"size_bytes\": 2}]}], \"decompositions\": "
		 "[{\"curve\": 0, \"size_bytes\": 2, \"parts\": {\"walk\": 1}}]",
		 "'decompositions[0].parts.walk' is not an object"},
		{"\"curves\": [], \"levels\": [{\"curve\": 0}]",
		 "is the index of a curve that does not exist"},
		{"\"curves\": [], \"readings\": [{\"curve\": 0}]", "a curve that does not exist"},
		{"\"curves\": [], \"warnings\": [{\"id\": \"a\"}]",
		 "'warnings[0].text' is missing"},
		{"\"curves\": [], \"machine\": 1", "'machine' is not an object"},
		{"\"curves\": [], \"machine\": {\"caches\": [{\"kind\": \"odd\"}]}",
		 "'machine.caches[0].kind' is not a name"},
		{"\"curves\": [], \"interrupted\": 1", "'interrupted' is not true or false"},
		{"\"curves\": [], \"fathom\": {\"argv\": [1]}", "'fathom.argv' has an element"},
		{"\"curves\": [], \"fathom\": {\"argv\": 1}", "'fathom.argv' is not an array"},
		{"\"curves\": [], \"measured_at\": \"2026-13-01T00:00:00Z\"",
		 "'measured_at' is not a time like"},
	};
	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		char text[400] = "{\"schema\": \"fathom/1\", \"kind\": \"result\", ";
		strcat(text, cases[i][0]);
		strcat(text, "}");
		refuse_text(text, NULL, FATHOM_BAD_INPUT, cases[i][1], NULL);
	}
}

/* Whatever is cut off, what is left is refused, and nothing of it is kept. */
static void test_json_that_is_cut(void **state)
{
	(void)state;
	struct fathom_result *sample = sample_result(1);
	char *text = write_result(sample, "json");
	size_t length = strlen(text);
	for (size_t cut = 1; cut + 3 < length; cut += 1 + length / 97)
		refuse_bytes(text, cut, NULL, FATHOM_BAD_INPUT, "line ", NULL);
	free(text);
	fathom_result_free(sample);
}

static void test_csv_of_several_curves(void **state)
{
	(void)state;
	struct fathom_result *sample = sample_levels_result();
	char *text = write_result(sample, "csv");
	struct fathom_result *result = read_text(text, NULL);
	assert_int_equal(result->curve_count, sample->curve_count);
	for (size_t i = 0; i < result->curve_count; i++) {
		assert_int_equal(result->curves[i].point_count, sample->curves[i].point_count);
		assert_int_equal(result->curves[i].points[0].spec.pattern,
				 sample->curves[i].points[0].spec.pattern);
		assert_null(result->curves[i].tool);
	}
	free(text);
	fathom_result_free(sample);
	fathom_result_free(result);
	result = read_text("experiment,pattern,size_bytes,latency_ns,later\n"
			   "latency,unknown,1024,1.5,x\n",
			   NULL);
	assert_string_equal(result->curves[0].tool, "csv");
	fathom_result_free(result);
}

static void test_csv_along_the_lanes(void **state)
{
	(void)state;
	struct fathom_result *sample = sample_parallelism_result();
	char *text = write_result(sample, "csv");
	struct fathom_result *result = read_text(text, NULL);
	assert_int_equal(result->curve_count, sample->curve_count);
	for (size_t i = 0; i < result->curve_count; i++) {
		const struct fathom_curve *is = &result->curves[i], *was = &sample->curves[i];
		assert_int_equal(is->axis, was->axis);
		assert_int_equal(is->experiment, was->experiment);
		assert_int_equal(is->points[1].spec.axis, was->axis);
		assert_int_equal(is->points[1].spec.lanes, was->points[1].spec.lanes);
		assert_int_equal(is->points[1].lane_store, was->points[1].lane_store);
		assert_int_equal(is->points[1].spec.vector_bytes, was->points[1].spec.vector_bytes);
	}
	free(text);
	fathom_result_free(sample);
	fathom_result_free(result);
	refuse_text("experiment,axis,pattern,size_bytes,lanes,ns_per_access\n"
		    "parallelism,lanes,random_cycle,1024,2,3\n"
		    "parallelism,lanes,random_cycle,1024,2,3\n",
		    NULL, FATHOM_BAD_INPUT, "line 3: the lanes do not ascend", NULL);
	refuse_text("experiment,pattern,warmth,size_bytes,latency_ns\n"
		    "latency,random_cycle,warm,1024,0\n",
		    NULL, FATHOM_BAD_INPUT, "line 2: 'latency_ns' is not above 0", NULL);
	fathom_result_free(read_text("experiment,pattern,warmth,size_bytes,latency_ns\n"
				     "latency,random_cycle,cold_flushed,1024,-1\n",
				     NULL));
}

static void test_csv_of_pages(void **state)
{
	(void)state;
	struct fathom_result *sample = sample_pages_result();
	struct fathom_point *placed = &sample->curves[sample->translations[0].by_size].points[0];
	placed->placement_spread_ns = 1.25;
	placed->noise_spread_ns = 0.5;
	char *text = write_result(sample, "csv");
	struct fathom_result *result = read_text(text, NULL);
	assert_int_equal(result->curve_count, sample->curve_count);
	for (size_t i = 0; i < result->curve_count; i++) {
		const struct fathom_curve *is = &result->curves[i], *was = &sample->curves[i];
		assert_int_equal(is->axis, was->axis);
		assert_int_equal(is->points[1].spec.page, was->points[1].spec.page);
		assert_true(is->points[1].page_bytes == was->points[1].page_bytes);
	}
	const struct fathom_point *point =
		&result->curves[sample->translations[0].by_size].points[0];
	assert_float_equal(point->placement_spread_ns, 1.25, 0);
	assert_float_equal(point->noise_spread_ns, 0.5, 0);
	assert_true(isnan(point[1].noise_spread_ns));
	free(text);
	fathom_result_free(sample);
	fathom_result_free(result);
}

static void test_csv_that_is_wrong(void **state)
{
	static const char heading[] = "experiment,pattern,size_bytes,latency_ns\n";
	static const char *const cases[][2] = {
		{"", "line 1: no rows follow the heading"},
		{"latency,random_cycle,1024\n", "line 2: there are 3 columns, but line 1 has 4"},
		{"latency,zigzag,1024,1\n", "line 2: 'zigzag' is not a name"},
		{"latency,random_cycle,,1\n", "line 2: 'size_bytes' is missing"},
		{"latency,random_cycle,-1,1\n", "line 2: '-1' is out of range"},
		{"latency,random_cycle,1e30,1\n", "line 2: '1e30' is out of range"},
		{"latency,random_cycle,1024,1e101\n", "line 2: '1e101' is out of range"},
		{"latency,random_cycle,1024,one\n", "line 2: 'one' is not a number"},
		{"latency,random_cycle,1024,1\nlatency,random_cycle,512,1\n",
		 "line 3: the size is smaller"},
	};
	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		char text[200] = "";
		strcat(text, heading);
		strcat(text, cases[i][0]);
		refuse_text(text, NULL, FATHOM_BAD_INPUT, cases[i][1], NULL);
	}
	refuse_text("experiment,latency_ns\nlatency,1\n", NULL, FATHOM_BAD_INPUT,
		    "no column 'size_bytes'", NULL);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(test_json_comes_back),
	cmocka_unit_test(test_old_names_are_read),
	cmocka_unit_test(test_csv_comes_back),
	cmocka_unit_test(test_other_tools_come_back),
	cmocka_unit_test(test_what_a_machine_has),
	cmocka_unit_test(test_what_is_missing_is_not_known),
	cmocka_unit_test(test_limits_that_are_not_known),
	cmocka_unit_test(test_other_documents),
	cmocka_unit_test(test_fields_that_are_wrong),
	cmocka_unit_test(test_json_that_is_cut),
	cmocka_unit_test(test_csv_of_several_curves),
	cmocka_unit_test(test_csv_along_the_lanes),
	cmocka_unit_test(test_csv_of_pages),
	cmocka_unit_test(test_csv_of_clocks),
	cmocka_unit_test(test_csv_that_is_wrong),
};
UNIT_GROUP();
