/* Patterns at one size: what an access costs in each order, beside each other. */
#include <stdlib.h>
#include <string.h>

#include "base/names.h"
#include "views/figure.h"
#include "views/points.h"
#include "views/rounding.h"

#define ASIDE 0.15 /* of the next warmth, so that none hides another */

static bool is_one(const struct fathom_curve *curve)
{
	return curve->experiment == FATHOM_PATTERNS && curve->point_count == 1;
}

bool figure_is_of_orders(const struct fathom_result *result)
{
	bool any = false;
	for (size_t i = 0; i < result->curve_count; i++) {
		const struct fathom_curve *curve = &result->curves[i];
		if (curve->experiment == FATHOM_PATTERNS && curve->point_count > 1)
			return false;
		any |= is_one(curve);
	}
	return any;
}

/* The place of that order, a new one where it has none; FIGURE_MOST_PLACES: there is no room, or no
 * memory. */
static size_t place_of(struct figure *figure, const struct fathom_spec *spec)
{
	struct text words = {0};
	size_t place = 0;
	points_add_order(&words, spec);
	char *name = text_take(&words);
	while (name && place < figure->place_count && strcmp(figure->places[place], name) != 0)
		place++;
	if (!name)
		return FIGURE_MOST_PLACES;
	if (place < figure->place_count || place == FIGURE_MOST_PLACES)
		free(name);
	else
		figure->places[figure->place_count++] = name;
	return place;
}

static int add_warmth(struct figure *figure, const struct fathom_result *result,
		      enum fathom_warmth warmth, bool cycles)
{
	struct figure_series *series = NULL;
	for (size_t i = 0; i < result->curve_count; i++) {
		const struct fathom_curve *curve = &result->curves[i];
		if (!is_one(curve) || curve->points[0].spec.warmth != warmth)
			continue;
		const struct fathom_spec *spec = &curve->points[0].spec;
		struct text name = {0};
		for (const char *c = warmth_name((int)warmth); *c; c++)
			text_add(&name, "%c", *c == '_' ? ' ' : *c);
		text_add(&name, ", %s", rounding_size(spec->size_bytes).text);
		if (!series && figure_add_series(figure, &name, result->curve_count, &series))
			return -1;
		text_free(&name);
		struct estimate value =
			points_time(&curve->points[0], cycles ? FATHOM_Y_CYCLES : FATHOM_Y_NS);
		size_t place = place_of(figure, spec);
		if (place == FIGURE_MOST_PLACES)
			figure->left_out++;
		else
			figure_add_row(series, (double)place + 1 + ASIDE * (double)warmth,
				       value.value, value.low, value.high);
	}
	return 0;
}

int figure_add_orders(struct figure *figure, const struct fathom_result *result, bool cycles)
{
	figure->x_label = "order of the accesses (* overlapping)";
	figure->x_is_bytes = false;
	figure->x_is_linear = true;
	for (int warmth = 0; warmth_name(warmth); warmth++)
		if (add_warmth(figure, result, (enum fathom_warmth)warmth, cycles))
			return -1;
	return 0;
}
