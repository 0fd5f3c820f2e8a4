/* Text from outside (names of machines, arguments, files): made safe to print or to store. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"

#define UTF8_INVALID 0xFFFFFFFFu

/* The first code point of a text that is not empty. A byte that starts no well-formed UTF-8 comes
 * alone, with *code = UTF8_INVALID. Returns the bytes used, 1..4. */
size_t utf8_next(const char *text, uint32_t *code);
/* How many columns it takes on a terminal, each code point counted as one. */
size_t utf8_columns(const char *text);
/* Adds it with U+FFFD for each invalid byte: well-formed UTF-8. */
void utf8_add_valid(struct text *text, const char *outside);
/* Adds it so that it stays on its line and steers no terminal: control characters, invisible ones
 * and invalid bytes as "\x1b" or "\u202e". Without `utf8` only ASCII comes out: "+-" for the
 * plus-minus sign and its like, escapes for the rest. */
void utf8_add_escaped(struct text *text, const char *outside, bool utf8);
/* The same of a text of its own: free() it. NULL of `outside` is "". NULL: out of memory. */
char *utf8_escaped(const char *outside, bool utf8);
/* Adds it as UTF-8 escaped like that, with the mark before each of the special characters, which
 * the format that it goes into takes for its own. */
void utf8_add_marked(struct text *text, const char *outside, const char *special, char mark);
