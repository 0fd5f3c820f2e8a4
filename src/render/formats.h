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
