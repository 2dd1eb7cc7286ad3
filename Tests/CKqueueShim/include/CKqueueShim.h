// The part of the kevent(2) interface of FreeBSD and Apple systems that the library uses, over
// epoll(7): so that its kqueue poller is compiled and run where there is no kqueue.
#pragma once

#include <stdint.h>
#include <time.h>

struct kevent {
    uintptr_t ident;
    int16_t filter;
    uint16_t flags;
    uint32_t fflags;
    intptr_t data;
    void *udata;
};

#define EVFILT_READ (-1)
#define EVFILT_WRITE (-2)
#define EVFILT_USER (-10)

#define EV_ADD 0x0001
#define EV_DELETE 0x0002
#define EV_CLEAR 0x0020
#define EV_ERROR 0x4000
#define EV_EOF 0x8000

#define NOTE_TRIGGER 0x01000000

// A new queue, or -1 and errno.
int kqueue(void);

// Applies the changes, then waits for events: their count, or -1 and errno. As the man page has it,
// a change that fails becomes an event with EV_ERROR when there is room for one, and ends the call
// otherwise. A flag or filter that is not above is EINVAL.
int kevent(int queue, const struct kevent *changes, int change_count, struct kevent *events,
           int event_count, const struct timespec *timeout);

// close(2) for queues, which are more than their descriptor here; closes others as well.
int ckqueue_close(int queue);
