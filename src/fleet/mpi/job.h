/* What all ranks know, and what they tell each other. */
#pragma once

#include <signal.h>
#include <stdbool.h>

#include "base/text.h"

enum job_stagger { JOB_AT_ONCE, JOB_BY_HOST, JOB_BY_SWITCH, JOB_ONE_BY_ONE };

struct job {
	const char *output;       /* the fleet's file; NULL: standard output */
	const char *format;       /* of it */
	const char *keep;         /* a folder for the documents; NULL: they are not kept */
	enum job_stagger stagger; /* who takes turns */
	double deadline_s;        /* of each measurement */
	const char *fathom;       /* the command */
	char **arguments;         /* of it, NULL-terminated */
	char **variables;         /* the environment */
	const char *topology;     /* "switch1.switch3.node7", as Slurm says; NULL */
	const volatile sig_atomic_t *told_to_end;
	double kill_s; /* after that, mpirun kills */
};

/* HELLO (rank_hello): a rank is there. GO: it is to measure. ANSWER: a byte that says whether a
 * document or a reason follows. DONE: all is gathered. */
enum job_tag { JOB_HELLO = 1, JOB_GO, JOB_ANSWER, JOB_DONE };
#define JOB_DOCUMENT 'd'
#define JOB_REASON   'r'

#define JOB_LOOK_S  0.02 /* between two looks: seldom enough to disturb nothing */
#define JOB_GRACE_S 5.0  /* past a measurement's deadline, for its document to arrive */
#define JOB_KILL_S  1.0  /* after telling to end, when mpirun is told nothing else, it kills */
#define JOB_WRITE_S 0.3  /* of that, to write the fleet */
