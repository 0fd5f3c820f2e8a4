/* The picture, log-log and linear: its frame, where dots fall, gaps, labels. */
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "render/text/plot.h"
#include "unit.h"

#define POINTS 161
#define MARK(name_, x_)                                                                            \
	{                                                                                          \
		.name = (char *)(name_), .x = (x_)                                                 \
	}

struct picture {
	char *text;
	char *lines[64];
	size_t count;
};

static struct picture draw(const struct plot *plot)
{
	struct text text = {0};
	struct picture picture = {0};
	assert_true(plot_draw(plot, &text));
	picture.text = text_take(&text);
	char *rest;
	for (char *line = strtok_r(picture.text, "\n", &rest); line;
	     line = strtok_r(NULL, "\n", &rest)) {
		assert_true(picture.count < 64);
		picture.lines[picture.count++] = line;
	}
	return picture;
}

/* Of rows that the next few series do not overwrite. */
static struct plot_series series_of(const double *x, const double *y, size_t count)
{
	static struct figure_row rows[2 * POINTS];
	static size_t used;
	if (used + count > 2 * POINTS)
		used = 0;
	struct plot_series series = {&rows[used], count, PLOT_VALUE};
	for (size_t i = 0; i < count; i++)
		rows[used++] = (struct figure_row){x[i], y[i], NAN, NAN, false};
	return series;
}

static struct picture draw_values(const double *x, const double *y, size_t count, unsigned columns,
				  unsigned rows, bool utf8)
{
	struct plot_series series = series_of(x, y, count);
	struct plot plot = {.columns = columns,
			    .rows = rows,
			    .utf8 = utf8,
			    .title = "ns per hop",
			    .series = &series,
			    .series_count = 1};
	return draw(&plot);
}

/* 1 KiB to 1 GiB, a straight line from 1 to 500 in the picture. */
static void make_line(double *x, double *y)
{
	for (int i = 0; i < POINTS; i++) {
		x[i] = exp2(10 + i / 8.);
		y[i] = pow(500, i / (POINTS - 1.));
	}
}

static void it_keeps_its_frame(void **state)
{
	(void)state;
	double x[POINTS], y[POINTS];
	make_line(x, y);
	for (unsigned columns = 30; columns <= 200; columns += 17)
		for (unsigned rows = 8; rows <= 40; rows += 5)
			for (int utf8 = 0; utf8 < 2; utf8++) {
				struct picture picture =
					draw_values(x, y, POINTS, columns, rows, utf8);
				size_t widest = 0;
				assert_int_equal(picture.count, rows);
				for (size_t i = 0; i < rows; i++) {
					size_t width = utf8_columns(picture.lines[i]);
					widest = width > widest ? width : widest;
				}
				assert_int_equal(widest, columns);
				free(picture.text);
			}
}

static void a_line_goes_from_corner_to_corner(void **state)
{
	(void)state;
	double x[POINTS], y[POINTS];
	make_line(x, y);
	struct picture picture = draw_values(x, y, POINTS, 80, 18, false);
	assert_int_equal(strlen(picture.lines[1]), 80);
	assert_int_equal(picture.lines[1][79], '*');
	assert_memory_equal(picture.lines[1], "500 +  ", 7);
	assert_memory_equal(picture.lines[15], "  1 +*", 6);
	for (size_t row = 2; row < 15; row++) {
		const char *here = strchr(picture.lines[row] + 5, '*');
		const char *above = strchr(picture.lines[row - 1] + 5, '*');
		assert_non_null(here);
		assert_non_null(above);
		assert_true(here - picture.lines[row] <= above - picture.lines[row - 1]);
		/* no hole from one row to the next */
		long end = (long)strlen(picture.lines[row]) - 1;
		assert_true(above - picture.lines[row - 1] <= end + 1);
	}
	free(picture.text);
}

/* The dots of a braille character, bits as in U+2800. */
static unsigned dots_of(const char *text)
{
	uint32_t code;
	assert_int_equal(utf8_next(text, &code), 3);
	assert_true(code > 0x2800 && code <= 0x28FF);
	return code - 0x2800;
}

static void braille_dots(void **state)
{
	(void)state;
	double x[] = {1024, 4096}, y[] = {1, 10};
	struct picture picture = draw_values(x, y, 2, 30, 8, true);
	const char *axis = strstr(picture.lines[5], "┤");
	assert_non_null(axis);
	assert_true(dots_of(axis + strlen("┤")) & 0x40); /* the lowest left dot */
	const char *top = picture.lines[1];
	assert_true(dots_of(top + strlen(top) - 3) & 0x08); /* the highest right one */
	free(picture.text);
}

