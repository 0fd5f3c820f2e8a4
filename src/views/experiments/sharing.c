/* What CPUs share: caches, and words that they go for at once. */
#include <math.h>
#include <string.h>

#include "base/list.h"
#include "base/names.h"
#include "views/experiments/experiments.h"
#include "views/figure.h"
#include "views/rounding.h"

#define APART 1.2 /* times as long: two lines of a pair disturb each other */

static const char *class_words(const struct fathom_result *result, int class)
{
	bool known = class >= 0 && (size_t) class < result->core_class_count;
	return view_known(known ? core_class_words((int)result->core_classes[class].kind) : NULL);
}

/* ---- caches ---- */

static void add_sharers(struct view *view, char *const *lists, size_t count)
{
	struct text words = {0};
	cores_add_groups(&words, lists, count);
	if (!words.length)
		text_add(&words, "each its own");
	view_name_take(view, &words);
}

static bool differs(const struct fathom_shared_cache *cache)
{
	bool alike = cache->member_count == cache->reported_count;
	for (size_t i = 0; alike && i < cache->member_count; i++)
		alike = strcmp(cache->members[i], cache->reported[i]) == 0;
	return !alike;
}

static void add_cache(struct view *view, const struct fathom_shared_cache *cache)
{
	const struct fathom_sharing_test *last =
		cache->test_count ? &cache->tests[cache->test_count - 1] : NULL;
	view_row(view);
	view_name(view, "%s", cache->name);
	view_size(view, (double)cache->size_bytes);
	view_name(view, "%s", cache->size_measured ? "measured" : "OS");
	if (cache->missing)
		view_name(view, "not told");
	else
		add_sharers(view, cache->members, cache->member_count);
	if (cache->reported_known)
		add_sharers(view, cache->reported, cache->reported_count);
	else
		view_empty(view);
	view_mark(view, cache->reported_known && !cache->missing && differs(cache) ? '!' : 0);
	if (last)
		view_name(view, "%d, %d", last->cpu_a, last->cpu_b);
	else
		view_empty(view);
	view_number(view, last ? last->alone_ns : NAN);
	view_number(view, last ? last->together_ns : NAN);
	view_number(view, last ? last->twice_ns : NAN);
}

void sharing_view(struct view *view, const struct fathom_result *result)
{
	if (!result->shared_cache_count)
		return;
	view_part(view, "sharing", "Shared caches");
	view_say(view, VIEW_PLAIN,
		 "which CPUs share a cache; a hop of the first CPU of the last pair that was tried "
		 "alone, while the other one walks as much, and alone along twice as much");
	view_gap(view);
	VIEW_TABLE(view, COLUMN("cache"), COLUMN("size"), COLUMN("from", .rank = 4),
		   COLUMN("shared by", .unit = "of CPUs"), COLUMN("OS says", .unit = "of CPUs"),
		   COLUMN("last pair", .rank = 3), COLUMN("alone", .unit = "ns", .rank = 2),
		   COLUMN("together", .unit = "ns", .rank = 2),
		   COLUMN("twice", .unit = "ns", .rank = 2));
	for (size_t i = 0; i < result->shared_cache_count; i++)
		add_cache(view, &result->shared_caches[i]);
	for (size_t i = 0; i < result->shared_cache_count; i++)
		if (result->shared_caches[i].missing)
			view_say(view, VIEW_NOTE, "%s: not told, as %s",
				 result->shared_caches[i].name, result->shared_caches[i].missing);
	view_gap(view);
}

/* ---- contention ---- */

/* The one of the same threads and class; NULL: there is none. */
static const struct fathom_contention *find(const struct fathom_result *result,
					    const struct fathom_contention *like,
					    enum fathom_operation operation,
					    enum fathom_layout layout)
{
	for (size_t i = 0; i < result->contention_count; i++) {
		const struct fathom_contention *one = &result->contention[i];
		if (one->operation == operation && one->layout == layout &&
		    one->core_class == like->core_class && strcmp(one->cpus, like->cpus) == 0)
			return one;
	}
	return NULL;
}

static void add_time(struct view *view, const struct fathom_contention *one)
{
	if (one)
		view_estimate(view, ESTIMATE(one, op, _ns));
	else
		view_empty(view);
}

static void add_threads(struct view *view, const struct fathom_result *result,
			const struct fathom_contention *own)
{
	view_row(view);
	view_name(view, "%s", class_words(result, own->core_class));
	view_count(view, own->threads);
}

static void add_additions(struct view *view, const struct fathom_result *result,
			  const struct fathom_contention *own)
{
	add_threads(view, result, own);
	add_time(view, own);
	add_time(view, find(result, own, FATHOM_OPERATION_ADD, FATHOM_LAYOUT_OWN_WORDS));
	add_time(view, find(result, own, FATHOM_OPERATION_ADD, FATHOM_LAYOUT_ONE_WORD));
}

