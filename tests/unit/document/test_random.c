/* Documents of any values, made from the table itself, come back as they were written: a row that a
 * reader or writer does not take as the table says makes two texts differ. */
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "base/patterns.h"
#include "base/point.h"
#include "base/rng.h"
#include "base/text.h"
#include "document/document.h"
#include "document/table.h"
#include "readers/readers.h"
#include "unit.h"

#define DOCUMENTS    60
#define MOST_ITEMS   3
#define MOST_NUMBERS 4

/* How a document is filled in. */
struct filling {
	struct rng rng;
	size_t curve_count; /* that indexes may name */
	bool plain;         /* texts need no escape in CSV */
	bool strict;        /* nothing is unknown */
};

static uint64_t below(struct filling *filling, uint64_t bound)
{
	return rng_below(&filling->rng, bound);
}

static bool leave(struct filling *filling, const struct field *field)
{
	return !filling->strict && !(field->flags & FIELD_REQUIRED) && below(filling, 4) == 0;
}

static char *random_text(struct filling *filling)
{
	static const char *const words[] = {"L1",      "a \"b\", c", "=1+1", "\xC3\xA9\n",
					    "\\x1b\t", "",           "null", "0x1f"};
	static const char *const plain[] = {"tool", "other", "e1"};
	return strdup(filling->plain ? plain[below(filling, 3)] : words[below(filling, 8)]);
}

static double random_number(struct filling *filling, const struct field *field)
{
	struct bounds bounds = field_bounds(field);
	double low = fmax(bounds.low, -1e6), high = fmin(bounds.high, 1e6);
	double exponent = -6 * rng_unit(&filling->rng); /* of all orders of magnitude */
	double number = low + (high - low) * (below(filling, 4) ? pow(10, exponent) : 1);
	return field->type == FIELD_FITTED ? floor(number) + 1 : number;
}

static int count_names(const struct field *field)
{
	int count = 0;
	while (field->name_of(count))
		count++;
	return count;
}

static struct value random_value(struct filling *filling, const struct field *field)
{
	struct bounds bounds = field_bounds(field);
	struct value value = {.number = NAN};
	switch (field->type) {
	case FIELD_NUMBER:
	case FIELD_FITTED:
		value.number = random_number(filling, field);
		break;
	case FIELD_BYTES:
	case FIELD_COUNT:
	case FIELD_SIZE:
		value.whole = (uint64_t)bounds.low + below(filling, 2) * below(filling, 1 << 20);
		break;
	case FIELD_INDEX:
		value.whole = below(filling, filling->curve_count);
		break;
	case FIELD_INTEGER:
		value.whole = below(filling, 300);
		break;
	case FIELD_SWITCH:
	case FIELD_BOOLEAN:
		value.whole = below(filling, 2);
		break;
	case FIELD_SEED:
		value.whole = rng_next(&filling->rng);
		break;
	case FIELD_NAME:
		value.whole = below(filling, (uint64_t)count_names(field));
		break;
	case FIELD_DATE:
		value.text = strdup("2026-02-28T23:59:60Z");
		break;
	default:
		value.text = random_text(filling);
	}
	return value;
}

static void fill(struct filling *filling, const struct table *table, void *object);

static void fill_list(struct filling *filling, const struct field *field, void *object)
{
	bool any = field->of == &curve_table || field->of == &point_table || filling->strict;
	size_t count = below(filling, MOST_ITEMS) + any;
	char *items = count ? calloc(count, field->of->size) : NULL;
	*(char **)((char *)object + field->offset) = items;
	*(size_t *)(void *)((char *)object + field->count) = count;
	if (field->of == &curve_table)
		filling->curve_count = count;
	for (size_t i = 0; i < count; i++) {
		table_unknown(field->of, items + i * field->of->size);
		fill(filling, field->of, items + i * field->of->size);
	}
}

