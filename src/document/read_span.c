#include "document/read_span.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/error.h"
#include "base/text.h"
#include "base/utf8.h"

#define QUOTED_MOST   40    /* bytes of somebody's text in a message */
#define EXPONENT_MOST 99999 /* past any double's */
#define MANTISSA_MOST (UINT64_MAX / 10 - 1)

bool lines_next(struct lines *lines, struct span *line)
{
	const char *at = lines->at;
	if (at == lines->end)
		return false;
	while (at < lines->end && *at != '\n' && *at != '\r')
		at++;
	*line = (struct span){lines->at, (size_t)(at - lines->at)};
	if (at < lines->end)
		at += *at == '\r' && at + 1 < lines->end && at[1] == '\n' ? 2 : 1;
	lines->at = at;
	lines->number++;
	return true;
}

struct span span_of(const char *text)
{
	return (struct span){text, strlen(text)};
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\v' || c == '\f';
}

struct span span_trim(struct span span)
{
	while (span.length && is_blank(*span.start))
		span = span_after(span, 1);
	while (span.length && is_blank(span.start[span.length - 1]))
		span.length--;
	return span;
}

struct span span_after(struct span span, size_t count)
{
	return (struct span){span.start + count, span.length - count};
}

bool span_starts(struct span span, const char *word)
{
	size_t length = strlen(word);
	return span.length >= length && strncasecmp(span.start, word, length) == 0;
}

bool span_is(struct span span, const char *word)
{
	return span.length == strlen(word) && span_starts(span, word);
}

bool span_is_any(struct span span, const char *const *words)
{
	for (; *words; words++)
		if (span_is(span, *words))
			return true;
	return false;
}

/* ---- numbers ---- */

struct digits {
	uint64_t mantissa;
	int exponent; /* of ten */
	bool any;
};

static bool is_digit(struct span span, size_t at)
{
	return at < span.length && span.start[at] >= '0' && span.start[at] <= '9';
}

static size_t take_digits(struct span span, size_t at, bool after_point, struct digits *digits)
{
	for (; is_digit(span, at); at++) {
		bool kept = digits->mantissa <= MANTISSA_MOST;
		if (kept)
			digits->mantissa = digits->mantissa * 10 + (uint64_t)(span.start[at] - '0');
		if (kept && after_point)
			digits->exponent--;
		else if (!kept && !after_point && digits->exponent < EXPONENT_MOST)
			digits->exponent++;
		digits->any = true;
	}
	return at;
}

/* An "e" without digits belongs to what follows. */
static size_t take_exponent(struct span span, size_t at, struct digits *digits)
{
	size_t from = at + 1;
	bool negative = from < span.length && span.start[from] == '-';
	if (at >= span.length || (span.start[at] != 'e' && span.start[at] != 'E'))
		return at;
	if (from < span.length && (negative || span.start[from] == '+'))
		from++;
	if (!is_digit(span, from))
		return at;
	int exponent = 0;
	for (; is_digit(span, from); from++)
		if (exponent < EXPONENT_MOST)
			exponent = exponent * 10 + (span.start[from] - '0');
	digits->exponent += negative ? -exponent : exponent;
	return from;
}

static double value_of(const struct digits *digits)
{
	static const double tens[] = {1,   1e1, 1e2, 1e3,  1e4,  1e5, 1e6,
				      1e7, 1e8, 1e9, 1e10, 1e11, 1e12};
	long double value = (long double)digits->mantissa;
	int exponent = digits->exponent;
	if (exponent <= 0 && exponent > -(int)(sizeof(tens) / sizeof(*tens)) &&
	    digits->mantissa < (uint64_t)1 << 53)
		return (double)digits->mantissa / tens[-exponent]; /* both exact; most numbers */
	if (exponent < 0) /* 10^n is better known than 10^-n */
		value /= powl(10, (long double)-exponent);
	else if (exponent > 0 && digits->mantissa)
		value *= powl(10, (long double)exponent);
	return (double)value;
}

size_t span_number(struct span span, double *value)
{
	struct digits digits = {0};
	size_t at = 0;
	bool negative = span.length && span.start[0] == '-';
	if (span.length && (negative || span.start[0] == '+'))
		at++;
	at = take_digits(span, at, false, &digits);
	if (at < span.length && span.start[at] == '.')
		at = take_digits(span, at + 1, true, &digits);
	if (!digits.any)
		return 0;
	at = take_exponent(span, at, &digits);
	*value = negative ? -value_of(&digits) : value_of(&digits);
	return at;
}

/* ---- messages ---- */

char *span_quote(struct span span)
{
	bool whole = span.length <= QUOTED_MOST;
	char *start = strndup(span.start, whole ? span.length : QUOTED_MOST);
	struct text text = {0};
	if (!start)
		return NULL;
	utf8_add_escaped(&text, start, false);
	if (!whole)
		text_add(&text, "...");
	free(start);
	return text_take(&text);
}

int span_refuse(struct span cell, size_t line, const char *what, const char *hint,
		struct fathom_error *error)
{
	char *quoted = span_quote(cell);
	if (!quoted)
		return error_no_memory(error);
	error_set(error, FATHOM_BAD_INPUT, hint, "line %zu: '%s' %s", line, quoted, what);
	free(quoted);
	return -1;
}
