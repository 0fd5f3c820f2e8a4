/* What is no curve is refused, with the line and a reason; numbers are never guessed. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "reading.h"
#include "unit.h"

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

static void check_all(const char *const (*cases)[3], size_t count)
{
	for (size_t i = 0; i < count; i++)
		refuse_text(cases[i][0], NULL, FATHOM_BAD_INPUT, cases[i][1], cases[i][2]);
}

static void test_nothing_to_read(void **state)
{
	static const char *const cases[][3] = {
		{"", "empty", NULL},
		{" \n\t\r\n  ", "empty", NULL},
		{"\xEF\xBB\xBF", "empty", NULL},
		{"# only a comment\n\n", "only comments", NULL},
		{"Dear reader,\nthis is a letter.\n", "line 1: 'Dear reader,' is neither", NULL},
		{"\n\n\x1b[31mred\x07\n", "line 3: '\\x1b[31mred\\x07' is neither", NULL},
		{"1024\n2048\n", "line 1: there is one column", NULL},
		{"[1, 2]\n", "line 1: '[1, 2]' is neither", NULL},
		{"<html><body>1</body></html>", "line 1", NULL},
	};
	(void)state;
	check_all(cases, COUNT(cases));
}

static void test_heading_without_rows(void **state)
{
	static const char *const cases[][3] = {
		{"size,latency\n", "line 1: no rows follow the heading", "a row for each"},
		{"# kept\n\nsize (KiB)\tcycles\r\n# 1 2\n", "line 3: no rows follow the heading",
		 NULL},
		{"bytes ns", "line 1: no rows follow the heading", NULL},
		{"size ns\n", "line 1: no rows follow the heading", NULL},
		{"text\n| size | ns |\n|--|--|\n\nmore\n", "line 2: no rows follow the heading",
		 NULL},
		{"size,latency\nsmall,fast\n", "line 2: 'small' is not a size", "--size-unit"},
		{"bytes,ns\nnan,nan\n", "line 2: 'nan' is not a size", NULL},
		{"mass,weight\n", "line 1: 'mass,weight' is neither", "lat_mem_rd"},
	};
	(void)state;
	check_all(cases, COUNT(cases));
}

static void test_bytes_that_are_no_text(void **state)
{
	static const char utf16[] = "\xFF\xFE"
				    "1\0 \0"
				    "2\0";
	(void)state;
	refuse_bytes(utf16, sizeof(utf16) - 1, NULL, FATHOM_BAD_INPUT,
		     "line 1: the file has a zero byte", "UTF-8");
	refuse_bytes("1 2\n3 4\0\n", 9, NULL, FATHOM_BAD_INPUT, "line 2: the file has a zero byte",
		     NULL);
}

static void test_sizes_that_are_none(void **state)
{
	static const char *const cases[][3] = {
		{"bytes,ns\n1024,1\n-5,2\n", "line 3: '-5' is negative", NULL},
		{"bytes,ns\n1024,1\nnan,2\n", "line 3: 'nan' is not a size", NULL},
		{"bytes,ns\n1024,1\ninf,2\n", "line 3: 'inf' is not a size", NULL},
		{"bytes,ns\n1024,1\n,2\n", "line 3: '' is not a size", NULL},
		{"bytes,ns\n1024,1\n1e999,2\n", "line 3: '1e999' is too large", NULL},
		{"bytes,ns\n1024,1\n9223372036854775808,2\n", "is too large", NULL},
		{"bytes,ns\n1024,1\n16E,2\n", "line 3: '16E' is too large", NULL},
		{"bytes,ns\n1024,1\n32Q,2\n", "line 3: '32Q' is not a size", NULL},
		{"bytes,ns\n1024,1\n0x400,2\n", "line 3: '0x400' is not a size", NULL},
		{"0.0005 1.5\n0.001 1.6\n", "line 1: '0.0005' is not a whole number of bytes",
		 "--size-unit"},
		{"bytes,ns\n1024,1\n1.5,2\n", "line 3: '1.5' is not a whole number", NULL},
	};
	(void)state;
	check_all(cases, COUNT(cases));
}

static void test_latencies_that_are_none(void **state)
{
	static const char *const cases[][3] = {
		{"bytes,ns\n1024,1\n2048,fast\n", "line 3: 'fast' is not a latency",
		 "--value-unit"},
		{"1024,x\n2048,1\n", "line 1: 'x' is not a latency", NULL},
		{"bytes,ns\n1024,1\n2048,1.2.3\n", "line 3: '1.2.3' is not a latency", NULL},
		{"bytes,ns\n1024,1\n2048,5 MB/s\n", "line 3: '5 MB/s' is not a latency", NULL},
		{"bytes,ns\n1024,1\n2048,1e300\n", "line 3: 1e+300 ns is slower", "--value-unit"},
		{"bytes,ns\n1024,1\n2048,1e999\n", "line 3: inf ns is slower", NULL},
		{"1024 1.35e-9\n2048 1.5e-9\n", "line 1: 1.35e-09 ns is faster", "--value-unit"},
		{"1024 0.0014\n2048 0.0015\n", "line 1: 0.0014 ns is faster", "--value-unit"},
	};
	(void)state;
	check_all(cases, COUNT(cases));
}

/* 1,35 is a number in half of the world, and two in the other half. */
static void test_decimal_commas(void **state)
{
	static const char *const cases[][3] = {
		{"bytes;ns\n1024;1,35\n2048;1,5\n", "line 2: '1,35' is not a latency", "point"},
		{"bytes,ns\n1024,1,35\n2048,1,5\n", "the heading in line 1 has 2", NULL},
		{"bytes,ns\n1024,1\n2048,1,5\n", "line 3: 3 columns here, but line 1 has 2",
		 "1.35"},
		{"1024,1,35\n2048,1,5\n", "line 1: there are 3 columns without", "--columns"},
		{"1024\t1,35\n2048\t1,5\n", "line 1", NULL},
		{"1024 1,35\n2048 1,5\n", "line 1", NULL},
		{"\"1,024\";1.35\n\"2,048\";1.5\n", "line 1: '1,024' is not a size", "point"},
	};
	(void)state;
	check_all(cases, COUNT(cases));
}