static void sizes_and_values_are_labelled(void **state)
{
	(void)state;
	double x[POINTS], y[POINTS];
	make_line(x, y);
	struct picture picture = draw_values(x, y, POINTS, 80, 18, true);
	static const char *const sizes[] = {"1K ", "64K ", "1M ", "64M ", "1G"};
	for (int i = 0; i < 5; i++)
		assert_non_null(strstr(picture.lines[17], sizes[i]));
	static const char *const values[] = {"  1 ┤", "  2 ┤", "  5 ┤", " 10 ┤", " 20 ┤",
					     " 50 ┤", "100 ┤", "200 ┤", "500 ┤"};
	for (int i = 0; i < 9; i++) {
		int found = 0;
		for (size_t row = 1; row < 16; row++)
			found += strncmp(picture.lines[row], values[i], strlen(values[i])) == 0;
		assert_int_equal(found, 1);
	}
	free(picture.text);
	picture = draw_values(x, y, POINTS, 45, 18, true);
	assert_non_null(strstr(picture.lines[17], "1K "));
	assert_non_null(strstr(picture.lines[17], "32K "));
	assert_null(strstr(picture.lines[17], "64K "));
	free(picture.text);
}

/* Of more nice values than rows an end of the scale is the label of its row, not a value beside it.
 */
static void few_rows_are_labelled_with_what_is_drawn_there(void **state)
{
	(void)state;
	double x[] = {1024, 4096, 16384, 65536}, y[] = {1, 1, 174, 174};
	for (int utf8 = 0; utf8 < 2; utf8++) {
		struct picture picture = draw_values(x, y, 4, 60, 8, utf8);
		assert_memory_equal(picture.lines[1], "200 ", 4);
		assert_memory_equal(picture.lines[5], "  1 ", 4);
		free(picture.text);
		double shares[] = {1, 1, 0.1, 1e-6};
		picture = draw_values(x, shares, 4, 60, 20, utf8);
		assert_memory_equal(picture.lines[1] + strspn(picture.lines[1], " "), "1 ", 2);
		assert_memory_equal(picture.lines[17] + strspn(picture.lines[17], " "), "1e-06 ",
				    6);
		free(picture.text);
	}
}

static void large_values_have_letters(void **state)
{
	(void)state;
	double x[] = {1024, 4096, 1 << 20}, y[] = {7e8, 5e4, 3e6};
	struct picture picture = draw_values(x, y, 3, 60, 30, false);
	assert_memory_equal(picture.lines[1], "  1G +", 6);
	assert_memory_equal(picture.lines[27], " 50k +", 6);
	free(picture.text);
}

static void gaps_stay_open(void **state)
{
	(void)state;
	double x[] = {1024, 2048, 4096, 8192, 16384}, y[] = {2, 2, NAN, 2, 2};
	struct picture picture = draw_values(x, y, 5, 44, 12, false);
	size_t row = 1;
	while (!strchr(picture.lines[row], '*'))
		row++;
	const char *start = strchr(picture.lines[row], '*');
	assert_non_null(strstr(start, "*  "));
	assert_non_null(strstr(start, "  *"));
	free(picture.text);
}

static void one_point_is_a_dot(void **state)
{
	(void)state;
	double x = 4096, y = 3;
	struct picture picture = draw_values(&x, &y, 1, 60, 12, false);
	int dots = 0;
	for (size_t row = 1; row < 10; row++)
		for (const char *c = picture.lines[row]; *c; c++)
			dots += *c == '*';
	assert_int_equal(dots, 1);
	free(picture.text);
}

static void a_flat_curve_lies_between_labels(void **state)
{
	(void)state;
	double x[POINTS], y[POINTS];
	make_line(x, y);
	for (size_t i = 0; i < POINTS; i++)
		y[i] = 2;
	struct picture picture = draw_values(x, y, POINTS, 60, 12, false);
	assert_memory_equal(picture.lines[1], "5 + ", 3);
	assert_memory_equal(picture.lines[9], "1 + ", 3);
	int rows = 0;
	for (size_t row = 2; row < 9; row++)
		rows += strncmp(picture.lines[row], "2 +****", 7) == 0;
	assert_int_equal(rows, 1);
	free(picture.text);
}

/* Over two octaves a line is drawn, over more none: nothing was measured there. */
static void no_line_goes_over_a_wide_gap(void **state)
{
	(void)state;
	const double x[] = {1024, 4096, 65536, 1 << 20}, y[] = {2, 2, 2, 2};
	struct picture picture = draw_values(x, y, 4, 60, 12, false);
	size_t dots = 0;
	for (size_t row = 1; row < 10; row++)
		for (const char *c = picture.lines[row]; *c; c++)
			dots += *c == '*';
	assert_in_range(dots, 12, 16); /* a fifth of 55 columns, and two dots */
	free(picture.text);
}