static void add_reads(struct view *view, const struct fathom_result *result,
		      const struct fathom_contention *own)
{
	const struct fathom_contention *word =
		find(result, own, FATHOM_OPERATION_ADD, FATHOM_LAYOUT_ONE_WORD);
	const struct fathom_contention *read =
		find(result, own, FATHOM_OPERATION_READ, FATHOM_LAYOUT_ONE_WORD);
	add_threads(view, result, own);
	view_number(view, word ? word->fairness : NAN);
	add_time(view, read);
	view_number(view, read ? read->writer_ns : NAN);
}

static void say_alone(struct view *view, const struct fathom_result *result)
{
	struct text words = {0};
	for (size_t i = 0; i < result->contention_count; i++) {
		const struct fathom_contention *one = &result->contention[i];
		static const char *const names[] = {"", "an atomic addition", "compare-and-swap",
						    "exchange", ""};
		if (one->threads == 1)
			text_add(&words, "%s%s %s ns",
				 words.length ? ", " : "one thread alone: ", names[one->operation],
				 rounding_number(one->op_ns).text);
	}
	if (words.length)
		view_take(view, VIEW_PLAIN, &words);
	text_free(&words);
}

/* Of two threads whose CPUs are farthest from each other. */
static void say_price(struct view *view, const struct fathom_result *result)
{
	const struct fathom_contention *own = NULL;
	for (size_t i = 0; i < result->contention_count; i++)
		if (result->contention[i].threads == 2 &&
		    result->contention[i].layout == FATHOM_LAYOUT_OWN_LINES)
			own = &result->contention[i];
	if (!own)
		return;
	const struct fathom_contention *words =
		find(result, own, FATHOM_OPERATION_ADD, FATHOM_LAYOUT_OWN_WORDS);
	const struct fathom_contention *pair =
		find(result, own, FATHOM_OPERATION_ADD, FATHOM_LAYOUT_LINE_PAIR);
	if (words)
		view_say(view, VIEW_PLAIN,
			 "false sharing: with two threads (%s) an addition takes %s ns where their "
			 "words are in one line, %s ns where each has a line of its own: %s times "
			 "as long",
			 class_words(result, own->core_class), rounding_number(words->op_ns).text,
			 rounding_number(own->op_ns).text,
			 rounding_about(words->op_ns / own->op_ns).text);
	if (pair && pair->op_low_ns > APART * own->op_high_ns)
		view_say(view, VIEW_PLAIN,
			 "two lines of a pair disturb each other (%s ns): keep what threads write "
			 "two lines apart",
			 rounding_number(pair->op_ns).text);
	else if (pair && pair->op_high_ns < APART * own->op_low_ns)
		view_say(view, VIEW_PLAIN, "two lines of a pair do not disturb each other (%s ns)",
			 rounding_number(pair->op_ns).text);
}

static bool has_threads(const struct fathom_result *result)
{
	for (size_t i = 0; i < result->contention_count; i++)
		if (result->contention[i].layout == FATHOM_LAYOUT_OWN_LINES)
			return true;
	return false;
}

static void add_rows(struct view *view, const struct fathom_result *result,
		     void (*add)(struct view *view, const struct fathom_result *result,
				 const struct fathom_contention *own))
{
	for (size_t i = 0; i < result->contention_count; i++)
		if (result->contention[i].layout == FATHOM_LAYOUT_OWN_LINES)
			add(view, result, &result->contention[i]);
	view_gap(view);
}

/* Two tables, each of which fits 80 columns with its intervals. */
static void add_tables(struct view *view, const struct fathom_result *result)
{
	view_say(view, VIEW_PLAIN,
		 "what an addition takes, in ns, where each thread has a line of its own, each has "
		 "a word of its own in one line, and all add to one word");
	view_gap(view);
	VIEW_TABLE(view, COLUMN("class"), COLUMN("threads"),
		   COLUMN("own", .unit = "lines", .wrapped = true),
		   COLUMN("one", .unit = "line", .wrapped = true),
		   COLUMN("one", .unit = "word", .wrapped = true));
	add_rows(view, result, add_additions);
	view_say(view, VIEW_PLAIN,
		 "how many times as long the slowest thread takes as the fastest, where all add to "
		 "one word; a read, and an addition, where one thread adds to a word that all "
		 "others read");
	view_gap(view);
	VIEW_TABLE(view, COLUMN("class"), COLUMN("threads"),
		   COLUMN("slowest", .unit = "/ fastest", .wrapped = true),
		   COLUMN("read", .unit = "ns"), COLUMN("addition", .unit = "ns"));
	add_rows(view, result, add_reads);
	if (figure_is_held(result, FIGURE_CONTENTION)) {
		figure_add(view, result, (struct figure_wish){.kind = FIGURE_CONTENTION});
		view_gap(view);
	}
	say_price(view, result);
	view_gap(view);
}

void contention_view(struct view *view, const struct fathom_result *result)
{
	if (!result->contention_count)
		return;
	view_part(view, "contention", "Contention");
	say_alone(view, result);
	view_gap(view);
	if (has_threads(result))
		add_tables(view, result);
}
