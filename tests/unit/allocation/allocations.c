#include "allocations.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "unit.h"

#define MOST_FAULTS 8 /* told */

void *__real_malloc(size_t bytes);
void *__real_calloc(size_t count, size_t bytes);
void *__real_realloc(void *memory, size_t bytes);
void __real_free(void *memory);
void *__wrap_malloc(size_t bytes);
void *__wrap_calloc(size_t count, size_t bytes);
void *__wrap_realloc(void *memory, size_t bytes);
void __wrap_free(void *memory);
char *__wrap_strdup(const char *text);
char *__wrap_strndup(const char *text, size_t most);

static struct {
	size_t count; /* of allocations since the attempt began */
	long live;    /* allocated and not freed */
	size_t first; /* the first that fails; 0: none */
	bool later;   /* so do those that follow */
	bool spared;
	bool any_outcome;
} state;

static bool may_allocate(void)
{
	if (state.spared)
		return true;
	state.count++;
	return !state.first || state.count < state.first ||
	       (state.count > state.first && !state.later);
}

static void *lives(void *memory)
{
	state.live += memory != NULL;
	return memory;
}

void *__wrap_malloc(size_t bytes)
{
	return may_allocate() ? lives(__real_malloc(bytes)) : NULL;
}

void *__wrap_calloc(size_t count, size_t bytes)
{
	return may_allocate() ? lives(__real_calloc(count, bytes)) : NULL;
}

void *__wrap_realloc(void *memory, size_t bytes)
{
	if (!may_allocate())
		return NULL;
	void *moved = __real_realloc(memory, bytes);
	return memory ? moved : lives(moved);
}

void __wrap_free(void *memory)
{
	state.live -= memory != NULL;
	__real_free(memory);
}

static char *copy(const char *text, size_t length)
{
	char *copied = __wrap_malloc(length + 1);
	if (copied) {
		memcpy(copied, text, length);
		copied[length] = 0;
	}
	return copied;
}

char *__wrap_strdup(const char *text)
{
	return copy(text, strlen(text));
}

char *__wrap_strndup(const char *text, size_t most)
{
	return copy(text, strnlen(text, most));
}

void allocations_spare(void)
{
	state.spared = true;
}

void allocations_resume(void)
{
	state.spared = false;
}

static int begin(attempt *run, const void *work, char **text, struct fathom_error *error)
{
	state.count = 0;
	allocations_resume();
	*text = NULL;
	*error = (struct fathom_error){0};
	int failed = run(work, text, error);
	allocations_spare();
	return failed;
}

/* What is wrong with what came of it; NULL: nothing. */
static const char *fault_of(int failed, const char *text, const char *whole,
			    const struct fathom_error *error)
{
	if (state.any_outcome)
		return NULL;
	if (!failed)
		return text && strcmp(text, whole) == 0 ? NULL : "another outcome, and no error";
	if (error->status != FATHOM_FAILED)
		return "not FAILED";
	return error->text && !strstr(error->text, "out of memory") ? "another error" : NULL;
}

/* Is all well? */
static bool fail_one(attempt *run, const void *work, const char *whole, const char *name)
{
	char *text;
	struct fathom_error error;
	long live = state.live;
	int failed = begin(run, work, &text, &error);
	const char *fault = fault_of(failed, text, whole, &error);
	if (fault)
		print_error("%s, allocation %zu%s: %s (%s)\n", name, state.first,
			    state.later ? " and later" : "", fault, error.text ? error.text : "");
	free(text);
	fathom_error_clear(&error);
	if (state.live != live)
		print_error("%s, allocation %zu%s: %ld not freed\n", name, state.first,
			    state.later ? " and later" : "", state.live - live);
	return !fault && state.live == live;
}

void allocations_fail_each(attempt *run, const void *work, enum allocations which, size_t most,
			   const char *name)
{
	char *whole;
	struct fathom_error error;
	if (which == ALLOCATIONS_OURS)
		json_set_alloc_funcs(__real_malloc, __real_free);
	else
		json_set_alloc_funcs(__wrap_malloc, __wrap_free);
	state.any_outcome = which == ALLOCATIONS_READING_JANSSON;
	state.first = 0;
	assert_int_equal(begin(run, work, &whole, &error), 0);
	size_t count = state.count, tried = count < most ? count : most, faults = 0;
	assert_true(count > 0);
	/* Sanitizers look for no other outcome: in turn alone and with what follows is enough. */
	for (size_t i = 0; i < 2 * tried && faults < MOST_FAULTS; i++) {
		state.first = 1 + i / 2 * count / tried;
		state.later = i % 2;
		if (SANITIZED && state.later == i / 2 % 2)
			continue;
		faults += !fail_one(run, work, whole, name);
	}
	state.first = 0;
	free(whole);
	assert_int_equal(faults, 0);
}
