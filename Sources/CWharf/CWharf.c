#define _GNU_SOURCE
#include "CWharf.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef __linux__
#include <linux/fs.h>
#include <linux/netlink.h>
#include <linux/openat2.h>
#include <linux/rtnetlink.h>
#include <sys/sendfile.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#endif

static _Thread_local void *current_loop;
static _Thread_local void *current_worker;

void *cwharf_current_loop(void) { return current_loop; }
void cwharf_set_current_loop(void *loop) { current_loop = loop; }
void *cwharf_current_worker(void) { return current_worker; }
void cwharf_set_current_worker(void *worker) { current_worker = worker; }

struct thread_start {
    void (*run)(void *);
    void *argument;
};

static void *thread_main(void *pointer) {
    struct thread_start start = *(struct thread_start *)pointer;
    free(pointer);
    start.run(start.argument);
    return NULL;
}

int cwharf_start_thread(void (*run)(void *), void *argument, size_t stack_bytes) {
    struct thread_start *start = malloc(sizeof *start);
    if (start == NULL) return ENOMEM;
    start->run = run;
    start->argument = argument;
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_attr_setstacksize(&attributes, stack_bytes);
    // Requests to end are for the program's own threads, and for who waits for them: a thread that
    // takes one as it comes would end the process.
    sigset_t requests, before;
    sigemptyset(&requests);
    sigaddset(&requests, SIGTERM);
    sigaddset(&requests, SIGINT);
    sigaddset(&requests, SIGHUP);
    pthread_sigmask(SIG_BLOCK, &requests, &before);
    pthread_t thread;
    int code = pthread_create(&thread, &attributes, thread_main, start);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
    if (code != 0) free(start);
    return code;
}

const char *cwharf_optarg(void) { return optarg; }
int cwharf_optind(void) { return optind; }

// Each C library has its own way to start anew.
void cwharf_reset_optind(void) {
#ifdef __GLIBC__
    optind = 0;
#else
    optreset = 1;
    optind = 1;
#endif
}

static int plain_status(int directory, const char *name, int flags, struct cwharf_status *status) {
    struct stat raw;
    if ((name == NULL ? fstat(directory, &raw) : fstatat(directory, name, &raw, flags)) < 0) return -1;
    memset(status, 0, sizeof *status);
    status->inode = raw.st_ino;
    status->device = (uint64_t)raw.st_dev;
    status->size = raw.st_size;
    status->mode = raw.st_mode;
#ifdef __linux__
    status->changed_seconds = raw.st_mtim.tv_sec;
    status->changed_nanoseconds = (uint32_t)raw.st_mtim.tv_nsec;
#else
    status->changed_seconds = raw.st_mtimespec.tv_sec;
    status->changed_nanoseconds = (uint32_t)raw.st_mtimespec.tv_nsec;
    status->born_seconds = raw.st_birthtimespec.tv_sec;
    status->has_birth = raw.st_birthtimespec.tv_sec > 0;
#endif
    return 0;
}

#ifdef __linux__

const int cwharf_O_PATH = O_PATH;

int cwharf_status(int directory, const char *name, int follows_link, struct cwharf_status *status) {
    int flags = follows_link ? 0 : AT_SYMLINK_NOFOLLOW;
    struct statx raw;
    if (statx(directory, name == NULL ? "" : name, name == NULL ? AT_EMPTY_PATH : flags,
              STATX_BASIC_STATS | STATX_BTIME, &raw) < 0) {
        // An old kernel, or a sandbox that knows no such call.
        if (errno == ENOSYS || errno == EPERM) return plain_status(directory, name, flags, status);
        return -1;
    }
    status->inode = raw.stx_ino;
    status->device = makedev(raw.stx_dev_major, raw.stx_dev_minor);
    status->size = (int64_t)raw.stx_size;
    status->mode = raw.stx_mode;
    status->changed_seconds = raw.stx_mtime.tv_sec;
    status->changed_nanoseconds = raw.stx_mtime.tv_nsec;
    status->born_seconds = raw.stx_btime.tv_sec;
    status->has_birth = (raw.stx_mask & STATX_BTIME) != 0;
    return 0;
}

int cwharf_accept(int fd, struct sockaddr *address, socklen_t *count) {
    return accept4(fd, address, count, SOCK_NONBLOCK | SOCK_CLOEXEC);
}

void cwharf_name_thread(const char *name) { pthread_setname_np(pthread_self(), name); }

int cwharf_openat_beneath(int directory, const char *path, int flags, unsigned mode, int cached_only) {
    struct open_how how;
    memset(&how, 0, sizeof how);
    how.flags = (unsigned long long)flags;
    how.mode = (flags & O_CREAT) ? mode : 0;
    how.resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS;
    if (cached_only) how.resolve |= RESOLVE_CACHED;
    return (int)syscall(SYS_openat2, directory, path, &how, sizeof how);
}

