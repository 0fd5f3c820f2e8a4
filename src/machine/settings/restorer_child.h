/* What puts settings back, in the child or, where that was killed, in its parent: after fork only
 * calls that are async-signal-safe. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* The kernel may apply a limit in a work queue, after write() has returned. */
#define RESTORER_READ_BACK_TRIES 20
#define RESTORER_READ_BACK_MS    5

struct restorer_setting {
	char *path;
	char *recorded; /* the whole file */
	size_t length;
	bool foreign; /* holds neither that nor what it held last: somebody else has set it */
};

/* What the parent tells the child before and after each change: one message, all of it. */
struct restorer_state {
	uint64_t changing; /* 1: `seen` is not true of all, and whatever the files hold is ours */
	uint64_t seen[];   /* of each file what it held after the last change: restorer_hash_file */
};

struct restorer {
	struct restorer_setting *settings;
	size_t count;
	char *scratch;                /* for the child, one byte longer than any recorded file */
	struct restorer_state *state; /* each process has its own */
	size_t state_bytes;
	bool judged; /* `foreign` of the settings is known */
	pid_t child;
	int lock;    /* of the folder, held by both processes */
	int channel; /* closed when this process is gone: that is what the child waits for */
};

bool restorer_write_file(const char *path, const char *bytes, size_t length);
/* Needs room for one byte more than was recorded. */
bool restorer_holds_recorded(const struct restorer_setting *setting, char *scratch);
/* Of what a file holds; 0: it cannot be read. */
uint64_t restorer_hash_file(const char *path);
/* All but what is as it was, or somebody else has set. False: not all are as they were. */
bool restorer_put_back(struct restorer *restorer);
/* The child, which is to end with it: takes in what it receives until nobody has the other end of
 * the channel open any more, and then is as restorer_put_back. */
bool restorer_child(struct restorer *restorer, int channel);
