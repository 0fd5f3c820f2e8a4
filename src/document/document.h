/* The documents of fathom, JSON and CSV, out and in. */
#pragma once

#include "base/text.h"
#include "fathom.h"

/* What is written. */
enum content_kind {
	CONTENT_RESULT,
	CONTENT_PLAN,
	CONTENT_SURVEY,
	CONTENT_MACHINE,
	CONTENT_COMPARISON,
	CONTENT_FLEET,
	CONTENT_KIND_COUNT
};
struct content {
	enum content_kind kind;
	union {
		const struct fathom_result *result;
		const struct fathom_plan *plan;
		const struct fathom_survey *survey;
		const struct fathom_machine *machine;
		const struct fathom_comparison *comparison;
		const struct fathom_fleet *fleet;
		const void *any;
	};
};

/* Appends to `text`; `style` may be NULL. Of a kind that the format can hold. Errors: FAILED when
 * memory runs out; of figures also BAD_INPUT. */
typedef int content_writer(const struct content *content, const struct fathom_style *style,
			   struct text *text, struct fathom_error *error);
content_writer json_write; /* every kind */
content_writer csv_write;  /* results and comparisons */

/* The plan that `--dry-run --json` printed. Errors: BAD_INPUT, naming the field; USAGE. */
int json_read_plan(const char *text, size_t length, struct fathom_plan **plan,
		   struct fathom_error *error);

/* fathom's JSON, as readers/readers.h has it of each format that is read: all that was written
 * comes back. Fields that are missing are not known; those that a later version has added are
 * passed over. */
bool document_detect(const char *bytes, size_t length);
int document_read(const char *bytes, size_t length, const struct fathom_input *input,
		  struct fathom_result *result, struct fathom_error *error);
/* The same of one whose curves were taken out: what is concluded from them alone. *version: of the
 * fathom that wrote it; NULL: it does not say. Errors: BAD_INPUT, FAILED; *version is untouched. */
int document_read_conclusions(const char *bytes, size_t length, struct fathom_result *result,
			      char **version, struct fathom_error *error);
/* What `fathom fleet --json` printed. Errors: BAD_INPUT, FAILED. */
bool document_detect_fleet(const char *bytes, size_t length);
int document_read_fleet(const char *bytes, size_t length, struct fathom_fleet *fleet,
			struct fathom_error *error);
/* A result in which nothing is known. NULL: out of memory. */
struct fathom_result *document_new_result(void);

/* Rounds what was measured to what will be written of it: what is made of it is then the same when
 * the document is read again. */
void document_round(struct fathom_result *result);
