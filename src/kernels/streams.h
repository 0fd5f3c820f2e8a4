/* The streams that an ISA directory writes in its own instructions, one set for each width of
 * vectors: the widest first, so that kernel_find takes that. */
#pragma once

#include "kernels/kernels.h"

/* macro(width) for each width; what one load or store moves; the instructions of an update for each
 * of its loads. */
#if defined(__x86_64__)
#define STREAMS_EACH(macro)         macro(64) macro(32) macro(16)
#define STREAMS_MOVED_BYTES(width)  (width)
#define STREAMS_UPDATE_INSTRUCTIONS 3
#elif defined(__aarch64__)
#define STREAMS_EACH(macro)         macro(16)
#define STREAMS_MOVED_BYTES(width)  (2 * (width)) /* pairs */
#define STREAMS_UPDATE_INSTRUCTIONS 4
#else
#define STREAMS_EACH(macro)
#endif

/* Of the ISA's own: whether this CPU and the system on it have vectors of that width. */
bool streams_usable(unsigned vector_bytes);

#define STREAMS_PROTOTYPES(width)                                                                  \
	kernel_run stream_read_##width, stream_write_##width, stream_write_nt_##width,             \
		stream_copy_##width, stream_copy_nt_##width, stream_update_##width;
STREAMS_EACH(STREAMS_PROTOTYPES)

/* Lines of the table in kernels.c. */
#define STREAMS_ROW(name, kind, loads, instructions, width)                                        \
	{#name "_" #width,                                                                         \
	 CHASE_ISA,                                                                                \
	 kind,                                                                                     \
	 1,                                                                                        \
	 (loads)*KERNEL_LINE_BYTES / STREAMS_MOVED_BYTES(width),                                   \
	 (instructions)*KERNEL_LINE_BYTES / STREAMS_MOVED_BYTES(width),                            \
	 stream_##name##_##width,                                                                  \
	 .vector_bytes = width},
#define STREAMS_ROWS(width)                                                                        \
	STREAMS_ROW(read, KERNEL_READ, 1, 1, width)                                                \
	STREAMS_ROW(write, KERNEL_WRITE, 0, 1, width)                                              \
	STREAMS_ROW(write_nt, KERNEL_WRITE_NT, 0, 1, width)                                        \
	STREAMS_ROW(copy, KERNEL_COPY, 1, 2, width)                                                \
	STREAMS_ROW(copy_nt, KERNEL_COPY_NT, 1, 2, width)                                          \
	STREAMS_ROW(update, KERNEL_UPDATE, 1, STREAMS_UPDATE_INSTRUCTIONS, width)
#define STREAMS_TABLE STREAMS_EACH(STREAMS_ROWS)
