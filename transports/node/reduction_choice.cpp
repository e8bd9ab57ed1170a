#include "transports/node/reduction_choice.hpp"

#include <ATen/ops/zeros.h>

#include <algorithm>
#include <chrono>
#include <cstdio>

namespace levin::core {
namespace {

constexpr int64_t sizes[] = {256, 16 << 10, 256 << 10, 4 << 20};
constexpr int rounds = 5;

double microseconds(const std::function<void()>& work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begin).count();
}

// Returns the best time of a few rounds. The transports alternate, so that other programs on the machine disturb both
// alike.
ReductionTime measure(SharedMemory& memory, const std::function<void(const at::Tensor&)>& other, int64_t bytes) {
  at::Tensor tensor = at::zeros({bytes / 4}, at::kFloat);
  ReductionTime best{bytes, 1e12, 1e12};
  for (int round = 0; round < rounds; ++round) {
    memory.barrier();
    best.shared_us = std::min(best.shared_us, microseconds([&] { memory.all_reduce(tensor, NodeReduction::sum); }));
    memory.barrier();
    best.other_us = std::min(best.other_us, microseconds([&] { other(tensor); }));
  }
  return best;
}

std::string size_text(int64_t bytes) {
  if (bytes >= 1 << 20) return std::to_string(bytes >> 20) + " MB";
  if (bytes >= 1 << 10) return std::to_string(bytes >> 10) + " KB";
  return std::to_string(bytes) + " B";
}

}  // namespace

// Decides by the next larger size that was measured.
bool ReductionChoice::shared(int64_t bytes) const {
  if (times.empty()) return false;
  const auto found =
      std::find_if(times.begin(), times.end(), [&](const ReductionTime& time) { return time.bytes >= bytes; });
  const ReductionTime& time = found == times.end() ? times.back() : *found;
  return time.shared_us < time.other_us;
}

std::string ReductionChoice::text() const {
  std::string text;
  for (const ReductionTime& time : times) {
    char numbers[80];
    std::snprintf(numbers, sizeof(numbers), " in %.0f us (other: %.0f us)", time.shared_us, time.other_us);
    text += (text.empty() ? "shared memory: " : ", ") + size_text(time.bytes) + numbers;
  }
  return text.empty() ? "shared memory: not used" : text;
}

ReductionChoice measure_reductions(SharedMemory& memory, const std::function<void(const at::Tensor&)>& other) {
  ReductionChoice choice;
  if (!memory.usable()) return choice;
  for (const int64_t bytes : sizes) choice.times.push_back(measure(memory, other, bytes));
  at::Tensor numbers = at::zeros({static_cast<int64_t>(choice.times.size()), 2}, at::kDouble);
  double* at = numbers.data_ptr<double>();
  for (size_t i = 0; i < choice.times.size(); ++i) {
    at[2 * i] = choice.times[i].shared_us;
    at[2 * i + 1] = choice.times[i].other_us;
  }
  memory.broadcast(numbers, 0);
  for (size_t i = 0; i < choice.times.size(); ++i) {
    choice.times[i].shared_us = at[2 * i];
    choice.times[i].other_us = at[2 * i + 1];
  }
  return choice;
}

}  // namespace levin::core
