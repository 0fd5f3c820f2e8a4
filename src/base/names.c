#include "base/names.h"

#include <strings.h>

#define COUNT(array) ((int)(sizeof(array) / sizeof(*(array))))

static int find(const char *const *names, int count, const char *name)
{
	for (int i = 0; i < count; i++)
		if (strcasecmp(names[i], name) == 0)
			return i;
	return -1;
}

#define NAMES(name_function, parse_function, ...)                                                  \
	static const char *const name_function##_list[] = {__VA_ARGS__};                           \
	const char *name_function(int value)                                                       \
	{                                                                                          \
		return value >= 0 && value < COUNT(name_function##_list)                           \
			       ? name_function##_list[value]                                       \
			       : NULL;                                                             \
	}                                                                                          \
	int parse_function(const char *name)                                                       \
	{                                                                                          \
		return find(name_function##_list, COUNT(name_function##_list), name);              \
	}

NAMES(link_name, link_parse, "pointer", "index32")
NAMES(warmth_name, warmth_parse, "warm", "cold_flushed", "cold_mapped")
NAMES(page_name, page_parse, "default", "4k", "thp", "2m", "1g", "16k", "32k", "64k", "128k",
      "256k", "512k", "1m")
NAMES(experiment_name, experiment_parse, "latency", "patterns", "ablation", "decay", "parallelism",
      "bandwidth", "pages", "frequency")
NAMES(axis_name, axis_parse, "size", "lap", "lanes", "pages")
NAMES(clock_source_name, clock_source_parse, "measured", "told", "recovered", "unknown")
NAMES(cache_kind_name, cache_kind_parse, "data", "unified", "instruction")
NAMES(level_kind_name, level_kind_parse, "cache", "tlb", "memory", "unknown")
NAMES(count_state_name, count_state_parse, "counted", "scaled", "not counted", "not supported",
      "not permitted")
NAMES(lane_store_name, lane_store_parse, "unknown", "registers", "vectors", "array")
NAMES(estimator_name, estimator_parse, "unknown", "mode", "mean")
NAMES(limit_name, limit_parse, "unknown", "loop", "lanes", "buffers", "walkers", "bandwidth")
NAMES(quantity_name, quantity_parse, "ns", "cycles", "bytes_per_second", "hz")
NAMES(replacement_name, replacement_parse, "undecidable", "lru", "random", "resistant")

static const char *const parts[FATHOM_PART_COUNT] = {"memory", "second_tlb", "walk", "residual"};

const char *fathom_part_name(int part)
{
	return part >= 0 && part < FATHOM_PART_COUNT ? parts[part] : NULL;
}

static const char *const verdicts[] = {"same", "faster", "slower", "unknown"};

const char *fathom_verdict_name(int verdict)
{
	return verdict >= 0 && verdict < COUNT(verdicts) ? verdicts[verdict] : NULL;
}

bool page_is_multi_size(int page)
{
	return page >= FATHOM_PAGE_16K && page <= FATHOM_PAGE_1M;
}

uint64_t page_named_bytes(int page)
{
	if (page_is_multi_size(page))
		return (uint64_t)(16 << 10) << (page - FATHOM_PAGE_16K);
	return page == FATHOM_PAGE_2M   ? (uint64_t)2 << 20
	       : page == FATHOM_PAGE_1G ? (uint64_t)1 << 30
					: 0;
}

uint64_t page_table_bytes(int page, uint64_t entry_bytes, uint64_t base_bytes)
{
	const uint64_t one_bytes = 8, line_bytes = 64;
	uint64_t bytes = entry_bytes / (base_bytes ? base_bytes : PAGE_USUAL_BYTES) * one_bytes;
	if (!page_is_multi_size(page) || bytes < one_bytes)
		return one_bytes;
	return bytes < line_bytes ? bytes : line_bytes;
}

static const char *const rejections[] = {"switch", "fault", "migration", "steal", "clock", "gap"};

const char *fathom_rejection_name(int rejection)
{
	return rejection >= 0 && rejection < COUNT(rejections) ? rejections[rejection] : NULL;
}
