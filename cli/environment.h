/* What main() found around the command: the only things that come from outside the arguments. */
#pragma once

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

struct environment {
	char **argv;      /* as given, NULL-terminated */
	char **variables; /* of the environment, for programs that are started */
	bool utf8;
	bool no_color; /* NO_COLOR is set, or the terminal is a dumb one */
	const char *temporary_folder;
	const char *rank;                         /* in a parallel job; NULL: this is none */
	const char *started;                      /* "20261121T220513Z"; NULL: not known */
	uint64_t begun_ns;                        /* the same by the stopwatch */
	bool *alone;                              /* this process has the lock of the node */
	const volatile sig_atomic_t *interrupted; /* set by SIGINT, SIGTERM and SIGHUP, and when
						   * the deadline is near; */
	const volatile sig_atomic_t *late;        /* that was the reason */
	/* Those signals end the process, for nothing would be kept. Whoever has something to clear
	 * away first sets it to 0 and looks at `interrupted`. */
	volatile sig_atomic_t *ends_at_once;
};
