/* The one table of fathom's documents: of each field what it is called, what it is, where it stands
 * in its struct, when it is absent, and what it says. JSON and CSV, out and in, "not known", what
 * is to be freed, the schema, docs/document.md and fathom_result_get are all made from it: a new
 * field is a member in fathom.h, a row here, and what fills it. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "fathom.h"

enum field_type {                /* of the member; what of it is not known: */
		  FIELD_NUMBER,  /* double; not finite */
		  FIELD_FITTED,  /* double, written as a whole number; under 1 */
		  FIELD_BYTES,   /* uint64_t; 0, 2^63 and more */
		  FIELD_COUNT,   /* uint32_t; 0 */
		  FIELD_SIZE,    /* size_t; 0 */
		  FIELD_INDEX,   /* size_t, in the curves of the result; FATHOM_NO_CURVE */
		  FIELD_INTEGER, /* int; below 0 */
		  FIELD_BOOLEAN,
		  FIELD_SWITCH,   /* int: 1 true, 0 false; -1 */
		  FIELD_SEED,     /* uint64_t, written "0x1f": JSON integers end at 2^63 for many */
		  FIELD_NAME,     /* of an enumeration; a value without a name */
		  FIELD_TEXT,     /* char *, allocated; NULL */
		  FIELD_DATE,     /* char *, "2026-11-21T22:05:13Z", allocated; NULL */
		  FIELD_CONSTANT, /* no member: `text` */
		  FIELD_NUMBERS,  /* double *, allocated; null among them is NAN */
		  FIELD_TEXTS,    /* char **, allocated; ended by NULL where `count` is 0 */
		  FIELD_OBJECT,   /* a struct */
		  FIELD_MEMBERS,  /* a struct, whose fields stand among those of the outer one */
		  FIELD_POINTER,  /* a struct, allocated; NULL */
		  FIELD_POINTERS, /* `length` of these; NULL: passed over. Never read */
		  FIELD_LIST,     /* structs, allocated */
		  FIELD_BY_NAME   /* `length` structs, or (`of` NULL) uint64_t, one for each name of
				   * an   enumeration: an object; a 0 is left out */
};

enum field_range { /* of a value that is known */
		   RANGE_ANY,
		   RANGE_POSITIVE,
		   RANGE_NOT_NEGATIVE,
		   RANGE_SHARE,    /* 0 to 1 */
		   RANGE_TARGET,   /* above 0, to 1 */
		   RANGE_BUDGET,   /* seconds: above 0, to 1e9 */
		   RANGE_DURATION, /* seconds: 0 to 1e12 */
		   RANGE_MEASURED  /* of an index: that curve has a point */
};

enum field_flags {
	/* Where `when` does not hold the field is not there; where there is no `when`, what is not
	 * known (false, an empty list) is not. Else it is null. */
	FIELD_LEFT_OUT = 1,
	FIELD_ZERO = 2,         /* 0 is known (of an INTEGER: all are) */
	FIELD_REQUIRED = 4,     /* a document without it, or with null, is refused */
	FIELD_LATER = 8,        /* documents made before it was thought of lack it */
	FIELD_CSV_ONLY = 16,    /* and never read */
	FIELD_CSV_NONZERO = 32, /* in CSV 0 is an empty cell even so */
	FIELD_COUNTED = 64      /* of NUMBERS: as many as the field `text` before it says */
};

struct table;

struct field {
	const char *name;
	const char *old; /* what documents made by earlier versions call it; NULL: the same */
	enum field_type type;
	enum field_range range;
	unsigned flags;
	size_t offset;
	const char *unit; /* NULL: none */
	const char *doc;  /* what it says, one line */
	/* Is there such a thing of this object, inside that one? NULL: always. */
	bool (*when)(const void *object, const void *parent);
	int64_t unknown; /* of integers and names: what the member is where nothing is known */
	const char *(*name_of)(int value); /* NAME and BY_NAME; NULL after the last */
	const char *text;                  /* of a CONSTANT */
	const struct table *of;
	size_t count;  /* of a list: the offset of its size_t */
	size_t length; /* of an array: its elements */
	/* Place of its column in CSV, from 1; 0: none. Columns are only added, at the end. Of
	 * MEMBERS anything but 0: those of its fields. */
	unsigned column;
};

struct json_path; /* json_read.h */

struct table {
	const char *name;
	const char *doc;
	size_t size; /* of the struct */
	const struct field *fields;
	size_t count;
	/* Who replays a plan wants that very plan: all fields must be there, and no others. */
	bool strict;
	/* What the fields alone cannot tell of an object that was read, and what follows from
	 * others; NULL: nothing. */
	int (*check)(const struct json_path *path, void *object);
};

