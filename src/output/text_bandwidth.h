/* What is shown of reading, writing and copying: a table for each number of threads. */
#ifndef OUTPUT_TEXT_BANDWIDTH_H
#define OUTPUT_TEXT_BANDWIDTH_H

#include "output/layout.h"

void text_bandwidth(const struct layout *layout, const struct fathom_result *result);

#endif
