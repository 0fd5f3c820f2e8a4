/* Tables of latency against bandwidth with a heading: Mess (bandwidth-latency.csv, and the curves
 * that are published with it), multiload, and any other whose heading names both. Columns of text
 * tell machines or kinds of traffic apart, a column of shares the traffic. Sources: bsc-mem/Mess
 * (CPU/Actual-hardware), google/multichase (multiload.c). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "base/warnings.h"
#include "readers/loads.h"
#include "readers/read_table.h"
#include "readers/readers.h"

#define NO_COLUMN    ((size_t)-1)
#define HEADING_HINT "the heading is of a table of latencies under load"

struct loaded_table {
	char separator;
	struct cells heading, row;
	size_t latency, bandwidth, share; /* columns */
	size_t clock;                     /* in GHz; where latencies are in cycles */
	double ns, bytes;                 /* of a unit; ns is 0 where latencies are in cycles */
	bool ns_assumed, bytes_assumed;
	bool runs; /* multiload prints a heading for each run, and other lines between them */
	size_t skipped;
};

/* ---- the heading ---- */

static char find_separator(struct span line)
{
	for (const char *c = ";\t,"; *c; c++)
		if (memchr(line.start, *c, line.length))
			return memchr(line.start, ',', line.length) ? ',' : *c;
	return 0;
}

/* Of what is not the value itself, but its spread or an end. */
static bool is_aside(struct span cell)
{
	static const char *const words[] = {"std", "dev", "min", "max", "low", "high", "error"};
	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (span_has(cell, words[i]))
			return true;
	return false;
}

static bool is_latency(struct span cell)
{
	return (span_has(cell, "latency") || span_has(cell, "ChaseNS")) && !is_aside(cell);
}

static bool is_bandwidth(struct span cell)
{
	return (span_has(cell, "bandwidth") || span_has(cell, "LdAvgMibs") || span_is(cell, "bw") ||
		span_starts(cell, "bw_") || span_starts(cell, "bw ") ||
		span_starts(cell, "throughput")) &&
	       !is_aside(cell);
}

static bool is_share(struct span cell)
{
	bool reads = span_has(cell, "read") || span_starts(cell, "rd_");
	return reads && (span_has(cell, "pct") || span_has(cell, "percent") ||
			 span_has(cell, "%") || span_has(cell, "share") || span_has(cell, "ratio"));
}

/* 0: it names none. */
static double bandwidth_unit(struct span cell)
{
	static const struct {
		const char *word;
		double bytes;
	} units[] = {{"gib", 0x1p30}, {"mib", 0x1p20}, {"gb", 1e9},
		     {"mb", 1e6},     {"kb", 1e3},     {"bytes", 1}};
	for (size_t i = 0; i < sizeof(units) / sizeof(*units); i++)
		if (span_has(cell, units[i].word))
			return units[i].bytes;
	return 0;
}

/* A latency in ns is better than one in cycles, and one that names its unit than one that does
 * not. */
static int rank(struct span cell)
{
	return span_has(cell, "ns") ? 2 : span_has(cell, "cyc") ? 0 : 1;
}

static bool find_columns(struct loaded_table *table)
{
	const struct cells *heading = &table->heading;
	table->latency = table->bandwidth = table->share = table->clock = NO_COLUMN;
	for (size_t i = 0; i < heading->count; i++) {
		struct span cell = heading->items[i];
		if (is_latency(cell) && (table->latency == NO_COLUMN ||
					 rank(cell) > rank(heading->items[table->latency])))
			table->latency = i;
		else if (is_bandwidth(cell) && table->bandwidth == NO_COLUMN)
			table->bandwidth = i;
		else if (is_share(cell) && table->share == NO_COLUMN)
			table->share = i;
		else if (span_has(cell, "ghz"))
			table->clock = i;
		table->runs |= span_has(cell, "LdAvgMibs");
	}
	return table->latency != NO_COLUMN && table->bandwidth != NO_COLUMN;
}

static int find_units(struct loaded_table *table, size_t line, struct fathom_error *error)
{
	struct span latency = table->heading.items[table->latency];
	struct span bandwidth = table->heading.items[table->bandwidth];
	bool cycles = rank(latency) == 0;
	table->ns = cycles ? 0 : span_has(latency, "us") ? 1000 : 1;
	table->ns_assumed = rank(latency) == 1 && table->ns == 1;
	table->bytes = bandwidth_unit(bandwidth);
	table->bytes_assumed = table->bytes == 0;
	if (table->bytes_assumed)
		table->bytes = 1e9;
	if (cycles && table->clock == NO_COLUMN)
		return span_refuse(latency, line, "is in cycles, and no column has the clock",
				   "add a column of latencies in ns, or of GHz", error);
	return 0;
}

/* Splits the first line that is no comment. */
static int take_heading(struct lines *lines, struct loaded_table *table, struct fathom_error *error)
{
	struct span line;
	table_next(lines, &line, NULL);
	table->separator = find_separator(line);
	if (table_split(line, table->separator, lines->number, &table->heading, error))
		return -1;
	return find_columns(table)
		       ? find_units(table, lines->number, error)
		       : error_set(error, FATHOM_BAD_INPUT, HEADING_HINT,
				   "line %zu: no two columns are a latency and a bandwidth",
				   lines->number);
}

