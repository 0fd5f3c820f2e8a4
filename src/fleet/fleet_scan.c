#include "fleet/fleet_scan.h"

#include <limits.h>
#include <string.h>

struct scan {
	const char *at, *end;
};

static void skip_blanks(struct scan *scan)
{
	while (scan->at < scan->end && strchr(" \t\r\n", *scan->at) && *scan->at)
		scan->at++;
}

/* `at` is behind the first quote, then behind the last. */
static bool skip_string(struct scan *scan)
{
	for (;;) {
		size_t left = (size_t)(scan->end - scan->at);
		const char *quote = memchr(scan->at, '"', left);
		if (!quote)
			return false;
		const char *escape = quote;
		while (escape > scan->at && escape[-1] == '\\')
			escape--;
		scan->at = quote + 1;
		if ((quote - escape) % 2 == 0)
			return true;
	}
}

/* Nine tenths of a document are passed over here: digits and blanks as fast as can be. */
static void skip_plain(struct scan *scan)
{
	static const bool special[UCHAR_MAX + 1] = {
		['"'] = true, ['['] = true, [']'] = true, ['{'] = true, ['}'] = true};
	const char *at = scan->at, *end = scan->end;
	while (at < end && !special[(unsigned char)*at])
		at++;
	scan->at = at;
}

/* `at` is at a value, then behind it. */
static bool skip_value(struct scan *scan)
{
	size_t depth = 0;
	while (scan->at < scan->end) {
		if (depth)
			skip_plain(scan);
		if (scan->at == scan->end)
			return false;
		char c = *scan->at;
		if (depth == 0 && (c == ',' || c == '}' || c == ']'))
			return true;
		scan->at++;
		if (c == '"' && !skip_string(scan))
			return false;
		if (c == '[' || c == '{')
			depth++;
		else if ((c == ']' || c == '}') && --depth == 0)
			return true;
	}
	return false;
}

static bool is_named(const char *name, size_t length, const char *const *names)
{
	for (; *names; names++)
		if (strlen(*names) == length && memcmp(*names, name, length) == 0)
			return true;
	return false;
}

/* One member, from its name on. */
static bool scan_member(struct scan *scan, const char *const *names, struct text *text,
			const char **copied)
{
	if (scan->at >= scan->end || *scan->at++ != '"')
		return false;
	const char *name = scan->at;
	if (!skip_string(scan))
		return false;
	size_t length = (size_t)(scan->at - name) - 1;
	skip_blanks(scan);
	if (scan->at >= scan->end || *scan->at++ != ':')
		return false;
	skip_blanks(scan);
	const char *value = scan->at;
	if (!skip_value(scan))
		return false;
	if (is_named(name, length, names) && *value == '[') {
		text_add_bytes(text, *copied, (size_t)(value - *copied));
		text_add(text, "[]");
		*copied = scan->at;
	}
	return true;
}

bool fleet_scan(const char *bytes, size_t length, const char *const *names, struct text *text,
		const char **wrong)
{
	struct scan scan = {bytes, bytes + length};
	const char *copied = bytes;
	*wrong = "it is not a JSON object";
	skip_blanks(&scan);
	if (scan.at >= scan.end || *scan.at++ != '{')
		return false;
	*wrong = "it ends too early, or is not JSON: was it still being written?";
	for (;;) {
		skip_blanks(&scan);
		if (scan.at < scan.end && *scan.at == '}')
			break;
		if (!scan_member(&scan, names, text, &copied))
			return false;
		skip_blanks(&scan);
		if (scan.at < scan.end && *scan.at == ',')
			scan.at++;
		else if (scan.at >= scan.end || *scan.at != '}')
			return false;
	}
	text_add_bytes(text, copied, (size_t)(scan.end - copied));
	return true;
}