static void test_ragged_rows(void **state)
{
	static const char *const cases[][3] = {
		{"bytes,ns\n1024,1\n2048\n", "line 3: 1 column here, but line 1 has 2", NULL},
		{"bytes ns\n1024 1\n2048 2 3\n", "line 3: 3 columns", NULL},
		{"bytes,ns\n1024,1\n\"2048,2\n", "no closing quote", NULL},
		{"bytes,ns\n1024,1\n\"2048\"8,2\n", "continues after its closing quote", NULL},
		{"array size latency ns\n1024 1\n2048 2\n", "line 2: 2 columns, but", "--columns"},
		{"| bytes | ns |\n|--|--|\n| 1024 | 1 | 2 |\n", "line 3: 3 columns", NULL},
		{"bytes,ns\n1024,1\nKiB,us\n", "line 3: 'KiB' is not a size", NULL},
	};
	(void)state;
	check_all(cases, COUNT(cases));
}

static void test_long_and_hostile_cells(void **state)
{
	struct text text = {0};
	(void)state;
	text_add(&text, "bytes,ns\n1024,1\n");
	for (int i = 0; i < 100000; i++)
		text_add(&text, "\xC2\x9B");
	text_add(&text, ",2\n");
	refuse_bytes(text.data, text.length, NULL, FATHOM_BAD_INPUT, "line 3: '\\u009b", NULL);
	text_free(&text);
	for (int i = 0; i < 100000; i++)
		text_add(&text, "9");
	text_add(&text, " 1\n");
	refuse_bytes(text.data, text.length, NULL, FATHOM_BAD_INPUT, "is too large", NULL);
	text_free(&text);
	text_add(&text, "x (");
	for (int i = 0; i < 1000000; i++)
		text_add(&text, "a ");
	refuse_bytes(text.data, text.length, NULL, FATHOM_BAD_INPUT, "line 1: 'x (a a", NULL);
	text_free(&text);
	for (int i = 0; i < 100000; i++)
		text_add(&text, "1,");
	refuse_bytes(text.data, text.length, NULL, FATHOM_BAD_INPUT, "100000 columns", NULL);
	text_free(&text);
}

/* An error may have nowhere to go. */
static void test_without_an_error_to_fill(void **state)
{
	struct fathom_result *result = NULL;
	(void)state;
	assert_int_equal(fathom_result_read("no", 2, NULL, &result, NULL), -1);
	assert_null(result);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(test_nothing_to_read),
	cmocka_unit_test(test_heading_without_rows),
	cmocka_unit_test(test_bytes_that_are_no_text),
	cmocka_unit_test(test_sizes_that_are_none),
	cmocka_unit_test(test_latencies_that_are_none),
	cmocka_unit_test(test_decimal_commas),
	cmocka_unit_test(test_ragged_rows),
	cmocka_unit_test(test_long_and_hostile_cells),
	cmocka_unit_test(test_without_an_error_to_fill),
};
UNIT_GROUP();
