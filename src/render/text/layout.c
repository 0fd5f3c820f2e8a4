#include "render/text/layout.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/names.h"
#include "base/utf8.h"

#define DEFAULT_COLUMNS 80
#define FEWEST_COLUMNS  40
#define LABEL_COLUMNS   14
#define WIDE_SHARE      (1 / 3.0) /* of a value, that half its interval may be */
#define COLOR_ATTENTION "\033[33m"
#define COLOR_END       "\033[0m"

struct layout layout_make(struct text *text, const struct fathom_style *style)
{
	struct layout layout = {.text = text, .columns = DEFAULT_COLUMNS};
	if (!style)
		return layout;
	layout.utf8 = style->utf8;
	layout.color = style->color;
	layout.every_point = style->every_point;
	layout.explain = style->explain;
	layout.y = style->y;
	if (style->columns)
		layout.columns = style->columns;
	if (layout.columns < FEWEST_COLUMNS)
		layout.columns = FEWEST_COLUMNS;
	return layout;
}

void layout_outside(const struct layout *layout, struct text *line, const char *outside)
{
	utf8_add_escaped(line, outside ? outside : "unknown", layout->utf8);
}

const char *layout_plus_minus(const struct layout *layout)
{
	return layout->utf8 ? "\u00b1" : "+-";
}

void layout_mark(const struct layout *layout, const char *mark, bool attention)
{
	bool color = attention && layout->color;
	text_add(layout->text, "%s%s%s", color ? COLOR_ATTENTION : "", mark,
		 color ? COLOR_END : "");
}

void layout_colored(const struct layout *layout, unsigned which, const char *words)
{
	static const char *const colors[] = {"", "\033[36m", "\033[33m", "\033[35m"};
	bool color = layout->color && which && which < sizeof(colors) / sizeof(*colors);
	text_add(layout->text, "%s%s%s", color ? colors[which] : "", words, color ? COLOR_END : "");
}

static bool begins_with_unit(const char *text)
{
	static const char *const units[] = {"%",   "B",   "KiB", "MiB",   "GiB",
					    "TiB", "GHz", "ns",  "cycles"};
	size_t length = strcspn(text, " ,.;:)");
	for (size_t i = 0; i < sizeof(units) / sizeof(*units); i++)
		if (strlen(units[i]) == length && strncmp(units[i], text, length) == 0)
			return true;
	return false;
}

/* To the next blank; "16 MiB" stays in one piece. */
static size_t word_bytes(const char *text)
{
	size_t length = strcspn(text, " ");
	if (length && text[length] && isdigit((unsigned char)text[length - 1]) &&
	    begins_with_unit(text + length + 1))
		length += 1 + strcspn(text + length + 1, " ");
	return length;
}

void layout_item(const struct layout *layout, const char *mark, bool attention, struct text *words)
{
	char *line = text_take(words);
	if (!line) {
		layout->text->failed = true;
		return;
	}
	size_t indent = utf8_columns(mark), column = indent;
	layout_mark(layout, mark, attention);
	for (char *word = line + strspn(line, " "), *end; *word; word = end + strspn(end, " ")) {
		end = word + word_bytes(word);
		if (*end)
			*end++ = 0;
		size_t width = utf8_columns(word);
		if (column > indent && column + 1 + width > layout->columns) {
			text_add(layout->text, "\n%*s", (int)indent, "");
			column = indent;
		} else if (column > indent) {
			text_add(layout->text, " ");
			column++;
		}
		text_add(layout->text, "%s", word);
		column += width;
	}
	text_add(layout->text, "\n");
	free(line);
}

void layout_fact(const struct layout *layout, const char *label, struct text *words)
{
	char mark[LABEL_COLUMNS + 1];
	snprintf(mark, sizeof(mark), "%-*s", LABEL_COLUMNS, label);
	layout_item(layout, mark, false, words);
}

void layout_warning(const struct layout *layout, const struct fathom_warning *warning, bool where)
{
	struct text words = {0};
	if (where && warning->where) {
		layout_outside(layout, &words, warning->where);
		text_add(&words, ": ");
	}
	layout_outside(layout, &words, warning->text);
	layout_item(layout, "! ", true, &words);
	if (!warning->hint)
		return;
	layout_outside(layout, &words, warning->hint);
	layout_item(layout, "  -> ", false, &words);
}

void layout_warnings(const struct layout *layout, const struct fathom_warnings *warnings)
{
	for (size_t i = 0; i < warnings->count; i++)
		layout_warning(layout, &warnings->items[i], true);
}

void layout_cell(const struct layout *layout, unsigned columns, bool right, const char *cell)
{
	size_t width = utf8_columns(cell);
	int blanks = width < columns ? (int)(columns - width) : 0;
	text_add(layout->text, "%*s%s%*s", right ? blanks : 0, "", cell, right ? 0 : blanks, "");
}

void layout_take_cell(const struct layout *layout, unsigned columns, bool right, char *cell)
{
	if (cell)
		layout_cell(layout, columns, right, cell);
	else
		layout->text->failed = true;
	free(cell);
}

void layout_end_line(const struct layout *layout)
{
	struct text *text = layout->text;
	while (text->length && text->data[text->length - 1] == ' ')
		text->data[--text->length] = 0;
	text_add(text, "\n");
}

