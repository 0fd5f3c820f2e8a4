/* One level in words: what was measured there, what speaks for it, what else it may be. */
#include <math.h>
#include <string.h>
#include <strings.h>

#include "views/levels/levels.h"
#include "views/levels/models.h"
#include "views/points.h"
#include "views/result.h"
#include "views/rounding.h"
#include "views/trouble.h"
#include "views/views.h"

#define BELOW       0.75 /* of the size: the curve is quoted at the next size below that ... */
#define ABOVE       1.5  /* ... and above this */
#define RARE        1.0  /* -ln of a density over the greatest: rarer than one in three */
#define MOST_MODELS 3

/* The level, and what it was read from. */
struct subject {
	const struct fathom_result *result;
	const struct fathom_level *level;
	const struct fathom_curve *curve; /* NULL: the document has none for it */
	enum fathom_y y;                  /* of that curve: ns, where it has any */
};

static bool is_named(const struct fathom_level *level, const char *name)
{
	return level->name && strcasecmp(level->name, name) == 0;
}

/* ---- what was measured ---- */

static void add_size(const struct fathom_level *level, struct text *words)
{
	static const char *const kinds[FATHOM_LEVEL_KIND_COUNT] = {
		[FATHOM_LEVEL_CACHE] = "a cache",
		[FATHOM_LEVEL_TLB] = "a step of address translation",
		[FATHOM_LEVEL_MEMORY] = "memory",
		[FATHOM_LEVEL_UNKNOWN] = "a step of unknown cause,"};
	double low = level->size_low_bytes, high = level->size_high_bytes;
	text_add(words, "%s", level->kind < FATHOM_LEVEL_KIND_COUNT ? kinds[level->kind] : "");
	if (level->kind == FATHOM_LEVEL_MEMORY && isfinite(level->at_bytes))
		text_add(words, ", quoted at %s", rounding_size((uint64_t)level->at_bytes).text);
	else if (isfinite(level->size_bytes))
		text_add(words, " up to %s", rounding_size((uint64_t)level->size_bytes).text);
	else if (isfinite(low))
		text_add(words, ", which holds at least %s: its end was not reached",
			 rounding_size((uint64_t)low).text);
	if (isfinite(level->size_bytes) && isfinite(low) && isfinite(high))
		text_add(words, " (95 %%: %s)", rounding_sizes(low, high).text);
	if (isfinite(level->entries))
		text_add(words, ", %s entries of %s", rounding_count(levels_entries(level)).text,
			 rounding_size(level->entry_bytes).text);
}

static void add_time(struct text *words, const char *before, struct estimate time, const char *unit,
		     bool in_two_digits)
{
	if (!isfinite(time.value))
		return;
	struct rounded shown =
		in_two_digits ? rounding_about(time.value) : rounding_number(time.value);
	text_add(words, "%s%s %s", before, shown.text, unit);
	if (isfinite(time.low) && isfinite(time.high))
		text_add(words, " (%s)", rounding_range(time.low, time.high).text);
}

static void add_cost(struct view *view, const struct subject *subject)
{
	const struct fathom_level *level = subject->level;
	struct text words = {0};
	add_time(&words, "", ESTIMATE(level, latency, _ns), "ns", false);
	add_time(&words, words.length ? ", " : "", ESTIMATE(level, latency, _cycles), "cycles",
		 false);
	add_time(&words, "a miss adds ", ESTIMATE_ALONE(level->penalty_ns), "ns", true);
	add_time(&words, words.length ? ", " : "a miss adds ",
		 ESTIMATE_ALONE(level->penalty_cycles), "cycles", true);
	view_take_fact(view, result_overlaps(subject->result) ? "time per access" : "latency",
		       &words);
}

/* The largest size that is no larger, or the smallest that is no smaller; NULL: there is none. */
static const struct fathom_point *point_beside(const struct subject *subject, double bytes,
					       bool larger)
{
	const struct fathom_point *found = NULL;
	for (size_t i = 0; i < subject->curve->point_count; i++) {
		const struct fathom_point *point = &subject->curve->points[i];
		double size_bytes = (double)point->spec.size_bytes;
		if (!isfinite(points_value(point, subject->y).value))
			continue;
		if (!larger && size_bytes <= bytes)
			found = point;
		if (larger && size_bytes >= bytes && !found)
			found = point;
	}
	return found;
}

static void add_point(const struct subject *subject, const struct fathom_point *point,
		      struct text *words)
{
	text_add(words, "%s %s at %s", rounding_number(points_value(point, subject->y).value).text,
		 subject->y == FATHOM_Y_CYCLES ? "cycles" : "ns",
		 rounding_size(point->spec.size_bytes).text);
}

static void add_curve(struct view *view, const struct subject *subject)
{
	const struct fathom_level *level = subject->level;
	struct text words = {0};
	if (!subject->curve || !isfinite(level->size_bytes))
		return;
	const struct fathom_point *below = point_beside(subject, BELOW * level->size_bytes, false);
	const struct fathom_point *above = point_beside(subject, ABOVE * level->size_bytes, true);
	if (below)
		add_point(subject, below, &words);
	if (below && above)
		text_add(&words, ", then ");
	if (above)
		add_point(subject, above, &words);
	if (words.length)
		view_take_fact(view, "the curve", &words);
}

/* ---- what speaks for it ---- */