static void fill_numbers(struct filling *filling, const struct field *field, void *object)
{
	size_t count = below(filling, MOST_NUMBERS);
	double *numbers = count ? calloc(count, sizeof(*numbers)) : NULL;
	for (size_t i = 0; i < count; i++)
		numbers[i] = below(filling, 4) ? random_number(filling, field) : NAN;
	*(double **)((char *)object + field->offset) = numbers;
	if (numbers || !(field->flags & FIELD_COUNTED))
		*(size_t *)(void *)((char *)object + field->count) = count;
}

static void fill_texts(struct filling *filling, const struct field *field, void *object)
{
	size_t count = below(filling, MOST_ITEMS);
	char **texts = calloc(count + 1, sizeof(*texts));
	for (size_t i = 0; i < count; i++)
		texts[i] = random_text(filling);
	*(char ***)((char *)object + field->offset) = texts;
	if (field->count)
		*(size_t *)(void *)((char *)object + field->count) = count;
}

static void fill_by_name(struct filling *filling, const struct field *field, void *object)
{
	char *member = (char *)object + field->offset;
	for (size_t i = 0; i < field->length; i++)
		if (field->of)
			fill(filling, field->of, member + i * field->of->size);
		else
			((uint64_t *)(void *)member)[i] = below(filling, 3);
}

static void fill_field(struct filling *filling, const struct field *field, void *object)
{
	struct value value;
	switch (field->type) {
	case FIELD_LIST:
		fill_list(filling, field, object);
		break;
	case FIELD_NUMBERS:
		fill_numbers(filling, field, object);
		break;
	case FIELD_TEXTS:
		fill_texts(filling, field, object);
		break;
	case FIELD_BY_NAME:
		fill_by_name(filling, field, object);
		break;
	case FIELD_OBJECT:
	case FIELD_MEMBERS:
		fill(filling, field->of, (char *)object + field->offset);
		break;
	case FIELD_POINTER:
	case FIELD_POINTERS:
	case FIELD_CONSTANT:
		break;
	default:
		if (leave(filling, field))
			break;
		value = random_value(filling, field);
		field_set(field, object, &value);
	}
}

static void order(double *low, double *value, double *high)
{
	*value = isnan(*value) ? *value : fabs(*value) + 1;
	*low = *value * 0.5;
	*high = *value * 1.5;
}

/* What goes with the time of an access, and with the number of blocks. */
static void agree_blocks(struct fathom_point *at)
{
	double ns = point_ns(at);
	for (size_t i = 0; i < at->block_count; i++)
		at->blocks_ns[i] = ns;
	at->placements = at->block_count;
	at->latency_mean_ns = at->mean_ns_per_access = ns;
	at->within_target &= at->target > 0.5 && isfinite(ns);
	at->accesses += at->sample_count;
	at->watched += at->rejected[FATHOM_REJECTED_SIBLING];
	at->page_bytes = at->page_bytes ? 4096 : 0;
	at->lines_touched = 1;
}

static void agree_bandwidth(struct fathom_point *at)
{
	const struct pattern_traits *traits = pattern_traits(at->spec.pattern);
	at->spec.threads += at->spec.threads == 0;
	double bytes = 64.0 * (traits->loads + traits->stores) * at->spec.threads;
	double made = bytes / at->ns_per_access * 1e9;
	at->bandwidth_bytes_per_second = made;
	at->bandwidth_low_bytes_per_second = made / 1.5;
	at->bandwidth_high_bytes_per_second = made / 0.5;
	at->bandwidth_best_bytes_per_second = at->traffic_bytes_per_second = 3 * made;
	at->bandwidth_slowest_thread_bytes_per_second = made / 3;
	at->bandwidth_fastest_thread_bytes_per_second = made;
}

static void agree_pair(struct fathom_pair *pair)
{
	pair->cpu_b = pair->cpu_a + 1;
	order(&pair->latency_low_ns, &pair->latency_ns, &pair->latency_high_ns);
}

static void agree_class(struct fathom_core_class *class)
{
	order(&class->least_ns, &class->latency_ns, &class->greatest_ns);
	class->latency_low_ns = class->latency_high_ns = class->latency_ns;
}

