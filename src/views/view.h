/* What is shown of a result, whoever lays it out: blocks in their order, of which a table has typed
 * cells. Digits, units, marks and words are decided where a view is made; columns, colours, line
 * breaks and escapes where it is laid out. Text is UTF-8, and as it came: what a file or a machine
 * says is in it. */
#pragma once

#include "base/text.h"
#include "fathom.h"
#include "views/rounding.h"

enum view_tone {
	VIEW_PLAIN,
	VIEW_NOTE,      /* belongs to what stands before it */
	VIEW_ITEM,      /* one of a list of findings */
	VIEW_LEGEND,    /* what the mark '~' of rows means */
	VIEW_UNSURE,    /* why something is not sure */
	VIEW_ATTENTION, /* what to heed before a number is quoted */
	VIEW_HINT       /* what to do about it */
};

enum view_cell_kind { VIEW_EMPTY, VIEW_NAME, VIEW_QUANTITY };

struct view_cell {
	enum view_cell_kind kind; /* names stand under each other from the left */
	double low, high;         /* 95 %, in the unit of its column; NAN: not known */
	char *text;               /* "-" for what is not known */
	char *spread;   /* half the interval, or the range: "±0.01", "60–440"; NULL: none */
	char mark;      /* '~' wider than wanted, '?' without an interval, '!' differs, '='
			   at the floor; 0: none */
	bool attention; /* it is what the table is for */
};

struct view_column {
	const char *top, *unit; /* either may be NULL */
	bool wrapped;           /* `unit` is the second line of `top` */
	bool joined;            /* goes with the one before it, whatever goes below */
	bool counted;           /* where it has no room, that is said */
	unsigned rank;          /* those of the highest go first where there is no room; 0: stays */
	unsigned spread_rank;   /* of what stands behind its values */
};

struct view_row {
	struct view_cell *cells; /* as many as there are columns */
	size_t count;
	char mark;   /* '~' for the row; 0 */
	char *note;  /* a few words behind it; NULL */
	char *words; /* a sentence under it; NULL */
};

struct view_table {
	struct view_column *columns;
	size_t column_count;
	struct view_row *rows;
	size_t row_count;
	/* Of what has no room (how many, with those that have no column at all) the words for one
	 * and for several, "1 more curve has", "more curves have"; NULL: that goes unsaid. */
	size_t left_out;
	const char *left_out_one, *left_out_many;
};

#define VIEW_WIDEST_OCTAVES 2.0 /* between two sizes, that a line is drawn over */

struct figure; /* views/figure.h: what is drawn */

struct view_plot {
	struct figure *figure; /* owned */
	/* Of several that follow each other the first is shown; what is chosen of them ("Unit"),
	 * and what this one is ("ns"); NULL: there is one. */
	const char *choices;
	char *choice;
	char *title;   /* where it does not stand alone */
	unsigned rows; /* in characters; 0: as many as are usual */
};

/* A bar a row: parts of a whole, 1; what is beyond it goes over its end. */
#define VIEW_BAR_PARTS 4
struct view_bar {
	char *name, *value;
	double until[VIEW_BAR_PARTS]; /* where each part ends */
};

enum view_block_kind {
	VIEW_PART, /* begins a part: `id` for links, `text` its title */
	VIEW_GAP,  /* what follows stands apart */
	VIEW_SAY,  /* `text`, in its tone */
	VIEW_FACT, /* `label` (may be ""): `text` */
	VIEW_TABLE,
	VIEW_PLOT,
	VIEW_BARS
};

struct view_block {
	enum view_block_kind kind;
	enum view_tone tone;
	const char *id;
	char *label, *text;
	struct view_table table;
	struct view_plot plot;
	struct view_bar *bars;
	size_t bar_count;
	char *bar_names[VIEW_BAR_PARTS]; /* of the parts */
};

/* Start from {0}, or with what is wanted. When memory runs out `failed` is set and later additions
 * do nothing: check once, at the end. */
struct view {
	bool every_point; /* a row for each, not some */
	bool explain;     /* what conclusions rest on, too */
	bool trace;       /* the models that were tried, too */
	bool full;        /* everything, also where a survey sums it up */
	enum fathom_y y;
	struct view_block *blocks;
	size_t count;
	bool failed;
};

