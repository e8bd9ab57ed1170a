// Preloaded: counts the allocations of the calling thread.
#include <cerrno>
#include <cstddef>
#include <cstdint>

namespace {
thread_local int64_t count __attribute__((tls_model("initial-exec"))) = 0;
}

extern "C" {
void* __libc_malloc(size_t);  // of the GNU C library
void* __libc_calloc(size_t, size_t);
void* __libc_realloc(void*, size_t);
void* __libc_memalign(size_t, size_t);

int64_t levin_test_allocations() { return count; }
void* malloc(size_t size) { return ++count, __libc_malloc(size); }
void* calloc(size_t n, size_t size) { return ++count, __libc_calloc(n, size); }
void* realloc(void* memory, size_t size) { return ++count, __libc_realloc(memory, size); }
void* memalign(size_t alignment, size_t size) { return ++count, __libc_memalign(alignment, size); }
void* aligned_alloc(size_t alignment, size_t size) { return ++count, __libc_memalign(alignment, size); }
int posix_memalign(void** out, size_t alignment, size_t size) {
  ++count;
  *out = __libc_memalign(alignment, size);
  return *out ? 0 : ENOMEM;
}
}
