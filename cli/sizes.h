/* Lists of sizes: "1M,16M", ranges "1K..256M". */
#pragma once

#include "option.h"

/* struct options_sizes: ascending, each once; of a range its first size, the doublings of that, and
 * the last. */
option_setter value_sizes;
