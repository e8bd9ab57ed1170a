// Plain loops that the compiler vectorizes. They are compiled with -O3 and without fused multiply-adds (see
// CMakeLists.txt), so that results do not depend on the vector width.
#include "transports/node/reduction_kernels.hpp"

#include <c10/util/BFloat16.h>
#include <c10/util/Half.h>

#include <algorithm>
#include <type_traits>

#include "core/base/clones.hpp"

namespace levin::core {
namespace {

constexpr int64_t block = 1024;  // partial results of a block fit into the L1 cache

template <class T>
using Partial = std::conditional_t<std::is_class_v<T>, float, T>;

struct Sum {
  template <class T>
  static LEVIN_INLINE T of(T a, T b) {
    if constexpr (std::is_integral_v<T>) return T(std::make_unsigned_t<T>(a) + std::make_unsigned_t<T>(b));
    return T(a + b);
  }
};
struct Min {
  template <class T>
  static LEVIN_INLINE T of(T a, T b) {
    return b < a || b != b ? b : a;
  }
};
struct Max {
  template <class T>
  static LEVIN_INLINE T of(T a, T b) {
    return b > a || b != b ? b : a;
  }
};

struct Task {
  void* out;
  const std::vector<const void*>& inputs;
  int64_t count;
  bool mean;
};

template <class T, class Op>
LEVIN_INLINE void reduce(const Task& task) {
  using P = Partial<T>;
  const P ranks = P(float(task.inputs.size()));
  for (int64_t begin = 0; begin < task.count; begin += block) {
    const int64_t n = std::min(block, task.count - begin);
    P partial[block];
    const T* first = static_cast<const T*>(task.inputs[0]) + begin;
    for (int64_t i = 0; i < n; ++i) partial[i] = P(first[i]);
    for (size_t rank = 1; rank < task.inputs.size(); ++rank) {
      const T* next = static_cast<const T*>(task.inputs[rank]) + begin;
      for (int64_t i = 0; i < n; ++i) partial[i] = Op::template of<P>(partial[i], P(next[i]));
    }
    if constexpr (std::is_floating_point_v<P>) {
      if (task.mean)
        for (int64_t i = 0; i < n; ++i) partial[i] /= ranks;
    }
    T* out = static_cast<T*>(task.out) + begin;
    for (int64_t i = 0; i < n; ++i) out[i] = T(partial[i]);
  }
}

template <class T>
LEVIN_INLINE void reduce_by(const Task& task, NodeReduction reduction) {
  if (reduction == NodeReduction::min) return reduce<T, Min>(task);
  if (reduction == NodeReduction::max) return reduce<T, Max>(task);
  reduce<T, Sum>(task);
}

LEVIN_CLONES void reduce_float(const Task& task, NodeReduction op) { reduce_by<float>(task, op); }
LEVIN_CLONES void reduce_double(const Task& task, NodeReduction op) { reduce_by<double>(task, op); }
LEVIN_CLONES void reduce_bfloat16(const Task& task, NodeReduction op) { reduce_by<c10::BFloat16>(task, op); }
LEVIN_CLONES void reduce_half(const Task& task, NodeReduction op) { reduce_by<c10::Half>(task, op); }
LEVIN_CLONES void reduce_int64(const Task& task, NodeReduction op) { reduce_by<int64_t>(task, op); }
LEVIN_CLONES void reduce_int32(const Task& task, NodeReduction op) { reduce_by<int32_t>(task, op); }
void reduce_int16(const Task& task, NodeReduction op) { reduce_by<int16_t>(task, op); }
void reduce_int8(const Task& task, NodeReduction op) { reduce_by<int8_t>(task, op); }
void reduce_uint8(const Task& task, NodeReduction op) { reduce_by<uint8_t>(task, op); }
void reduce_bool(const Task& task, NodeReduction op) {
  reduce_by<uint8_t>(task, op == NodeReduction::sum ? NodeReduction::max : op);
}

struct Row {
  c10::ScalarType type;
  void (*reduce)(const Task&, NodeReduction);
};
constexpr Row rows[] = {
    {c10::ScalarType::Float, reduce_float},       {c10::ScalarType::Double, reduce_double},
    {c10::ScalarType::BFloat16, reduce_bfloat16}, {c10::ScalarType::Half, reduce_half},
    {c10::ScalarType::Long, reduce_int64},        {c10::ScalarType::Int, reduce_int32},
    {c10::ScalarType::Short, reduce_int16},       {c10::ScalarType::Char, reduce_int8},
    {c10::ScalarType::Byte, reduce_uint8},        {c10::ScalarType::Bool, reduce_bool},
};
const Row* row_of(c10::ScalarType type) {
  const auto* found = std::find_if(std::begin(rows), std::end(rows), [&](const Row& row) { return row.type == type; });
  return found == std::end(rows) ? nullptr : found;
}

}  // namespace

const char* name_of(NodeReduction reduction) {
  constexpr const char* names[] = {"sum", "mean", "min", "max"};
  return names[static_cast<int>(reduction)];
}

bool can_reduce(c10::ScalarType type, NodeReduction reduction) {
  return row_of(type) && (reduction != NodeReduction::mean || c10::isFloatingType(type));
}

void reduce_into(void* out, const std::vector<const void*>& inputs, int64_t count, c10::ScalarType type,
                 NodeReduction reduction) {
  if (inputs.empty() || !can_reduce(type, reduction)) return;
  row_of(type)->reduce({out, inputs, count, reduction == NodeReduction::mean}, reduction);
}

}  // namespace levin::core
