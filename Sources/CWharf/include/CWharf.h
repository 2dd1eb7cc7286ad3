// C that Swift cannot import by itself: system calls behind _GNU_SOURCE, varargs, thread locals.
// _GNU_SOURCE is defined in CWharf.c only: here it would break Glibc's fd_set for Swift.
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <getopt.h>

#ifdef __linux__
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/statfs.h>
#endif

// Accepts with close-on-exec and non-blocking set.
int cwharf_accept(int fd, struct sockaddr *address, socklen_t *count);

// The event loop that runs on this thread, or NULL.
void *cwharf_current_loop(void);
void cwharf_set_current_loop(void *loop);

// The worker of a pool that this thread is, or NULL.
void *cwharf_current_worker(void);
void cwharf_set_current_worker(void *worker);

// Names the calling thread (15 bytes).
void cwharf_name_thread(const char *name);

// Starts a detached thread with a stack of that many bytes: 0 or an error number. SIGTERM, SIGINT
// and SIGHUP are blocked in it.
int cwharf_start_thread(void (*run)(void *), void *argument, size_t stack_bytes);

// What a file system says of a file; times in seconds since 1970.
struct cwharf_status {
    uint64_t inode;
    uint64_t device;
    int64_t size;
    int64_t changed_seconds;
    int64_t born_seconds;
    uint32_t changed_nanoseconds;
    uint32_t mode;
    // 0 where nobody knows when a file was made.
    int has_birth;
};

// fstatat(2), or fstat(2) if the name is NULL: 0, or -1 with errno.
int cwharf_status(int directory, const char *name, int follows_link, struct cwharf_status *status);

// openat2(2) with RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS, and RESOLVE_CACHED when asked.
// -1 and errno: ENOSYS where there is no such call, EAGAIN when not all is cached.
int cwharf_openat_beneath(int directory, const char *path, int flags, unsigned mode, int cached_only);

// preadv2(2) with RWF_NOWAIT: what is in the page cache, or -1 with EAGAIN.
ssize_t cwharf_pread_cached(int fd, void *bytes, size_t count, int64_t offset);

// sendfile(2) in one shape for both systems: bytes sent, or -1 with errno.
ssize_t cwharf_sendfile(int socket, int file, int64_t offset, size_t count);

// Reserves room for a file of that size without changing what it holds: 0, or -1 with errno.
int cwharf_allocate(int fd, int64_t start, int64_t count);

// Opens a file without a name in a directory (O_TMPFILE), or -1 with EOPNOTSUPP.
int cwharf_open_unnamed(int directory, unsigned mode);

// Gives a file without a name its name: 0, or -1 with errno, EEXIST when the name is taken.
int cwharf_link_unnamed(int fd, int directory, const char *name);

// rename(2) within directories; without replacing, EEXIST when the new name is taken.
int cwharf_rename(int from, const char *name, int to, const char *new_name, int replaces);

// A socket that can be read whenever the machine's addresses have changed, or -1 with errno.
int cwharf_watch_network(void);

// getopt's global, which Swift refuses as shared mutable state.
const char *cwharf_optarg(void);
int cwharf_optind(void);
void cwharf_reset_optind(void);

extern const int cwharf_O_PATH;
