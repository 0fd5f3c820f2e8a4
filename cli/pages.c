#include "commands.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/names.h"
#include "perform.h"

enum { KEY_PAGES = 0x200, KEY_MAX_SIZE, KEY_PER_OCTAVE, KEY_REDRAW, KEY_TARGET };

#define MOST_PER_OCTAVE 64
#define FEWEST_PLACES   2
#define MOST_PLACES     1000

static const struct argp_option table[] = {
	{NULL, 0, NULL, 0, "The curves:", 2},
	{"max-size", KEY_MAX_SIZE, "SIZE", 0,
	 "No chain goes further than SIZE (default: 1G, and 3072 pages with one line of each, as "
	 "far "
	 "as the memory allows)",
	 2},
	{"per-octave", KEY_PER_OCTAVE, "N", 0,
	 "N sizes between one power of two and the next (default: 2)", 2},
	{"page", KEY_PAGES, "KINDS", 0,
	 "A list of 4K, thp, 2M and 1G, all of which must be had (default: those that can)", 2},
	{"redraw", KEY_REDRAW, "N", 0,
	 "N places in memory for each point, with three blocks on each: what the place makes, "
	 "apart "
	 "from noise (default: a new place for each block)",
	 2},
	{"target", KEY_TARGET, "SHARE", 0, "Wanted half-width of the intervals (default: 1%)", 2},
	{0},
};

/* Not the default: that is one of the others, and which may differ from place to place. */
static const char *kind_name(int kind)
{
	return page_name(FATHOM_PAGE_4K + kind);
}

/* Each once, in the order of the table. */
static int set_kinds(struct options *options, const char *list)
{
	static const struct options_choice choice = {"--page", kind_name, OPTIONS_PAGE_KINDS};
	char *copy = strdup(list), *rest = copy, *word;
	int kind, status = copy ? 0 : error_no_memory(options->error);
	memset(options->pages_given, 0, sizeof(options->pages_given));
	while (!status && (word = strsep(&rest, ","))) {
		status = options_choose(&choice, word, &kind, options->error);
		if (!status)
			options->pages_given[kind] = true;
	}
	free(copy);
	return status ? EINVAL : 0;
}

static int set_count(struct options *options, const char *option, const char *value, int64_t low,
		     int64_t high, uint32_t *count)
{
	int64_t number;
	if (options_integer(option, value, low, high, &number, options->error))
		return EINVAL;
	*count = (uint32_t)number;
	return 0;
}

/* The defaults of this command stand where those of the first one do. */
static void begin(struct options *options)
{
	uint64_t seed = options->request.spec.seed;
	fathom_request_for(&options->request, FATHOM_PAGES);
	options->request.spec.seed = seed;
}

/* The list lies in the options, which the caller may have moved since. */
static void settle(struct options *options)
{
	struct fathom_request *request = &options->request;
	request->page_count = 0;
	for (int i = 0; i < OPTIONS_PAGE_KINDS; i++)
		if (options->pages_given[i])
			options->pages[request->page_count++] =
				(enum fathom_page)(FATHOM_PAGE_4K + i);
	request->pages = request->page_count ? options->pages : NULL;
}

static error_t parse(int key, char *value, struct argp_state *state)
{
	struct options *options = state->input;
	struct fathom_request *request = &options->request;
	struct fathom_error *error = options->error;
	switch (key) {
	case ARGP_KEY_INIT:
		options_pass_on(state);
		begin(options);
		return 0;
	case KEY_PAGES:
		return set_kinds(options, value);
	case KEY_MAX_SIZE:
		return options_size("--max-size", value, &request->max_size_bytes, error) ? EINVAL
											  : 0;
	case KEY_PER_OCTAVE:
		return set_count(options, "--per-octave", value, 1, MOST_PER_OCTAVE,
				 &request->per_octave);
	case KEY_REDRAW:
		return set_count(options, "--redraw", value, FEWEST_PLACES, MOST_PLACES,
				 &request->placements);
	case KEY_TARGET:
		return options_share("--target", value, &request->target, error) ? EINVAL : 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp_child children[] = {
	{&options_measurement, 0, NULL, 0},
	{&options_result, 0, NULL, 0},
	{&options_output, 0, NULL, 0},
	{0},
};

const struct argp pages_argp = {
	.options = table,
	.parser = parse,
	.children = children,
	.doc = "Walks the same chain over each kind of page that this machine grants, and one line "
	       "a "
	       "page against as many lines packed: what address translation costs, apart from the "
	       "caches.\v"
	       "Sizes read 48K, 1.5M or 2GiB (K = 1024). Nothing on the machine is changed: a kind "
	       "that it does not grant is named with the command that would grant it.",
};

int pages_run(const struct options *options, const struct environment *environment,
	      struct fathom_error *error)
{
	struct options own = *options;
	struct fathom_machine *machine = NULL;
	struct fathom_plan *plan = NULL;
	settle(&own);
	int status = fathom_machine_find(own.machine, &machine, error);
	if (!status)
		status = fathom_plan_make(&own.request, machine, &plan, error);
	if (!status)
		status = perform(plan, &machine, &own, environment, error);
	fathom_plan_free(plan);
	fathom_machine_free(machine);
	return status;
}
