/* What a figure shows of results: series along one axis, marks and words. How it is drawn is not
 * said here: render/figures.h does that. */
#pragma once

#include "base/text.h"
#include "fathom.h"
#include "views/rounding.h"

enum figure_kind {
	FIGURE_LATENCY,      /* of an access, against size */
	FIGURE_THROUGHPUT,   /* the same turned over, beside reading in order */
	FIGURE_SPEEDUP,      /* of several lanes over one, by lanes */
	FIGURE_PARALLELISM,  /* time an access, by lanes */
	FIGURE_LINES,        /* bytes of the lines touched, by lanes */
	FIGURE_BANDWIDTH,    /* of streams, against size */
	FIGURE_PAGES,        /* of an access, against the pages visited */
	FIGURE_PATTERNS,     /* time an access, against size, or at one size by order */
	FIGURE_DECAY,        /* the same, lap by lap since memory was flushed */
	FIGURE_SETTLING,     /* of an access, against size: filled caches and settled ones */
	FIGURE_CORES,        /* a line on its way between CPUs: a matrix, no series */
	FIGURE_NODES,        /* latency of NUMA nodes: a matrix too */
	FIGURE_CONTENTION,   /* of an operation on words that threads share, by threads */
	FIGURE_LOADED,       /* of an access, against the traffic of others */
	FIGURE_DISTRIBUTION, /* share of single accesses that take longer, against how long */
	FIGURE_TAIL,         /* what so many of them take at most, against time */
	FIGURE_SLICES,       /* how many of them take how long, and when: a matrix */
	FIGURE_PREDICTIONS,  /* of an operation on data structures, against keys */
	FIGURE_COMPARISON,   /* speed-up over a baseline, or over the slowest clock, against size */
	FIGURE_KIND_COUNT
};
/* What all figures of a kind have; a row each in figure_held.c. */
struct figure_traits {
	const char *name, *title;
	const char *x_label, *y_label;
	const char *y_cycles; /* the label in cycles; NULL: it has no cycles */
	bool x_is_bytes;
	bool x_is_lanes, x_is_rate, y_is_gain; /* all linear; what is gained is over 1 */
	struct figure_matrix_words {           /* of a matrix */
		const char *row, *column;      /* before the number of one */
		const char *several;           /* in one cell, where there is room for few */
		const char *rows;              /* "Rows are nodes", of which this is the rest */
		const char *unit;              /* of the values */
	} matrix;
};
extern const struct figure_traits figure_traits[FIGURE_KIND_COUNT];
/* "latency", ...; NULL for a value out of range. */
const char *figure_name(int kind);

#define FIGURE_MOST_SERIES FATHOM_FIGURE_CURVES
#define FIGURE_MOST_PLACES 24

struct figure_row {
	double x, y;      /* finite */
	double low, high; /* 95 %; NAN: no interval */
	bool apart;       /* no line comes to it from the row before */
};

struct figure_series {
	char *name; /* of a legend: well-formed UTF-8 on one line */
	struct figure_row *rows;
	size_t count;
	bool aside;  /* what the others are held against */
	bool is_law; /* computed: a line without points */
	bool is_off; /* shown where someone asks for it */
};

struct figure_mark {         /* a place on the x axis */
	char *name;          /* "L1"; as above */
	double x, low, high; /* 95 %; NAN: not known */
	bool reported;       /* not measured: what the OS says */
};

/* Of FIGURE_CORES rows and columns are the same CPUs, ordered so that the groups of each class
 * stand together; of FIGURE_NODES rows are nodes with CPUs, columns nodes with memory; of
 * FIGURE_SLICES rows are latencies in ns from which on they go, the longest first, and columns the
 * seconds at which slices of the time begin. */
struct figure_matrix {
	size_t count; /* of rows */
	int *cpus;    /* or nodes: the rows */
	int *columns; /* NULL: as the rows, and the values are symmetric */
	size_t column_count;
	bool *begins;   /* of each row: it is the first of a group of cores */
	double *values; /* row by row; NAN: there is none */
	double least, greatest;
};

/* Start from {0}. */
struct figure {
	enum figure_kind kind;
	uint32_t threads; /* of FIGURE_BANDWIDTH; 0: the fewest */
	char *title;      /* what machine; as the names */
	const char *x_label, *y_label;
	bool x_is_bytes;    /* else a count */
	bool x_is_linear;   /* else on a scale of powers of two */
	bool y_is_linear;   /* else on a scale of powers */
	bool y_is_signed;   /* to both sides of 0 */
	double y_even;      /* where nothing is gained; NAN: no such place */
	double beside;      /* a second axis at the right has y times that; 0: there is none */
	char *beside_label; /* of it */
	struct figure_series *series;
	size_t series_count;
	size_t left_out; /* series for which there was no place */
	struct figure_mark *marks;
	size_t mark_count;
	/* Names of x = 1, 2, ... (a series may stand a little aside), where that is what is shown:
	 * no lines between these. */
	char *places[FIGURE_MOST_PLACES];
	size_t place_count;
	struct figure_matrix
		matrix; /* of FIGURE_CORES, NODES and SLICES; of others its count is 0 */
};

/* Does the result hold what the figure shows? FIGURE_COMPARISON: one over its own clocks. */
bool figure_is_held(const struct fathom_result *result, enum figure_kind kind);
/* The first figure that all of the results hold; FIGURE_KIND_COUNT: there is none. */
enum figure_kind figure_choose(const struct fathom_run *runs, size_t count);

