/* Reading, writing and copying in the order of the addresses, through a simulated hierarchy. */
#pragma once

#include "measure/memory/chain.h"
#include "simulate/simulated_counts.h"
#include "simulate/simulated_traffic.h"

struct simulated_stream {
	const struct chain *chain;           /* its order and place; the words are the stream's */
	const struct pattern_traits *traits; /* of its pattern */
	struct simulated_memory *memory;
	struct simulated_traffic traffic;
	uint64_t lap;      /* lines */
	uint64_t position; /* of the next line, since the start */
	uint64_t end;      /* of the run that is under way */
	uint64_t offset;   /* of the next access in that line, and which of the two it is */
	bool stores;
	uint64_t sum; /* of the words that were read */
};

/* Writes a word in every line, so that its work can be verified. Chain and memory must outlive it
 * and stay where they are. */
void simulated_stream_start(struct simulated_stream *stream, const struct chain *chain,
			    struct simulated_memory *memory);
/* Takes `lines` lines of 64 bytes, less one where `lose_one`. Returns the ns that they took;
 * *arrived: the words that were read and written say so. */
double simulated_stream_run(struct simulated_stream *stream, uint64_t lines, bool lose_one,
			    double clock_hz, bool *arrived);
/* Traces the `lines` lines that lead to where the stream is; nothing is read or written. */
void simulated_stream_warm(struct simulated_stream *stream, uint64_t lines);
/* A simulated core has the instructions that a plain loop needs an access; 0: not known. */
uint32_t simulated_instructions(const struct fathom_spec *spec);
/* The same, with its loads. */
struct simulated_loop simulated_loop_of(const struct fathom_spec *spec);
