/* Which loop walks a chain: a matter of its spec alone. */
#pragma once

#include "fathom.h"
#include "kernels/kernels.h"

/* The kernel that walks it with one lane, and its kind. */
const struct kernel *chain_kernel(const struct fathom_spec *spec);
enum kernel_kind chain_kernel_kind(const struct fathom_spec *spec);
/* How many instructions that kernel has an access; 0: the compiler's choice. */
uint32_t chain_instructions(const struct fathom_spec *spec);
