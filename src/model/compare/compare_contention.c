/* What CPUs share: threads that go for words at once, and hops beside those of another CPU. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/names.h"
#include "base/text.h"
#include "base/warnings.h"
#include "model/compare/compare_judge.h"
#include "model/compare/compare_parts.h"
#include "model/compare/compare_value.h"

#define SAME_CYCLE 1.1 /* times as long: still a hop in the same part of the cache */

/* A value of one run; `point` has what it spreads by: blocks or an interval. */
struct found {
	bool known;
	double ns;
	struct fathom_point point;
};

struct reading {
	const struct compare_set *set;
	struct compare_sample sample;
	double *scratch; /* for the blocks of one value */
};

/* The part of a value that the first run has; `find` looks it up in another one. */
typedef struct found find_like(const struct fathom_result *first, size_t which,
			       const struct fathom_result *result);

static int add_part(struct reading *reading, size_t which, find_like *find, char *name,
		    struct fathom_compared_run *run, struct fathom_error *error)
{
	const struct fathom_result *first = compare_set_run(reading->set, 0)->result;
	struct fathom_compared_part part = {.quantity = FATHOM_QUANTITY_NS, .name = name};
	size_t last = reading->sample.runs - 1, lacking = 0;
	double sum = 0;
	for (size_t i = 0; i <= last; i++) {
		struct found found = find(first, which, compare_set_run(reading->set, i)->result);
		lacking += !found.known;
		reading->sample.ln[i] = log(found.ns);
		reading->sample.spread[i] =
			found.known
				? compare_spread(&found.point, FATHOM_QUANTITY_NS, reading->scratch)
				: NAN;
		sum += i < last ? log(found.ns) : 0;
		part.value = found.ns;
	}
	if (lacking)
		return compare_add_lacking(run, &part, "one of the runs has not measured it",
					   error);
	part.points = 1;
	part.baseline = exp(sum / (double)last);
	compare_estimate(&reading->sample, &part);
	part.evidence = text_format("%s", isnan(part.error) ? "there are no intervals"
							    : "the spread is taken from blocks");
	return compare_add_part(run, &part, error);
}

/* ---- contention ---- */

static bool is_alike(const struct fathom_result *first, const struct fathom_contention *a,
		     const struct fathom_result *other, const struct fathom_contention *b)
{
	return a->operation == b->operation && a->layout == b->layout && a->threads == b->threads &&
	       compare_class_is_like(first, a->core_class, other, b->core_class);
}

static struct found find_contention(const struct fathom_result *first, size_t which,
				    const struct fathom_result *result)
{
	const struct fathom_contention *like = &first->contention[which];
	for (size_t i = 0; i < result->contention_count; i++) {
		const struct fathom_contention *one = &result->contention[i];
		if (!is_alike(first, like, result, one))
			continue;
		return (struct found){isfinite(one->op_ns),
				      one->op_ns,
				      {.latency_ns = one->op_ns,
				       .latency_low_ns = one->op_low_ns,
				       .latency_high_ns = one->op_high_ns,
				       .blocks_ns = one->blocks_ns,
				       .block_count = one->block_count}};
	}
	return (struct found){.ns = NAN};
}

/* As the table has them. */
static const char *layout_words(enum fathom_layout layout)
{
	static const char *const words[] = {"", "own lines", "one line", "one word",
					    "two lines of a pair"};
	return words[layout];
}

/* "add, one word, 4 threads, same cache" */
static char *name_contention(const struct fathom_result *first, const struct fathom_contention *one)
{
	struct text name = {0};
	text_add(&name, "%s", operation_name((int)one->operation));
	if (one->threads == 1) {
		text_add(&name, ", one thread");
		return text_take(&name);
	}
	text_add(&name, ", %s, %u threads", layout_words(one->layout), one->threads);
	compare_class_add_name(&name, first, one->core_class);
	return text_take(&name);
}

/* ---- caches ---- */

/* The tests of all caches are numbered one after the other. */
static const struct fathom_sharing_test *test_at(const struct fathom_result *result, size_t which,
						 const struct fathom_shared_cache **cache)
{
	for (size_t i = 0; i < result->shared_cache_count; i++) {
		*cache = &result->shared_caches[i];
		if (which < (*cache)->test_count)
			return &(*cache)->tests[which];
		which -= (*cache)->test_count;
	}
	return NULL;
}

static const struct fathom_shared_cache *find_cache(const struct fathom_result *result,
						    const char *name)
{
	for (size_t i = 0; i < result->shared_cache_count; i++)
		if (strcmp(result->shared_caches[i].name, name) == 0)
			return &result->shared_caches[i];
	return NULL;
}

static bool same_cycle(const struct fathom_shared_cache *a, const struct fathom_shared_cache *b)
{
	double times = (double)a->cycle_bytes / (double)b->cycle_bytes;
	return times < SAME_CYCLE && times > 1 / SAME_CYCLE;
}

