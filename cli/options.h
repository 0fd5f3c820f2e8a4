/* What the command line says: one struct for all commands, and the tables of the options that
 * commands share. A command lists the tables that it wants, and its own, in its `struct command`.
 */
#pragma once

#include "environment.h"
#include "fathom.h"
#include "option.h"

enum options_show {
	OPTIONS_SHOW_ANSWER,
	OPTIONS_SHOW_HELP,
	OPTIONS_SHOW_USAGE,
	OPTIONS_SHOW_VERSION
};
enum options_color { OPTIONS_COLOR_AUTO, OPTIONS_COLOR_ALWAYS, OPTIONS_COLOR_NEVER };

/* What an option that takes a list was given, ascending. */
#define OPTIONS_MOST_SIZES 64
struct options_sizes {
	uint64_t bytes[OPTIONS_MOST_SIZES];
	size_t count; /* 0: it was not given */
};

#define OPTIONS_MOST_ARGUMENTS 64

#define OPTIONS_MOST_CLOCKS 8

#define OPTIONS_MOST_FILES 8

#define OPTIONS_MOST_PER_OCTAVE 64

#define OPTIONS_STREAMS    (FATHOM_UPDATE - FATHOM_READ + 1)
#define OPTIONS_PAGE_KINDS (FATHOM_PAGE_UNKNOWN - FATHOM_PAGE_4K)
#define OPTIONS_TRAFFIC    (FATHOM_TRAFFIC_COUNT - FATHOM_TRAFFIC_READS)

/* The strings are those of argv. */
struct options {
	const struct environment *environment;
	struct fathom_request request;
	struct fathom_input input;
	struct options_sizes sizes, strides;
	uint32_t threads[OPTIONS_MOST_SIZES]; /* 0: one a core */
	size_t thread_count;                  /* 0: none were given */
	bool streams_given[OPTIONS_STREAMS];  /* from FATHOM_READ on */
	enum fathom_pattern streams[OPTIONS_STREAMS];
	bool pages_given[OPTIONS_PAGE_KINDS]; /* from FATHOM_PAGE_4K on */
	bool traffic_given[OPTIONS_TRAFFIC];  /* from FATHOM_TRAFFIC_READS on */
	enum fathom_traffic traffic[OPTIONS_TRAFFIC];
	bool patterns_given[FATHOM_PATTERN_UNKNOWN]; /* of those that are compared */
	enum fathom_pattern patterns[FATHOM_PATTERN_UNKNOWN];
	enum fathom_page pages[OPTIONS_PAGE_KINDS];
	struct options_sizes caches; /* of another machine */
	struct fathom_predict_request predict;
	struct options_sizes keys; /* numbers of them */
	bool check;                /* they are run, too */
	const char *from, *with;   /* files; NULL: none */
	int order;
	int pattern, cold, lane_store, width; /* of the choices of a command's own option */
	const char *machine;                  /* "sim:..."; NULL: this machine */
	const char *format;                   /* never NULL once the arguments were parsed */
	const char *output;                   /* NULL: standard output */
	/* By which option: a conflict is reported once all are known, not before --help. */
	const char *format_option; /* "json"; NULL: the format was not asked for */
	const char *other_format;  /* the option that asked for another one before; NULL: none */
	const char *place;         /* what -o was given last; NULL: nothing */
	const char *more[OPTIONS_MOST_FILES]; /* what further -o name, beside `output` */
	size_t more_count;
	/* The command's own; the first is NULL where none was given. */
	const char **arguments; /* as many as there are words at least, then NULL */
	size_t argument_count;
	const char *baseline;          /* "a.json,b.json"; NULL: the first argument */
	double threshold;              /* 0: the usual one */
	uint32_t jobs;                 /* 0: one a CPU */
	double false_alarms;           /* share; 0: the usual one */
	const char *since, *reference; /* files; NULL: none */
	enum fathom_unit unit;
	uint64_t khz[OPTIONS_MOST_CLOCKS];        /* to measure at */
	size_t khz_count;                         /* 0: none were given */
	double clocks_hz[OPTIONS_MOST_ARGUMENTS]; /* of the files */
	size_t clock_count;                       /* 0: none were given */
	int figure;          /* of fathom_figure_name; not given: the first that there is */
	const char *picture; /* "svg", ...: what gnuplot draws; NULL: nothing */
	bool plot;           /* in characters */
	bool linear_y;       /* y from 0 */
	const char *title;   /* of a figure; NULL: the machine */
	const char *labels[OPTIONS_MOST_ARGUMENTS]; /* of its curves, in their order */
	size_t label_count;
	enum options_show show;
	enum options_color color;
	enum fathom_y y;
	bool no_report;
	bool no_wait;
	bool every_point;
	bool explain;
	bool trace;
	bool quiet;
	bool dry_run;
	bool show_code;
	bool strict;
	bool alone;
	double deadline_s;                           /* 0: none */
	const struct option_row *given[OPTION_MOST]; /* each once */
	size_t given_count;
};

/* For the rows: the place of what an option sets. */
#define OPTIONS_AT(member) offsetof(struct options, member)

/* Headings of the help under which tables of several files have options. */
#define OPTIONS_CURVE       "The curve"
#define OPTIONS_CHAIN       "The chain"
#define OPTIONS_MEASUREMENT "The measurement"
#define OPTIONS_COMPARISON  "The comparison"
#define OPTIONS_LEVELS      "The levels"
#define OPTIONS_DISPLAY     "Display"

/* For the notes of a command. */
#define OPTIONS_SIZES_NOTE "Sizes are written 48K, 1.5M or 2GiB (K = 1024)."

typedef const struct option_row option_table[]; /* ends with a row of zeros */

extern option_table options_answer;  /* every command: where and how the answer is printed */
extern option_table options_machine; /* commands that have to do with a machine: which */
/* In which format the answer is: a result, that or a picture of it, a comparison, a machine, words
 * alone, a fleet. */
extern option_table options_result_format, options_picture_format, options_comparison_format,
	options_machine_format, options_words_format, options_fleet_format;
/* In which quantity: all, a time alone, or none but ns, of which the help is silent. */
extern option_table options_y, options_time_y, options_no_y;
extern option_table options_all;         /* in how many rows */
extern option_table options_explain;     /* with what beside the levels */
extern option_table options_levels;      /* how levels are found, and whether that is shown */
extern option_table options_measurement; /* commands that plan: how it is measured */
extern option_table options_node;        /* how long at most, and whether alone there */
extern option_table options_cpu;         /* on which CPU */
extern option_table options_cpus;        /* the same, or on several */
extern option_table options_sibling;     /* beside which siblings */
extern option_table options_memory_node; /* in the memory of which NUMA node */
extern option_table options_dry_run;     /* commands that measure or replay: the plan alone */
extern option_table options_code;        /* commands that plan: the timed loops alone */
extern option_table options_page;        /* in which pages */
extern option_table options_target;      /* how exact the points shall be */
extern option_table options_strict;      /* and whether the exit code says that they are not */
extern option_table options_chain;       /* what chains are made of */
extern option_table options_range;       /* from which size to which */
extern option_table options_input;       /* commands that read any tool's table: its columns */

/* Once all options are known: the format of the answer; or what about it, and its place,
 * contradicts itself or cannot be. Errors: USAGE. */
int options_complete_answer(struct options *options, const struct command *command,
			    struct fathom_error *error);
/* The lists of `options` become those of its request, which points into it. */
void options_complete_lists(struct options *options);
