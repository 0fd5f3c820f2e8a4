/* What is shown of reading, writing and copying: a table for each number of threads. */
#ifndef RENDER_EXPERIMENTS_TEXT_BANDWIDTH_H
#define RENDER_EXPERIMENTS_TEXT_BANDWIDTH_H

#include "render/text/layout.h"

void text_bandwidth(const struct layout *layout, const struct fathom_result *result);

#endif