static void agree_contention(struct fathom_contention *one)
{
	order(&one->op_low_ns, &one->op_ns, &one->op_high_ns);
	one->fairness += 1;
}

static void agree_law(struct fathom_load_law *law)
{
	law->idle_latency_low_ns = law->idle_latency_high_ns = law->idle_latency_ns;
	law->peak_low_bytes_per_second = law->peak_high_bytes_per_second =
		law->peak_bytes_per_second;
	law->knee_bytes_per_second = law->knee_low_bytes_per_second =
		law->knee_high_bytes_per_second = law->peak_bytes_per_second / 2;
	law->exponent_low = law->exponent_high = law->exponent;
}

static void agree_memory_count(struct fathom_memory_count *count)
{
	count->ratio_low = count->ratio_high = count->ratio;
}

static void agree_slice(struct fathom_slice *slice)
{
	slice->accesses = 0;
	for (size_t i = 0; i < slice->bin_count; i++)
		slice->accesses += slice->bins[i].accesses;
	slice->end_s = slice->start_s + 1;
}

static void agree_distribution(struct fathom_distribution *one)
{
	one->accesses = 0;
	for (size_t i = 0; i < one->bin_count; i++)
		one->accesses += one->bins[i].accesses;
	for (size_t i = 0; i < one->quantile_count; i++)
		one->quantiles[i].share = one->quantiles[i].latency_ns =
			(double)(i + 1) / (double)one->quantile_count;
	one->refresh_period_low_ns = one->refresh_period_high_ns = one->refresh_period_ns;
}

static void agree_prediction(struct fathom_prediction *one)
{
	order(&one->predicted_low_ns, &one->predicted_ns, &one->predicted_high_ns);
	order(&one->measured_low_ns, &one->measured_ns, &one->measured_high_ns);
}

/* Other lists have indexes of curves with points: one with pairs is added to them. */
static void drop_pairs(struct fathom_curve *curve)
{
	table_free_items(&pair_table, curve->pairs, curve->pair_count);
	curve->pairs = NULL;
	curve->pair_count = 0;
	table_free_items(&load_table, curve->loads, curve->load_count);
	curve->loads = NULL;
	curve->load_count = 0;
	free(curve->times_ns);
	free(curve->latencies_ns);
	curve->times_ns = curve->latencies_ns = NULL;
	curve->access_count = 0;
	if (curve->experiment == FATHOM_CORE_TO_CORE || curve->experiment == FATHOM_LOADED ||
	    curve->experiment == FATHOM_DISTRIBUTION)
		curve->experiment = FATHOM_LATENCY;
}

/* What the checks of the tables ask for. */
static void agree(const struct table *table, void *object)
{
	struct fathom_curve *curve = object;
	struct fathom_count *count = object;
	struct fathom_clock_law *law = object;
	if (table == &pair_table)
		agree_pair(object);
	if (table == &core_class_table)
		agree_class(object);
	if (table == &contention_table)
		agree_contention(object);
	if (table == &load_law_table)
		agree_law(object);
	if (table == &memory_count_table)
		agree_memory_count(object);
	if (table == &slice_table)
		agree_slice(object);
	if (table == &distribution_table)
		agree_distribution(object);
	if (table == &prediction_table)
		agree_prediction(object);
	if (table == &curve_table)
		drop_pairs(curve);
	if (table == &count_table)
		count->per_access = count->state <= FATHOM_SCALED ? 0.25 : NAN;
	if (table == &clock_law_table)
		law->to_bytes += law->from_bytes;
	for (size_t i = 0; table == &curve_table && i < curve->point_count; i++) {
		struct fathom_point *at = &curve->points[i];
		at->spec.axis = curve->axis;
		at->spec.size_bytes = 64 * (i + 1);
		at->spec.lanes = (uint32_t)i + 1;
		order(&at->latency_low_ns, &at->latency_ns, &at->latency_high_ns);
		order(&at->latency_low_cycles, &at->latency_cycles, &at->latency_high_cycles);
		order(&at->low_ns_per_access, &at->ns_per_access, &at->high_ns_per_access);
		order(&at->low_cycles_per_access, &at->cycles_per_access,
		      &at->high_cycles_per_access);
		agree_blocks(at);
		agree_bandwidth(at);
	}
}

