/* The value of disturb=: which calls, how long, and of which points. */
#include <string.h>
#include <strings.h>

#include "base/names.h"
#include "base/units.h"
#include "simulate/simulated_values.h"

/* "lanes=1", "size=64M" or "page=thp". */
static const char *read_meant(char *text, struct simulated_fault *fault)
{
	static const struct simulated_key lanes = {.low = 1, .high = 64},
					  sizes = {.low = 1, .high = 0x1p50};
	char *what = strsep(&text, "=");
	bool is_lanes = strcmp(what, "lanes") == 0, is_size = strcmp(what, "size") == 0;
	if (text && is_lanes)
		return simulated_read_count(&lanes, text, &fault->lanes) ? "lanes are 1 to 64"
									 : NULL;
	if (text && is_size)
		return simulated_read_size(&sizes, text, &fault->size_bytes);
	for (int page = 0; text && strcmp(what, "page") == 0 && page_name(page); page++)
		if (strcasecmp(page_name(page), text) == 0) {
			fault->page = (enum fathom_page)page;
			return NULL;
		}
	return "behind an @ stands lanes=, size= or page=";
}

/* "17", "100-299", "10%" or "380ms". */
static const char *read_calls(char *calls, struct simulated_fault *fault)
{
	static const struct simulated_key shares = {.low = 0.0001, .high = 0.5},
					  times = {.low = 1, .high = 1e15};
	int64_t first, last;
	if (strchr(calls, '%'))
		return simulated_read_share(&shares, calls, &fault->share)
			       ? "a share of the calls is 0.01% to 50%"
			       : NULL;
	if (strchr(calls, 's')) {
		fault->last_call = UINT64_MAX;
		return simulated_read_time(&times, calls, &fault->until_ns);
	}
	char *from = strsep(&calls, "-");
	if (units_parse_integer(from, 1, INT64_MAX, &first, NULL) ||
	    units_parse_integer(calls ? calls : from, first, INT64_MAX, &last, NULL))
		return "calls are counted from 1, and a range ascends";
	fault->first_call = (uint64_t)first;
	fault->last_call = (uint64_t)last;
	return NULL;
}

/* "17:20us", "100-299:30us", "10%:50us" or "380ms:30us@lanes=1@page=thp". */
static const char *read_fault(const struct simulated_key *key, char *text,
			      struct simulated_fault *fault)
{
	char *calls = strsep(&text, ":");
	char *time = strsep(&text, "@");
	const char *reason =
		time ? simulated_read_time(key, time, &fault->ns) : "it needs a time, after a :";
	fault->page = FATHOM_PAGE_UNKNOWN;
	while (!reason && text)
		reason = read_meant(strsep(&text, "@"), fault);
	return reason ? reason : read_calls(calls, fault);
}

const char *simulated_read_faults(const struct simulated_key *key, char *value, void *field)
{
	struct simulated_spec *spec = field;
	struct simulated_fault faults[SIMULATED_MOST_FAULTS] = {{0}};
	size_t count = 0;
	for (char *part; (part = strsep(&value, "+")); count++) {
		if (count == SIMULATED_MOST_FAULTS)
			return "it has more than 8 parts";
		const char *reason = read_fault(key, part, &faults[count]);
		if (reason)
			return reason;
	}
	memcpy(spec->faults, faults, sizeof(faults));
	spec->fault_count = count;
	return NULL;
}
