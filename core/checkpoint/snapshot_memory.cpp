#include "core/checkpoint/snapshot_memory.hpp"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/from_blob.h>
#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <new>

#include "core/optim/optimizers/parallel_ranges.hpp"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace levin::core {
namespace {

constexpr size_t alignment = 64;
constexpr size_t huge_page = size_t{2} << 20;

size_t round_up(size_t bytes, size_t to) { return (bytes + to - 1) / to * to; }

struct Piece {
  size_t begin, end;  // offsets in the memory
  const char* from;
};

// to: a multiple of 16. Copies without reading the destination into the cache, which saves a third of the memory's
// traffic. memcpy does so only for blocks about as large as the cache.
void copy_past_cache(char* to, const char* from, size_t bytes) {
  size_t done = 0;
#ifdef __SSE2__
  constexpr size_t line = 64, lines = 2, ahead = 1024, vectors = lines * line / sizeof(__m128i);
  for (; done + lines * line <= bytes; done += lines * line) {
    __m128i values[vectors];
    for (size_t i = 0; i < lines; ++i) _mm_prefetch(from + done + ahead + i * line, _MM_HINT_NTA);
    for (size_t i = 0; i < vectors; ++i) values[i] = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from + done) + i);
    for (size_t i = 0; i < vectors; ++i) _mm_stream_si128(reinterpret_cast<__m128i*>(to + done) + i, values[i]);
  }
  _mm_sfence();  // the thread that writes the file reads the copy
#endif
  std::memcpy(to + done, from + done, bytes - done);
}

// Copies the bytes between two offsets of the memory, across any number of tensors.
void copy_range(char* to, const std::vector<Piece>& pieces, size_t begin, size_t end) {
  auto piece = std::partition_point(pieces.begin(), pieces.end(), [&](const Piece& p) { return p.end <= begin; });
  for (; piece != pieces.end() && piece->begin < end; ++piece) {
    const size_t first = std::max(begin, piece->begin), last = std::min(end, piece->end);
    copy_past_cache(to + first, piece->from + (first - piece->begin), last - first);
  }
}

}  // namespace

// The system allocates pages when they are first touched; with huge pages that takes a tenth of the time.
void SnapshotMemory::reserve(size_t bytes) {
  if (bytes <= size_) return;
  release();
  const size_t size = round_up(bytes, huge_page);
  void* mapped = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapped == MAP_FAILED) throw std::bad_alloc();
  ::madvise(mapped, size, MADV_HUGEPAGE);  // fails on kernels without huge pages, which is harmless
  data_ = static_cast<char*>(mapped);
  size_ = size;
}

void SnapshotMemory::release() {
  if (data_ != nullptr) ::munmap(data_, size_);
  data_ = nullptr;
  size_ = 0;
}

void SnapshotMemory::copy(const std::vector<at::Tensor*>& tensors) {
  const at::NoGradGuard no_grad;
  size_t total = 0;
  for (const at::Tensor* t : tensors) total += round_up(t->nbytes(), alignment);
  reserve(total);
  std::vector<Piece> pieces;
  std::vector<at::Tensor> originals;  // perhaps the last references
  originals.reserve(tensors.size());
  size_t at = 0;
  for (at::Tensor* t : tensors) {
    const at::Tensor& from = originals.emplace_back(*t);
    *t = at::from_blob(data_ + at, from.sizes(), from.options().device(at::kCPU).requires_grad(false));
    if (from.device().is_cpu() && from.is_contiguous() && from.nbytes() > 0)
      pieces.push_back({at, at + from.nbytes(), static_cast<const char*>(from.data_ptr())});
    else
      t->copy_(from);
    at += round_up(from.nbytes(), alignment);
  }
  parallel_ranges(static_cast<int64_t>(at), [&](int64_t begin, int64_t end) {
    copy_range(data_, pieces, static_cast<size_t>(begin), static_cast<size_t>(end));
  });
}

}  // namespace levin::core
