// Each rank has a slot in each of two halves. A part of a tensor is copied into the slots of one half, then all ranks
// pass a barrier and read the slots. The next part uses the other half: a rank that reuses a half has passed a barrier
// since all ranks read it.
#include "transports/node/shared_memory.hpp"

#include <algorithm>
#include <cstring>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/base/error.hpp"

namespace levin::core {
namespace {

constexpr int max_ranks = 256;
constexpr int64_t max_slot_bytes = 512 << 10;  // two slots and the result fit into a core's cache
constexpr int64_t slot_unit = 4096;
// Up to this size each rank reduces everything itself, which saves the second barrier. Two ranks always do: reading the
// other's part takes no longer than reading a result.
constexpr int64_t small_bytes = 8 << 10;

void copy_bytes(void* to, const void* from, int64_t bytes) {
  if (bytes > 0) std::memcpy(to, from, static_cast<size_t>(bytes));
}

void check_tensor(const at::Tensor& tensor) {
  if (!tensor.defined() || !tensor.device().is_cpu() || tensor.layout() != at::kStrided || !tensor.is_contiguous())
    throw Error(ErrorCode::internal_error, "ranks of a node share contiguous tensors on the CPU only");
}

}  // namespace

// The call that a rank is about to make. The other ranks compare it with theirs.
struct SharedMemory::Call {
  enum class Kind : int32_t { all_reduce, broadcast, barrier };

  Kind kind = Kind::barrier;
  int32_t detail = 0;  // the reduction, or the root
  int32_t type = 0;
  int32_t unused = 0;
  int64_t numel = 0;