static void add_os(struct view *view, const struct subject *subject)
{
	const struct fathom_level *level = subject->level;
	struct text words = {0};
	if (level->kind != FATHOM_LEVEL_CACHE)
		return;
	if (!level->reported_bytes)
		text_add(&words, "nothing of such a cache");
	else
		text_add(&words, "%s", rounding_size(level->reported_bytes).text);
	if (level->reported_bytes && isfinite(level->size_bytes))
		text_add(&words, ", of which this is %s",
			 rounding_percent(level->size_bytes / (double)level->reported_bytes).text);
	if (subject->result->os_prior_off)
		text_add(&words, "; left out (--no-os-prior)");
	view_take_fact(view, "OS says", &words);
}

static void add_confidence(struct view *view, const struct fathom_level *level)
{
	static const char *const claims[FATHOM_LEVEL_KIND_COUNT] = {
		[FATHOM_LEVEL_CACHE] = "that there is a cache",
		[FATHOM_LEVEL_TLB] = "that translation makes this step",
		[FATHOM_LEVEL_MEMORY] = "that this is memory",
		[FATHOM_LEVEL_UNKNOWN] = "of the likeliest cause"};
	if (isfinite(level->confidence) && level->kind < FATHOM_LEVEL_KIND_COUNT)
		view_fact(view, "how sure", "probability %s %s",
			  rounding_probability(level->confidence).text, claims[level->kind]);
}

/* The likeliest models of its curve, and what is rare in the first. */
static void add_models(struct view *view, const struct subject *subject)
{
	const struct fathom_result *result = subject->result;
	for (size_t i = 0, count; i < result->hypothesis_count; i += count) {
		struct text rare = {0};
		count = models_of_curve(result, i);
		if (result->hypotheses[i].curve != subject->level->curve)
			continue;
		for (size_t m = i; m < i + count && m < i + MOST_MODELS; m++) {
			view_fact(view, m == i ? "models" : "", "%s: probability %s",
				  view_known(result->hypotheses[m].levels),
				  rounding_probability(result->hypotheses[m].probability).text);
		}
		models_rare_terms(&rare, &result->hypotheses[i], RARE);
		if (!rare.length)
			text_add(&rare, "nothing in the first model");
		view_take_fact(view, "rare", &rare);
	}
}

/* ---- what would make it surer ---- */

static bool has_control(const struct fathom_result *result)
{
	for (size_t i = 0; i < result->curve_count; i++)
		if (result->curves[i].point_count &&
		    result->curves[i].points[0].spec.pattern == FATHOM_WINDOW)
			return true;
	return false;
}

static void add_advice(struct view *view, const struct subject *subject)
{
	const struct fathom_level *level = subject->level;
	const struct fathom_result *result = subject->result;
	bool cache = isfinite(level->increment_bytes) && !level->entry_bytes;
	bool translation =
		level->kind == FATHOM_LEVEL_TLB || (level->kind == FATHOM_LEVEL_UNKNOWN && !cache);
	if (subject->curve && subject->curve->tool)
		view_say(view, VIEW_ITEM,
			 "a run of 'fathom latency', which has intervals and a control curve");
	else if (translation && !has_control(result))
		view_say(view, VIEW_ITEM, "a control curve: 'fathom latency' without --no-control");
	if (translation && !result->translation_count)
		view_say(view, VIEW_ITEM,
			 "'fathom pages': a step of translation moves with the page size");
	if (levels_is_wide(level))
		view_say(view, VIEW_ITEM,
			 "more sizes and time: 'fathom latency --per-octave 16 --budget 30s'");
	if (result->quality > FATHOM_QUALITY_GOOD && result->quality != FATHOM_QUALITY_UNKNOWN)
		view_say(view, VIEW_ITEM,
			 "a longer or less disturbed run: the quality of this one is '%s'",
			 fathom_quality_name((int)result->quality));
}

/* ---- all ---- */

static void add_level(struct view *view, const struct subject *subject)
{
	const struct fathom_level *level = subject->level;
	struct text size = {0};
	add_size(level, &size);
	view_take_fact(view, level->name, &size);
	add_cost(view, subject);
	add_curve(view, subject);
	add_confidence(view, level);
	if (level->evidence)
		view_fact(view, "why", "%s", level->evidence);
	if (level->replacement_evidence)
		view_fact(view, "replacement", "%s", level->replacement_evidence);
	add_os(view, subject);
	levels_memory(view, subject->result, level);
	add_models(view, subject);
	view_gap(view);
	view_say(view, VIEW_PLAIN, "What would make it surer:");
	size_t before = view->count;
	add_advice(view, subject);
	if (view->count == before)
		view_say(view, VIEW_ITEM, "nothing that fathom knows of");
}

void view_level(struct view *view, const struct fathom_result *result, const char *name)
{
	size_t same = 0, shown = 0;
	for (size_t i = 0; i < result->level_count; i++)
		same += is_named(&result->levels[i], name);
	trouble_quality(view, result);
	for (size_t i = 0; i < result->level_count; i++) {
		struct subject subject = {result, &result->levels[i], NULL, FATHOM_Y_NS};
		if (!is_named(subject.level, name))
			continue;
		if (shown++)
			view_gap(view);
		if (subject.level->curve < result->curve_count) {
			subject.curve = &result->curves[subject.level->curve];
			if (!points_count(subject.curve, FATHOM_Y_NS))
				subject.y = FATHOM_Y_CYCLES;
			if (same > 1)
				levels_curve(view, result, subject.level->curve);
		}
		add_level(view, &subject);
	}
}
