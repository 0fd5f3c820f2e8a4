#include "base/names.h"
#include "commands.h"
#include "perform.h"
#include "values.h"

#define CURVES        "The curves"
#define FEWEST_PLACES 2
#define MOST_PLACES   1000

/* Not the default: that is one of the others, and which may differ from place to place. */
static const char *kind_name(int kind)
{
	return page_name(FATHOM_PAGE_4K + kind);
}

static option_table table = {
	{CURVES, "max-size", 0, value_size, OPTIONS_AT(request.max_size_bytes), "SIZE",
	 .doc = "Largest working set (default: 1G, and 3072 pages with one line in each, as far as "
		"the memory allows)"},
	{CURVES, "per-octave", 0, value_number, OPTIONS_AT(request.per_octave), "N", .low = 1,
	 .high = OPTIONS_MOST_PER_OCTAVE,
	 .doc = "Sizes per octave, from one power of two to the next (default: 2)"},
	{CURVES, "page", 0, value_choices, OPTIONS_AT(pages_given), "KINDS", .choice = kind_name,
	 .doc = "Page kinds, all required: a list of 4K, thp, 2M, 1G and, as multi-size THP, 16K "
		"to 1M (default: those available)"},
	{CURVES, "redraw", 0, value_number, OPTIONS_AT(request.placements), "N",
	 .low = FEWEST_PLACES, .high = MOST_PLACES,
	 .doc = "Placements for each point, with three blocks on each, to separate their effect "
		"from noise (default: a new placement for each block)"},
	{0},
};

const struct command pages_command = {
	.name = "pages",
	.summary = "cost of address translation, by page kind",
	.about = "Measures what address translation costs, apart from the caches: the same chain "
		 "on each available page kind, and one line in every page against as many lines "
		 "packed.",
	.notes = OPTIONS_SIZES_NOTE " Nothing on the machine is changed: a page kind that is not "
				    "available is named with the command that makes it so.",
	.options = COMMAND_OPTIONS(table, options_measurement, options_node, options_cpu,
				   options_memory_node, options_dry_run, options_target,
				   options_strict, options_time_y, options_all, options_explain,
				   options_result_format, options_answer, options_machine),
	.experiment = FATHOM_PAGES,
	COMMAND_MEASURES,
};
