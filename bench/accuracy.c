/* How well fathom_fit finds what is known: see docs/accuracy.md.
 *
 * accuracy generate SEED COUNT FILE [FIRST] [--guests]   draws machines, traces their curves
 * accuracy score FILE [--single] [--verbose]   fits them and reports; exit 1: a target was missed
 * accuracy published                            fits what others measured
 * accuracy published-tune [ID]                  the part of it to tune with; curves that begin so
 * accuracy documents                            fits the documents of real machines
 * accuracy trace SEED INDEX [--guests]          one machine, with and without caps on the hops */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "accuracy_documents.h"
#include "accuracy_published.h"
#include "accuracy_range.h"
#include "accuracy_tally.h"
#include "base/error.h"

static const char usage[] = "usage: accuracy generate SEED COUNT FILE [FIRST] [--guests]\n"
			    "       accuracy score FILE [--single] [--verbose]\n"
			    "       accuracy published\n"
			    "       accuracy published-tune [ID]\n"
			    "       accuracy documents\n"
			    "       accuracy trace SEED INDEX [--guests]\n";

static int generate_one(uint64_t seed, uint64_t index, bool guest, bool exact, FILE *file,
			struct fathom_error *error)
{
	struct accuracy_machine machine;
	if (accuracy_machine_draw(seed, index, guest, &machine, error))
		return -1;
	int status = accuracy_machine_trace(&machine, exact, error);
	if (!status)
		accuracy_machine_write(&machine, file);
	accuracy_machine_free(&machine);
	return status;
}

static int generate(uint64_t seed, uint64_t first, uint64_t count, bool guest, const char *path,
		    struct fathom_error *error)
{
	FILE *file = fopen(path, "w");
	if (!file) {
		perror(path);
		return -1;
	}
	int status = 0;
	for (uint64_t i = 0; !status && i < count; i++)
		status = generate_one(seed, first + i, guest, false, file, error);
	return fclose(file) ? -1 : status;
}

/* All machines of the file, scored; *cases is the caller's also where it fails. */
static int score_all(FILE *file, enum accuracy_mode mode, struct accuracy_case **cases,
		     size_t *count, struct fathom_error *error)
{
	for (;;) {
		struct accuracy_case next = {0};
		int read = accuracy_machine_read(file, &next.machine, error);
		if (read <= 0)
			return read;
		struct accuracy_case *grown = realloc(*cases, (*count + 1) * sizeof(next));
		if (!grown || accuracy_score(&next.machine, mode, &next.verdict, error)) {
			*cases = grown ? grown : *cases;
			accuracy_machine_free(&next.machine);
			return grown ? -1 : error_no_memory(error);
		}
		*cases = grown;
		grown[(*count)++] = next;
	}
}

static int score(const char *path, enum accuracy_mode mode, bool verbose,
		 struct fathom_error *error)
{
	struct accuracy_case *cases = NULL;
	size_t count = 0;
	FILE *file = fopen(path, "r");
	if (!file) {
		perror(path);
		return -1;
	}
	int status = score_all(file, mode, &cases, &count, error);
	fclose(file);
	if (!status)
		status = !accuracy_report(cases, count, mode, verbose);
	for (size_t i = 0; i < count; i++) {
		accuracy_machine_free(&cases[i].machine);
		accuracy_verdict_free(&cases[i].verdict);
	}
	free(cases);
	return status;
}

static bool has(int argc, char **argv, const char *option)
{
	for (int i = 3; i < argc; i++)
		if (strcmp(argv[i], option) == 0)
			return true;
	return false;
}

static uint64_t number(const char *text)
{
	return accuracy_number(text, usage);
}

int main(int argc, char **argv)
{
	struct fathom_error error = {0};
	int status = -1;
	bool guests = has(argc, argv, "--guests");
	argc -= guests; /* it is the last one */
	if ((argc == 5 || argc == 6) && strcmp(argv[1], "generate") == 0)
		status = generate(number(argv[2]), argc == 6 ? number(argv[5]) : 0, number(argv[3]),
				  guests, argv[4], &error);
	else if (argc >= 3 && strcmp(argv[1], "score") == 0)
		status = score(argv[2],
			       has(argc, argv, "--single") ? ACCURACY_SINGLE : ACCURACY_CONTROLLED,
			       has(argc, argv, "--verbose"), &error);
	else if (argc == 2 && strcmp(argv[1], "published") == 0)
		status = accuracy_published(NULL, &error);
	else if ((argc == 2 || argc == 3) && strcmp(argv[1], "published-tune") == 0)
		status = accuracy_published(argc == 3 ? argv[2] : "", &error);
	else if (argc == 2 && strcmp(argv[1], "documents") == 0)
		status = accuracy_documents(&error);
	else if (argc == 4 && strcmp(argv[1], "trace") == 0)
		status = generate_one(number(argv[2]), number(argv[3]), guests, false, stdout,
				      &error) ||
			 generate_one(number(argv[2]), number(argv[3]), guests, true, stdout,
				      &error);
	else
		fputs(usage, stderr);
	if (error.text)
		fprintf(stderr, "%s\n", error.text);
	fathom_error_clear(&error);
	return status < 0 ? 2 : status;
}