static void nothing_to_show_is_no_picture(void **state)
{
	(void)state;
	double x[] = {1024, 2048, 0, -1, 4096, 8192}, y[] = {NAN, INFINITY, 1, 1, 0, -1};
	struct plot_series series = series_of(x, y, 6);
	struct plot plot = {.columns = 80,
			    .rows = 18,
			    .utf8 = true,
			    .title = "ns",
			    .series = &series,
			    .series_count = 1};
	struct text text = {0};
	assert_false(plot_draw(&plot, &text));
	assert_int_equal(text.length, 0);
	plot.series_count = 0;
	assert_false(plot_draw(&plot, &text));
	text_free(&text);
}

static void extremes_fit(void **state)
{
	(void)state;
	double x[] = {1, 1e300, 0x1p63, 3}, y[] = {1e-12, 1, 1e18, 5e-324};
	struct picture picture = draw_values(x, y, 4, 80, 18, true);
	assert_int_equal(picture.count, 18);
	free(picture.text);
	double same[] = {1e-12, 1e-12};
	picture = draw_values(x, same, 1, 30, 8, false);
	assert_int_equal(picture.count, 8);
	free(picture.text);
}

static void series_have_glyphs_of_their_own(void **state)
{
	(void)state;
	double x[] = {1024, 4096, 16384, 65536}, low[] = {1, 1, 1, 1},
	       high[] = {100, 100, 100, 100};
	struct plot_series series[] = {series_of(x, low, 4), series_of(x, high, 4)};
	struct plot plot = {
		.columns = 60, .rows = 12, .title = "ns", .series = series, .series_count = 2};
	struct picture picture = draw(&plot);
	assert_non_null(strstr(picture.lines[1], "100 +++++++++"));
	assert_non_null(strstr(picture.lines[9], "1 +********"));
	free(picture.text);
	plot.utf8 = true;
	picture = draw(&plot);
	assert_non_null(strstr(picture.lines[1], "100 ┤++++++++"));
	assert_true(dots_of(strstr(picture.lines[9], "┤") + strlen("┤")));
	free(picture.text);
	for (size_t i = 0; i < PLOT_GLYPHS; i++)
		for (size_t j = 0; j < i; j++)
			assert_string_not_equal(plot_glyph(true, i), plot_glyph(true, j));
}

static void the_first_series_is_on_top(void **state)
{
	(void)state;
	double x[] = {1024, 1 << 20}, y[] = {10, 10};
	struct plot_series series[] = {series_of(x, y, 2), series_of(x, y, 2)};
	for (int utf8 = 0; utf8 < 2; utf8++) {
		struct plot plot = {.columns = 60,
				    .rows = 12,
				    .utf8 = utf8,
				    .title = "ns",
				    .series = series,
				    .series_count = 2};
		struct picture picture = draw(&plot);
		for (size_t row = 1; row < 10; row++)
			assert_null(strstr(picture.lines[row], "++"));
		free(picture.text);
	}
}

/* Of a picture with those marks from 1 KiB to 1 GiB in 80 columns: the row under the labels. */
static char *row_of_marks(const struct figure_mark *marks, size_t count, bool utf8)
{
	double x[POINTS], y[POINTS];
	make_line(x, y);
	struct plot_series series = series_of(x, y, POINTS);
	struct plot plot = {.columns = 80,
			    .rows = 18,
			    .utf8 = utf8,
			    .title = "ns",
			    .series = &series,
			    .series_count = 1,
			    .marks = marks,
			    .mark_count = count};
	struct picture picture = draw(&plot);
	assert_int_equal(picture.count, 18);
	for (size_t i = 0; i < picture.count; i++)
		assert_true(utf8_columns(picture.lines[i]) <= 80);
	char *row = strdup(picture.lines[17]);
	free(picture.text);
	return row;
}

static void marks_stand_under_their_place(void **state)
{
	(void)state;
	struct figure_mark marks[] = {MARK("L1", 1024), MARK("L2", 1 << 20), MARK("L3", 1 << 30)};
	char *row = row_of_marks(marks, 3, false);
	assert_int_equal(strlen(row), 80);
	assert_memory_equal(row, "     ^L1   ", 11);
	assert_memory_equal(row + 5 + 37, "^L2", 3); /* the middle of 75 columns */
	assert_memory_equal(row + 77, "L3^", 3);
	free(row);
	row = row_of_marks(marks, 1, true);
	assert_string_equal(row, "      \u2191L1" + 1);
	free(row);
}

/* Where the next arrow is near, its name stands on the other side. */
static void neighbours_both_have_their_names(void **state)
{
	(void)state;
	struct figure_mark marks[] = {MARK("L2", 1 << 20), MARK("step 1", 0.7 * (1 << 20))};
	char *row = row_of_marks(marks, 2, false);
	assert_string_equal(row + strspn(row, " "), "step 1^ ^L2");
	free(row);
}

