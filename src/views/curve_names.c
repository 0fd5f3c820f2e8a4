#include "views/curve_names.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "base/names.h"
#include "base/patterns.h"
#include "base/utf8.h"
#include "views/rounding.h"
#include "views/view.h"

#define BRIEF_COLUMNS 12
#define PAIR_COLUMNS  14 /* "windows, CPU 1" */

/* A curve, and for what it is named. */
struct named {
	const struct fathom_result *result;
	const struct fathom_curve *curve;
	const struct fathom_spec *spec; /* of its points */
	bool brief;
};

/* What a curve has that another may not have, in words; nothing where it is not known. */
typedef void add_trait(const struct named *named, struct text *text);

/* Names of fathom's own have _ where words have blanks. */
static void add_plain(struct text *text, const char *name)
{
	for (const char *c = name; c && *c; c++)
		text_add(text, "%c", *c == '_' ? ' ' : *c);
}

static void add_lanes(const struct named *named, struct text *text)
{
	const struct fathom_result *result = named->result;
	size_t which = (size_t)(named->curve - result->curves);
	if (named->curve->axis != FATHOM_AXIS_LANES && named->curve->axis != FATHOM_AXIS_LAP)
		return;
	for (size_t i = 0; !named->brief && i < result->parallelism_count; i++)
		if (result->parallelism[i].curve == which && result->parallelism[i].level)
			text_add(text, "%s, ", result->parallelism[i].level);
	text_add(text, "%s", rounding_size(named->spec->size_bytes).text);
}

static void add_order(const struct named *named, struct text *text)
{
	const struct fathom_spec *spec = named->spec;
	if (spec->pattern == FATHOM_PATTERN_UNKNOWN)
		return;
	bool window = spec->pattern == FATHOM_WINDOW;
	uint64_t bytes = window ? spec->window_bytes : spec->stride_bytes;
	add_plain(text, window ? "windows" : view_known(fathom_pattern_name(spec->pattern)));
	if (window ? !named->brief : bytes > 0)
		text_add(text, "%s %s", window ? " of" : "", rounding_size(bytes).text);
}

static void add_nodes(const struct named *named, struct text *text)
{
	if (named->spec->node_bytes)
		text_add(text, "%s%s", named->brief ? "" : "nodes of ",
			 rounding_size(named->spec->node_bytes).text);
}

static void add_pages(const struct named *named, struct text *text)
{
	const char *name = page_name(named->spec->page);
	if (name)
		text_add(text, "%s%s", name, named->brief ? "" : " pages");
}

static void add_warmth(const struct named *named, struct text *text)
{
	add_plain(text, warmth_name((int)named->spec->warmth));
}

static void add_links(const struct named *named, struct text *text)
{
	int link = named->spec->link;
	const char *name = named->brief ? link_name(link) : link_words(link);
	if (name)
		text_add(text, "%s", name);
}

/* It is chosen for each size: of a curve that has several none is named. */
static bool has_one_width(const struct fathom_curve *curve)
{
	for (size_t i = 1; i < curve->point_count; i++)
		if (curve->points[i].spec.vector_bytes != curve->points[0].spec.vector_bytes)
			return false;
	return true;
}

static void add_streams(const struct named *named, struct text *text)
{
	const struct fathom_spec *spec = named->spec;
	if (!spec->threads || !pattern_streams((int)spec->pattern))
		return;
	text_add(text, "%u thread%s", spec->threads, spec->threads == 1 ? "" : "s");
	if (spec->vector_bytes && has_one_width(named->curve))
		text_add(text, ", vectors of %u bits", 8 * spec->vector_bytes);
}

static void add_tool(const struct named *named, struct text *text)
{
	if (named->curve->tool)
		text_add(text, "%s", named->curve->tool);
}