/* Of one result all its curves, of several the main one of each (FIGURE_THROUGHPUT: of those that
 * have no latency, reading in order). `y` is of FIGURE_LATENCY,
 * FIGURE_PARALLELISM and FIGURE_PAGES: ns, or cycles, as far as a result has them. Errors:
 * BAD_INPUT (a result holds nothing of the kind; the hint says what it does hold), FAILED. */
int figure_make(const struct fathom_run *runs, size_t count, enum figure_kind kind, enum fathom_y y,
		struct figure *figure, struct fathom_error *error);
/* The speed-up of each run at each size that all have. Errors: as above. */
int figure_compare(const struct fathom_comparison *comparison, struct figure *figure,
		   struct fathom_error *error);
void figure_free(struct figure *figure);

/* In place of what was made up: the title, and the names of the series in their order. Errors:
 * USAGE (more labels than series), FAILED. */
int figure_set_words(struct figure *figure, const char *title, const char *const *labels,
		     size_t label_count, struct fathom_error *error);

/* The same of one that is empty but for its kind and threads. */
int figure_fill(const struct fathom_run *runs, size_t count, enum fathom_y y, struct figure *figure,
		struct fathom_error *error);

/* figure_view.c: how a view shows it. Start from {kind}. */
struct view;
struct figure_wish {
	enum figure_kind kind;
	enum fathom_y y;
	uint32_t threads; /* FIGURE_ALL_THREADS: all */
	unsigned rows;
	const char *choices, *choice; /* of the plot */
};
#define FIGURE_ALL_THREADS UINT32_MAX
/* Adds a plot to a view of the result; nothing where that holds nothing of it. */
void figure_add(struct view *view, const struct fathom_result *result, struct figure_wish wish);
/* Latencies in each unit that is known, and how far models are from the main curve. */
void figure_add_units(struct view *view, const struct fathom_result *result);
/* figure_compare.c: one run of a comparison; nothing where it has few sizes. */
void figure_add_run_compared(struct view *view, const struct fathom_comparison *comparison,
			     size_t run, unsigned rows);

/* figure_held.c: the curves of the figure, the main one first; how many. */
#define FIGURE_MOST_CURVES 64 /* of one result that are looked at */
size_t figure_find_curves(const struct fathom_result *result, enum figure_kind kind,
			  size_t curves[static FIGURE_MOST_CURVES]);
/* Of bandwidth those of so many threads; 0: of the fewest. */
size_t figure_find_threads(const struct fathom_result *result, enum figure_kind kind,
			   uint32_t threads, size_t curves[static FIGURE_MOST_CURVES]);
/* Is that what others are held against, or the same on other pages? */
bool figure_is_aside(const struct fathom_result *result, size_t which);

/* figure_parts.c: what both of the above put together. Each returns -1 when memory runs out. */
int figure_add_series(struct figure *figure, struct text *name, size_t most_rows,
		      struct figure_series **series);
void figure_add_row(struct figure_series *series, double x, struct estimate y);
/* Takes the line away that would go over too many octaves. */
void figure_set_gaps(struct figure *figure);
/* Of the levels of that curve, those with an end: caches and TLBs; or, `reported`, those that the
 * OS knows, as it reports them. */
int figure_add_marks(struct figure *figure, const struct fathom_result *result, size_t curve,
		     bool reported);
/* The entries of TLBs. */
int figure_add_tlbs(struct figure *figure, const struct fathom_result *result);
/* Of a curve along the lanes, where its cursors have no register left. */
int figure_add_registers(struct figure *figure, const struct fathom_curve *curve);
/* The machine, where all runs are of one, and of which the numbers are not to be quoted. */
void figure_add_title(struct text *text, const struct fathom_run *runs, size_t count);
/* What tells that run from the others: its CPU, its host, or its name. */
void figure_add_run(struct text *text, const struct fathom_run *runs, size_t count, size_t which);

/* figure_cores.c: of the first curve of pairs. -1: out of memory. */
int figure_add_cores(struct figure *figure, const struct fathom_result *result);
/* The CPU or node of a column. */
int figure_column(const struct figure_matrix *matrix, size_t column);
/* figure_shared.c: of NUMA nodes; of words that threads share, a series a class and layout. -1: out
 * of memory. */
int figure_add_nodes(struct figure *figure, const struct fathom_result *result);
int figure_add_contention(struct figure *figure, const struct fathom_result *result);
void figure_free_matrix(struct figure_matrix *matrix);

/* experiments/predictions.c: a line a structure and way to operate, and points where it was run.
 * -1: out of memory. */
int figure_add_predictions(struct figure *figure, const struct fathom_result *result);
/* Is one of them of several numbers of keys? */
bool figure_has_predictions(const struct fathom_result *result);

/* figure_loaded.c: a series a curve, and where there are few its law. -1: out of memory. */
int figure_add_distributions(struct figure *figure, const struct fathom_result *result);
/* The same of the tail over time. */
int figure_add_tail(struct figure *figure, const struct fathom_result *result);
int figure_add_slices(struct figure *figure, const struct fathom_result *result);
/* The first distribution that has several slices; NULL: there is none. */
const struct fathom_distribution *distribution_sliced(const struct fathom_result *result);
int figure_add_loads(struct figure *figure, const struct fathom_result *result);
/* "75 % reads", "75 % reads, Skylake": what tells that curve of loads from the others. */
void figure_name_loads(struct text *text, const struct fathom_result *result, size_t curve);

/* figure_compare.c: over the slowest clock, by size. -1: out of memory. */
int figure_add_clocks(struct figure *figure, const struct fathom_result *result);
/* Of patterns at one size: a place for each order, a series for each warmth. */
int figure_add_orders(struct figure *figure, const struct fathom_result *result, bool cycles);
/* Was every pattern measured at one size alone? */
bool figure_is_of_orders(const struct fathom_result *result);
