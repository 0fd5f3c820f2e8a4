/* The timed loops as the compiler and the assembler left them, in text. What is in the tables is
 * made by tools/loop_code.py from the built kernels; empty where they could not be disassembled. */
#pragma once

#include <stdint.h>

#include "base/text.h"
#include "kernels/kernels.h"

struct loop_code {
	const char *function; /* NULL ends the table */
	uint32_t first;       /* in loop_code_order: the body, then the end */
	uint16_t body, times, end;
};
extern const struct loop_code loop_codes[];
extern const uint16_t loop_code_order[]; /* indexes in loop_code_texts */
extern const char *const loop_code_texts[];

/* NULL: it is not known. */
const struct loop_code *loop_code_find(const struct kernel *kernel);
/* Appends it, an instruction a line, indented. */
void loop_code_add(struct text *text, const struct loop_code *code);