static struct found find_test(const struct fathom_result *first, size_t which,
			      const struct fathom_result *result)
{
	const struct fathom_shared_cache *cache = NULL;
	const struct fathom_sharing_test *like = test_at(first, which, &cache);
	const struct fathom_shared_cache *own = find_cache(result, cache->name);
	for (size_t i = 0; own && same_cycle(cache, own) && i < own->test_count; i++) {
		const struct fathom_sharing_test *one = &own->tests[i];
		if (!compare_class_is_like(first, like->core_class, result, one->core_class))
			continue;
		return (struct found){isfinite(one->together_ns),
				      one->together_ns,
				      {.latency_ns = one->together_ns,
				       .latency_low_ns = one->together_low_ns,
				       .latency_high_ns = one->together_high_ns}};
	}
	return (struct found){.ns = NAN};
}

/* "hop in L3 beside another CPU, same cache" */
static char *name_test(const struct fathom_result *first, const struct fathom_shared_cache *cache,
		       const struct fathom_sharing_test *test)
{
	struct text name = {0};
	text_add(&name, "hop in %s beside another CPU", cache->name);
	compare_class_add_name(&name, first, test->core_class);
	return text_take(&name);
}

/* Of both it is known, and not the same. */
static bool members_differ(const struct fathom_shared_cache *a, const struct fathom_shared_cache *b)
{
	if (!b || a->missing || b->missing)
		return false;
	bool alike = a->member_count == b->member_count;
	for (size_t i = 0; alike && i < a->member_count; i++)
		alike = strcmp(a->members[i], b->members[i]) == 0;
	return !alike;
}

static void add_members(struct text *text, const struct fathom_shared_cache *cache)
{
	if (!cache->member_count)
		text_add(text, "each CPU has its own");
	for (size_t i = 0; i < cache->member_count; i++)
		text_add(text, "%s%s", i ? "; " : "CPUs ", cache->members[i]);
}

int compare_sharing_warn(const struct compare_set *set, struct fathom_warnings *warnings,
			 struct fathom_error *error)
{
	const struct fathom_result *first = compare_set_run(set, 0)->result;
	int failed = 0;
	for (size_t i = 0; i < first->shared_cache_count && !failed; i++) {
		const struct fathom_shared_cache *cache = &first->shared_caches[i];
		const struct fathom_shared_cache *own =
			find_cache(set->runs[1]->result, cache->name);
		struct text before = {0}, now = {0};
		if (!members_differ(cache, own))
			continue;
		add_members(&before, cache);
		add_members(&now, own);
		failed = before.failed || now.failed ||
			 warnings_add(warnings, "sharing-changed", set->runs[1]->name, NULL,
				      "other CPUs share %s: %s (before: %s)", cache->name, now.data,
				      before.data);
		text_free(&before);
		text_free(&now);
	}
	return failed ? error_no_memory(error) : 0;
}

/* ---- all ---- */

static bool all_have(const struct compare_set *set, bool caches)
{
	for (size_t i = 0; i < compare_set_count(set); i++) {
		const struct fathom_result *result = compare_set_run(set, i)->result;
		if (!(caches ? result->shared_cache_count : result->contention_count))
			return false;
	}
	return true;
}

static size_t most_blocks(const struct compare_set *set)
{
	size_t most = 1;
	for (size_t i = 0; i < compare_set_count(set); i++) {
		const struct fathom_result *result = compare_set_run(set, i)->result;
		for (size_t k = 0; k < result->contention_count; k++)
			if (result->contention[k].block_count > most)
				most = result->contention[k].block_count;
	}
	return most;
}

/* Of a class that one run lacks it is enough to say so. */
static bool is_common(const struct compare_set *set, int class)
{
	const struct fathom_result *first = compare_set_run(set, 0)->result;
	bool common = true;
	for (size_t i = 1; class >= 0 && common && i < compare_set_count(set); i++) {
		const struct fathom_result *result = compare_set_run(set, i)->result;
		int other = 0;
		while ((size_t)other < result->core_class_count &&
		       !compare_class_is_like(first, class, result, other))
			other++;
		common = (size_t)other < result->core_class_count;
	}
	return common;
}

static int add_all(struct reading *reading, struct fathom_compared_run *run,
		   struct fathom_error *error)
{
	const struct fathom_result *first = compare_set_run(reading->set, 0)->result;
	const struct fathom_shared_cache *cache = NULL;
	const struct fathom_sharing_test *test;
	int status = 0;
	size_t count = all_have(reading->set, false) ? first->contention_count : 0;
	for (size_t i = 0; i < count && !status; i++)
		if (is_common(reading->set, first->contention[i].core_class))
			status =
				add_part(reading, i, find_contention,
					 name_contention(first, &first->contention[i]), run, error);
	if (!all_have(reading->set, true))
		return status;
	for (size_t i = 0; !status && (test = test_at(first, i, &cache)); i++)
		if (is_common(reading->set, test->core_class))
			status = add_part(reading, i, find_test, name_test(first, cache, test), run,
					  error);
	return status;
}

int compare_contention(const struct compare_set *set, struct fathom_compared_run *run,
		       struct fathom_error *error)
{
	struct reading reading = {.set = set, .sample.runs = compare_set_count(set)};
	reading.sample.ln = calloc(2 * reading.sample.runs, sizeof(*reading.sample.ln));
	reading.scratch = calloc(most_blocks(set), sizeof(*reading.scratch));
	reading.sample.spread = reading.sample.ln + reading.sample.runs;
	int status = reading.sample.ln && reading.scratch ? 0 : error_no_memory(error);
	if (status == 0)
		status = add_all(&reading, run, error);
	free(reading.sample.ln);
	free(reading.scratch);
	return status;
}
