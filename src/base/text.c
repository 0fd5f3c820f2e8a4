#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Room for `more` bytes and a zero. */
static bool reserve(struct text *text, size_t more)
{
	if (text->failed)
		return false;
	size_t wanted = text->length + more + 1;
	if (wanted <= text->capacity)
		return true;
	size_t capacity = wanted * 2;
	char *data = realloc(text->data, capacity);
	if (!data) {
		text->failed = true;
		return false;
	}
	text->data = data;
	text->capacity = capacity;
	return true;
}

void text_vadd(struct text *text, const char *format, va_list arguments)
{
	va_list again;
	va_copy(again, arguments);
	int length = vsnprintf(NULL, 0, format, arguments);
	if (length < 0)
		text->failed = true;
	else if (reserve(text, (size_t)length)) {
		vsnprintf(text->data + text->length, (size_t)length + 1, format, again);
		text->length += (size_t)length;
	}
	va_end(again);
}

void text_add(struct text *text, const char *format, ...)
{
	TEXT_ADD_ALL(text, format);
}

void text_add_bytes(struct text *text, const char *bytes, size_t length)
{
	if (!reserve(text, length))
		return;
	memcpy(text->data + text->length, bytes, length);
	text->length += length;
	text->data[text->length] = 0;
}

char *text_take(struct text *text)
{
	char *data = NULL;
	if (reserve(text, 0)) {
		data = text->data;
		data[text->length] = 0;
		text->data = NULL;
	}
	text_free(text);
	return data;
}

void text_free(struct text *text)
{
	free(text->data);
	*text = (struct text){0};
}

char *text_format(const char *format, ...)
{
	struct text text = {0};
	TEXT_ADD_ALL(&text, format);
	return text_take(&text);
}
