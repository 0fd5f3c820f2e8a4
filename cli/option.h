/* An option is a row: parsing, refusals, help, man pages and completions are made of it. */
#pragma once

#include <stddef.h>

#include "fathom.h"

struct command;
struct options;
struct option_row;

/* Reads a value, which is NULL where the option takes none, and puts it `at` its place. Those of
 * values.h are all that most options need. 0, or -1 with the error set. Errors: USAGE. */
typedef int option_setter(const struct option_row *row, const char *value, void *at,
			  struct fathom_error *error);

struct option_row {
	const char *group; /* the heading in the help */
	const char *name;  /* without dashes; NULL ends a table */
	char letter;       /* 0: none */
	option_setter *set;
	size_t offset;     /* of the place in struct options */
	const char *value; /* what the help calls the value; NULL: the option takes none */
	/* For the help, without full stop; {} is the list of the choices, or of a number its range.
	 * NULL: the option is known only to be refused with a reason. */
	const char *doc;
	int64_t low, high;                 /* of numbers */
	const char *(*choice)(int number); /* the names of the values, then NULL; NULL: no names */
	int offered;                       /* so many of them are taken and shown; 0: all */
	const char *refused; /* what is said of the others; the hint is that of this refusal */
	bool files;          /* the value names a file, or several after commas */
	bool repeats; /* a list may name a value twice: each stands for itself, or for a file */
	const char *excludes; /* names of options, separated by blanks; NULL: none */
	const char *hint;     /* of that refusal; NULL: to leave out one of them */
};

/* Does what the row says, and notes that the option was given. Errors: USAGE. */
int option_set(struct options *options, const struct option_row *row, const char *value,
	       struct fathom_error *error);
/* Of options named in the list, separated by blanks, the one that was given first; NULL: none. */
const char *option_given(const struct options *options, const char *names);
/* Of the options that were given, does one exclude another? Errors: USAGE. */
int option_check_exclusions(const struct options *options, struct fathom_error *error);

/* The rows of a command's tables, one after the other; NULL: there are fewer. */
const struct option_row *option_at(const struct command *command, size_t number);
/* NULL: the command has no such option. */
const struct option_row *option_find(const struct command *command, const char *name);
/* Those that have a description, as the help shows them: group by group in the order of the tables,
 * by name within a group. Returns how many there are. */
#define OPTION_MOST 64 /* rows of a command: describe.c, which the build runs, checks that */
size_t option_list(const struct command *command, const struct option_row *rows[OPTION_MOST]);

/* The description, with the choices and the exclusions. free() it; NULL: out of memory. */
char *option_doc(const struct option_row *row);
