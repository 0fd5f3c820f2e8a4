#include "progress.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/text.h"
#include "base/units.h"

#define BAR_COLUMNS 20

void progress_start(struct progress *progress, const struct environment *environment, bool quiet)
{
	*progress = (struct progress){
		.environment = environment,
		.shown = !quiet && isatty(STDERR_FILENO),
	};
}

static void add_bar(struct text *line, double done, bool utf8)
{
	int filled = (int)lround(fmin(fmax(done, 0), 1) * BAR_COLUMNS);
	text_add(line, "[");
	for (int i = 0; i < BAR_COLUMNS; i++)
		text_add(line, "%s", i >= filled ? " " : utf8 ? "\xe2\x96\xa0" : "#");
	text_add(line, "]");
}

static void add_estimate(struct text *line, const struct fathom_progress *now, bool utf8)
{
	char size[UNITS_TEXT_BYTES], latency[UNITS_TEXT_BYTES];
	if (!now->size_bytes || isnan(now->latency_ns))
		return;
	text_add(line, "  %s %s ns", units_format_size(now->size_bytes, size),
		 units_format_number(now->latency_ns, latency));
	if (!isnan(now->half_width))
		text_add(line, " %s%.1f%%", utf8 ? "\xc2\xb1" : "+-", 100 * now->half_width);
}

static size_t terminal_columns(void)
{
	struct winsize size;
	if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0)
		return 80;
	return size.ws_col;
}

/* Cuts the line at `most` columns, so that it never wraps; gives the columns that are left. */
static size_t cut(char *line, size_t most)
{
	size_t columns = 0;
	char *at = line;
	for (; *at; at++) {
		bool continues = ((unsigned char)*at & 0xC0) == 0x80;
		if (!continues && columns == most)
			break;
		columns += !continues;
	}
	*at = 0;
	return columns;
}

/* In one write: back to the first column, the line, blanks over what was longer before. A
 * terminal that refuses it loses the progress, nothing else. */
static void put(struct progress *progress, const char *line, size_t columns)
{
	struct text out = {0};
	size_t blanks = progress->line_columns > columns ? progress->line_columns - columns : 0;
	text_add(&out, "\r%s%*s%s", line, (int)blanks, "", columns ? "" : "\r");
	if (!out.failed && write(STDERR_FILENO, out.data, out.length) > 0)
		progress->line_columns = columns;
	text_free(&out);
}

void progress_show(void *context, const struct fathom_progress *now)
{
	struct progress *progress = context;
	bool utf8 = progress->environment->utf8;
	struct text text = {0};
	text_add(&text, "%-14s ", now->stage);
	add_bar(&text, now->done, utf8);
	add_estimate(&text, now, utf8);
	if (now->left_s >= 0)
		text_add(&text, "  %.0f s left", ceil(now->left_s));
	char *line = text_take(&text);
	if (line)
		put(progress, line, cut(line, terminal_columns() - 1));
	free(line);
}

void progress_end(struct progress *progress)
{
	if (progress->line_columns)
		put(progress, "", 0);
}
