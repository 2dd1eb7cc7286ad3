#ifdef __linux__
#define _GNU_SOURCE
#include "CKqueueShim.h"

#include <errno.h>
#include <linux/sockios.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

// What epoll cannot do for one descriptor is done with two epolls, one a filter: an edge of one
// direction then tells nothing of the other, as with kqueue's notes.
enum { READ, WRITE, FILTER_COUNT };
enum { DESCRIPTOR_MAX = 65536, USER_MAX = 8, BATCH_MAX = 64 };

struct note {
    void *udata;
};

struct user {
    bool exists, is_clear, is_triggered;
    uintptr_t ident;
    void *udata;
};

struct queue {
    int epolls[FILTER_COUNT];  // the first is the queue's own descriptor
    int trigger;               // an eventfd, readable while a user event is triggered
    pthread_mutex_t lock;
    struct note notes[FILTER_COUNT][DESCRIPTOR_MAX];
    struct user users[USER_MAX];
};

static pthread_mutex_t table_lock = PTHREAD_MUTEX_INITIALIZER;
static struct queue *table[DESCRIPTOR_MAX];

static struct queue *exchange(int descriptor, struct queue *queue) {
    pthread_mutex_lock(&table_lock);
    struct queue *before = table[descriptor];
    table[descriptor] = queue;
    pthread_mutex_unlock(&table_lock);
    return before;
}

static struct queue *find(int descriptor) {
    if (descriptor < 0 || descriptor >= DESCRIPTOR_MAX) return NULL;
    pthread_mutex_lock(&table_lock);
    struct queue *queue = table[descriptor];
    pthread_mutex_unlock(&table_lock);
    return queue;
}

static void release(struct queue *queue) {
    if (!queue) return;
    close(queue->epolls[WRITE]);
    close(queue->trigger);
    free(queue);
}

int kqueue(void) {
    struct queue *queue = calloc(1, sizeof *queue);
    if (!queue) return -1;
    queue->epolls[READ] = epoll_create1(EPOLL_CLOEXEC);
    queue->epolls[WRITE] = epoll_create1(EPOLL_CLOEXEC);
    queue->trigger = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    pthread_mutex_init(&queue->lock, NULL);
    int own = queue->epolls[READ];
    if (own < 0 || own >= DESCRIPTOR_MAX || queue->epolls[WRITE] < 0 || queue->trigger < 0) {
        int error = own >= DESCRIPTOR_MAX ? EMFILE : errno;
        close(own);
        release(queue);
        errno = error;
        return -1;
    }
    release(exchange(own, queue));
    return own;
}

int ckqueue_close(int descriptor) {
    if (descriptor >= 0 && descriptor < DESCRIPTOR_MAX) release(exchange(descriptor, NULL));
    return close(descriptor);
}

// MARK: Changes

static int change_user(struct queue *queue, const struct kevent *change) {
    struct user *found = NULL, *vacant = NULL;
    for (int index = 0; index < USER_MAX; index++) {
        struct user *user = &queue->users[index];
        if (user->exists && user->ident == change->ident) found = user;
        if (!user->exists && !vacant) vacant = user;
    }
    if (!found) {
        if (!(change->flags & EV_ADD)) return ENOENT;
        if (!vacant) return ENOMEM;
        found = vacant;
        *found = (struct user){.exists = true, .ident = change->ident};
    }
    if (change->flags & EV_DELETE) {
        found->exists = false;
        return 0;
    }
    if (change->flags & EV_ADD) {
        found->is_clear = change->flags & EV_CLEAR;
        found->udata = change->udata;
    }
    if (change->fflags & NOTE_TRIGGER) {
        found->is_triggered = true;
        eventfd_write(queue->trigger, 1);
    }
    return 0;
}

