/* The first table of a markdown text that says where its sizes and latencies are; the text round it
 * is not looked at. */
#include <string.h>

#include "readers/read_table.h"
#include "readers/readers.h"

/* "|---:|:---|" */
static bool is_rule(struct span line)
{
	bool bar = false, dash = false;
	for (size_t i = 0; i < line.length; i++) {
		if (!strchr("|-: \t", line.start[i]))
			return false;
		bar |= line.start[i] == '|';
		dash |= line.start[i] == '-';
	}
	return bar && dash;
}

struct found {
	struct span heading, body; /* `body` begins behind the rule */
	size_t heading_line;
};

static bool has_bar(struct span line)
{
	return memchr(line.start, '|', line.length) != NULL;
}

/* The next table: its heading, a rule, and all lines with a bar in them. */
static bool find_table(struct lines *lines, struct found *found)
{
	struct span line, before = {0};
	for (;; before = line) {
		if (!lines_next(lines, &line))
			return false;
		if (before.length && has_bar(before) && is_rule(line))
			break;
	}
	found->heading = before;
	found->heading_line = lines->number - 1;
	found->body = (struct span){lines->at, 0};
	while (lines_next(lines, &line) && has_bar(line))
		found->body.length = (size_t)(lines->at - found->body.start);
	return true;
}

bool markdown_detect(const char *bytes, size_t length)
{
	struct lines lines = {bytes, bytes + length, 0};
	struct found found;
	return find_table(&lines, &found);
}

static int read_found(const struct found *found, const struct fathom_input *input,
		      struct fathom_result *result, struct fathom_error *error)
{
	struct text_table table = {
		.tool = "markdown", .separator = '|', .line = found->heading_line};
	table.rows = (struct lines){found->body.start, found->body.start + found->body.length,
				    found->heading_line + 1};
	int failed = table_split(found->heading, '|', table.line, &table.heading, error);
	table.width = table.heading.count;
	if (!failed)
		failed = table_read(&table, input, result, error);
	table_free(&table);
	return failed;
}

/* Are its sizes and latencies named, so that it is this table that is meant? */
static int is_named(const struct found *found, const struct fathom_input *input, bool *named,
		    struct fathom_error *error)
{
	struct cells heading = {0};
	struct columns columns;
	if (table_split(found->heading, '|', found->heading_line, &heading, error))
		return -1;
	*named = input->columns ? columns_find(&heading, heading.count, found->heading_line, input,
					       &columns, NULL) == 0
				: columns_are_named(&heading);
	cells_free(&heading);
	return 0;
}

int markdown_read(const char *bytes, size_t length, const struct fathom_input *input,
		  struct fathom_result *result, struct fathom_error *error)
{
	struct lines lines = {bytes, bytes + length, 0};
	struct found found, first = {0};
	bool named = false;
	for (size_t tables = 0; !named && find_table(&lines, &found); tables++) {
		if (is_named(&found, input, &named, error))
			return -1;
		if (tables == 0)
			first = found;
	}
	return read_found(named ? &found : &first, input, result, error);
}
