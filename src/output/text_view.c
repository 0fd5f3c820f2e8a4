#include "output/text_view.h"

#include "base/text.h"
#include "output/text_table.h"

static enum fathom_y choose_y(const struct fathom_curve *curve, enum fathom_y wanted)
{
	bool ns = table_count(curve, FATHOM_Y_NS), cycles = table_count(curve, FATHOM_Y_CYCLES);
	if (wanted == FATHOM_Y_THROUGHPUT && curve->over_first)
		wanted = FATHOM_Y_NS; /* what is added has no inverse */
	if (wanted == FATHOM_Y_CYCLES ? cycles : ns)
		return wanted;
	return cycles ? FATHOM_Y_CYCLES : FATHOM_Y_NS;
}

/* In windows and in independent order are what the cycle is compared with. */
static bool is_main(const struct fathom_curve *curve)
{
	enum fathom_pattern pattern = curve->points[0].spec.pattern;
	return pattern != FATHOM_WINDOW && pattern != FATHOM_INDEPENDENT;
}

bool view_make(const struct fathom_result *result, bool foreign, enum fathom_y wanted,
	       struct text_view *view)
{
	const struct fathom_curve *main = NULL;
	*view = (struct text_view){.result = result};
	for (size_t i = 0; i < result->curve_count; i++) {
		const struct fathom_curve *curve = &result->curves[i];
		if (curve->point_count == 0 || foreign != (curve->tool != NULL))
			continue;
		if (!main || (is_main(curve) && !is_main(main)))
			main = curve;
	}
	if (!main)
		return false;
	view->curves[view->count++] = main;
	view->y = choose_y(main, wanted);
	for (size_t i = 0; i < result->curve_count; i++) {
		const struct fathom_curve *curve = &result->curves[i];
		if (curve->point_count == 0 || foreign != (curve->tool != NULL) || curve == main)
			continue;
		if (view->count < VIEW_MOST)
			view->curves[view->count++] = curve;
		else
			view->left_out++;
	}
	return true;
}

char *view_label(const struct fathom_result *result, const struct fathom_curve *curve, bool brief)
{
	static const struct fathom_spec no_spec = {.pattern = FATHOM_PATTERN_UNKNOWN};
	const struct fathom_spec *spec = curve->point_count ? &curve->points[0].spec : &no_spec;
	char size[UNITS_TEXT_BYTES];
	switch (spec->pattern) {
	case FATHOM_PATTERN_UNKNOWN:
		if (spec->node_bytes)
			return text_format("%s%s", brief ? "" : "nodes of ",
					   layout_size(spec->node_bytes, false, size));
		return text_format("curve %zu", (size_t)(curve - result->curves) + 1);
	case FATHOM_WINDOW:
		if (brief)
			return text_format("windows");
		return text_format("windows of %s", layout_size(spec->window_bytes, false, size));
	default:
		return text_format("%s", fathom_pattern_name(spec->pattern)
						 ? fathom_pattern_name(spec->pattern)
						 : "unknown");
	}
}
