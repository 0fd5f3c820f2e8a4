#include "model/levels/levels_changed.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "base/units.h"
#include "base/warnings.h"

#define SAME_SHARE 0.02 /* of a number: what differs by less is the same to a reader */
#define HINT                                                                                       \
	"'fathom report' shows the document's levels, 'fathom fit' those that this version finds"
#define HINT_PRIOR                                                                                 \
	"this fit leaves out the sizes that the OS reports (--no-os-prior), which such a level "   \
	"leans on"

static bool is_shown(const struct fathom_level *level)
{
	return level->name &&
	       (level->kind == FATHOM_LEVEL_CACHE || level->kind == FATHOM_LEVEL_MEMORY);
}

/* The levels that a document has. */
struct document {
	const struct fathom_level *levels;
	size_t count;
};

static const struct fathom_level *find_like(const struct fathom_level *levels, size_t count,
					    const struct fathom_level *level)
{
	for (size_t i = 0; i < count; i++) {
		const struct fathom_level *other = &levels[i];
		if (other->curve == level->curve && other->kind == level->kind && other->name &&
		    level->name && strcmp(other->name, level->name) == 0)
			return other;
	}
	return NULL;
}

static bool is_same(double before, double after)
{
	return isnan(before) == isnan(after) && !(fabs(after - before) > SAME_SHARE * before);
}

/* "ends at 545 KiB and takes 3.92 ns" */
static char *describe(const struct fathom_level *level)
{
	struct text text = {0};
	char size[UNITS_TEXT_BYTES], ns[UNITS_TEXT_BYTES];
	bool cycles = isnan(level->latency_ns);
	if (level->size_bytes >= 1)
		text_add(&text, "ends at %s and ",
			 units_format_known_size(level->size_bytes, level->size_low_bytes,
						 level->size_high_bytes, size));
	text_add(&text, "takes %s %s",
		 units_format_number(cycles ? level->latency_cycles : level->latency_ns, ns),
		 cycles ? "cycles" : "ns");
	return text_take(&text);
}

/* Each lies in the other's interval. */
static bool is_within(const struct fathom_level *before, const struct fathom_level *after)
{
	return before->size_bytes >= after->size_low_bytes &&
	       before->size_bytes <= after->size_high_bytes &&
	       after->size_bytes >= before->size_low_bytes &&
	       after->size_bytes <= before->size_high_bytes;
}

static bool has_changed(const struct fathom_level *before, const struct fathom_level *after)
{
	return !after ||
	       (!is_same(before->size_bytes, after->size_bytes) && !is_within(before, after)) ||
	       !is_same(before->latency_ns, after->latency_ns) ||
	       !is_same(before->penalty_ns, after->penalty_ns) ||
	       !is_same(before->at_bytes, after->at_bytes);
}

static const struct fathom_level *find_now(const struct document *before, size_t which,
					   const struct fathom_result *result)
{
	return find_like(result->levels, result->level_count, &before->levels[which]);
}

/* "; gone: step 1, TLB 2" */
static void add_name(struct text *text, const char *what, size_t *count, const char *name)
{
	if ((*count)++)
		text_add(text, ", %s", name);
	else
		text_add(text, "; %s: %s", what, name);
}

/* What became of all others than the first, and than the one that is told as new. */
static void add_others(const struct document *before, size_t first, const struct fathom_level *told,
		       const struct fathom_result *result, struct text *text)
{
	size_t changed = 0, gone = 0, new = 0;
	for (size_t i = 0; i < before->count; i++) {
		const struct fathom_level *level = &before->levels[i];
		const struct fathom_level *now = find_now(before, i, result);
		if (i != first && now && has_changed(level, now))
			add_name(text, "changed as well", &changed, level->name);
	}
	for (size_t i = 0; i < before->count; i++)
		if (i != first && before->levels[i].name && !find_now(before, i, result))
			add_name(text, "gone", &gone, before->levels[i].name);
	for (size_t i = 0; i < result->level_count; i++) {
		const struct fathom_level *level = &result->levels[i];
		if (level != told && level->name &&
		    !find_like(before->levels, before->count, level))
			add_name(text, "new", &new, level->name);
	}
}

/* Of the first that changed at length, of all others, those as well that the document has not, that
 * they did. NULL: it is not a level there, or now. */
static int tell(const struct document *before, size_t first, const struct fathom_level *level,
		const struct fathom_level *now, struct fathom_result *result,
		struct fathom_error *error)
{
	char *was = level ? describe(level) : strdup("is not a level");
	char *is = now ? describe(now) : strdup("is not a level");
	struct text more = {0};
	add_others(before, first, level ? NULL : now, result, &more);
	int failed =
		!was || !is || more.failed ||
		warnings_add(&result->warnings, "levels-changed", level ? level->name : now->name,
			     result->os_prior_off ? HINT_PRIOR : HINT,
			     "in the document it %s; fitted now, it %s%s", was, is,
			     more.data ? more.data : "");
	text_free(&more);
	free(was);
	free(is);
	return failed ? error_no_memory(error) : 0;
}

int levels_changed_tell(const struct fathom_level *levels, size_t count,
			struct fathom_result *result, struct fathom_error *error)
{
	const struct document before = {levels, count};
	for (size_t i = 0; i < count; i++) {
		const struct fathom_level *now = find_now(&before, i, result);
		if (is_shown(&levels[i]) && has_changed(&levels[i], now))
			return tell(&before, i, &levels[i], now, result, error);
	}
	for (size_t i = 0; count > 0 && i < result->level_count; i++) {
		const struct fathom_level *now = &result->levels[i];
		if (is_shown(now) && !find_like(levels, count, now))
			return tell(&before, count, NULL, now, result, error);
	}
	return 0;
}
