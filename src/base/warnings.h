/* Lists of warnings: data with advice, never printed here. */
#pragma once

#include "fathom.h"

/* Copies the four strings (`hint` and `where` may be NULL) to the end of the list. A warning that
 * is there already, by id and where, is not added again. -1: out of memory. */
int warnings_add(struct fathom_warnings *warnings, const char *id, const char *where,
		 const char *hint, const char *format, ...) __attribute__((format(printf, 5, 6)));
/* The same of a note: that something which one might look for was not measured, though nothing is
 * wrong with the rest. `where` names it: text shows all of them in one line. */
int warnings_note(struct fathom_warnings *warnings, const char *id, const char *where,
		  const char *hint, const char *format, ...) __attribute__((format(printf, 5, 6)));
/* The same of one of another list; `where`: what it concerns, where it does not say. */
int warnings_copy(struct fathom_warnings *warnings, const struct fathom_warning *warning,
		  const char *where);
/* The first with that id, and of that place (NULL: of none). NULL: there is none. */
const struct fathom_warning *warnings_find(const struct fathom_warnings *warnings, const char *id);
const struct fathom_warning *warnings_find_at(const struct fathom_warnings *warnings,
					      const char *id, const char *where);
/* Takes out all that have that id: what is found out again replaces what was found before. */
void warnings_remove(struct fathom_warnings *warnings, const char *id);
/* The same of one alone, that with this place in the list. */
void warnings_remove_one(struct fathom_warnings *warnings, size_t which);
/* For readers, a list in which each stands once: those of several places that say the same, or the
 * same but for a count at their beginning ("4 points", "4 of 21 points"), are one that names these
 * places. Start from {0}. -1: out of memory. */
int warnings_join(const struct fathom_warnings *warnings, struct fathom_warnings *joined);
void warnings_free(struct fathom_warnings *warnings);
