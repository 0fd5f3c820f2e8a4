/* What options put at their places (`at`), one setter a type; all are an option_setter. */
#pragma once

#include "option.h"

option_setter value_on, value_off; /* bool: true, false */
option_setter value_low;           /* an enumeration: the row's `low` */
option_setter value_word;          /* const char *: the value itself */
option_setter value_size;          /* uint64_t, in bytes */
option_setter value_number;        /* int or uint32_t, from the row's `low` to its `high` */
option_setter value_steps;         /* uint64_t; 20M is 20 million */
option_setter value_seed;          /* uint64_t, decimal or hexadecimal */
option_setter value_budget;        /* double, in seconds */
option_setter value_frequency;     /* double, in Hz */
option_setter value_share;         /* double */
option_setter value_choice;        /* int or an enumeration: the number of the choice */
option_setter value_choices;       /* bool for each choice: of those in a list */

/* The function that names the values of an option, for its row. */
#define CHOICES(name, ...)                                                                         \
	static const char *name(int number)                                                        \
	{                                                                                          \
		static const char *const names[] = {__VA_ARGS__, NULL};                            \
		return names[number];                                                              \
	}

/* The number of the choice with that name, capitals and small letters alike; -1: there is none. */
int value_find(const char *(*choice)(int number), const char *name);
/* "--y does not know 'cycle'", with the choices as the hint. Returns -1. */
int value_refuse(const struct option_row *row, const char *value, struct fathom_error *error);

/* Whole, from the row's `low` to its `high`. */
int value_integer(const struct option_row *row, const char *value, int64_t *number,
		  struct fathom_error *error);
/* Calls `add` for each word of "a,b,c", until one is refused; a word may be changed. One that comes
 * twice, however it is spelt, is refused unless the row `repeats`. */
int value_each_word(const struct option_row *row, const char *list, option_setter *add, void *at,
		    struct fathom_error *error);
