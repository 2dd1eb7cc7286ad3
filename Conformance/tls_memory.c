// Loaded before a server (LD_PRELOAD): OpenSSL's k-th allocation fails, where k is the number in the
// file that WHARF_MEMORY_FAULT names; 0 lets all pass.
#include <fcntl.h>
#include <openssl/crypto.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

static _Atomic int64_t *left;

static int must_fail(void) {
    return left && atomic_load(left) > 0 && atomic_fetch_sub(left, 1) == 1;
}

static void *take(size_t size, const char *file, int line) {
    return must_fail() ? NULL : malloc(size);
}

static void *grow(void *old, size_t size, const char *file, int line) {
    return must_fail() ? NULL : realloc(old, size);
}

static void give(void *memory, const char *file, int line) { free(memory); }

__attribute__((constructor)) static void start(void) {
    const char *path = getenv("WHARF_MEMORY_FAULT");
    int file = path ? open(path, O_RDWR) : -1;
    if (file < 0) return;
    void *shared = mmap(NULL, sizeof *left, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    if (shared == MAP_FAILED || !CRYPTO_set_mem_functions(take, grow, give)) abort();
    left = shared;
}
