/* What main() found around the command: the only things that come from outside the arguments. */
#ifndef CLI_ENVIRONMENT_H
#define CLI_ENVIRONMENT_H

#include <signal.h>
#include <stdbool.h>

struct environment {
	char **argv;      /* as given, NULL-terminated */
	char **variables; /* of the environment, for programs that are started */
	bool utf8;
	bool no_color;                            /* NO_COLOR is set */
	const volatile sig_atomic_t *interrupted; /* set by SIGINT, SIGTERM and SIGHUP */
};

#endif
