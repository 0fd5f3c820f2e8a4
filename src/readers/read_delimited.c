/* CSV with commas, semicolons or tabs, and columns with blanks between them: what is not said of
 * them is found by looking at the first two rows. */
#include <string.h>

#include "base/error.h"
#include "base/warnings.h"
#include "readers/read_table.h"
#include "readers/readers.h"

#define FORMATS_HINT                                                                               \
	"fathom reads its own JSON and CSV, lat_mem_rd, tinymembench, tables of sizes and "        \
	"latencies, core-to-core matrices, and latencies under load (MLC, Mess, multiload)"
#define WHICH_HINT "name the columns with --columns, as in --columns 1,2"

/* The first two rows, either of which may be a heading. */
struct beginning {
	struct lines at_first, after_first; /* from where the lines go on */
	struct span first, second;          /* length 0: there is none */
	struct span comment;                /* right before the first */
	size_t first_line, second_line;
	char separator;
	struct cells cells;
};

static char find_separator(struct span line)
{
	static const char separators[] = ";,\t";
	size_t length = table_before_comment(line);
	for (const char *c = separators; *c; c++)
		if (memchr(line.start, *c, length))
			return *c;
	return ' ';
}

/* false: there is nothing but comments. */
static bool look(struct lines lines, struct beginning *beginning)
{
	if (!table_next(&lines, &beginning->first, &beginning->comment))
		return false;
	beginning->first_line = lines.number;
	beginning->at_first = (struct lines){beginning->first.start, lines.end, lines.number - 1};
	beginning->after_first = lines;
	if (table_next(&lines, &beginning->second, NULL))
		beginning->second_line = lines.number;
	beginning->separator =
		find_separator(beginning->second.length ? beginning->second : beginning->first);
	return true;
}

/* Without the empty cells at the end of the line. */
static size_t count_columns(const struct cells *cells)
{
	size_t count = cells->count;
	while (count && cells->items[count - 1].length == 0)
		count--;
	return count;
}

/* How many cells are numbers, or stand for one that is missing. */
static size_t count_numbers(const struct cells *cells)
{
	size_t numbers = 0, missing = 0;
	for (size_t i = 0; i < cells->count; i++) {
		numbers += units_is_number(cells->items[i]);
		missing += units_is_missing(cells->items[i]);
	}
	return numbers ? numbers + missing : 0;
}

static bool has_blanks(struct span rest, size_t blanks)
{
	size_t found = 0;
	while (found < blanks && found < rest.length && rest.start[found] == ' ')
		found++;
	return found == blanks;
}

/* At each run of `blanks` or more, or at a tab. */
static int split_runs(struct span line, size_t blanks, struct cells *cells,
		      struct fathom_error *error)
{
	cells->count = 0;
	for (line = span_trim(line); line.length; line = span_trim(line)) {
		struct span cell = {line.start, 0};
		while (cell.length < line.length && line.start[cell.length] != '\t' &&
		       !has_blanks(span_after(line, cell.length), blanks))
			cell.length++;
		line = span_after(line, cell.length);
		if (cells_add(cells, span_trim(cell)))
			return error_no_memory(error);
	}
	return 0;
}

/* What a row is like. */
struct kind {
	size_t columns, numbers;
	bool number_first;
	bool named; /* words that say which column is the size and which the latency */
};

static int judge(struct beginning *beginning, struct span line, size_t number, struct kind *kind,
		 struct fathom_error *error)
{
	struct cells *cells = &beginning->cells;
	*kind = (struct kind){0};
	if (line.length == 0)
		return 0;
	if (table_split(line, beginning->separator, number, cells, error))
		return -1;
	kind->columns = count_columns(cells);
	kind->numbers = count_numbers(cells);
	kind->number_first = cells->count && units_is_number(cells->items[0]);
	kind->named = kind->numbers == 0 && columns_are_named(cells);
	if (kind->numbers || kind->named || beginning->separator != ' ')
		return 0;
	if (split_runs(line, 1, cells, error)) /* "size ns" */
		return -1;
	kind->named = columns_are_named(cells);
	return 0;
}

