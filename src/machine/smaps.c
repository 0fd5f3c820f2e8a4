#include "machine/smaps.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "machine/tree.h"

struct mapping {
	uint64_t start, end;
	uint64_t resident_bytes, thp_bytes, hugetlb_bytes, page_bytes;
};

/* Adds what the mapping has inside of [start, end). */
static void add(const struct mapping *mapping, uint64_t start, uint64_t end,
		struct smaps_range *range)
{
	uint64_t low = mapping->start > start ? mapping->start : start;
	uint64_t high = mapping->end < end ? mapping->end : end;
	if (low >= high)
		return;
	uint64_t bytes = high - low;
	range->mapped_bytes += bytes;
	if (mapping->hugetlb_bytes) {
		range->hugetlb_bytes += bytes;
		range->hugetlb_page_bytes = mapping->page_bytes;
	} else if (mapping->thp_bytes && mapping->thp_bytes <= mapping->resident_bytes) {
		double share = (double)mapping->thp_bytes / (double)mapping->resident_bytes;
		range->thp_bytes += (uint64_t)(share * (double)bytes);
	}
}

static void read_field(const char *line, struct mapping *mapping)
{
	uint64_t shared;
	if (tree_field(line, "Shared_Hugetlb", &shared))
		mapping->hugetlb_bytes += shared;
	else if (tree_field(line, "Private_Hugetlb", &shared))
		mapping->hugetlb_bytes += shared;
	else if (!tree_field(line, "Rss", &mapping->resident_bytes) &&
		 !tree_field(line, "AnonHugePages", &mapping->thp_bytes))
		tree_field(line, "KernelPageSize", &mapping->page_bytes);
}

static void read_mappings(FILE *file, uint64_t start, uint64_t end, struct smaps_range *range)
{
	struct mapping mapping = {0};
	struct mapping next = {0};
	char *line = NULL;
	size_t capacity = 0;
	/* Mappings come in the order of their addresses. */
	while (mapping.start < end && getline(&line, &capacity, file) >= 0) {
		if (sscanf(line, "%" SCNx64 "-%" SCNx64 " ", &next.start, &next.end) != 2) {
			read_field(line, &mapping);
			continue;
		}
		add(&mapping, start, end, range);
		mapping = next;
	}
	add(&mapping, start, end, range);
	free(line);
}

int smaps_read(const char *path, uint64_t start, uint64_t end, struct smaps_range *range,
	       struct fathom_error *error)
{
	FILE *file = fopen(path, "re");
	struct smaps_range found = {0};
	bool short_of_files = !file && (errno == EMFILE || errno == ENFILE);
	if (!file)
		return error_set_errno(error, short_of_files ? FATHOM_UNABLE : FATHOM_FAILED,
				       short_of_files ? "allow more open files: ulimit -n 256"
						      : NULL,
				       "cannot read '%s'", path);
	read_mappings(file, start, end, &found);
	fclose(file);
	*range = found;
	return 0;
}
