#include <ATen/ATen.h>

#include <limits>

#include "catch.hpp"
#include "forked_ranks.hpp"

using levin::core::NodeReduction;
using levin::core::SharedMemory;

namespace {

constexpr at::ScalarType types[] = {at::kFloat, at::kDouble, at::kBFloat16, at::kHalf, at::kLong,
                                    at::kInt,   at::kShort,  at::kChar,     at::kByte, at::kBool};
const std::vector<std::string> good2{"", ""}, good3{"", "", ""}, good4{"", "", "", ""};

// Returns small numbers that differ by rank and position. Does not use LibTorch's threads, because the parent of forks
// must not start any.
at::Tensor values(int rank, int64_t count, at::ScalarType type) {
  at::Tensor tensor = at::zeros({count}, at::kDouble);
  double* data = tensor.data_ptr<double>();
  for (int64_t i = 0; i < count; ++i) {
    const int64_t number = (i * 7 + rank * 13) % 23;
    data[i] = at::isFloatingType(type) ? static_cast<double>(number - 11) / 3
                                       : static_cast<double>(number % (type == at::kBool ? 2 : 20));
  }
  return tensor.to(type);
}

// Returns the result of one process. Half types are summed in float and rounded once.
at::Tensor expected(int size, int64_t count, at::ScalarType type, NodeReduction reduction) {
  const bool half = type == at::kBFloat16 || type == at::kHalf;
  at::Tensor all = values(0, count, type);
  if (half) all = all.to(at::kFloat);
  for (int rank = 1; rank < size; ++rank) {
    const at::Tensor next = values(rank, count, type).to(all.scalar_type());
    if (reduction == NodeReduction::min)
      all = at::minimum(all, next);
    else if (reduction == NodeReduction::max)
      all = at::maximum(all, next);
    else if (type == at::kBool)
      all = at::logical_or(all, next);
    else
      all = all + next;
  }
  if (reduction == NodeReduction::mean) all = all / size;
  return all.to(type);
}

void check_all(SharedMemory& memory, int rank, int size, int64_t count) {
  for (const at::ScalarType type : types)
    for (const auto op : {NodeReduction::sum, NodeReduction::mean, NodeReduction::min, NodeReduction::max}) {
      if (!levin::core::can_reduce(type, op)) continue;
      const at::Tensor tensor = values(rank, count, type);
      memory.all_reduce(tensor, op);
      require(at::equal(tensor, expected(size, count, type, op)),
              std::to_string(count) + " of " + c10::toString(type) + " by " + levin::core::name_of(op));
    }
}

}  // namespace

TEST_CASE("All types and sizes are reduced as one process does it, to the bit", "[shared_memory]") {
  for (const int size : {2, 3, 4}) {
    const auto messages = run_ranks(size, [&](int rank, const FileStore& store) {
      auto options = shared_options(rank, size, store);
      options.bytes = 64 << 10;  // so that large tensors are transferred in parts
      SharedMemory memory(options);
      require(memory.usable(), memory.reason());
      for (const int64_t count : {0, 1, 7, 64, 1023, 2500, 40001}) check_all(memory, rank, size, count);
    });
    CHECK(messages == std::vector<std::string>(size, ""));
  }
}

TEST_CASE("The order of ranks is fixed: sums that depend on it are the same bits on all ranks, in parts or whole",
          "[shared_memory]") {
  for (const int64_t bytes : {32 << 10, 16 << 20}) {
    const auto messages = run_ranks(4, [&](int rank, const FileStore& store) {
      auto options = shared_options(rank, 4, store);
      options.bytes = bytes;
      SharedMemory memory(options);
      constexpr float terms[] = {1e8F, 1.0F, -1e8F, 0.3F};
      const at::Tensor tensor = at::full({30000}, terms[rank]);
      memory.all_reduce(tensor, NodeReduction::sum);
      const float sum = ((terms[0] + terms[1]) + terms[2]) + terms[3];
      require(at::equal(tensor, at::full({30000}, sum)), "another order");
    });
    CHECK(messages == good4);
  }
}