  bool operator==(const Call& other) const {
    return kind == other.kind && detail == other.detail && type == other.type && numel == other.numel;
  }
  std::string text() const {
    if (kind == Kind::barrier) return "waits at a barrier";
    const std::string tensor =
        std::to_string(numel) + " elements of " + c10::toString(static_cast<at::ScalarType>(type));
    if (kind == Kind::broadcast) return "broadcasts " + tensor + " from local rank " + std::to_string(detail);
    return std::string("reduces ") + tensor + " by " + name_of(static_cast<NodeReduction>(detail));
  }
};

struct SharedMemory::Layout {
  struct alignas(64) Line {
    Call call;
  };
  BarrierState barrier;
  Line calls[2][max_ranks];
};

SharedMemory::SharedMemory(SharedMemoryOptions options) : rank_(options.exchange.rank), size_(options.exchange.size) {
  static_assert(std::is_trivially_copyable_v<Call>);
  if (size_ == 1) return;
  if (size_ > max_ranks) {
    reason_ = "more than " + std::to_string(max_ranks) + " ranks on one node";
    return;
  }
  slot_bytes_ = std::clamp(options.bytes / (2 * size_) / slot_unit * slot_unit, slot_unit, max_slot_bytes);
  segment_ = std::make_unique<SharedSegment>(options.exchange, sizeof(Layout) + 2 * size_ * slot_bytes_);
  reason_ = segment_->reason();
  if (!usable()) return;
  layout_ = static_cast<Layout*>(segment_->data());
  slots_ = static_cast<char*>(segment_->data()) + sizeof(Layout);
  barrier_ = std::make_unique<NodeBarrier>(layout_->barrier, size_, std::move(options.while_waiting));
}

void SharedMemory::require_usable() const {
  if (!usable()) throw Error(ErrorCode::system_call_failed, "the ranks of this node cannot share memory: " + reason_);
}

char* SharedMemory::slot(int rank) const { return slots_ + (half_ * size_ + rank) * slot_bytes_; }

void SharedMemory::check_calls() const {
  const auto& calls = layout_->calls[half_];
  for (int rank = 1; rank < size_; ++rank)
    if (!(calls[rank].call == calls[0].call))
      throw Error(ErrorCode::service_misused, "the ranks of this node do different things: local rank 0 " +
                                                  calls[0].call.text() + ", local rank " + std::to_string(rank) + " " +
                                                  calls[rank].call.text());
}

// Processes a tensor in parts: before() writes into the slots, after() reads from them.
template <class Before, class After>
void SharedMemory::in_parts(const Call& call, int64_t total, int64_t part, const Before& before, const After& after) {
  require_usable();
  if (size_ == 1) return;
  layout_->calls[half_][rank_].call = call;
  try {
    for (int64_t begin = 0; begin == 0 || begin < total; begin += part) {
      const int64_t count = std::min(part, total - begin);
      before(begin, count);
      barrier_->wait();
      if (begin == 0) check_calls();
      after(begin, count);
      half_ ^= 1;
    }
  } catch (const std::exception& error) {
    reason_ = std::string("an earlier call failed: ") + error.what();
    throw;
  } catch (...) {
    reason_ = "an earlier call failed";
    throw;
  }
}

void SharedMemory::all_reduce(const at::Tensor& tensor, NodeReduction reduction) {
  check_tensor(tensor);
  const at::ScalarType type = tensor.scalar_type();
  if (!can_reduce(type, reduction))
    throw Error(ErrorCode::service_misused, std::string("elements of ") + c10::toString(type) +
                                                " cannot be reduced by " + name_of(reduction) + " over ranks");
  char* const data = static_cast<char*>(tensor.data_ptr());
  const int64_t width = tensor.element_size();
  const Call call{Call::Kind::all_reduce, static_cast<int32_t>(reduction), static_cast<int32_t>(type), 0,
                  tensor.numel()};
  in_parts(
      call, tensor.numel(), slot_bytes_ / width,
      [&](int64_t begin, int64_t count) { copy_bytes(slot(rank_), data + begin * width, count * width); },
      [&](int64_t begin, int64_t count) { reduce_part(data + begin * width, count, type, reduction); });
}

void SharedMemory::reduce_part(char* mine, int64_t count, at::ScalarType type, NodeReduction reduction) {
  if (count == 0) return;
  const auto width = static_cast<int64_t>(c10::elementSize(type));
  std::vector<const void*> inputs(static_cast<size_t>(size_));
  if (size_ == 2 || count * width <= small_bytes) {
    for (int rank = 0; rank < size_; ++rank) inputs[rank] = rank == rank_ ? mine : slot(rank);
    return reduce_into(mine, inputs, count, type, reduction);
  }
  const int64_t share = ((count + size_ - 1) / size_ + 63) / 64 * 64;  // whole cache lines
  const int64_t begin = std::min(count, rank_ * share), end = std::min(count, begin + share);
  for (int rank = 0; rank < size_; ++rank) inputs[rank] = slot(rank) + begin * width;
  reduce_into(slot(0) + begin * width, inputs, end - begin, type, reduction);
  barrier_->wait();
  copy_bytes(mine, slot(0), count * width);
}

void SharedMemory::broadcast(const at::Tensor& tensor, int root) {
  check_tensor(tensor);
  if (root < 0 || root >= size_)
    throw Error(ErrorCode::internal_error, "there is no local rank " + std::to_string(root) + " to broadcast from");
  char* const data = static_cast<char*>(tensor.data_ptr());
  const int64_t bytes = tensor.numel() * tensor.element_size();
  const Call call{Call::Kind::broadcast, root, static_cast<int32_t>(tensor.scalar_type()), 0, tensor.numel()};
  in_parts(
      call, bytes, size_ * slot_bytes_,
      [&](int64_t begin, int64_t count) {
        if (rank_ == root) copy_bytes(slot(0), data + begin, count);
      },
      [&](int64_t begin, int64_t count) {
        if (rank_ != root) copy_bytes(data + begin, slot(0), count);
      });
}

void SharedMemory::barrier() {
  const auto nothing = [](int64_t, int64_t) {};
  in_parts({}, 0, 1, nothing, nothing);
}

}  // namespace levin::core
