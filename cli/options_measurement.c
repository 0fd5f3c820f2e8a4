/* The options of what is measured, and of how long and where. */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/names.h"
#include "options.h"
#include "values.h"

enum {
	KEY_BUDGET = 0x180,
	KEY_CPU,
	KEY_SEED,
	KEY_SAMPLES,
	KEY_DRY_RUN,
	KEY_STRICT,
	KEY_TARGET,
	KEY_PAGE,
	KEY_NODE,
	KEY_LINK
};

void options_settle_lists(struct options *options)
{
	struct fathom_request *request = &options->request;
	request->sizes_bytes = options->sizes.count ? options->sizes.bytes : NULL;
	request->size_count = options->sizes.count;
	request->strides_bytes = options->strides.count ? options->strides.bytes : NULL;
	request->stride_count = options->strides.count;
	request->threads = options->thread_count ? options->threads : NULL;
	request->thread_count = options->thread_count;
	request->stream_count = request->page_count = 0;
	for (int i = 0; i < OPTIONS_STREAMS; i++)
		if (options->streams_given[i])
			options->streams[request->stream_count++] =
				(enum fathom_pattern)(FATHOM_READ + i);
	request->streams = request->stream_count ? options->streams : NULL;
	for (int i = 0; i < OPTIONS_PAGE_KINDS; i++)
		if (options->pages_given[i])
			options->pages[request->page_count++] =
				(enum fathom_page)(FATHOM_PAGE_4K + i);
	request->pages = request->page_count ? options->pages : NULL;
}

/* ---- one option each, for the commands that have a use for it ---------------------------- */

