#include "commands.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/names.h"
#include "perform.h"
#include "values.h"

enum { KEY_PAGES = 0x200, KEY_MAX_SIZE, KEY_PER_OCTAVE, KEY_REDRAW };

#define MOST_PER_OCTAVE 64
#define FEWEST_PLACES   2
#define MOST_PLACES     1000

static const struct argp_option table[] = {
	{NULL, 0, NULL, 0, "The curves:", 2},
	{"max-size", KEY_MAX_SIZE, "SIZE", 0,
	 "Largest working set (default: 1G, and 3072 pages with one line in each, as far as the "
	 "memory allows)",
	 2},
	{"per-octave", KEY_PER_OCTAVE, "N", 0,
	 "Sizes per octave, from one power of two to the next (default: 2)", 2},
	{"page", KEY_PAGES, "KINDS", 0,
	 "Page kinds, all required: a list of 4K, thp, 2M, 1G and, as multi-size THP, 16K to 1M "
	 "(default: those available)",
	 2},
	{"redraw", KEY_REDRAW, "N", 0,
	 "Placements for each point, with three blocks on each, to separate their effect from "
	 "noise (default: a new placement for each block)",
	 2},
	{0},
};

/* Not the default: that is one of the others, and which may differ from place to place. */
static const char *kind_name(int kind)
{
	return page_name(FATHOM_PAGE_4K + kind);
}

/* Each once, in the order of the table. */
static int add_kind(void *context, char *word, struct fathom_error *error)
{
	static const struct value_choice choice = {"--page", kind_name};
	struct options *options = context;
	int kind;
	if (value_choose(&choice, word, &kind, error))
		return EINVAL;
	options->pages_given[kind] = true;
	return 0;
}

static error_t parse(int key, char *value, struct argp_state *state)
{
	struct options *options = state->input;
	struct fathom_request *request = &options->request;
	struct fathom_error *error = options->error;
	switch (key) {
	case ARGP_KEY_INIT:
		options_pass_on(state, &pages_argp);
		return 0;
	case KEY_PAGES:
		memset(options->pages_given, 0, sizeof(options->pages_given));
		return value_each_word(value, add_kind, options, error);
	case KEY_MAX_SIZE:
		return value_size("--max-size", value, &request->max_size_bytes, error);
	case KEY_PER_OCTAVE:
		return value_count("--per-octave", value, 1, MOST_PER_OCTAVE, &request->per_octave,
				   error);
	case KEY_REDRAW:
		return value_count("--redraw", value, FEWEST_PLACES, MOST_PLACES,
				   &request->placements, error);
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp_child children[] = {
	{&options_measurement, 0, NULL, 0},
	{&options_target, 0, NULL, 0},
	{&options_strict, 0, NULL, 0},
	{&options_time_y, 0, NULL, 0},
	{&options_rows, 0, NULL, 0},
	{&options_output, 0, NULL, 0},
	{0},
};

const struct argp pages_argp = {
	.options = table,
	.parser = parse,
	.children = children,
	.doc = "Measures what address translation costs, apart from the caches: the same chain on "
	       "each available page kind, and one line in every page against as many lines "
	       "packed.\vSizes are written 48K, 1.5M or 2GiB (K = 1024). Nothing on the machine is "
	       "changed: a page kind that is not available is named with the command that makes it "
	       "so.",
};

int pages_run(const struct options *options, const struct environment *environment,
	      struct fathom_error *error)
{
	if (options->y == FATHOM_Y_THROUGHPUT)
		return error_set(error, FATHOM_USAGE, "use ns or cycles",
				 "'--y throughput' is not available for pages");
	return perform_request(options, environment, error);
}
