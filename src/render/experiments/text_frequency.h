/* What follows the core's clock, for people. */
#ifndef RENDER_EXPERIMENTS_TEXT_FREQUENCY_H
#define RENDER_EXPERIMENTS_TEXT_FREQUENCY_H

#include "render/text/layout.h"

/* The clocks, the speed-up against size, the table of levels and of sizes, and a sentence. Of a
 * result that has clocks. */
void text_frequency(const struct layout *layout, const struct fathom_result *result);

#endif