static error_t parse_one(int key, char *value, struct argp_state *state)
{
	struct options *options = state->input;
	switch (key) {
	case KEY_DRY_RUN:
		options->dry_run = true;
		return 0;
	case KEY_STRICT:
		options->strict = true;
		return 0;
	case KEY_TARGET:
		return value_share("--target", value, &options->request.target, options->error);
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp_option dry_run_table[] = {
	{"dry-run", KEY_DRY_RUN, NULL, 0,
	 "Print the plan with its memory and time, and measure nothing", 6},
	{0},
};

const struct argp options_dry_run = {.options = dry_run_table, .parser = parse_one};

static const struct argp_option strict_table[] = {
	{"strict", KEY_STRICT, NULL, 0, "Exit with 4 when a point misses the target", 6},
	{0},
};

const struct argp options_strict = {.options = strict_table, .parser = parse_one};

static const struct argp_option target_table[] = {
	{"target", KEY_TARGET, "SHARE", 0,
	 "Half-width of the 95 % intervals to aim for (default: 1%)", 6},
	{0},
};

const struct argp options_target = {.options = target_table, .parser = parse_one};

/* ---- how long, where, from which seed ---------------------------------------------------- */

static const struct argp_option measurement_table[] = {
	{NULL, 0, NULL, 0, "The measurement:", 6},
	{"budget", KEY_BUDGET, "TIME", 0,
	 "Time limit: 20s, 500ms, 2m (each command has its own default, see --dry-run)", 6},
	{"cpu", KEY_CPU, "N", 0, "Measure on CPU N (default: the first of the fastest kind)", 6},
	{"seed", KEY_SEED, "N", 0, "Random seed: the same seed gives the same plan and placements",
	 6},
	{"samples", KEY_SAMPLES, NULL, 0, "Keep every timed batch in the document", 6},
	{0},
};

/* In less not even the clock and the line size can be measured, on any machine. */
#define LEAST_BUDGET_S 1e-3

static int set_budget(struct options *options, const char *value)
{
	double budget_s;
	if (value_duration("--budget", value, &budget_s, options->error))
		return EINVAL;
	if (budget_s < LEAST_BUDGET_S) {
		error_set(options->error, FATHOM_USAGE,
			  "use at least 1ms; one second is already short",
			  "--budget: '%s' is too short to measure anything", value);
		return EINVAL;
	}
	options->request.budget_s = budget_s;
	options->budget_given = true;
	return 0;
}

static int set_cpu(struct options *options, const char *value)
{
	int64_t cpu;
	if (value_integer("--cpu", value, 0, INT_MAX, &cpu, options->error))
		return EINVAL;
	options->request.cpu = (int)cpu;
	return 0;
}

/* As documents write it, "0x1f", or decimal. */
static int set_seed(struct options *options, const char *value)
{
	bool hexadecimal = value[0] == '0' && (value[1] == 'x' || value[1] == 'X');
	const char *digits = hexadecimal ? value + 2 : value;
	size_t length = strspn(digits, hexadecimal ? "0123456789abcdefABCDEF" : "0123456789");
	errno = 0;
	uint64_t seed = strtoull(digits, NULL, hexadecimal ? 16 : 10);
	if (length == 0 || digits[length] || errno == ERANGE) {
		error_set(options->error, FATHOM_USAGE,
			  "a seed is a number like 7 or 0x1f, up to 64 bits",
			  "--seed: '%s' is not a seed", value);
		return EINVAL;
	}
	options->request.spec.seed = seed;
	return 0;
}

static error_t parse_measurement(int key, char *value, struct argp_state *state)
{
	struct options *options = state->input;
	switch (key) {
	case ARGP_KEY_INIT:
		options_pass_on(state, &options_measurement);
		return 0;
	case KEY_BUDGET:
		return set_budget(options, value);
	case KEY_CPU:
		return set_cpu(options, value);
	case KEY_SEED:
		return set_seed(options, value);
	case KEY_SAMPLES:
		options->request.keep_samples = true;
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp_child measurement_children[] = {{&options_dry_run, 0, NULL, 0}, {0}};

const struct argp options_measurement = {.options = measurement_table,
					 .parser = parse_measurement,
					 .children = measurement_children};

static const struct argp_option request_table[] = {
	{"page", KEY_PAGE, "KIND", 0,
	 "default (what malloc gets), 4K, thp, 2M or 1G; 16K to 1M: multi-size THP", 6},
	{0},
};

static int set_page(struct options *options, const char *value)
{
	static const struct value_choice choice = {"--page", page_name};
	int page;
	if (value_choose(&choice, value, &page, options->error))
		return EINVAL;
	options->request.spec.page = (enum fathom_page)page;
	return 0;
}

static error_t parse_request(int key, char *value, struct argp_state *state)
{
	switch (key) {
	case ARGP_KEY_INIT:
		options_pass_on(state, &options_request);
		return 0;
	case KEY_PAGE:
		return set_page(state->input, value);
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp_child request_children[] = {{&options_measurement, 0, NULL, 0}, {0}};

const struct argp options_request = {
	.options = request_table, .parser = parse_request, .children = request_children};

/* ---- the chain --------------------------------------------------------------------------- */

static const struct argp_option chain_table[] = {
	{NULL, 0, NULL, 0, "The chain:", 4},
	{"node", KEY_NODE, "SIZE", 0, "Distance between nodes (default: one line)", 4},
	{"link", KEY_LINK, "KIND", 0, "pointer (the default), or index32: 32-bit indexes", 4},
	{0},
};

static int set_link(struct options *options, const char *value)
{
	static const struct value_choice choice = {"--link", link_name};
	int link;
	if (value_choose(&choice, value, &link, options->error))
		return EINVAL;
	options->request.spec.link = (enum fathom_link)link;
	return 0;
}

static error_t parse_chain(int key, char *value, struct argp_state *state)
{
	struct options *options = state->input;
	switch (key) {
	case KEY_NODE:
		return value_size("--node", value, &options->request.spec.node_bytes,
				  options->error);
	case KEY_LINK:
		return set_link(options, value);
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

const struct argp options_chain = {.options = chain_table, .parser = parse_chain};

/* ---- judged, and shown as a picture ------------------------------------------------------- */

static error_t parse_result(int key, char *value, struct argp_state *state)
{
	(void)value;
	if (key != ARGP_KEY_INIT)
		return ARGP_ERR_UNKNOWN;
	options_pass_on(state, &options_result);
	return 0;
}

static const struct argp_child result_children[] = {
	{&options_strict, 0, NULL, 0}, {&options_picture, 0, NULL, 0}, {0}};

const struct argp options_result = {.parser = parse_result, .children = result_children};
