#include "commands.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/names.h"
#include "perform.h"
#include "sizes.h"
#include "values.h"

enum { KEY_SIZE = 0x200, KEY_STRIDE, KEY_STEPS, KEY_COLD, KEY_ABLATE, KEY_DECAY, KEY_EVENT };

#define USUAL_STEPS 20000000
#define MOST_STEPS  1000000000000

static const struct argp_option table[] = {
	{NULL, 0, NULL, 0, "The table:", 2},
	{"size", KEY_SIZE, "SIZES", 0,
	 "Sizes: 256M (the default; 16M with --decay), a list 1M,16M, or a range 1K..256M of "
	 "powers of two",
	 2},
	{"stride", KEY_STRIDE, "SIZES", 0,
	 "Distance between strided accesses: 256 (the default), or a list", 2},
	{"steps", KEY_STEPS, "N", 0,
	 "Timed accesses of each point, at least about 50K: 20M (the default, or what fits in the "
	 "budget)",
	 2},
	{"cold", KEY_COLD, "KIND", 0,
	 "Kinds of cold memory: flushed from all caches (the default), mapped anew and written, "
	 "both (the default with --decay), or none; not with --ablate",
	 2},
	{"ablate", KEY_ABLATE, NULL, 0,
	 "Show which prefetchers act and what each saves, in place of the table", 2},
	{"decay", KEY_DECAY, NULL, 0,
	 "Show each lap since memory was flushed or mapped, in place of the table", 2},
	{"event", KEY_EVENT, "LIST", 0,
	 "Hardware events to count: l1d_misses,dtlb_misses,r01c2 or this CPU's own names "
	 "(docs/counters.md); default: the usual ones; not with --decay",
	 2},
	{0},
};

enum cold { COLD_FLUSHED, COLD_MAPPED, COLD_BOTH, COLD_NONE };

static const char *cold_name(int cold)
{
	static const char *const names[] = {"flushed", "mapped", "both", "none", NULL};
	return names[cold];
}

static int set_cold(struct options *options, const char *value)
{
	static const struct value_choice choice = {"--cold", cold_name};
	int cold;
	if (value_choose(&choice, value, &cold, options->error))
		return EINVAL;
	options->request.cold_flushed = cold == COLD_FLUSHED || cold == COLD_BOTH;
	options->request.cold_mapped = cold == COLD_MAPPED || cold == COLD_BOTH;
	options->cold_given = true;
	return 0;
}

static int set_steps(struct options *options, const char *value)
{
	static const char suffixes[] = "KMG";
	char *digits = strdup(value);
	size_t length = strlen(value);
	int64_t steps, factor = 1;
	const char *suffix = length > 1 ? strchr(suffixes, value[length - 1]) : NULL;
	if (!digits)
		return ENOMEM;
	if (suffix)
		digits[length - 1] = 0;
	for (const char *each = suffixes; suffix && each <= suffix; each++)
		factor *= 1000;
	int status =
		value_integer("--steps", digits, 1, MOST_STEPS / factor, &steps, options->error);
	free(digits);
	if (status)
		return EINVAL;
	options->request.steps = (uint64_t)(steps * factor);
	return 0;
}

static int set_study(struct options *options, enum fathom_experiment experiment)
{
	if (options->request.experiment != FATHOM_PATTERNS &&
	    options->request.experiment != experiment) {
		error_set(options->error, FATHOM_USAGE, "run it once with each",
			  "'--ablate' and '--decay' cannot be used together");
		return EINVAL;
	}
	options->request.experiment = experiment;
	return 0;
}

/* ---- options that a study has no use for ---- */

static int refuse_with(const char *study, const char *option, const char *hint,
		       struct fathom_error *error)
{
	return error_set(error, FATHOM_USAGE, hint, "'%s' cannot be used with '%s'", option, study);
}

static int settle_ablation(const struct options *options, struct fathom_error *error)
{
	if (options->cold_given)
		return refuse_with("--ablate", "--cold",
				   "leave out '--cold': prefetchers are told apart on warm memory",
				   error);
	return 0;
}

/* Both kinds of cold, unless one was asked for; the usual events are not meant. */
static int settle_decay(struct options *options, struct fathom_error *error)
{
	struct fathom_request *request = &options->request;
	if (!options->cold_given)
		request->cold_flushed = request->cold_mapped = true;
	if (!request->cold_flushed && !request->cold_mapped)
		return refuse_with("--decay", "--cold none", "use flushed, mapped or both", error);
	if (*request->events)
		return refuse_with("--decay", "--event",
				   "leave out '--event': events cannot be counted lap by lap",
				   error);
	request->events = NULL;
	return 0;
}

static int settle(struct options *options, struct fathom_error *error)
{
	bool decay = options->request.experiment == FATHOM_DECAY;
	if (options->request.experiment == FATHOM_PATTERNS)
		return 0;
	if (options->strides.count)
		return refuse_with(decay ? "--decay" : "--ablate", "--stride",
				   "leave out '--stride': only the table has strided rows", error);
	return decay ? settle_decay(options, error) : settle_ablation(options, error);
}

static error_t parse(int key, char *value, struct argp_state *state)
{
	struct options *options = state->input;
	struct fathom_error *error = options->error;
	switch (key) {
	case ARGP_KEY_INIT:
		options_pass_on(state, &patterns_argp);
		options->request.steps = USUAL_STEPS;
		options->request.events = ""; /* the usual ones */
		return 0;
	case KEY_SIZE:
		return sizes_set("--size", value, &options->sizes, error);
	case KEY_STRIDE:
		return sizes_set("--stride", value, &options->strides, error);
	case KEY_STEPS:
		return set_steps(options, value);
	case KEY_COLD:
		return set_cold(options, value);
	case KEY_ABLATE:
		return set_study(options, FATHOM_ABLATION);
	case KEY_DECAY:
		return set_study(options, FATHOM_DECAY);
	case KEY_EVENT:
		if (!*value) {
			error_set(error, FATHOM_USAGE, "for example --event l1d_misses,dtlb_misses",
				  "--event: the list is empty");
			return EINVAL;
		}
		options->request.events = value;
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp_child children[] = {
	{&options_chain, 0, NULL, 0},  {&options_request, 0, NULL, 0},
	{&options_strict, 0, NULL, 0}, {&options_output, 0, NULL, 0},
	{&options_format, 0, NULL, 0}, {0},
};

const struct argp patterns_argp = {
	.options = table,
	.parser = parse,
	.children = children,
	.doc = "Measures the same memory in one access pattern after another, cold and warm, to "
	       "show how much of the latency prefetching, translation and overlap hide or "
	       "add.\vSizes are written 48K, 1.5M or 2GiB (K = 1024). docs/method.md explains each "
	       "row.",
};

int patterns_run(const struct options *options, const struct environment *environment,
		 struct fathom_error *error)
{
	struct options own = *options;
	return settle(&own, error) ? -1 : perform_request(&own, environment, error);
}
