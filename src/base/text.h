/* Text that grows. */
#pragma once

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

/* Start from {0}. `data` is zero-terminated once anything was added. When memory runs out
 * `failed` is set, what was there is kept and later additions do nothing: check once, at the end.
 */
struct text {
	char *data;
	size_t length;   /* without the zero */
	size_t capacity; /* bytes allocated */
	bool failed;
};

void text_add(struct text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
void text_vadd(struct text *text, const char *format, va_list arguments)
	__attribute__((format(printf, 2, 0)));
/* In a function that takes what printf takes: adds that to the text. */
#define TEXT_ADD_ALL(text, format)                                                                 \
	do {                                                                                       \
		va_list arguments_;                                                                \
		va_start(arguments_, format);                                                      \
		text_vadd(text, format, arguments_);                                               \
		va_end(arguments_);                                                                \
	} while (0)
void text_add_bytes(struct text *text, const char *bytes, size_t length);

/* Hands the bytes over (free() them) and leaves *text empty. NULL when it had failed; an empty
 * string when nothing was added. */
char *text_take(struct text *text);
void text_free(struct text *text);

/* printf into a new string; NULL: out of memory. */
char *text_format(const char *format, ...) __attribute__((format(printf, 1, 2)));
