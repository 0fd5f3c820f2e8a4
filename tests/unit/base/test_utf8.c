/* Text from outside: decoded, counted in columns, mended and escaped. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "unit.h"

static void check_escaped(const char *outside, bool utf8, const char *wanted)
{
	struct text text = {0};
	utf8_add_escaped(&text, outside, utf8);
	char *escaped = text_take(&text);
	assert_string_equal(escaped, wanted);
	free(escaped);
}

static void check_next(const char *text, size_t length, uint32_t wanted)
{
	uint32_t code;
	assert_int_equal(utf8_next(text, &code), length);
	assert_int_equal(code, wanted);
}

static void code_points(void **state)
{
	(void)state;
	check_next("a", 1, 'a');
	check_next("\x7F", 1, 0x7F);
	check_next("\xC2\x80", 2, 0x80);
	check_next("\xDF\xBF", 2, 0x7FF);
	check_next("\xE0\xA0\x80", 3, 0x800);
	check_next("\xEF\xBF\xBF", 3, 0xFFFF);
	check_next("\xF0\x90\x80\x80", 4, 0x10000);
	check_next("\xF4\x8F\xBF\xBF", 4, 0x10FFFF);
}

static void bad_bytes_come_alone(void **state)
{
	(void)state;
	static const char *const bad[] = {
		"\x80",         "\xBF",         "\xC0\x80",         "\xC1\xBF",
		"\xC2",         "\xC2z",        "\xE0\x9F\xBF",     "\xE2\x82",
		"\xED\xA0\x80", "\xED\xBF\xBF", "\xF0\x8F\xBF\xBF", "\xF4\x90\x80\x80",
		"\xF8\x88\x80", "\xFF",         "\xF0\x9F\x92",
	};
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		check_next(bad[i], 1, UTF8_INVALID);
}

static void columns(void **state)
{
	(void)state;
	assert_int_equal(utf8_columns(""), 0);
	assert_int_equal(utf8_columns("\u00b10.5 \u00b5s"), 7);
	assert_int_equal(utf8_columns("\xFF\xFE"), 2);
}

static void what_steers_is_escaped(void **state)
{
	(void)state;
	check_escaped("a\x1b[2J\n\r\t\x7F", true, "a\\x1b[2J\\x0a\\x0d\\x09\\x7f");
	check_escaped("\xC2\x9B"
		      "31m",
		      true, "\\u009b31m");
	check_escaped("\u202e\u2066\u200b\ufeff\u2028", true,
		      "\\u202e\\u2066\\u200b\\ufeff\\u2028");
	check_escaped("\xFFx\xC3", true, "\\xffx\\xc3");
	check_escaped("\u00b1 \u00e9 \u2265", true, "\u00b1 \u00e9 \u2265");
}

static void ascii_is_ascii(void **state)
{
	(void)state;
	check_escaped("\u00b11 \u00b5s \u2265 2 \u00d7 \u2026", false, "+-1 us >= 2 x ...");
	check_escaped("\u00e9\U0001F4A5", false, "\\u00e9\\u1f4a5");
}

static void mended_is_well_formed(void **state)
{
	(void)state;
	struct text text = {0};
	utf8_add_valid(&text, "a\xFF\n\xC3(\u00e9");
	char *valid = text_take(&text);
	assert_string_equal(valid, "a\uFFFD\n\uFFFD(\u00e9");
	free(valid);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(code_points),    cmocka_unit_test(bad_bytes_come_alone),
	cmocka_unit_test(columns),        cmocka_unit_test(what_steers_is_escaped),
	cmocka_unit_test(ascii_is_ascii), cmocka_unit_test(mended_is_well_formed),
};
UNIT_GROUP();
