#include "output/text_trouble.h"

#include "output/text_pages.h"
#include "output/text_patterns.h"

/* Where it belongs. */
static bool was_said(const struct fathom_result *result, const struct fathom_warning *warning)
{
	bool survey = result->number_count > 0;
	return !survey && text_experiment(result) == FATHOM_PAGES && text_pages_warns(warning);
}

void text_trouble(const struct layout *layout, const struct fathom_result *result, size_t measured)
{
	struct text line = {0};
	size_t warnings = 0;
	for (size_t i = 0; i < result->warnings.count; i++)
		warnings += !was_said(result, &result->warnings.items[i]);
	if (measured && !result->interrupted && warnings == 0)
		return;
	layout_end_part(layout);
	if (measured == 0) {
		text_add(&line, "nothing was measured");
		layout_item(layout, "! ", true, &line);
	}
	if (result->interrupted) {
		text_add(&line, "interrupted: this is what was measured until then");
		layout_item(layout, "! ", true, &line);
	}
	for (size_t i = 0; i < result->warnings.count; i++)
		if (!was_said(result, &result->warnings.items[i]))
			layout_warning(layout, &result->warnings.items[i], true);
}
