#include "views/curve_names.h"

#include <stdlib.h>
#include <string.h>

#include "base/names.h"
#include "base/utf8.h"
#include "views/rounding.h"

#define BRIEF_COLUMNS 12

/* What a curve has that another may not have, in words; nothing where it is not known. */
typedef void add_trait(const struct fathom_curve *curve, bool brief, struct text *text);

static void add_order(const struct fathom_curve *curve, bool brief, struct text *text)
{
	const struct fathom_spec *spec = &curve->points[0].spec;
	const char *name = fathom_pattern_name(spec->pattern);
	if (spec->pattern == FATHOM_WINDOW)
		text_add(text, "windows%s%s", brief ? "" : " of ",
			 brief ? "" : rounding_size(spec->window_bytes).text);
	else if (spec->pattern != FATHOM_PATTERN_UNKNOWN)
		text_add(text, "%s", name ? name : "unknown");
}

static void add_nodes(const struct fathom_curve *curve, bool brief, struct text *text)
{
	uint64_t node_bytes = curve->points[0].spec.node_bytes;
	if (node_bytes)
		text_add(text, "%s%s", brief ? "" : "nodes of ", rounding_size(node_bytes).text);
}

static void add_pages(const struct fathom_curve *curve, bool brief, struct text *text)
{
	const char *name = page_name(curve->points[0].spec.page);
	if (name)
		text_add(text, "%s%s", name, brief ? "" : " pages");
}

static void add_links(const struct fathom_curve *curve, bool brief, struct text *text)
{
	int link = curve->points[0].spec.link;
	const char *name = brief ? link_name(link) : link_words(link);
	if (name)
		text_add(text, "%s", name);
}

static void add_tool(const struct fathom_curve *curve, bool brief, struct text *text)
{
	(void)brief;
	if (curve->tool)
		text_add(text, "%s", curve->tool);
}

static void add_cpu(const struct fathom_curve *curve, bool brief, struct text *text)
{
	(void)brief;
	if (curve->cpu >= 0)
		text_add(text, "CPU %d", curve->cpu);
}

static add_trait *const traits[] = {add_order, add_nodes, add_pages, add_links, add_tool, add_cpu};
#define TRAITS      (sizeof(traits) / sizeof(*traits))
#define BASE_TRAITS 2 /* one of these is named even where all curves have it */

/* Names are looked for among all curves of the result; for want of memory none is found. */
struct search {
	const struct fathom_result *result;
	bool failed;
};

/* NULL: out of memory. */
static char *trait_text(size_t trait, const struct fathom_curve *curve, bool brief)
{
	struct text text = {0};
	text_add(&text, "%s", "");
	traits[trait](curve, brief, &text);
	return text_take(&text);
}

static bool same_trait(struct search *search, size_t trait, const struct fathom_curve *a,
		       const struct fathom_curve *b, bool brief)
{
	char *of_a = trait_text(trait, a, brief);
	char *of_b = trait_text(trait, b, brief);
	search->failed |= !of_a || !of_b;
	bool same = of_a && of_b && strcmp(of_a, of_b) == 0;
	free(of_a);
	free(of_b);
	return same;
}

/* Does the trait tell the curve from one that has all the traits before it? */
static bool trait_tells(struct search *search, size_t trait, const struct fathom_curve *curve)
{
	const struct fathom_result *result = search->result;
	for (size_t i = 0; i < result->curve_count; i++) {
		const struct fathom_curve *other = &result->curves[i];
		size_t same = 0;
		if (other == curve || other->point_count == 0)
			continue;
		while (same < trait && same_trait(search, same, curve, other, false))
			same++;
		if (same == trait && !same_trait(search, trait, curve, other, false))
			return true;
	}
	return false;
}

/* Has no other curve that trait, in brief? */
static bool is_unique(struct search *search, size_t trait, const struct fathom_curve *curve)
{
	const struct fathom_result *result = search->result;
	for (size_t i = 0; i < result->curve_count; i++) {
		const struct fathom_curve *other = &result->curves[i];
		if (other != curve && other->point_count &&
		    same_trait(search, trait, curve, other, true))
			return false;
	}
	return true;
}

/* The one trait that tells it from all others and has room in a column; else its number. */
static char *brief_label(struct search *search, const struct fathom_curve *curve, bool *numbered)
{
	*numbered = false;
	for (size_t trait = 0; trait < TRAITS; trait++) {
		char *text = trait_text(trait, curve, true);
		if (!text)
			return NULL;
		if (*text && utf8_columns(text) <= BRIEF_COLUMNS && is_unique(search, trait, curve))
			return text;
		free(text);
	}
	*numbered = true;
	return text_format("curve %zu", (size_t)(curve - search->result->curves) + 1);
}

/* The number is in it where it is all of the brief label. */
static char *full_label(struct search *search, const struct fathom_curve *curve)
{
	struct text label = {0};
	bool numbered;
	char *brief = brief_label(search, curve, &numbered);
	if (!brief)
		return NULL;
	for (size_t trait = 0; trait < TRAITS; trait++) {
		char *text = trait_text(trait, curve, false);
		bool named = (label.length == 0 && trait < BASE_TRAITS) ||
			     trait_tells(search, trait, curve);
		label.failed |= !text;
		if (text && *text && named)
			text_add(&label, "%s%s", label.length ? ", " : "", text);
		free(text);
	}
	if (label.length == 0)
		text_add(&label, "%s", brief);
	else if (numbered)
		text_add(&label, " (%s)", brief);
	free(brief);
	return text_take(&label);
}

char *curve_name(const struct fathom_result *result, const struct fathom_curve *curve, bool brief)
{
	bool numbered;
	if (curve->point_count == 0)
		return text_format("curve %zu", (size_t)(curve - result->curves) + 1);
	struct search search = {result, false};
	char *name = brief ? brief_label(&search, curve, &numbered) : full_label(&search, curve);
	if (search.failed) {
		free(name);
		return NULL;
	}
	return name;
}

void curve_names_add(struct text *words, const struct fathom_result *result,
		     const struct fathom_curve *curve)
{
	char *name = curve_name(result, curve, false);
	text_add(words, "%s", name ? name : "");
	words->failed |= !name;
	free(name);
}
