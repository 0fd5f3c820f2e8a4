/* Arithmetic and rules of one spec. */
#pragma once

#include "fathom.h"

/* Of the spacing of nodes: their lines are told by 16 bits of a hash. */
#define SPEC_LARGEST_NODE_BYTES (2u << 20)
/* Over windows: nodes that a stride has. */
#define SPEC_MOST_PASSES 64
/* What overlaps is read in words of so many bytes. */
#define SPEC_WORD_BYTES 8

/* Is it something that can be measured? Errors: USAGE, naming the field. */
int spec_check(const struct fathom_spec *spec, struct fathom_error *error);
uint64_t spec_nodes(const struct fathom_spec *spec);
/* Accesses in a lap. */
uint64_t spec_accesses(const struct fathom_spec *spec);
/* What has to be mapped, for each thread: the span, and behind it the array of FATHOM_INDEX_ARRAY,
 * from spec_index_offset on. */
uint64_t spec_memory_bytes(const struct fathom_spec *spec);
/* The same of all its threads. */
uint64_t spec_total_bytes(const struct fathom_spec *spec);
/* Where the second half of a copy begins: whole pages behind the first, since loads of lines that
 * have just been stored to one page on look like these to some CPUs, and wait. */
uint64_t spec_copy_offset(const struct fathom_spec *spec);
uint64_t spec_index_offset(const struct fathom_spec *spec);
/* The largest link that nodes so far apart all have room for. */
enum fathom_link spec_link_of(uint64_t node_bytes);
/* Of the word that a hop loads. */
uint64_t spec_link_bytes(const struct fathom_spec *spec);
/* What the indexes of FATHOM_INDEX_ARRAY count: 4 bytes, or single ones where nodes need it. */
uint64_t spec_index_unit(const struct fathom_spec *spec);
/* The largest span that the indexes of the spec reach; UINT64_MAX: it has none. */
uint64_t spec_index_span(const struct fathom_spec *spec);
/* Distinct lines of `line_bytes` that a lap touches. */
uint64_t spec_lines_touched(const struct fathom_spec *spec, uint64_t line_bytes);
/* Where in memory it may begin, at multiples of so many bytes: with one node a page nodes are
 * pages, of which it must not begin in the middle. 1: anywhere. */
uint64_t spec_alignment(const struct fathom_spec *spec);
/* Is the window two or more whole nodes? */
bool spec_holds_nodes(const struct fathom_spec *spec);
/* Is memory made cold before each lap? */
bool spec_is_cold(const struct fathom_spec *spec);
/* How many different cycles (FATHOM_RANDOM_LAPS) have slots of their own in a line of each node. */
uint32_t spec_most_laps(const struct fathom_spec *spec);