void layout_end_part(const struct layout *layout)
{
	const struct text *text = layout->text;
	if (text->length < 2 || strcmp(text->data + text->length - 2, "\n\n") != 0)
		text_add(layout->text, "\n");
}

void layout_spec(struct text *line, const struct fathom_spec *spec)
{
	char size[UNITS_TEXT_BYTES];
	if (spec->pattern == FATHOM_PATTERN_UNKNOWN) {
		text_add(line, "access order unknown");
		if (spec->node_bytes)
			text_add(line, ", nodes of %s", layout_size(spec->node_bytes, false, size));
		return;
	}
	const char *pattern = fathom_pattern_name(spec->pattern), *link = link_name(spec->link);
	text_add(line, "%s", pattern ? pattern : "unknown pattern");
	if (fathom_pattern_streams(spec->pattern)) {
		text_add(line, ", %u %s", spec->threads, spec->threads == 1 ? "thread" : "threads");
		if (spec->vector_bytes)
			text_add(line, ", vectors of %u bits", 8 * spec->vector_bytes);
		return;
	}
	if (spec->window_bytes)
		text_add(line, " of %s", layout_size(spec->window_bytes, false, size));
	if (spec->stride_bytes)
		text_add(line, " %s apart", layout_size(spec->stride_bytes, false, size));
	if (spec->laps)
		text_add(line, ", %u different laps", spec->laps);
	text_add(line, ", nodes of %s", layout_size(spec->node_bytes, false, size));
	if (link)
		text_add(line, ", %s links", link);
	const char *warmth = warmth_name(spec->warmth);
	if (warmth && spec->warmth != FATHOM_WARM)
		text_add(line, ", %s", warmth);
	if (spec->lap)
		text_add(line, ", lap by lap");
}

static const char *const unit_names[] = {" B", " KiB", " MiB", " GiB", " TiB", " PiB", " EiB"};
#define UNIT_COUNT (sizeof(unit_names) / sizeof(*unit_names))

/* Scales *value to the unit that shows it with three digits. */
static size_t find_unit(double *value)
{
	size_t unit = 0;
	for (; *value >= 999.5 && unit + 1 < UNIT_COUNT; unit++)
		*value /= 1024;
	return unit;
}

const char *layout_size(uint64_t bytes, bool brief, char size[static UNITS_TEXT_BYTES])
{
	static const char *const letters[] = {"", "K", "M", "G", "T", "P", "E"};
	double value = (double)bytes;
	size_t unit = find_unit(&value);
	int decimals = value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
	int length = snprintf(size, UNITS_TEXT_BYTES, "%.*f", decimals, value);
	while (decimals && size[length - 1] == '0')
		length--;
	if (decimals && size[length - 1] == '.')
		length--;
	snprintf(size + length, UNITS_TEXT_BYTES - (size_t)length, "%s",
		 brief ? letters[unit] : unit_names[unit]);
	return size;
}

static int two_digits(double value)
{
	return value < 0.995 ? 2 : value < 9.95 ? 1 : 0;
}

bool layout_is_wide(double value, double low, double high)
{
	return value > 0 && (low <= 0 || (high - low) / 2 > WIDE_SHARE * value);
}

/* Of 1027: 1000. */
static double in_two_digits(double value)
{
	double step = value >= 100 ? pow(10, floor(log10(value)) - 1) : 0;
	return step > 0 ? round(value / step) * step : value;
}

const char *layout_about(double value, char about[static UNITS_TEXT_BYTES])
{
	double shown = in_two_digits(value);
	snprintf(about, UNITS_TEXT_BYTES, "%.*f", shown > 0 ? two_digits(shown) : 0, shown);
	return about;
}

const char *layout_range(const struct layout *layout, double low, double high,
			 char range[static UNITS_TEXT_BYTES])
{
	double least = in_two_digits(fmax(low, 0)), most = in_two_digits(high);
	snprintf(range, UNITS_TEXT_BYTES, "%.*f%s%.*f", least > 0 ? two_digits(least) : 0, least,
		 layout->utf8 ? "\u2013" : "-", two_digits(most), most);
	return range;
}

char *layout_spread(const struct layout *layout, double value, double low, double high)
{
	char range[UNITS_TEXT_BYTES];
	double half = (high - low) / 2;
	int decimals = fabs(value) < 9.995 ? 2 : fabs(value) < 99.95 ? 1 : 0;
	if (!isfinite(half) || !isfinite(value))
		return text_format("%s", "");
	if (layout_is_wide(value, low, high))
		return text_format("%s", layout_range(layout, low, high, range));
	return text_format("%s%.*f", layout_plus_minus(layout),
			   decimals == 0 && half < 0.95 ? 1 : decimals, half);
}

const char *layout_size_range(const struct layout *layout, double low_bytes, double high_bytes,
			      char range[static UNITS_TEXT_BYTES])
{
	double high = fmin(high_bytes, 0x1p64);
	size_t unit = find_unit(&high);
	double low = fmin(fmax(low_bytes, 0) / exp2(10.0 * (double)unit), high);
	snprintf(range, UNITS_TEXT_BYTES, "%.*f%s%.*f%s", two_digits(low), low,
		 layout->utf8 ? "\u2013" : "-", two_digits(high), high, unit_names[unit]);
	return range;
}