ssize_t cwharf_pread_cached(int fd, void *bytes, size_t count, int64_t offset) {
    struct iovec vector = {bytes, count};
    return preadv2(fd, &vector, 1, offset, RWF_NOWAIT);
}

ssize_t cwharf_sendfile(int socket, int file, int64_t offset, size_t count) {
    off_t position = offset;
    return sendfile(socket, file, &position, count);
}

int cwharf_allocate(int fd, int64_t start, int64_t count) {
    return fallocate(fd, FALLOC_FL_KEEP_SIZE, start, count);
}

static int has_descriptor_names(void) {
    static _Atomic int answer;
    if (answer == 0) answer = access("/proc/self/fd", X_OK) < 0 ? -1 : 1;
    return answer > 0;
}

int cwharf_open_unnamed(int directory, unsigned mode) {
    // Without /proc it could never get a name.
    if (!has_descriptor_names()) {
        errno = EOPNOTSUPP;
        return -1;
    }
    int fd = openat(directory, ".", O_TMPFILE | O_RDWR | O_CLOEXEC, mode);
    // EISDIR: a kernel before 3.11; ENOENT: a file system that takes the folder for the file.
    if (fd < 0 && (errno == EISDIR || errno == ENOENT || errno == EINVAL)) errno = EOPNOTSUPP;
    return fd;
}

int cwharf_link_unnamed(int fd, int directory, const char *name) {
    // Linking by descriptor alone (AT_EMPTY_PATH) would need a capability.
    char path[40];
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    return linkat(AT_FDCWD, path, directory, name, AT_SYMLINK_FOLLOW);
}

int cwharf_rename(int from, const char *name, int to, const char *new_name, int replaces) {
    if (replaces) return renameat(from, name, to, new_name);
    return renameat2(from, name, to, new_name, RENAME_NOREPLACE);
}

int cwharf_watch_network(void) {
    int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_NONBLOCK | SOCK_CLOEXEC, NETLINK_ROUTE);
    if (fd < 0) return -1;
    struct sockaddr_nl address = {
        .nl_family = AF_NETLINK,
        .nl_groups = RTMGRP_LINK | RTMGRP_IPV4_IFADDR | RTMGRP_IPV6_IFADDR,
    };
    if (bind(fd, (struct sockaddr *)&address, sizeof address) == 0) return fd;
    int error = errno;
    close(fd);
    errno = error;
    return -1;
}

#else

const int cwharf_O_PATH = 0;

int cwharf_status(int directory, const char *name, int follows_link, struct cwharf_status *status) {
    return plain_status(directory, name, follows_link ? 0 : AT_SYMLINK_NOFOLLOW, status);
}

int cwharf_accept(int fd, struct sockaddr *address, socklen_t *count) {
    int accepted = accept(fd, address, count);
    if (accepted < 0) return -1;
    int on = 1;
    fcntl(accepted, F_SETFD, FD_CLOEXEC);
    fcntl(accepted, F_SETFL, O_NONBLOCK);
    setsockopt(accepted, SOL_SOCKET, SO_NOSIGPIPE, &on, sizeof on);
    return accepted;
}

void cwharf_name_thread(const char *name) { pthread_setname_np(name); }

int cwharf_openat_beneath(int directory, const char *path, int flags, unsigned mode, int cached_only) {
    (void)directory; (void)path; (void)flags; (void)mode; (void)cached_only;
    errno = ENOSYS;
    return -1;
}

ssize_t cwharf_pread_cached(int fd, void *bytes, size_t count, int64_t offset) {
    (void)fd; (void)bytes; (void)count; (void)offset;
    errno = EAGAIN;
    return -1;
}

ssize_t cwharf_sendfile(int socket, int file, int64_t offset, size_t count) {
    off_t sent = (off_t)count;
    if (sendfile(file, socket, offset, &sent, NULL, 0) < 0 && sent == 0) return -1;
    return (ssize_t)sent;
}

int cwharf_allocate(int fd, int64_t start, int64_t count) {
    (void)start;
    fstore_t wanted = {F_ALLOCATEALL, F_PEOFPOSMODE, 0, count, 0};
    return fcntl(fd, F_PREALLOCATE, &wanted) < 0 ? -1 : 0;
}

int cwharf_open_unnamed(int directory, unsigned mode) {
    (void)directory; (void)mode;
    errno = EOPNOTSUPP;
    return -1;
}

int cwharf_link_unnamed(int fd, int directory, const char *name) {
    (void)fd; (void)directory; (void)name;
    errno = EOPNOTSUPP;
    return -1;
}

int cwharf_rename(int from, const char *name, int to, const char *new_name, int replaces) {
    if (replaces) return renameat(from, name, to, new_name);
    return renameatx_np(from, name, to, new_name, RENAME_EXCL);
}

int cwharf_watch_network(void) {
    int fd = socket(PF_ROUTE, SOCK_RAW, 0);
    if (fd < 0) return -1;
    fcntl(fd, F_SETFD, FD_CLOEXEC);
    fcntl(fd, F_SETFL, O_NONBLOCK);
    return fd;
}

#endif
