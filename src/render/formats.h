/* Results to bytes: one file for each format, one line of the table in formats.c. */
#pragma once

#include "document/document.h"

struct format {
	const char *name;      /* "json" */
	const char *extension; /* ".json"; NULL: none */
	bool explained;        /* it shows a result's readings: there are to be some */
	bool holds[CONTENT_KIND_COUNT];
	content_writer *write;
};

/* NULL: unknown. */
const struct format *format_find(const char *name);

/* The names of the formats that can hold that, counted from 0; NULL: there are fewer. */
const char *format_of_result(int number);
const char *format_of_plan(int number);
const char *format_of_machine(int number);
const char *format_of_comparison(int number);
