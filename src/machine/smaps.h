/* The pages of a range of addresses, by the text of /proc/self/smaps (proc(5)). */
#pragma once

#include <stdint.h>

#include "fathom.h"

struct smaps_range {
	uint64_t mapped_bytes;       /* of the range; the next two are parts of it */
	uint64_t hugetlb_bytes;      /* all of a hugetlb mapping counts: the range was touched */
	uint64_t thp_bytes;          /* a mapping that reaches outside the range: in proportion */
	uint64_t hugetlb_page_bytes; /* 0: none */
};

/* Errors: FAILED (cannot be read), UNABLE (too many files are open). */
int smaps_read(const char *path, uint64_t start, uint64_t end, struct smaps_range *range,
	       struct fathom_error *error);
