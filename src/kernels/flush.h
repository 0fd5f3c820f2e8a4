/* Dropping lines from the caches, as each ISA directory writes it. */
#pragma once

#include <stdint.h>

/* The instruction that is used; NULL: this CPU or OS permits none, and flush_lines must not be
 * called. */
const char *flush_instruction(void);
/* Every line of [memory, memory + bytes) is written back and in no cache any more once this
 * returns. */
void flush_lines(const unsigned char *memory, uint64_t bytes);
