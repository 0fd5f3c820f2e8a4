#include "machine/settings/restorer_child.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

/* A limit is refused while the other one is on its wrong side, and boost moves both. */
#define PASSES 3

#define FIRST_OWN        3     /* descriptor that is not a standard one */
#define MOST_DESCRIPTORS 65536 /* where the kernel has no close_range */

bool restorer_write_file(const char *path, const char *bytes, size_t length)
{
	int file = open(path, O_WRONLY | O_TRUNC | O_CLOEXEC);
	if (file < 0)
		return false;
	ssize_t written = write(file, bytes, length);
	int failure = errno;
	close(file);
	errno = failure;
	return written == (ssize_t)length;
}

bool restorer_holds_recorded(const struct restorer_setting *setting, char *scratch)
{
	size_t length = 0;
	ssize_t part = 1;
	int file = open(setting->path, O_RDONLY | O_CLOEXEC);
	if (file < 0)
		return false;
	while (part > 0 && length <= setting->length) {
		part = read(file, scratch + length, setting->length + 1 - length);
		length += part > 0 ? (size_t)part : 0;
	}
	close(file);
	return length == setting->length && memcmp(scratch, setting->recorded, length) == 0;
}

/* FNV-1a (Fowler, Noll, Vo). */
uint64_t restorer_hash_file(const char *path)
{
	uint64_t hash = 0xcbf29ce484222325;
	char bytes[256];
	ssize_t length;
	int file = open(path, O_RDONLY | O_CLOEXEC);
	if (file < 0)
		return 0;
	while ((length = read(file, bytes, sizeof(bytes))) > 0)
		for (ssize_t i = 0; i < length; i++)
			hash = (hash ^ (unsigned char)bytes[i]) * 0x100000001b3;
	close(file);
	return length < 0 ? 0 : hash;
}

/* What cannot be read any more is nobody's. */
static void judge(struct restorer *restorer)
{
	const struct restorer_state *state = restorer->state;
	for (size_t i = 0; i < restorer->count && !restorer->judged; i++) {
		struct restorer_setting *setting = &restorer->settings[i];
		uint64_t hash = restorer_hash_file(setting->path);
		setting->foreign = !state->changing && hash && hash != state->seen[i] &&
				   !restorer_holds_recorded(setting, restorer->scratch);
	}
	restorer->judged = true;
}

/* How many are not as they were, written or not; what somebody else has set is left alone. */
static size_t pass_over(const struct restorer *restorer, bool write)
{
	size_t wrong = 0;
	for (size_t i = 0; i < restorer->count; i++) {
		const struct restorer_setting *setting = &restorer->settings[i];
		if (setting->foreign || restorer_holds_recorded(setting, restorer->scratch))
			continue;
		wrong++;
		if (write)
			restorer_write_file(setting->path, setting->recorded, setting->length);
	}
	return wrong;
}

bool restorer_put_back(struct restorer *restorer)
{
	judge(restorer);
	for (int pass = 0; pass < PASSES && pass_over(restorer, true); pass++)
		for (int i = 0; i < RESTORER_READ_BACK_TRIES && pass_over(restorer, false); i++)
			poll(NULL, 0, RESTORER_READ_BACK_MS);
	return pass_over(restorer, false) == 0;
}

static void close_between(unsigned first, unsigned last)
{
	struct rlimit limit;
	if (first > last)
		return;
#ifdef SYS_close_range
	if (syscall(SYS_close_range, first, last, 0) == 0)
		return;
#endif
	unsigned end = MOST_DESCRIPTORS;
	if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < end)
		end = (unsigned)limit.rlim_cur;
	for (unsigned i = first; i <= last && i < end; i++)
		close((int)i);
}

/* All but the two and the standard ones: what others wait for the end of is not kept open. */
static void close_others(int one, int other)
{
	unsigned low = (unsigned)(one < other ? one : other);
	unsigned high = (unsigned)(one < other ? other : one);
	unsigned first = FIRST_OWN;
	if (low > first)
		close_between(first, low - 1);
	first = low + 1 > first ? low + 1 : first;
	if (high > first)
		close_between(first, high - 1);
	close_between(high + 1 > first ? high + 1 : first, ~0U);
}

static void ignore_signals(void)
{
	static const int numbers[] = {SIGHUP,  SIGINT,  SIGQUIT, SIGTERM, SIGPIPE, SIGALRM,
				      SIGUSR1, SIGUSR2, SIGTSTP, SIGTTIN, SIGTTOU};
	for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++)
		signal(numbers[i], SIG_IGN);
}

bool restorer_child(struct restorer *restorer, int channel)
{
	const char ready = 0;
	ssize_t length;
	setsid();
	ignore_signals();
	close_others(channel, restorer->lock);
	bool heard = write(channel, &ready, 1) == 1;
	do
		length = heard ? read(channel, restorer->state, restorer->state_bytes) : 0;
	while (length > 0 || (length < 0 && errno == EINTR));
	return restorer_put_back(restorer);
}