static void add_cpu(const struct named *named, struct text *text)
{
	const struct fathom_machine *machine = named->result->machine;
	if (named->curve->cpu < 0)
		return;
	text_add(text, "CPU %d", named->curve->cpu);
	const struct fathom_cpu_kind *kind = machine && machine->cpu_kind_count > 1
						     ? cpu_kind_of(machine, named->curve->cpu)
						     : NULL;
	if (kind && !named->brief)
		text_add(text, " (%s)", view_known(kind->name));
}

static void add_sibling(const struct named *named, struct text *text)
{
	if (named->curve->sibling != FATHOM_SIBLING_ANY)
		text_add(text, "%s%s", named->brief ? "" : "sibling ",
			 sibling_name((int)named->curve->sibling));
}

static void add_memory_node(const struct named *named, struct text *text)
{
	if (named->curve->memory_node >= 0)
		text_add(text, "%snode %d", named->brief ? "" : "memory of ",
			 named->curve->memory_node);
}

static void add_clock(const struct named *named, struct text *text)
{
	for (size_t i = 0; i < named->result->clock_count; i++) {
		const struct fathom_clock *clock = &named->result->clocks[i];
		if (clock->curve != (size_t)(named->curve - named->result->curves))
			continue;
		if (isfinite(clock->hz))
			text_add(text, "%s GHz", rounding_number(clock->hz * 1e-9).text);
		else
			text_add(text, "%s x the slowest clock",
				 rounding_number(clock->relative).text);
	}
}

static add_trait *const traits[] = {add_lanes,  add_order,   add_nodes,       add_pages,
				    add_warmth, add_links,   add_streams,     add_tool,
				    add_cpu,    add_sibling, add_memory_node, add_clock};
#define TRAITS      (sizeof(traits) / sizeof(*traits))
#define BASE_TRAITS 3 /* one of these is named even where all curves have it */

/* Names are looked for among the curves; for want of memory none is found. */
struct search {
	const struct fathom_result *result;
	const size_t *among; /* NULL: all of the result */
	size_t count;
	bool failed;
};

/* NULL: it has no points. */
static const struct fathom_curve *curve_at(const struct search *search, size_t which)
{
	const struct fathom_curve *curve =
		&search->result->curves[search->among ? search->among[which] : which];
	return curve->point_count ? curve : NULL;
}

/* NULL: out of memory. */
static char *trait_text(const struct search *search, size_t trait, const struct fathom_curve *curve,
			bool brief)
{
	const struct named named = {search->result, curve, &curve->points[0].spec, brief};
	struct text text = {0};
	traits[trait](&named, &text);
	return text_take(&text);
}

static bool same_trait(struct search *search, size_t trait, const struct fathom_curve *a,
		       const struct fathom_curve *b, bool brief)
{
	char *of_a = trait_text(search, trait, a, brief);
	char *of_b = trait_text(search, trait, b, brief);
	search->failed |= !of_a || !of_b;
	bool same = of_a && of_b && strcmp(of_a, of_b) == 0;
	free(of_a);
	free(of_b);
	return same;
}

/* Does one of the curves have all the traits before this one as well, and another trait? With
 * TRAITS: does one have all of them? */
static bool trait_tells(struct search *search, size_t trait, const struct fathom_curve *curve)
{
	for (size_t i = 0; i < search->count; i++) {
		const struct fathom_curve *other = curve_at(search, i);
		size_t same = 0;
		if (!other || other == curve)
			continue;
		while (same < trait && same_trait(search, same, curve, other, false))
			same++;
		if (same == trait &&
		    (trait == TRAITS || !same_trait(search, trait, curve, other, false)))
			return true;
	}
	return false;
}

/* What a curve is said to be on a CPU its control is too. */
static bool is_control_beside(size_t trait, const struct fathom_curve *curve,
			      const struct fathom_curve *other)
{
	return (traits[trait] == add_cpu || traits[trait] == add_sibling) &&
	       curve->points[0].spec.pattern != FATHOM_WINDOW &&
	       other->points[0].spec.pattern == FATHOM_WINDOW;
}