bool loaded_detect(const char *bytes, size_t length)
{
	struct lines lines = {bytes, bytes + length, 0};
	struct span line;
	return table_next(&lines, &line, NULL) && find_separator(line) &&
	       (span_has(line, "latency") || span_has(line, "ChaseNS")) &&
	       (span_has(line, "bandwidth") || span_has(line, "LdAvgMibs") ||
		span_has(line, "bw")) &&
	       !span_has(line, "size");
}

/* ---- rows ---- */

static int read_number(const struct loaded_table *table, size_t column, size_t line, double *value,
		       struct fathom_error *error)
{
	struct span cell = table->row.items[column];
	*value = NAN;
	if (units_is_missing(cell))
		return 0;
	if (span_number(cell, value) != cell.length)
		return span_refuse(cell, line, "is not a number", HEADING_HINT, error);
	return 0;
}

/* What the columns of text say, else what the tool is. */
static char *name_row(const struct loaded_table *table)
{
	struct text name = {0};
	for (size_t i = 0; i < table->row.count; i++) {
		struct span cell = table->row.items[i];
		if (cell.length && !units_is_number(cell) && !units_is_missing(cell))
			text_add(&name, "%s%.*s", name.length ? ", " : "", (int)cell.length,
				 cell.start);
	}
	if (!name.length)
		text_add(&name, table->runs ? "multiload" : "a table");
	return text_take(&name);
}

static int read_load(const struct loaded_table *table, size_t line, struct fathom_load *load,
		     struct fathom_error *error)
{
	double share = NAN, clock_ghz = NAN;
	if (read_number(table, table->latency, line, &load->latency_ns, error) ||
	    read_number(table, table->bandwidth, line, &load->bandwidth_bytes_per_second, error) ||
	    (table->share != NO_COLUMN && read_number(table, table->share, line, &share, error)) ||
	    (table->ns == 0 && read_number(table, table->clock, line, &clock_ghz, error)))
		return -1;
	if (share < 0 || share > 100)
		return span_refuse(table->row.items[table->share], line, "is no share of reads",
				   "shares are from 0 to 1, or percent", error);
	load->latency_ns *= table->ns > 0 ? table->ns : 1 / clock_ghz;
	load->bandwidth_bytes_per_second *= table->bytes;
	load->read_share = share > 1 ? share / 100 : share;
	return 0;
}

static bool is_heading_again(const struct loaded_table *table)
{
	struct span cell = table->row.items[table->latency];
	struct span first = table->heading.items[table->latency];
	return cell.length == first.length && memcmp(cell.start, first.start, cell.length) == 0;
}

static int take_row(struct loaded_table *table, size_t line, struct fathom_result *result,
		    struct fathom_error *error)
{
	struct fathom_load load;
	bool whole = table->row.count >= table->heading.count;
	if (!whole && table->runs)
		return 0;
	if (!whole)
		return error_set(error, FATHOM_BAD_INPUT, HEADING_HINT,
				 "line %zu has %zu columns, and the heading %zu", line,
				 table->row.count, table->heading.count);
	if (is_heading_again(table))
		return 0;
	if (read_load(table, line, &load, error))
		return -1;
	char *name = name_row(table);
	if (!name)
		return error_no_memory(error);
	int status = loads_add(result, span_of(name), &load, line, &table->skipped, error);
	free(name);
	return status;
}

/* ---- all ---- */

static int warn_of_units(const struct loaded_table *table, struct fathom_result *result)
{
	return (table->ns_assumed &&
		warnings_add(&result->warnings, "unit-assumed", NULL,
			     "name the unit in the heading: latency_ns",
			     "nothing says in which unit the latencies are: ns is assumed")) ||
	       (table->bytes_assumed &&
		warnings_add(&result->warnings, "bandwidth-unit-assumed", NULL,
			     "name the unit in the heading: bandwidth_GB/s",
			     "nothing says in which unit the bandwidths are: GB/s is assumed"));
}

static int read_all(struct lines lines, struct loaded_table *table, struct fathom_result *result,
		    struct fathom_error *error)
{
	struct span line;
	if (take_heading(&lines, table, error))
		return -1;
	if (warn_of_units(table, result))
		return error_no_memory(error);
	while (table_next(&lines, &line, NULL))
		if (table_split(line, table->separator, lines.number, &table->row, error) ||
		    take_row(table, lines.number, result, error))
			return -1;
	return loads_end(result, table->skipped, error);
}

int loaded_read(const char *bytes, size_t length, const struct fathom_input *input,
		struct fathom_result *result, struct fathom_error *error)
{
	struct loaded_table table = {0};
	(void)input;
	int status = read_all((struct lines){bytes, bytes + length, 0}, &table, result, error);
	cells_free(&table.heading);
	cells_free(&table.row);
	return status;
}
