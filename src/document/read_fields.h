/* The fields of fathom's own documents by name: one table for each struct, for JSON and for CSV. */
#ifndef DOCUMENT_READ_FIELDS_H
#define DOCUMENT_READ_FIELDS_H

#include <jansson.h>
#include <stddef.h>

#include "document/read_span.h"
#include "fathom.h"

enum field_type {                /* of the member; null or nothing: */
		  FIELD_NUMBER,  /* double; NAN */
		  FIELD_BYTES,   /* uint64_t; 0 */
		  FIELD_COUNT,   /* uint32_t; 0 */
		  FIELD_TALLY,   /* size_t; 0 */
		  FIELD_INTEGER, /* int; `otherwise` */
		  FIELD_BOOLEAN, /* bool; false */
		  FIELD_SWITCH,  /* int: 1 true, 0 false; -1 */
		  FIELD_SEED,    /* uint64_t, written "0x1f"; 0 */
		  FIELD_TEXT,    /* char *, allocated; NULL. Not in CSV */
		  FIELD_NAME     /* of an enumeration; `otherwise` */
};

/* What a value that is there may be; what has no range of its own may be any. */
enum field_range {
	RANGE_ANY,
	RANGE_SHARE,       /* 0 to 1 */
	RANGE_POSITIVE,    /* above 0 */
	RANGE_NOT_NEGATIVE /* 0 or above */
};

struct field {
	const char *name;
	enum field_type type;
	size_t offset; /* of the member */
	int otherwise;
	int (*parse)(const char *name); /* FIELD_NAME */
	enum field_range range;
};

struct fields {
	const struct field *items;
	size_t count;
};

/* For tables of them: the member `name` of `struct type`, of any value or in a range; and the
 * table.
 */
#define FIELD_IN(type, name, kind, range)                                                          \
	{                                                                                          \
#name, kind, offsetof(struct type, name), 0, NULL, range                           \
	}
#define FIELD_OF(type, name, kind) FIELD_IN(type, name, kind, RANGE_ANY)
#define FIELDS_OF(table)                                                                           \
	{                                                                                          \
		table, sizeof(table) / sizeof(*(table))                                            \
	}

extern const struct fields fields_of_point; /* without blocks, samples' values and rejected */
extern const struct fields fields_of_curve; /* without the points */

/* One object of a document. */
struct place {
	json_t *object;
	const char *path; /* of its members: "", "curves[0]." */
	struct fathom_error *error;
};

/* All return -1 after saying which field is wrong (BAD_INPUT). What `target` has when they fail is
 * whole enough to be freed. Fields that are not known are left alone: a later version's. */
int fields_refuse(const struct place *place, const char *name, const char *what);
int fields_read(const struct place *place, const struct fields *fields, void *target);
/* NULL or null: nothing is done; else `read` gets the object. */
int fields_read_object(const struct place *place, const char *name,
		       int (*read)(const struct place *place, void *target), void *target);
/* An array of objects, each of which `read` fills in from zero; nothing or null: none. */
int fields_read_array(const struct place *place, const char *name, size_t item_bytes,
		      int (*read)(const struct place *place, void *item), void **items,
		      size_t *count);
/* What is wrong with it as a number; NULL: nothing. */
const char *fields_take_number(const json_t *json, double *number);
/* An array of numbers, null is NAN; nothing or null: none. */
int fields_read_numbers(const struct place *place, const char *name, double **numbers,
			size_t *count);

/* One field from a cell of CSV; an empty one says nothing. */
int fields_read_cell(struct span cell, size_t line, const struct field *field, void *target,
		     struct fathom_error *error);
/* NULL: there is none of that name. */
const struct field *fields_find(const struct fields *fields, struct span name);

#endif