static int change_descriptor(struct queue *queue, const struct kevent *change, int filter) {
    if (change->ident >= DESCRIPTOR_MAX) return EBADF;
    int epoll = queue->epolls[filter], descriptor = (int)change->ident;
    if (change->flags & EV_DELETE) {
        return epoll_ctl(epoll, EPOLL_CTL_DEL, descriptor, NULL) == 0 ? 0 : errno;
    }
    // Without EV_ADD a change applies to a note that exists, and there is nothing to change in it.
    if (!(change->flags & EV_ADD)) return EINVAL;
    struct epoll_event event = {.data.u64 = change->ident};
    event.events = filter == READ ? EPOLLIN | EPOLLRDHUP : EPOLLOUT;
    if (change->flags & EV_CLEAR) event.events |= EPOLLET;
    queue->notes[filter][descriptor].udata = change->udata;
    if (epoll_ctl(epoll, EPOLL_CTL_ADD, descriptor, &event) == 0) return 0;
    if (errno != EEXIST) return errno;
    return epoll_ctl(epoll, EPOLL_CTL_MOD, descriptor, &event) == 0 ? 0 : errno;
}

static int change_one(struct queue *queue, const struct kevent *change) {
    if (change->flags & ~(EV_ADD | EV_DELETE | EV_CLEAR)) return EINVAL;
    switch (change->filter) {
    case EVFILT_READ: return change_descriptor(queue, change, READ);
    case EVFILT_WRITE: return change_descriptor(queue, change, WRITE);
    case EVFILT_USER: return change_user(queue, change);
    default: return EINVAL;
    }
}

// MARK: What a socket says

static int flags_now(int descriptor) {
    struct pollfd now = {.fd = descriptor, .events = POLLIN | POLLOUT | POLLRDHUP};
    return poll(&now, 1, 0) > 0 ? now.revents : 0;
}

// so_error: Linux hands it out once only, so that another number stands for it here.
static uint32_t error_of(int flags) { return flags & POLLERR ? ECONNRESET : 0; }

// SBS_CANTSENDMORE: this end has sent FIN, or the connection is gone.
static bool cannot_send_more(int descriptor, int flags) {
    struct tcp_info info;
    socklen_t count = sizeof info;
    if (getsockopt(descriptor, IPPROTO_TCP, TCP_INFO, &info, &count) == 0) {
        switch (info.tcpi_state) {
        case TCP_FIN_WAIT1:
        case TCP_FIN_WAIT2:
        case TCP_CLOSING:
        case TCP_LAST_ACK:
        case TCP_TIME_WAIT: return true;
        // A socket that was never connected is in this state as well.
        case TCP_CLOSE: return flags & (POLLRDHUP | POLLERR);
        default: return false;
        }
    }
    // A Unix socket says it to whoever sends nothing at all.
    return flags & POLLHUP
        || (send(descriptor, "", 0, MSG_NOSIGNAL | MSG_DONTWAIT) < 0 && errno == EPIPE);
}

static bool is_listening(int descriptor) {
    int value = 0;
    socklen_t count = sizeof value;
    return getsockopt(descriptor, SOL_SOCKET, SO_ACCEPTCONN, &value, &count) == 0 && value;
}

static bool fill_read(struct kevent *event, int descriptor) {
    int flags = flags_now(descriptor), available = 0;
    if (is_listening(descriptor)) {
        event->data = 1;  // at least; Linux does not tell how many wait
        return flags & POLLIN;
    }
    ioctl(descriptor, FIONREAD, &available);
    event->data = available;
    if (flags & (POLLRDHUP | POLLERR)) {
        event->flags |= EV_EOF;
        event->fflags = error_of(flags);
        return true;
    }
    return flags & POLLIN;
}

static bool fill_write(struct kevent *event, int descriptor) {
    int flags = flags_now(descriptor), queued = 0, size = 0;
    socklen_t count = sizeof size;
    if (is_listening(descriptor)) return false;
    getsockopt(descriptor, SOL_SOCKET, SO_SNDBUF, &size, &count);
    ioctl(descriptor, SIOCOUTQ, &queued);
    event->data = size > queued ? size - queued : 1;
    if (cannot_send_more(descriptor, flags)) {
        event->flags |= EV_EOF;
        event->fflags = error_of(flags);
        return true;
    }
    return flags & POLLOUT && !(flags & POLLHUP);
}

// MARK: Events