/* Has no other curve both traits, in brief? */
static bool is_unique(struct search *search, size_t trait, size_t more,
		      const struct fathom_curve *curve)
{
	for (size_t i = 0; i < search->count; i++) {
		const struct fathom_curve *other = curve_at(search, i);
		if (!other || other == curve)
			continue;
		if (trait == more && is_control_beside(trait, curve, other))
			continue;
		if (same_trait(search, trait, curve, other, true) &&
		    same_trait(search, more, curve, other, true))
			return false;
	}
	return true;
}

static void add_number(struct text *text, struct search *search, const struct fathom_curve *curve)
{
	text_add(text, "curve %zu", (size_t)(curve - search->result->curves) + 1);
}

/* Do the two traits, or the one where they are the same, tell it and have room in a column? */
static bool add_traits(struct text *text, struct search *search, size_t trait, size_t more,
		       const struct fathom_curve *curve)
{
	char *first = trait_text(search, trait, curve, true);
	char *second = trait_text(search, more, curve, true);
	bool one = trait == more;
	bool tells = first && second && *first && *second &&
		     (one ? utf8_columns(first) <= BRIEF_COLUMNS
			  : utf8_columns(first) + 2 + utf8_columns(second) <= PAIR_COLUMNS) &&
		     is_unique(search, trait, more, curve);
	search->failed |= !first || !second;
	if (tells)
		text_add(text, "%s", first);
	if (tells && !one)
		text_add(text, ", %s", second);
	free(first);
	free(second);
	return tells;
}

/* The one trait that tells it from all others and has room in a column, or two; else its number. */
static void add_brief(struct text *text, struct search *search, const struct fathom_curve *curve)
{
	for (size_t trait = 0; trait < TRAITS; trait++)
		if (add_traits(text, search, trait, trait, curve))
			return;
	for (size_t trait = 0; trait < TRAITS; trait++)
		for (size_t more = trait + 1; more < TRAITS; more++)
			if (add_traits(text, search, trait, more, curve))
				return;
	add_number(text, search, curve);
}

/* With its number where nothing else tells it. */
static void add_full(struct text *text, struct search *search, const struct fathom_curve *curve)
{
	size_t before = text->length;
	for (size_t trait = 0; trait < TRAITS; trait++) {
		char *own = trait_text(search, trait, curve, false);
		bool named = (text->length == before && trait < BASE_TRAITS) ||
			     traits[trait] == add_clock || trait_tells(search, trait, curve);
		search->failed |= !own;
		if (own && *own && named)
			text_add(text, "%s%s", text->length > before ? ", " : "", own);
		free(own);
	}
	if (text->length == before && curve->tool)
		text_add(text, "%s", curve->tool);
	if (text->length == before) {
		add_number(text, search, curve);
	} else if (trait_tells(search, TRAITS, curve)) {
		text_add(text, " (");
		add_number(text, search, curve);
		text_add(text, ")");
	}
}

typedef void add_name(struct text *text, struct search *search, const struct fathom_curve *curve);

static void add(struct text *text, struct search search, const struct fathom_curve *curve,
		add_name *add_known)
{
	(curve->point_count ? add_known : add_number)(text, &search, curve);
	text->failed |= search.failed;
}

void curve_names_add_brief(struct text *words, const struct fathom_result *result,
			   const struct fathom_curve *curve)
{
	add(words, (struct search){result, NULL, result->curve_count, false}, curve, add_brief);
}

void curve_names_add(struct text *words, const struct fathom_result *result,
		     const struct fathom_curve *curve)
{
	add(words, (struct search){result, NULL, result->curve_count, false}, curve, add_full);
}

void curve_names_add_among(struct text *words, const struct fathom_result *result,
			   const size_t *curves, size_t count, size_t which)
{
	add(words, (struct search){result, curves, count, false}, &result->curves[curves[which]],
	    add_full);
}
