/* JSON documents, built with jansson and laid out for reading.
 *
 * `*object` and `*array` become NULL when memory runs out, and then take in nothing more: a
 * function builds its part without asking after each line, and returns NULL when it failed. */
#pragma once

#include <jansson.h>

#include "base/text.h"
#include "fathom.h"

#define JSON_RESULT_DIGITS 9 /* of a number of a result */

/* Both take `value` over; NULL means that making it failed. */
void json_put(json_t **object, const char *key, json_t *value);
void json_put_next(json_t **array, json_t *value);

/* NULL: null. Bytes that are no UTF-8 become U+FFFD. */
json_t *json_text(const char *outside);

/* What is not finite: null. */
json_t *json_numbers(const double *values, size_t count);

void json_put_text(json_t **object, const char *key, const char *text);
void json_put_integer(json_t **object, const char *key, int64_t value);
void json_put_bytes(json_t **object, const char *key, uint64_t value); /* 2^63 and more: null */
void json_put_number(json_t **object, const char *key, double value);  /* not finite: null */
void json_put_boolean(json_t **object, const char *key, bool value);

/* Appends the value; `flags` of jansson's besides the digits of a number. json_dumps would lose a
 * key for which it has no memory, and not tell. NULL, and what fails, make the text a failed one.
 */
void json_add(struct text *text, const json_t *value, unsigned digits, size_t flags);

/* Appends the document, one line for each key and for each element of an array of objects, and
 * gives it back. `digits` of a number. Errors: FAILED (memory; also for a NULL document). */
int json_finish(json_t *document, unsigned digits, struct text *text, struct fathom_error *error);
