#include "base/names.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/text.h"

#define COUNT(array) ((int)(sizeof(array) / sizeof(*(array))))

#define NAMES(function, ...)                                                                       \
	static const char *const function##_list[] = {__VA_ARGS__};                                \
	const char *function(int value)                                                            \
	{                                                                                          \
		return value >= 0 && value < COUNT(function##_list) ? function##_list[value]       \
								    : NULL;                        \
	}

NAMES(link_name, "pointer", "index32", "byte")
NAMES(link_words, "pointer links", "index32 links", "no links")
NAMES(warmth_name, "warm", "cold_flushed", "cold_mapped", "untouched", "settled")
NAMES(page_name, "default", "4k", "thp", "2m", "1g", "16k", "32k", "64k", "128k", "256k", "512k",
      "1m")
NAMES(experiment_name, "latency", "patterns", "ablation", "decay", "parallelism", "bandwidth",
      "pages", "frequency", "core_to_core", "nodes", "loaded", "distribution", "settling")
NAMES(fathom_traffic_name, "unknown", "reads", "3:1", "1:1", "nt")
NAMES(sibling_name, "any", "idle", "computes", "streams")
NAMES(axis_name, "size", "lap", "lanes", "pages", "traffic")
NAMES(core_class_name, "unknown", "smt", "same_cache", "same_die", "same_socket", "other_socket")
NAMES(core_class_words, "unknown", "SMT siblings", "same cache", "same die", "same socket",
      "other socket")
NAMES(home_name, "unknown", "a", "b", "other")
NAMES(handover_name, "unknown", "store", "swap")
NAMES(operation_name, "unknown", "add", "swap", "exchange", "read")
NAMES(layout_name, "unknown", "own_lines", "own_words", "one_word", "line_pair")
NAMES(predict_mode_name, "dependent", "independent", "interleaved")
NAMES(predict_part_words, "L1", "L2", "L3", "memory", "TLB", "walk", "branch", "compute", "stream",
      "cores", "overlap")
NAMES(clock_source_name, "measured", "user", "recovered", "unknown")
NAMES(cache_kind_name, "data", "unified", "instruction")
NAMES(level_kind_name, "cache", "tlb", "memory", "unknown")
NAMES(count_state_name, "counted", "scaled", "not counted", "not supported", "not permitted")
NAMES(agreement_name, "unknown", "agrees", "others", "more", "fewer")
NAMES(mode_kind_name, "unknown", "refresh", "interruption", "cache", "memory", "tlb_miss",
      "row_hit", "row_miss")
NAMES(lane_store_name, "unknown", "registers", "vectors", "array", "stack")
NAMES(estimator_name, "unknown", "mode", "mean")
NAMES(limit_name, "unknown", "loop", "lanes", "buffers", "walkers", "bandwidth")
NAMES(quantity_name, "ns", "cycles", "bytes_per_second", "hz")
NAMES(replacement_name, "undecidable", "lru", "random", "resistant")
NAMES(unit_name, "auto", "ns", "cycles")
NAMES(fathom_quality_name, "unknown", "good", "usable", "do-not-quote")
NAMES(part_name, "memory", "second_tlb", "walk", "residual")
NAMES(fathom_verdict_name, "same", "faster", "slower", "unknown", "disturbed")
NAMES(rejection_name, "switch", "fault", "migration", "steal", "clock", "outlier", "sibling")

char *names_join(const char *(*name_of)(int value), int count)
{
	struct text text = {0};
	const char *name;
	for (int i = 0; (i < count || !count) && (name = name_of(i)); i++) {
		bool last = i + 1 == count || !name_of(i + 1);
		text_add(&text, "%s%s", i == 0 ? "" : last ? " or " : ", ", name);
	}
	return text_take(&text);
}

const char *name_before(const char *(*name_of)(int value), int value)
{
	if (name_of == clock_source_name && value == FATHOM_CLOCK_USER)
		return "told";
	if (name_of == rejection_name && value == FATHOM_REJECTED_OUTLIER)
		return "gap";
	return NULL;
}

bool page_is_multi_size(int page)
{
	return page >= FATHOM_PAGE_16K && page <= FATHOM_PAGE_1M;
}

bool page_is_hugetlb(int page)
{
	return page == FATHOM_PAGE_2M || page == FATHOM_PAGE_1G;
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

/* ---- which was meant ---- */

static size_t smallest(size_t a, size_t b, size_t c)
{
	size_t least = a < b ? a : b;
	return least < c ? least : c;
}

/* Levenshtein's, capitals and small letters alike; SIZE_MAX: out of memory. */
static size_t edit_distance(const char *from, const char *to)
{
	size_t width = strlen(to);
	size_t *row = calloc(width + 1, sizeof(*row));
	if (!row)
		return SIZE_MAX;
	for (size_t j = 0; j <= width; j++)
		row[j] = j;
	for (size_t i = 0; from[i]; i++) {
		size_t diagonal = row[0];
		row[0] = i + 1;
		for (size_t j = 0; j < width; j++) {
			bool same =
				tolower((unsigned char)from[i]) == tolower((unsigned char)to[j]);
			size_t cost = smallest(diagonal + !same, row[j] + 1, row[j + 1] + 1);
			diagonal = row[j + 1];
			row[j + 1] = cost;
		}
	}
	size_t distance = row[width];
	free(row);
	return distance;
}

size_t names_distance(const char *wanted, const char *candidate)
{
	/* A quarter of the letters wrong, or a beginning, is still near. */
	size_t length = strlen(wanted);
	size_t farthest = length < 3 ? 0 : 1 + length / 4;
	if (length > 0 && strncasecmp(wanted, candidate, length) == 0)
		return 0;
	size_t distance = edit_distance(wanted, candidate);
	return distance > farthest ? SIZE_MAX : distance;
}

void names_consider(struct suggestion *suggestion, const char *candidate)
{
	size_t distance = names_distance(suggestion->wanted, candidate);
	if (distance == SIZE_MAX || (suggestion->best && distance >= suggestion->distance))
		return;
	suggestion->best = candidate;
	suggestion->distance = distance;
}
