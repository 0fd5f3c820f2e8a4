/* What follows the core's clock, for people. */
#ifndef OUTPUT_TEXT_FREQUENCY_H
#define OUTPUT_TEXT_FREQUENCY_H

#include "output/layout.h"

/* The clocks, the speed-up against size, the table of levels and of sizes, and a sentence. Of a
 * result that has clocks. */
void text_frequency(const struct layout *layout, const struct fathom_result *result);

#endif
