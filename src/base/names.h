/* Names: of the enumerations, as the command line and the document write them
 * (docs/fathom-1.schema.json). Each *_name gives NULL out of range. */
#pragma once

#include "fathom.h"

const char *link_name(int link);
/* "pointer links"; NULL out of range. */
const char *link_words(int link);
const char *warmth_name(int warmth);
/* "default", "4k", "thp", "2m", "1g", "16k" to "1m". */
const char *page_name(int page);
/* FATHOM_PAGE_16K to FATHOM_PAGE_1M. */
bool page_is_multi_size(int page);
/* Of a pool that somebody has to fill. */
bool page_is_hugetlb(int page);
#define PAGE_USUAL_BYTES 4096 /* base pages, where it is not known how large they are */
/* The size that the name says; 0: it depends on the machine. */
uint64_t page_named_bytes(int page);
/* What a translation that covers `entry_bytes` of that kind takes of the leaf tables, as caches see
 * it: an entry, or of multi-size THP, where each base page in it has one, at most the line read.
 * `base_bytes`: the machine's base pages; 0: not known, the usual ones. */
uint64_t page_table_bytes(int page, uint64_t entry_bytes, uint64_t base_bytes);
const char *experiment_name(int experiment);
const char *axis_name(int axis);
/* Of what the other threads of a core do: "any", "idle", ... */
const char *sibling_name(int sibling);
const char *core_class_name(int kind);
/* "SMT siblings", "same cache", ...; NULL out of range. */
const char *core_class_words(int kind);
/* "unknown", "a", "b", "other". */
const char *home_name(int home);
const char *handover_name(int handover);
/* "add", "swap", "exchange", "read". */
const char *operation_name(int operation);
/* "own_lines", "own_words", "one_word", "line_pair". */
const char *layout_name(int layout);
const char *predict_mode_name(int mode);
/* "L1", "TLB", "other core", ...: parts of a prediction, for people. */
const char *predict_part_words(int part);
const char *clock_source_name(int source);
const char *cache_kind_name(int kind);
const char *level_kind_name(int kind);
/* "counted", "scaled", "not counted", "not supported", "not permitted". */
const char *count_state_name(int state);
/* "unknown", "mode", "mean". */
const char *estimator_name(int estimator);
const char *agreement_name(int agreement);
const char *mode_kind_name(int kind);
const char *lane_store_name(int store);
const char *limit_name(int limit);
/* "ns", "cycles", "bytes_per_second", "hz". */
const char *quantity_name(int quantity);
/* "auto", "ns", "cycles". */
const char *unit_name(int unit);
const char *replacement_name(int replacement);

/* "a, b or c": the first `count` of the names, 0: all. free() it; NULL: out of memory. */
char *names_join(const char *(*name_of)(int value), int count);

/* What earlier versions called that value of the enumeration; NULL: the same. */
const char *name_before(const char *(*name_of)(int value), int value);
/* "memory", "second_tlb", "walk", "residual". */
const char *part_name(int part);
/* "switch", "fault", "migration", "steal", "clock", "outlier". */
const char *rejection_name(int rejection);

/* ---- which known name was meant by one that is not known ---- */

/* How many letters `candidate` is away from what was `wanted`, capitals and small letters alike;
 * 0: it begins so. SIZE_MAX: more than a quarter of the letters, it was not meant. */
size_t names_distance(const char *wanted, const char *candidate);

/* Start with `wanted` alone; `best` is NULL as long as nothing considered is near. */
struct suggestion {
	const char *wanted;
	const char *best;
	size_t distance;
};

void names_consider(struct suggestion *suggestion, const char *candidate);