static void fill(struct filling *filling, const struct table *table, void *object)
{
	for (size_t i = 0; i < table->count; i++)
		if (!(table->fields[i].flags & FIELD_CSV_ONLY))
			fill_field(filling, &table->fields[i], object);
	agree(table, object);
}

/* A curve of pairs of CPUs 0 to `count`, which each class has in one group. */
static void add_pairs(struct filling *filling, size_t count, struct fathom_result *result)
{
	struct fathom_curve curve;
	table_unknown(&curve_table, &curve);
	curve.experiment = FATHOM_CORE_TO_CORE;
	curve.pairs = calloc(count, sizeof(*curve.pairs));
	curve.pair_count = count;
	for (size_t i = 0; i < count; i++) {
		table_unknown(&pair_table, &curve.pairs[i]);
		fill(filling, &pair_table, &curve.pairs[i]);
		curve.pairs[i].cpu_a = (int)i;
		curve.pairs[i].cpu_b = (int)i + 1;
	}
	assert_int_equal(LIST_APPEND(&result->curves, &result->curve_count, &curve), 0);
	for (size_t i = 0; i < result->core_class_count; i++) {
		struct fathom_core_class *class = &result->core_classes[i];
		class->curve = result->curve_count - 1;
		for (size_t k = 0; k < class->member_count; k++)
			free(class->members[k]);
		free(class->members);
		class->members = calloc(2, sizeof(*class->members));
		class->members[0] = text_format("0-%zu", count);
		class->member_count = 1;
	}
}

static struct fathom_result *random_result(uint64_t seed, bool plain)
{
	struct filling filling = {.rng = rng_make(seed), .plain = plain};
	struct fathom_result *result = document_new_result();
	fill(&filling, &result_table, result);
	if (seed % 2) {
		result->machine = calloc(1, sizeof(*result->machine));
		table_unknown(&machine_table, result->machine);
		fill(&filling, &machine_table, result->machine);
	}
	if (result->clock_count < 2) { /* no laws without them */
		table_free_items(&clock_law_table, result->clock_laws, result->clock_law_count);
		result->clock_laws = NULL;
		result->clock_law_count = 0;
	}
	if (!plain) /* rows of one kind alone */
		add_pairs(&filling, seed % MOST_ITEMS + 1, result);
	return result;
}

static void write_content(content_writer *write, struct content content, struct text *text)
{
	assert_int_equal(write(&content, NULL, text, NULL), 0);
}

static void results_come_back(void **state)
{
	(void)state;
	for (uint64_t seed = 0; seed < DOCUMENTS; seed++) {
		struct fathom_result *result = random_result(seed, false);
		struct fathom_result *again = document_new_result();
		struct fathom_error error = {0};
		struct text first = {0}, second = {0};
		write_content(json_write, (struct content){CONTENT_RESULT, {.result = result}},
			      &first);
		if (document_read(first.data, first.length, NULL, again, &error))
			fail_msg("%llu: %s\n%s", (unsigned long long)seed, error.text, first.data);
		write_content(json_write, (struct content){CONTENT_RESULT, {.result = again}},
			      &second);
		assert_string_equal(first.data, second.data);
		text_free(&first);
		text_free(&second);
		fathom_result_free(result);
		fathom_result_free(again);
	}
}