void view_free(struct view *view);

void view_part(struct view *view, const char *id, const char *title);
void view_gap(struct view *view);
void view_say(struct view *view, enum view_tone tone, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
/* Takes what `words` holds and leaves it empty. */
void view_take(struct view *view, enum view_tone tone, struct text *words);
void view_fact(struct view *view, const char *label, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
void view_take_fact(struct view *view, const char *label, struct text *words);
/* With the hint. `where` comes first, unless it is left out. */
void view_warning(struct view *view, const struct fathom_warning *warning, bool where);
void view_warnings(struct view *view, const struct fathom_warnings *warnings);
/* Those with that id. */
void view_warnings_of(struct view *view, const struct fathom_warnings *warnings, const char *id,
		      bool where);
/* "unknown" for NULL. */
const char *view_known(const char *text);

/* ---- a table: columns, then rows, each of as many cells ---- */

void view_table(struct view *view);
void view_table_left_out(struct view *view, size_t count, const char *one, const char *many);
/* Copies the headings. Columns in which no cell says anything are not shown. */
void view_column(struct view *view, struct view_column column);
void view_columns(struct view *view, const struct view_column *columns, size_t count);
/* The same under a heading that it takes and leaves empty. */
void view_column_take(struct view *view, struct text *top, struct view_column column);
/* COLUMN("latency", .unit = "ns", .rank = 2) */
#define COLUMN(top_, ...) ((struct view_column){.top = (top_), ##__VA_ARGS__})
#define VIEW_COLUMNS(view, ...)                                                                    \
	view_columns(view, (const struct view_column[]){__VA_ARGS__},                              \
		     sizeof((const struct view_column[]){__VA_ARGS__}) /                           \
			     sizeof(struct view_column))
#define VIEW_TABLE(view, ...) (view_table(view), VIEW_COLUMNS(view, __VA_ARGS__))
void view_row(struct view *view);

void view_empty(struct view *view);
void view_name(struct view *view, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Takes what `words` holds and leaves it empty. */
void view_name_take(struct view *view, struct text *words);
/* What is a number, however it is written. */
void view_quantity(struct view *view, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
void view_rounded(struct view *view, struct rounded rounded);
void view_count(struct view *view, double count);
/* "48 KiB"; 0 or what is not finite is "-". */
void view_size(struct view *view, double bytes);
void view_number(struct view *view, double value);
/* With its interval behind it. */
void view_estimate(struct view *view, struct estimate estimate);
/* The same of a difference, which may be 0 or below. */
void view_difference(struct view *view, struct estimate estimate);
/* Alone, or where it is wide its interval in its place. */
void view_number_or_range(struct view *view, struct estimate estimate);
/* Of the cell that was added last. NULL or "": nothing before it. */
void view_before(struct view *view, const char *before);
void view_after(struct view *view, const char *after);
void view_spread(struct view *view, const char *spread);
void view_mark(struct view *view, char mark);
void view_attention(struct view *view, bool attention);
/* Of the row. */
void view_row_mark(struct view *view, char mark);
void view_row_note(struct view *view, struct text *note);
void view_row_words(struct view *view, const char *words);

/* "1.33–1.37": the interval of a cell; "" where it is not known. */
struct rounded view_cell_range(const struct view_cell *cell);
/* Does a cell say anything? (The first column names the rows, and is shown in any case.) */
bool view_column_shown(const struct view_table *table, size_t which);
/* Are all of its cells names? Else they stand from the right. */
bool view_column_left(const struct view_table *table, size_t which);
/* The heading over it, or over the columns that it is joined with; NULL: there is none. */
const char *view_column_top(const struct view_table *table, size_t which);

/* Takes the figure over; copies title and choice, which may be NULL. */
void view_plot(struct view *view, struct figure *figure, const char *title, struct view_plot plot);

/* The names end with the first NULL; bars without any are of one part. */
void view_bars(struct view *view, const char *title, const char *const names[VIEW_BAR_PARTS]);
void view_bar(struct view *view, const char *name, const char *value,
	      const double until[VIEW_BAR_PARTS]);
