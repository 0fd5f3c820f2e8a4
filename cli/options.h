/* What the command line says: one struct for all commands, and the tables of the options that
 * commands share. A command puts the tables that it wants into its own `struct argp`. */
#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H

#include <argp.h>
#include <stdbool.h>

#include "fathom.h"

enum options_show {
	OPTIONS_SHOW_ANSWER,
	OPTIONS_SHOW_HELP,
	OPTIONS_SHOW_USAGE,
	OPTIONS_SHOW_VERSION
};
enum options_color { OPTIONS_COLOR_AUTO, OPTIONS_COLOR_ALWAYS, OPTIONS_COLOR_NEVER };

#define OPTIONS_FORMATS            "text, json, csv, html, markdown, gnuplot, prometheus or benchmark"
#define OPTIONS_MACHINE_FORMATS    "text or json"
#define OPTIONS_COMPARISON_FORMATS "text, json or csv"

/* What an option that takes a list was given, ascending. */
#define OPTIONS_MOST_SIZES 64
struct options_sizes {
	uint64_t bytes[OPTIONS_MOST_SIZES];
	size_t count; /* 0: it was not given */
};

#define OPTIONS_MOST_ARGUMENTS 64

#define OPTIONS_MOST_CLOCKS 8

#define OPTIONS_STREAMS    (FATHOM_UPDATE - FATHOM_READ + 1)
#define OPTIONS_PAGE_KINDS (FATHOM_PAGE_UNKNOWN - FATHOM_PAGE_4K)

/* The strings are those of argv. */
struct options {
	struct fathom_request request;
	struct fathom_input input;
	struct options_sizes sizes, strides;
	uint32_t threads[OPTIONS_MOST_SIZES]; /* 0: one a core */
	size_t thread_count;                  /* 0: none were given */
	bool streams_given[OPTIONS_STREAMS];  /* from FATHOM_READ on */
	enum fathom_pattern streams[OPTIONS_STREAMS];
	bool pages_given[OPTIONS_PAGE_KINDS]; /* from FATHOM_PAGE_4K on */
	enum fathom_page pages[OPTIONS_PAGE_KINDS];
	const char *machine; /* "sim:..."; NULL: this machine */
	const char *format;  /* never NULL once the arguments were parsed */
	const char *output;  /* NULL: standard output */
	/* By which option: a conflict is told once all are known, not before --help. */
	const char *format_option; /* "--json"; NULL: the format was not asked for */
	const char *other_format;  /* the option that asked for another one before; NULL: none */
	const char *place, *other_place; /* what -o was given, and before; NULL: nothing */
	/* The command's own; the first is NULL where none was given. */
	const char *arguments[OPTIONS_MOST_ARGUMENTS];
	size_t argument_count;
	const char *baseline; /* "a.json,b.json"; NULL: the first argument */
	double threshold;     /* 0: the usual one */
	enum fathom_unit unit;
	uint64_t khz[OPTIONS_MOST_CLOCKS];        /* to measure at */
	size_t khz_count;                         /* 0: none were given */
	double clocks_hz[OPTIONS_MOST_ARGUMENTS]; /* of the files */
	size_t clock_count;                       /* 0: none were given */
	int figure;          /* enum figure_kind; FIGURE_KIND_COUNT: the first that there is */
	const char *picture; /* "svg", ...: what gnuplot draws; NULL: nothing */
	bool plot;           /* in characters */
	enum options_show show;
	enum options_color color;
	enum fathom_y y;
	bool pattern_given; /* --window and --laps choose one otherwise */
	bool cold_given;
	bool budget_given;
	bool quick;
	bool no_report;
	bool every_point;
	bool explain;
	bool quiet;
	bool dry_run;
	bool strict;
	struct fathom_error *error; /* where the parsers say what is wrong */
	/* Where argp gave up: the argument that is at fault, or else the one before it. */
	char *const *refused;
};

/* Every command: where the answer is printed, and in which format all can. Takes the command's
 * arguments too: none without args_doc, several where that ends in "...", else one. */
extern const struct argp options_answer;
/* Commands that have to do with a machine: which, and options_answer. */
extern const struct argp options_output;
/* Commands whose answer is a result: in which format. */
extern const struct argp options_format;
/* The same where it is a comparison. */
extern const struct argp options_comparison_format;
/* The same, and how many rows it is shown in. */
extern const struct argp options_rows;
/* In which quantity: a time alone, or none but ns, of which the help is silent. */
extern const struct argp options_time_y;
extern const struct argp options_no_y;
/* options_rows, and in which of all quantities. */
extern const struct argp options_picture;
/* Commands that measure: which of its points a result is judged by. */
extern const struct argp options_strict;
/* The same, and options_picture. */
extern const struct argp options_result;
/* Commands that measure or replay: the plan alone is wanted. */
extern const struct argp options_dry_run;
/* Commands that plan: how exact it shall be. */
extern const struct argp options_target;
/* Commands that plan: how it is measured, and options_dry_run. */
extern const struct argp options_measurement;
/* The same, and in which pages. */
extern const struct argp options_request;
/* Commands that plan chains: what those are made of. */
extern const struct argp options_chain;

/* For the parsers of the tables: the format that `option` asks for. */
void options_set_format(struct options *options, const char *format, const char *option);
/* For the parsers of the tables: hands `state->input` on to the children of `argp`. */
void options_pass_on(struct argp_state *state, const struct argp *argp);
/* The lists of `options` become those of its request, which points into it. */
void options_settle_lists(struct options *options);

#endif