static int take_users(struct queue *queue, struct kevent *events, int event_count) {
    int taken = 0;
    bool is_left = false;
    for (int index = 0; index < USER_MAX; index++) {
        struct user *user = &queue->users[index];
        if (!user->exists || !user->is_triggered) continue;
        if (taken == event_count) {
            is_left = true;
            continue;
        }
        events[taken++] = (struct kevent){
            .ident = user->ident, .filter = EVFILT_USER, .udata = user->udata};
        if (user->is_clear) user->is_triggered = false;
        is_left |= user->is_triggered;
    }
    eventfd_t value;
    if (!is_left) eventfd_read(queue->trigger, &value);
    return taken;
}

static int take_descriptors(struct queue *queue, int filter, struct kevent *events,
                            int event_count) {
    struct epoll_event ready[BATCH_MAX];
    int room = event_count < BATCH_MAX ? event_count : BATCH_MAX, taken = 0;
    if (room <= 0) return 0;
    int count = epoll_wait(queue->epolls[filter], ready, room, 0);
    for (int index = 0; index < count; index++) {
        int descriptor = (int)ready[index].data.u64;
        struct kevent event = {.ident = (uintptr_t)descriptor,
                               .filter = filter == READ ? EVFILT_READ : EVFILT_WRITE,
                               .udata = queue->notes[filter][descriptor].udata};
        // What is no longer so when it is asked for is not told.
        bool holds = filter == READ ? fill_read(&event, descriptor) : fill_write(&event, descriptor);
        if (holds) events[taken++] = event;
    }
    return taken;
}

static int take(struct queue *queue, struct kevent *events, int event_count) {
    pthread_mutex_lock(&queue->lock);
    int taken = take_users(queue, events, event_count);
    for (int filter = 0; filter < FILTER_COUNT; filter++) {
        taken += take_descriptors(queue, filter, events + taken, event_count - taken);
    }
    pthread_mutex_unlock(&queue->lock);
    return taken;
}

static int64_t nanoseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

// 1 when something may have happened, 0 when the time is over, -1 and errno.
static int wait_until(struct queue *queue, const int64_t *deadline) {
    struct pollfd descriptors[] = {{.fd = queue->epolls[READ], .events = POLLIN},
                                   {.fd = queue->epolls[WRITE], .events = POLLIN},
                                   {.fd = queue->trigger, .events = POLLIN}};
    struct timespec rest = {0, 0};
    if (deadline) {
        int64_t left = *deadline - nanoseconds();
        if (left > 0) rest = (struct timespec){left / 1000000000, left % 1000000000};
    }
    return ppoll(descriptors, 3, deadline ? &rest : NULL, NULL);
}

int kevent(int descriptor, const struct kevent *changes, int change_count, struct kevent *events,
           int event_count, const struct timespec *timeout) {
    struct queue *queue = find(descriptor);
    if (!queue) {
        errno = EBADF;
        return -1;
    }
    int taken = 0;
    for (int index = 0; index < change_count; index++) {
        pthread_mutex_lock(&queue->lock);
        int error = change_one(queue, &changes[index]);
        pthread_mutex_unlock(&queue->lock);
        if (error == 0) continue;
        if (taken == event_count) {
            errno = error;
            return -1;
        }
        events[taken] = changes[index];
        events[taken].flags = EV_ERROR;
        events[taken++].data = error;
    }
    if (taken > 0 || event_count == 0) return taken;

    int64_t deadline = 0;
    if (timeout) {
        if (timeout->tv_sec < 0 || timeout->tv_nsec < 0 || timeout->tv_nsec >= 1000000000) {
            errno = EINVAL;
            return -1;
        }
        // Times that do not fit are as good as no end.
        if (timeout->tv_sec > 1000000000) timeout = NULL;
        else deadline = nanoseconds() + (int64_t)timeout->tv_sec * 1000000000 + timeout->tv_nsec;
    }
    for (;;) {
        int ready = wait_until(queue, timeout ? &deadline : NULL);
        if (ready < 0) return -1;
        taken = take(queue, events, event_count);
        if (taken > 0 || (timeout && nanoseconds() >= deadline)) return taken;
    }
}
#endif
