/* The page of the HTML report (web/), which web/build.py makes one file of and writes as C. */
#pragma once

#include <stddef.h>

/* UTF-8, zero-terminated. */
extern const char page_before_data[], page_after_data[];
extern const size_t page_before_data_length, page_after_data_length;