/* The heading of a table with `table->width` columns; leaves none where it has not as many. */
static int split_heading(struct span line, size_t number, char separator, struct text_table *table,
			 struct fathom_error *error)
{
	struct cells *cells = &table->heading;
	if (table_split(line, separator, number, cells, error))
		return -1;
	cells->count = count_columns(cells);
	/* Words with single blanks in them may be the heading of one column, and "size cycles",
	 * which could be a size in some unit, that of two. */
	for (size_t blanks = 2; cells->count != table->width && separator == ' ' && blanks;
	     blanks--)
		if (split_runs(line, blanks, cells, error))
			return -1;
	if (cells->count != table->width)
		cells->count = 0;
	return 0;
}

static int take_heading(const struct beginning *beginning, size_t columns, struct text_table *table,
			struct fathom_error *error)
{
	table->line = beginning->first_line;
	table->rows = beginning->after_first;
	if (split_heading(beginning->first, table->line, table->separator, table, error))
		return -1;
	if (table->heading.count)
		return 0;
	return error_set(error, FATHOM_BAD_INPUT, WHICH_HINT,
			 "line %zu: %zu columns, but the heading in line %zu has %zu",
			 beginning->second_line, table->width, beginning->first_line, columns);
}

/* "# size (KiB)  latency (ns)" right before the rows; a comment that reads otherwise is none. */
static int take_comment(const struct beginning *beginning, struct text_table *table,
			struct fathom_error *error)
{
	const char separators[] = {table->separator, ',', ' '};
	struct span comment = beginning->comment;
	if (comment.length == 0 || memchr(comment.start, '"', comment.length))
		return 0;
	for (size_t i = 0; i < sizeof(separators); i++) {
		if (split_heading(comment, table->line, separators[i], table, error))
			return -1;
		if (columns_are_named(&table->heading))
			return 0;
	}
	table->heading.count = 0;
	return 0;
}

/* "1024,1,35" without a heading: two columns with a decimal comma, or three. */
static int check_commas(const struct text_table *table, const struct fathom_input *input,
			struct fathom_error *error)
{
	if (table->separator != ',' || table->width == 2 || table->heading.count || input->columns)
		return 0;
	return error_set(error, FATHOM_BAD_INPUT, WHICH_HINT,
			 "line %zu: there are %zu columns without a heading", table->line,
			 table->width);
}

static int find_table(struct beginning *beginning, const struct fathom_input *input,
		      struct text_table *table, struct fathom_error *error)
{
	struct kind first, second;
	size_t line = beginning->first_line;
	if (judge(beginning, beginning->first, line, &first, error) ||
	    judge(beginning, beginning->second, beginning->second_line, &second, error))
		return -1;
	/* "size,64,128" may be one, of three strides; "1024,x" is a row, and wrong. */
	bool heading = first.numbers < second.numbers && !first.number_first;
	if (first.named && second.columns == 0)
		return table_refuse_empty(line, error);
	heading |= first.named && second.columns == first.columns;
	if (!heading && first.numbers == 0 && second.numbers == 0)
		return span_refuse(beginning->first, line,
				   "is neither a row of numbers nor a heading", FORMATS_HINT,
				   error);
	table->line = line;
	table->separator = beginning->separator;
	table->tool = table->separator == ' ' ? "table" : "csv";
	table->rows = beginning->at_first;
	table->width = heading || second.columns > first.columns ? second.columns : first.columns;
	if (heading ? take_heading(beginning, first.columns, table, error)
		    : take_comment(beginning, table, error))
		return -1;
	return check_commas(table, input, error);
}

bool delimited_detect(const char *bytes, size_t length)
{
	(void)bytes;
	(void)length;
	return true; /* the last of the table: says itself what it does not understand */
}

int delimited_read(const char *bytes, size_t length, const struct fathom_input *input,
		   struct fathom_result *result, struct fathom_error *error)
{
	struct beginning beginning = {0};
	struct text_table table = {0};
	int failed;
	if (!look((struct lines){bytes, bytes + length, 0}, &beginning))
		return error_set(error, FATHOM_BAD_INPUT, FORMATS_HINT,
				 "the file has only comments");
	failed = find_table(&beginning, input, &table, error);
	if (!failed)
		failed = table_read(&table, input, result, error);
	if (!failed && table.heading.count == 0 && table.width > 2 && !input->columns)
		failed = warnings_add(&result->warnings, "columns-assumed", NULL, WHICH_HINT,
				      "the %zu columns have no heading: the first two are read",
				      table.width);
	cells_free(&beginning.cells);
	table_free(&table);
	return failed;
}
