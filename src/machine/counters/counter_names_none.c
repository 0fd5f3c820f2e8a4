/* Built without libpfm4. */
#include "machine/counters/counter_names.h"

enum counter_name counter_name_find(const char *name, struct counter_event *event)
{
	(void)name;
	(void)event;
	return COUNTER_NAME_UNKNOWN;
}

void counter_name_each(const char *wanted, void (*take)(void *context, const char *name),
		       void *context)
{
	(void)wanted;
	(void)take;
	(void)context;
}

const char *counter_names_missing(void)
{
	return "fathom was built without libpfm4, which knows the names of a CPU's own events";
}
