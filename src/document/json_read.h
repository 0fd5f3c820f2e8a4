/* JSON to structs, by the table. Every message names the field: "'curves[0].points[3].lanes' is not
 * a whole number". */
#pragma once

#include <jansson.h>

#include "document/read_span.h"
#include "document/table.h"

/* One document. */
struct json_reader {
	const struct table *root;
	const char *prefix;                 /* of the messages: "plan: " */
	const char *hint;                   /* of what a field has that it cannot have */
	const struct fathom_result *result; /* that indexes are of; NULL: they are not checked */
	struct fathom_error *error;
};

/* One object in it. */
struct json_path {
	const struct json_reader *reader; /* of the outermost one alone */
	const struct json_path *up;       /* NULL: the document itself */
	const char *name;                 /* there */
	size_t index; /* in the list of that name; JSON_PATH_NO_LIST: it is no list */
	json_t *object;
};
#define JSON_PATH_NO_LIST ((size_t)-1)

/* BAD_INPUT: the path to the field `name` of the object, and what is wrong with it; -1. */
int json_refuse(const struct json_path *path, const char *name, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* The object of JSON in the bytes. NULL with BAD_INPUT, naming the line, or FAILED. */
json_t *json_load(const char *bytes, size_t length, const char *prefix, struct fathom_error *error);

/* Fills in `target`; what was there is not freed. Fields that are not known are passed over, as a
 * later version's, unless the table is strict. Errors: BAD_INPUT; what `target` then has can be
 * cleared.
 */
int json_read(const struct json_reader *reader, json_t *document, void *target);

/* ---- values, also of CSV (field_read.c) -------------------------------------------------- */

#define WRONG_BYTES 200

/* What a value should have been is put in `wrong`; true: it was. `strict`: names exactly as they
 * are written. */
bool value_of_json(const struct field *field, const json_t *json, bool strict, struct value *value,
		   char wrong[WRONG_BYTES]);
bool value_of_cell(const struct field *field, struct span cell, struct value *value,
		   char wrong[WRONG_BYTES]);
/* Of one of a list of numbers. */
bool number_of_json(const json_t *json, double *number, char wrong[WRONG_BYTES]);