#define FIELD_AS(name_, struct_, member_, type_, unit_, doc_, ...)                                 \
	{                                                                                          \
		.name = name_, .type = FIELD_##type_,                                              \
		.offset = offsetof(struct fathom_##struct_, member_), .unit = unit_, .doc = doc_,  \
		##__VA_ARGS__                                                                      \
	}
#define FIELD(struct_, member_, type_, unit_, doc_, ...)                                           \
	FIELD_AS(#member_, struct_, member_, type_, unit_, doc_, ##__VA_ARGS__)
/* Of a NAME. */
#define NAMED(list, otherwise) .name_of = list, .unknown = otherwise
/* A NUMBER's 95 % interval. */
#define BOUNDS(struct_, low_, high_, unit_)                                                        \
	FIELD(struct_, low_, NUMBER, unit_, DOC_LOW), FIELD(struct_, high_, NUMBER, unit_, DOC_HIGH)
#define LIST_AS(name_, struct_, member_, count_, of_, doc_, ...)                                   \
	FIELD_AS(name_, struct_, member_, LIST, NULL, doc_,                                        \
		 .count = offsetof(struct fathom_##struct_, count_), .of = &(of_), ##__VA_ARGS__)
#define LIST(struct_, member_, count_, of_, doc_, ...)                                             \
	LIST_AS(#member_, struct_, member_, count_, of_, doc_, ##__VA_ARGS__)
#define MEMBERS(struct_, member_, of_, ...)                                                        \
	FIELD_AS(NULL, struct_, member_, MEMBERS, NULL, NULL, .of = &(of_), ##__VA_ARGS__)
#define CONSTANT(name_, text_, doc_, ...)                                                          \
	{                                                                                          \
		.name = name_, .type = FIELD_CONSTANT, .text = text_, .doc = doc_, ##__VA_ARGS__   \
	}
/* An object of its own over the same struct. */
#define PART(name_, of_, doc_, ...)                                                                \
	{                                                                                          \
		.name = name_, .type = FIELD_OBJECT, .of = &(of_), .doc = doc_, ##__VA_ARGS__      \
	}
/* How each document begins. */
#define HEAD(kind)                                                                                 \
	CONSTANT("schema", FATHOM_SCHEMA, "name and version of the format"),                       \
		CONSTANT("kind", kind, "kind of document")
#define TABLE(table_, struct_, name_, doc_, ...)                                                   \
	const struct table table_ = {.name = name_,                                                \
				     .doc = doc_,                                                  \
				     .size = sizeof(struct fathom_##struct_),                      \
				     .fields = table_##_fields,                                    \
				     .count = sizeof(table_##_fields) / sizeof(*table_##_fields),  \
				     ##__VA_ARGS__}

#define DOC_LOW  "lower bound of the 95 % interval"
#define DOC_HIGH "upper bound of the 95 % interval"

/* table_point.c */
extern const struct table spec_table, count_table, point_table, curve_table;
/* The place of a curve in its result, for CSV. */
struct fathom_curve_place {
	size_t curve;
};
extern const struct table curve_place_table;
/* table_cores.c */
extern const struct table pair_table, core_class_table, cpu_table, node_access_table;
extern const struct table shared_cache_table, sharing_test_table, contention_table;
/* table_loaded.c */
extern const struct table load_table, load_law_table, memory_count_table;
extern const struct table quantile_table, bin_table, mode_table, slice_table, distribution_table;
/* table_result.c, table_levels.c, table_translation.c */
extern const struct table result_table, warning_table, version_table;
extern const struct table level_table, hypothesis_table, reading_table, effect_table, number_table;
extern const struct table parallelism_table, clock_table, clock_law_table;
extern const struct table prediction_table, crossover_table;
extern const struct table translation_table, page_difference_table, decomposition_table;
/* table_machine.c */
extern const struct table machine_table, machine_document_table;
/* table_plan.c */
extern const struct table plan_table, survey_table;
/* table_compare.c */
extern const struct table comparison_table, compared_run_table, compared_part_table,
	compared_point_table;

/* table_fleet.c */
extern const struct table fleet_table;

/* For the `when` of a field: of an object `it` (and `parent`) it is there where that holds. */
#define WHEN(name, struct_, holds)                                                                 \
	static bool name(const void *object, const void *parent)                                   \
	{                                                                                          \
		const struct fathom_##struct_ *it = object;                                        \
		(void)parent;                                                                      \
		return holds;                                                                      \
	}

/* The documents of each schema, for whoever walks them all; the last is NULL. */
extern const struct table *const document_tables[], *const fleet_tables[];

/* ---- fields.c: values -------------------------------------------------------------------- */

enum value_kind {
	VALUE_LEFT_OUT,
	VALUE_NULL,
	VALUE_NUMBER,
	VALUE_WHOLE, /* int64_t in `whole` */
	VALUE_BOOLEAN,
	VALUE_TEXT,
	VALUE_SEED,
	VALUE_NESTED /* the field is a list, an object or the like, and is there */
};

struct value {
	enum value_kind kind;
	double number;
	uint64_t whole; /* of a BOOLEAN 1 or 0 */
	const char *text;
};

struct value field_value(const struct field *field, const void *object, const void *parent);
/* Of a scalar; a text is taken over. */
void field_set(const struct field *field, void *object, const struct value *value);
/* What a value that is known may be. */
struct bounds {
	double low, high; /* of whole numbers 2^63: INT64_MAX */
	bool above;       /* `low` itself it may not be */
};
struct bounds field_bounds(const struct field *field);
/* The elements of a list; of TEXTS without a count the texts up to NULL. */
size_t field_count(const struct field *field, const void *object);
/* By its name of `length` bytes, also among MEMBERS, whose object *object then is, inside *parent.
 * NULL: there is none. */
const struct field *table_find(const struct table *table, const char *name, size_t length,
			       const void **object, const void **parent);

/* Nothing is known of it: whatever was there is not freed. */
void table_unknown(const struct table *table, void *object);
/* Frees what the object owns, not the object. */
void table_clear(const struct table *table, void *object);
/* The same of each item, and the items. */
void table_free_items(const struct table *table, void *items, size_t count);
