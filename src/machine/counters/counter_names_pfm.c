#include <perfmon/pfmlib.h>
#include <perfmon/pfmlib_perf_event.h>

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/text.h"
#include "machine/counters/counter_names.h"

/* Between an event's name and its masks. */
#define MASK_MARKS ":."

static bool ready(void)
{
	return pfm_initialize() == PFM_SUCCESS;
}

/* The kinds of counters that libpfm4 found here, one after the other from -1; -1: no more. */
static int next_pmu(int pmu, pfm_pmu_info_t *info)
{
	while (++pmu < PFM_PMU_MAX) {
		*info = (pfm_pmu_info_t){.size = sizeof(*info)};
		if (pfm_get_pmu_info((pfm_pmu_t)pmu, info) == PFM_SUCCESS && info->is_present)
			return pmu;
	}
	return -1;
}

static bool is_shared(int index)
{
	pfm_event_info_t event = {.size = sizeof(event)};
	pfm_pmu_info_t pmu = {.size = sizeof(pmu)};
	return pfm_get_event_info(index, PFM_OS_PERF_EVENT, &event) == PFM_SUCCESS &&
	       pfm_get_pmu_info(event.pmu, &pmu) == PFM_SUCCESS && pmu.type == PFM_PMU_TYPE_UNCORE;
}

/* What happens in the kernel on a thread's behalf would read 0 in user space for ever. */
static bool happens_in_kernel(const struct perf_event_attr *event)
{
	if (event->type == PERF_TYPE_TRACEPOINT)
		return true;
	return event->type == PERF_TYPE_SOFTWARE &&
	       (event->config == PERF_COUNT_SW_CONTEXT_SWITCHES ||
		event->config == PERF_COUNT_SW_CPU_MIGRATIONS ||
		event->config > PERF_COUNT_SW_EMULATION_FAULTS);
}

enum counter_name counter_name_find(const char *name, struct counter_event *event)
{
	struct perf_event_attr found = {0};
	pfm_perf_encode_arg_t encoded = {.attr = &found, .size = sizeof(encoded)};
	if (!ready())
		return COUNTER_NAME_UNKNOWN;
	switch (pfm_get_os_event_encoding(name, PFM_PLM3, PFM_OS_PERF_EVENT, &encoded)) {
	case PFM_SUCCESS:
		break;
	case PFM_ERR_ATTR:
	case PFM_ERR_ATTR_VAL:
	case PFM_ERR_ATTR_SET:
	case PFM_ERR_UMASK:
	case PFM_ERR_FEATCOMB:
		return COUNTER_NAME_INCOMPLETE;
	default:
		return COUNTER_NAME_UNKNOWN;
	}
	if (is_shared(encoded.idx))
		return COUNTER_NAME_SHARED;
	if (found.exclude_user || !found.exclude_kernel || happens_in_kernel(&found))
		return COUNTER_NAME_KERNEL;
	event->type = found.type;
	event->config = found.config;
	event->config1 = found.config1;
	event->config2 = found.config2;
	return COUNTER_NAME_FOUND;
}

static void take_small(const char *event, const char *mask,
		       void (*take)(void *context, const char *name), void *context)
{
	char *name = text_format("%s%s%s", event, mask ? "." : "", mask ? mask : "");
	for (char *c = name; c && *c; c++)
		*c = (char)tolower((unsigned char)*c);
	if (name)
		take(context, name);
	free(name);
}

static void each_mask(const pfm_event_info_t *event, void (*take)(void *context, const char *name),
		      void *context)
{
	for (int i = 0; i < event->nattrs; i++) {
		pfm_event_attr_info_t mask = {.size = sizeof(mask)};
		if (pfm_get_event_attr_info(event->idx, i, PFM_OS_PERF_EVENT, &mask) ==
			    PFM_SUCCESS &&
		    mask.type == PFM_ATTR_UMASK)
			take_small(event->name, mask.name, take, context);
	}
}

/* Of the event that is called like the first `length` letters of `wanted`; of all: NULL. */
static bool each_of(const pfm_pmu_info_t *pmu, const char *wanted, size_t length,
		    void (*take)(void *context, const char *name), void *context)
{
	bool found = false;
	for (int index = pmu->first_event; index != -1; index = pfm_get_event_next(index)) {
		pfm_event_info_t event = {.size = sizeof(event)};
		if (pfm_get_event_info(index, PFM_OS_PERF_EVENT, &event) != PFM_SUCCESS)
			continue;
		if (!wanted) {
			take_small(event.name, NULL, take, context);
		} else if (strlen(event.name) == length &&
			   strncasecmp(event.name, wanted, length) == 0) {
			each_mask(&event, take, context);
			found = true;
		}
	}
	return found;
}

void counter_name_each(const char *wanted, void (*take)(void *context, const char *name),
		       void *context)
{
	pfm_pmu_info_t pmu;
	bool found = false;
	/* "kind::event" names the kind of counters as well. */
	const char *kind = strstr(wanted, "::");
	const char *event = kind ? kind + 2 : wanted;
	if (!ready())
		return;
	for (int i = next_pmu(-1, &pmu); i >= 0; i = next_pmu(i, &pmu))
		found |= each_of(&pmu, event, strcspn(event, MASK_MARKS), take, context);
	for (int i = found ? -1 : next_pmu(-1, &pmu); i >= 0; i = next_pmu(i, &pmu))
		each_of(&pmu, NULL, 0, take, context);
}

const char *counter_names_missing(void)
{
	pfm_pmu_info_t pmu;
	for (int i = ready() ? next_pmu(-1, &pmu) : -1; i >= 0; i = next_pmu(i, &pmu))
		if (pmu.type == PFM_PMU_TYPE_CORE)
			return NULL;
	return "libpfm4 does not know this CPU's own events";
}