/* A row has no values of blocks, and no curve without a row comes back. */
static void rows_come_back(void **state)
{
	static const struct fathom_input as_found;
	(void)state;
	for (uint64_t seed = 0; seed < DOCUMENTS; seed++) {
		struct fathom_result *result = random_result(seed, true), *again = NULL;
		struct fathom_error error = {0};
		struct text first = {0}, second = {0};
		table_free_items(&clock_table, result->clocks, result->clock_count);
		result->clocks = NULL;
		result->clock_count = 0;
		table_free_items(&distribution_table, result->distributions,
				 result->distribution_count);
		result->distributions = NULL;
		result->distribution_count = 0;
		for (size_t i = 0; i < result->curve_count; i++) {
			if (!result->curves[i].tool)
				result->curves[i].tool = strdup("tool");
			for (size_t k = 0; k < result->curves[i].point_count; k++)
				result->curves[i].points[k].block_count = 0;
		}
		write_content(csv_write, (struct content){CONTENT_RESULT, {.result = result}},
			      &first);
		if (readers_read(first.data, first.length, &as_found, &again, &error))
			fail_msg("%llu: %s\n%s", (unsigned long long)seed, error.text, first.data);
		write_content(csv_write, (struct content){CONTENT_RESULT, {.result = again}},
			      &second);
		assert_string_equal(first.data, second.data);
		text_free(&first);
		text_free(&second);
		fathom_result_free(result);
		fathom_result_free(again);
	}
}

static void plans_come_back(void **state)
{
	(void)state;
	for (uint64_t seed = 0; seed < DOCUMENTS; seed++) {
		struct filling filling = {.rng = rng_make(seed), .strict = true};
		struct fathom_plan *plan = calloc(1, sizeof(*plan)), *again = NULL;
		struct fathom_error error = {0};
		struct text first = {0}, second = {0};
		fill(&filling, &plan_table, plan);
		plan->experiment = FATHOM_LATENCY; /* of frequency there are no plans */
		if (seed % 2 && plan->cpus) {      /* of pairs there are no specs */
			plan->experiment = FATHOM_CORE_TO_CORE;
			free(plan->specs);
			plan->specs = NULL;
			plan->spec_count = 0;
		} else if (seed % 3 == 0 && plan->cpus && plan->traffic) {
			plan->experiment = FATHOM_LOADED;
		} else {
			free(plan->cpus);
			plan->cpus = NULL;
		}
		if (plan->experiment != FATHOM_LOADED) {
			free(plan->traffic);
			plan->traffic = NULL;
		}
		plan->over_s = 0;                             /* of single accesses alone */
		for (size_t i = 0; i < plan->spec_count; i++) /* each is a curve of its own */
			plan->specs[i].seed = i;
		write_content(json_write, (struct content){CONTENT_PLAN, {.plan = plan}}, &first);
		if (json_read_plan(first.data, first.length, &again, &error))
			fail_msg("%llu: %s\n%s", (unsigned long long)seed, error.text, first.data);
		write_content(json_write, (struct content){CONTENT_PLAN, {.plan = again}}, &second);
		assert_string_equal(first.data, second.data);
		text_free(&first);
		text_free(&second);
		fathom_plan_free(plan);
		fathom_plan_free(again);
	}
}

/* Each column of a row is of one place, each name of an object of one field, and each field says
 * what it is. */
static void check_table(const struct table *table)
{
	for (size_t i = 0; i < table->count; i++) {
		const struct field *field = &table->fields[i];
		if (field->type == FIELD_MEMBERS)
			continue;
		if (!field->doc || !*field->doc)
			fail_msg("%s.%s says nothing", table->name, field->name);
		for (size_t k = 0; k < i; k++) {
			const struct field *other = &table->fields[k];
			if (other->name && strcmp(other->name, field->name) == 0 &&
			    !((field->flags | other->flags) & FIELD_CSV_ONLY))
				fail_msg("%s.%s is there twice", table->name, field->name);
			if (field->column && other->column == field->column)
				fail_msg("%s.%s has the column of %s", table->name, field->name,
					 other->name);
		}
		if (field->of && field->type != FIELD_POINTER)
			check_table(field->of);
	}
}

static void rows_of_the_table_are_apart(void **state)
{
	(void)state;
	for (size_t i = 0; document_tables[i]; i++)
		check_table(document_tables[i]);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(results_come_back),
	cmocka_unit_test(rows_come_back),
	cmocka_unit_test(plans_come_back),
	cmocka_unit_test(rows_of_the_table_are_apart),
};
UNIT_GROUP();
