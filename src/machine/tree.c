#include "machine/tree.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"

#define LARGEST_BYTES ((size_t)4 << 20)
#define LONGEST_LINK  4096

/* Takes what `path` holds. */
static char *join(const char *root, struct text *path)
{
	char *taken = text_take(path);
	char *joined = root && taken ? text_format("%s%s", root, taken) : NULL;
	free(taken);
	return joined;
}

static char *read_all(int file)
{
	struct text all = {0};
	char piece[4096];
	ssize_t got = 0;
	while (all.length < LARGEST_BYTES && (got = read(file, piece, sizeof(piece))) != 0) {
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			break;
		text_add_bytes(&all, piece, (size_t)got);
	}
	if (got < 0) {
		text_free(&all);
		return NULL;
	}
	return text_take(&all);
}

static char *read_file(const char *root, struct text *path)
{
	char *joined = join(root, path);
	int file = joined ? open(joined, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK) : -1;
	char *all = file < 0 ? NULL : read_all(file);
	if (file >= 0)
		close(file);
	free(joined);
	return all;
}

bool tree_has(const char *root, const char *path_format, ...)
{
	struct text path = {0};
	TEXT_ADD_ALL(&path, path_format);
	char *joined = join(root, &path);
	bool has = joined && access(joined, F_OK) == 0;
	free(joined);
	return has;
}

char *tree_read(const char *root, const char *path_format, ...)
{
	struct text path = {0};
	TEXT_ADD_ALL(&path, path_format);
	return read_file(root, &path);
}

char *tree_read_line(const char *root, const char *path_format, ...)
{
	struct text path = {0};
	TEXT_ADD_ALL(&path, path_format);
	char *all = read_file(root, &path);
	char *line = all ? tree_clean(all, strcspn(all, "\n")) : NULL;
	free(all);
	return line;
}

bool tree_read_number(uint64_t *value, const char *root, const char *path_format, ...)
{
	struct text path = {0};
	TEXT_ADD_ALL(&path, path_format);
	char *all = read_file(root, &path);
	bool known = all && tree_parse_number(all, value);
	free(all);
	return known;
}

DIR *tree_open_directory(const char *root, const char *path)
{
	char *whole = root ? text_format("%s%s", root, path) : NULL;
	DIR *directory = whole ? opendir(whole) : NULL;
	free(whole);
	return directory;
}

char *tree_read_link(const char *root, const char *path)
{
	char *whole = root ? text_format("%s%s", root, path) : NULL;
	char target[LONGEST_LINK];
	ssize_t length = whole ? readlink(whole, target, sizeof(target)) : -1;
	free(whole);
	return length > 0 ? tree_clean(target, (size_t)length) : NULL;
}

/* `*end` is behind the number. */
static bool number_at(const char *text, uint64_t *value, const char **end)
{
	char *behind;
	if (*text < '0' || *text > '9')
		return false;
	errno = 0;
	unsigned long long number = strtoull(text, &behind, 10);
	if (errno)
		return false;
	*value = number;
	*end = behind;
	return true;
}

bool tree_parse_number(const char *text, uint64_t *value)
{
	const char *end;
	uint64_t number;
	if (!number_at(text, &number, &end) || end[strspn(end, " \t\n")])
		return false;
	*value = number;
	return true;
}

/* Behind the key and what separates it from its value; NULL: no such line. */
static const char *find_field(const char *text, const char *key)
{
	size_t length = strlen(key);
	for (const char *line = text; line; line = strchr(line, '\n')) {
		line += *line == '\n';
		if (strncmp(line, key, length) == 0 && strchr(": \t", line[length]) && line[length])
			return line + length + strspn(line + length, ": \t");
	}
	return NULL;
}

bool tree_field(const char *text, const char *key, uint64_t *value)
{
	const char *found = text ? find_field(text, key) : NULL;
	const char *end;
	uint64_t number;
	if (!found || !number_at(found, &number, &end))
		return false;
	if (strncmp(end, " kB", 3) == 0) {
		if (number > UINT64_MAX / 1024)
			return false;
		number *= 1024;
	} else if (*end && *end != '\n' && *end != ' ') {
		return false;
	}
	*value = number;
	return true;
}

char *tree_field_text(const char *text, const char *key)
{
	const char *found = text ? find_field(text, key) : NULL;
	return found ? tree_clean(found, strcspn(found, "\n")) : NULL;
}

char *tree_clean(const char *bytes, size_t length)
{
	char *line = malloc(length + 1);
	size_t used = 0;
	if (!line)
		return NULL;
	for (size_t i = 0; i < length; i++) {
		unsigned char byte = (unsigned char)bytes[i];
		bool blank = byte <= ' ' || byte == 0x7f;
		if (!blank)
			line[used++] = byte < 0x80 ? (char)byte : '?';
		else if (used && line[used - 1] != ' ')
			line[used++] = ' ';
	}
	while (used && line[used - 1] == ' ')
		used--;
	line[used] = 0;
	if (used)
		return line;
	free(line);
	return NULL;
}
