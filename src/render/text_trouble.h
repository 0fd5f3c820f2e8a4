/* What is wrong with a result, for people. It comes last, where it is seen. */
#ifndef RENDER_TEXT_TROUBLE_H
#define RENDER_TEXT_TROUBLE_H

#include "render/text/layout.h"

/* That nothing was measured, that it was interrupted, and the warnings that were not shown where
 * they belong. */
void text_trouble(const struct layout *layout, const struct fathom_result *result, size_t measured);

#endif
