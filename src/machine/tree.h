/* Reading the small text files of /proc and /sys, of this machine or of a recorded one.
 *
 * `root` is put before every path: "" reads the real files, NULL has none at all. Whatever is
 * missing, unreadable or malformed is simply not known; nothing here is an error. */
#pragma once

#include <dirent.h>
#include <stdbool.h>
#include <stdint.h>

bool tree_has(const char *root, const char *path_format, ...) __attribute__((format(printf, 2, 3)));
/* The whole file (its first 4 MiB), zero-terminated, as it is; NULL: none. */
char *tree_read(const char *root, const char *path_format, ...)
	__attribute__((format(printf, 2, 3)));
/* The first line, as tree_clean leaves it; NULL: none, or nothing but blanks. */
char *tree_read_line(const char *root, const char *path_format, ...)
	__attribute__((format(printf, 2, 3)));
/* A file that holds one whole decimal number. */
bool tree_read_number(uint64_t *value, const char *root, const char *path_format, ...)
	__attribute__((format(printf, 3, 4)));
/* Give back with closedir. NULL: no such directory. */
DIR *tree_open_directory(const char *root, const char *path);
/* Where a symbolic link points to, cleaned. NULL: no such link. */
char *tree_read_link(const char *root, const char *path);

/* A decimal number that is the whole text, blanks at its end aside. */
bool tree_parse_number(const char *text, uint64_t *value);
/* The number behind "key:" or "key " at the start of a line, times 1024 where "kB" follows. */
bool tree_field(const char *text, const char *key, uint64_t *value);
/* What follows "key :" at the start of a line, cleaned. NULL: no such line, or nothing there. */
char *tree_field_text(const char *text, const char *key);
/* The first `length` bytes as one line of printable ASCII: blanks are squeezed and trimmed, other
 * bytes become '?'. NULL: nothing left. */
char *tree_clean(const char *bytes, size_t length);