TEST_CASE("A NaN of any rank is in the minimum and the maximum of all ranks", "[shared_memory]") {
  const auto messages = run_ranks(3, [](int rank, const FileStore& store) {
    SharedMemory memory(shared_options(rank, 3, store));
    for (int with_nan = 0; with_nan < 3; ++with_nan)
      for (const auto op : {NodeReduction::min, NodeReduction::max}) {
        const double value = rank == with_nan ? std::numeric_limits<double>::quiet_NaN() : rank;
        const at::Tensor tensor = at::full({5}, value);
        memory.all_reduce(tensor, op);
        require(tensor.isnan().all().item<bool>(), "a NaN got lost");
      }
  });
  CHECK(messages == good3);
}

TEST_CASE("A broadcast gives every rank the bytes of the root, whatever the type and size", "[shared_memory]") {
  const auto messages = run_ranks(3, [](int rank, const FileStore& store) {
    auto options = shared_options(rank, 3, store);
    options.bytes = 32 << 10;
    SharedMemory memory(options);
    for (int root = 0; root < 3; ++root)
      for (const int64_t count : {0, 1, 999, 100000}) {
        const at::Tensor tensor = values(rank, count, at::kShort);
        memory.broadcast(tensor, root);
        require(at::equal(tensor, values(root, count, at::kShort)), "broadcast of " + std::to_string(count));
        const at::Tensor complex = at::full({3}, c10::complex<double>(rank, 1), at::kComplexDouble);
        memory.broadcast(complex, root);
        require(at::real(complex).eq(root).all().item<bool>(), "broadcast of complex numbers");
      }
  });
  CHECK(messages == good3);
}

TEST_CASE("More ranks than cores get through many small calls in any order of arrival", "[shared_memory]") {
  const auto messages = run_ranks(8, [](int rank, const FileStore& store) {
    SharedMemory memory(shared_options(rank, 8, store));
    for (int i = 0; i < 300; ++i) {
      const at::Tensor tensor = at::full({i % 50 == 0 ? 5000 : 3}, rank + i, at::kLong);
      if (i % 100 == rank) std::this_thread::sleep_for(std::chrono::milliseconds(2));
      memory.all_reduce(tensor, NodeReduction::sum);
      require(tensor.eq(28 + 8 * i).all().item<bool>(), "sum " + std::to_string(i));
      if (i % 7 == 0) memory.barrier();
    }
  });
  CHECK(messages == std::vector<std::string>(8, ""));
}

TEST_CASE("One rank alone needs no memory and changes nothing", "[shared_memory]") {
  SharedMemory memory(levin::core::SharedMemoryOptions{});
  REQUIRE(memory.usable());
  const at::Tensor tensor = at::ones({3});
  memory.all_reduce(tensor, NodeReduction::mean);
  memory.broadcast(tensor, 0);
  memory.barrier();
  CHECK(tensor.sum().item<double>() == 3);
}

TEST_CASE("What cannot be reduced is refused by name", "[shared_memory]") {
  SharedMemory memory(levin::core::SharedMemoryOptions{});
  CHECK_THROWS_WITH(memory.all_reduce(at::ones({3}, at::kLong), NodeReduction::mean),
                    "elements of Long cannot be reduced by mean over ranks");
  CHECK_THROWS_WITH(memory.all_reduce(at::ones({3}, at::kComplexFloat), NodeReduction::sum),
                    "elements of ComplexFloat cannot be reduced by sum over ranks");
  CHECK_THROWS_WITH(memory.all_reduce(at::ones({3, 4}).t(), NodeReduction::sum), ContainsSubstring("contiguous"));
  CHECK_THROWS_WITH(memory.broadcast(at::ones({3}), 1), ContainsSubstring("no local rank 1"));
  CHECK(memory.usable());
}