static void marks_without_room_are_left_out(void **state)
{
	(void)state;
	struct figure_mark marks[] = {MARK("L2", 1 << 20), MARK("TLB 1", 1.1 * (1 << 20)),
				      MARK("L0", 512), MARK("step", NAN), MARK("none", 0)};
	char *row = row_of_marks(marks, 5, false); /* TLB 1 is next to L2's arrow */
	assert_string_equal(row + strspn(row, " "), "^L2");
	free(row);
	row = row_of_marks(&(struct figure_mark)MARK("\033\xFFL", 1 << 20), 1, false);
	assert_string_equal(row + strspn(row, " "), "^??L");
	free(row);
}

/* 1 to 32 lanes; y = x up to 20. */
static struct picture draw_lanes(unsigned columns, unsigned rows, bool utf8)
{
	double x[32], y[32];
	for (int i = 0; i < 32; i++) {
		x[i] = i + 1;
		y[i] = fmin(x[i], 20);
	}
	struct plot_series series = series_of(x, y, 32);
	struct plot plot = {.columns = columns,
			    .rows = rows,
			    .linear_x = true,
			    .linear_y = true,
			    .utf8 = utf8,
			    .title = "speed-up",
			    .series = &series,
			    .series_count = 1};
	return draw(&plot);
}

static void linear_axes_begin_at_0_and_have_plain_numbers(void **state)
{
	(void)state;
	struct picture picture = draw_lanes(80, 19, false);
	assert_int_equal(picture.count, 19);
	assert_memory_equal(picture.lines[1], "20 +", 4);
	assert_memory_equal(picture.lines[8], "10 +", 4);
	assert_memory_equal(picture.lines[12], " 5 +", 4);
	assert_memory_equal(picture.lines[16], " 0 +", 4);
	assert_non_null(strstr(picture.lines[18], " 4 "));
	assert_non_null(strstr(picture.lines[18], " 28 "));
	assert_string_equal(picture.lines[18] + strlen(picture.lines[18]) - 2, "32");
	/* a straight line, then a flat one */
	const char *five = strchr(picture.lines[12] + 4, '*');
	const char *ten = strchr(picture.lines[8] + 4, '*');
	long at_five = five - picture.lines[12], at_ten = ten - picture.lines[8];
	assert_true(labs(at_five - (4 + 4 * 75 / 31)) <= 2);
	assert_true(labs(at_ten - (4 + 9 * 75 / 31)) <= 2);
	free(picture.text);
}

static void linear_pictures_keep_their_frame(void **state)
{
	(void)state;
	for (unsigned columns = 30; columns <= 200; columns += 17)
		for (int utf8 = 0; utf8 < 2; utf8++) {
			struct picture picture = draw_lanes(columns, 12, utf8);
			assert_int_equal(picture.count, 12);
			for (size_t i = 0; i < picture.count; i++)
				assert_true(utf8_columns(picture.lines[i]) <= columns);
			free(picture.text);
		}
	double x[] = {1, 1 << 29, 4e9, 0x1p63}, y[] = {1e18, 1e-12, 1, 1};
	struct plot_series series = series_of(x, y, 4);
	struct plot plot = {.columns = 60,
			    .rows = 12,
			    .linear_x = true,
			    .linear_y = true,
			    .title = "speed-up",
			    .series = &series,
			    .series_count = 1};
	struct picture picture = draw(&plot);
	assert_int_equal(picture.count, 12);
	free(picture.text);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(it_keeps_its_frame),
	cmocka_unit_test(a_line_goes_from_corner_to_corner),
	cmocka_unit_test(braille_dots),
	cmocka_unit_test(sizes_and_values_are_labelled),
	cmocka_unit_test(few_rows_are_labelled_with_what_is_drawn_there),
	cmocka_unit_test(large_values_have_letters),
	cmocka_unit_test(gaps_stay_open),
	cmocka_unit_test(one_point_is_a_dot),
	cmocka_unit_test(a_flat_curve_lies_between_labels),
	cmocka_unit_test(no_line_goes_over_a_wide_gap),
	cmocka_unit_test(nothing_to_show_is_no_picture),
	cmocka_unit_test(extremes_fit),
	cmocka_unit_test(series_have_glyphs_of_their_own),
	cmocka_unit_test(the_first_series_is_on_top),
	cmocka_unit_test(marks_stand_under_their_place),
	cmocka_unit_test(neighbours_both_have_their_names),
	cmocka_unit_test(marks_without_room_are_left_out),
	cmocka_unit_test(linear_axes_begin_at_0_and_have_plain_numbers),
	cmocka_unit_test(linear_pictures_keep_their_frame),
};
UNIT_GROUP();
