#include "base/utf8.h"

#include <stdlib.h>
#include <string.h>

size_t utf8_next(const char *text, uint32_t *code)
{
	static const uint32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};
	const unsigned char *bytes = (const unsigned char *)text;
	size_t length = bytes[0] < 0x80   ? 1
			: bytes[0] < 0xC0 ? 0
			: bytes[0] < 0xE0 ? 2
			: bytes[0] < 0xF0 ? 3
			: bytes[0] < 0xF8 ? 4
					  : 0;
	*code = UTF8_INVALID;
	if (length == 0)
		return 1;
	uint32_t value = length == 1 ? bytes[0] : bytes[0] & (0x7Fu >> length);
	for (size_t i = 1; i < length; i++) { /* the final zero is no continuation: ends here */
		if ((bytes[i] & 0xC0) != 0x80)
			return 1;
		value = value << 6 | (bytes[i] & 0x3F);
	}
	if (value < smallest[length] || value > 0x10FFFF || (value >= 0xD800 && value < 0xE000))
		return 1;
	*code = value;
	return length;
}

size_t utf8_columns(const char *text)
{
	size_t columns = 0;
	uint32_t code;
	for (; *text; text += utf8_next(text, &code))
		columns++;
	return columns;
}

void utf8_add_valid(struct text *text, const char *outside)
{
	while (*outside) {
		uint32_t code;
		size_t length = utf8_next(outside, &code);
		if (code == UTF8_INVALID)
			text_add(text, "\xEF\xBF\xBD");
		else
			text_add_bytes(text, outside, length);
		outside += length;
	}
}

/* Moves the cursor, breaks the line, or turns the order of what follows. */
static bool is_control(uint32_t code)
{
	return code < 0x20 || (code >= 0x7F && code < 0xA0) || code == 0xAD ||
	       (code >= 0x200B && code <= 0x200F) || (code >= 0x2028 && code <= 0x202E) ||
	       (code >= 0x2060 && code <= 0x206F) || code == 0xFEFF || code >= 0xE0000;
}

static const char *ascii_for(uint32_t code)
{
	static const struct {
		uint32_t code;
		const char *ascii;
	} signs[] = {
		{0xA0, " "},     {0xB1, "+-"},   {0xB5, "u"},   {0xB7, "*"},    {0xD7, "x"},
		{0x3BC, "u"},    {0x2013, "-"},  {0x2014, "-"}, {0x2018, "'"},  {0x2019, "'"},
		{0x2026, "..."}, {0x2192, "->"}, {0x2248, "~"}, {0x2264, "<="}, {0x2265, ">="},
	};
	for (size_t i = 0; i < sizeof(signs) / sizeof(*signs); i++)
		if (signs[i].code == code)
			return signs[i].ascii;
	return NULL;
}

void utf8_add_escaped(struct text *text, const char *outside, bool utf8)
{
	while (*outside) {
		uint32_t code;
		size_t length = utf8_next(outside, &code);
		const char *ascii = utf8 ? NULL : ascii_for(code);
		if (code == UTF8_INVALID)
			text_add(text, "\\x%02x", (unsigned char)*outside);
		else if (ascii)
			text_add(text, "%s", ascii);
		else if (!is_control(code) && (utf8 || code < 0x80))
			text_add_bytes(text, outside, length);
		else
			text_add(text, code < 0x80 ? "\\x%02x" : "\\u%04x", code);
		outside += length;
	}
}

char *utf8_escaped(const char *outside, bool utf8)
{
	struct text text = {0};
	utf8_add_escaped(&text, outside ? outside : "", utf8);
	return text_take(&text);
}

void utf8_add_marked(struct text *text, const char *outside, const char *special, char mark)
{
	char *plain = utf8_escaped(outside, true);
	for (const char *c = plain; c && *c; c++) {
		const char both[] = {mark, *c};
		bool marked = strchr(special, *c);
		text_add_bytes(text, both + !marked, 1 + marked);
	}
	text->failed |= !plain;
	free(plain);
}
