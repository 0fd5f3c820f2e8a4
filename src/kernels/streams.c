/* Where no ISA directory has them. */
#include "kernels/streams.h"

#if !defined(__x86_64__) && !defined(__aarch64__)

bool streams_usable(unsigned vector_bytes)
{
	return vector_bytes == 0;
}

#endif
