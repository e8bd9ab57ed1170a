// A call by which a data module hands over tensors. They are checked against its described fields before the host takes
// them over.
#pragma once
#include <ATen/core/Tensor.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "core/data/source/loader_place.hpp"

namespace levin::core {

class HeldTensors;

// Of batch, next or resident of one loader. Thread-safe.
class TensorCall {
 public:
  TensorCall(const LoaderPlace& place, const char* name);

  // Calls the plugin by function(out, capacity, n) and takes over the n tensors, one per field, of `rows` rows; -1 =
  // any number, at least one. Returns nullopt if the plugin reports the end of the epoch. Throws Error{plugin} that
  // gives the expected and the actual tensor; all tensors are then given back to the plugin.
  template <class F>
  std::optional<std::vector<at::Tensor>> operator()(F&& function, int64_t rows) const {
    std::vector<levin_managed*> out(std::max<size_t>(capacity, place_.info.fields.size() + 1));
    uint32_t n = 0;
    levin_status status = LEVIN_OK;
    {
      const auto turn = place_.data.turn();
      status = place_.data.invoke(name_, [&] { return function(out.data(), static_cast<uint32_t>(out.size()), &n); });
    }
    if (status == LEVIN_STOP) return discard(out.data(), n), std::nullopt;
    return take(out.data(), n, rows);
  }
  // The same for a function that may not report the end of the epoch.
  template <class F>
  std::vector<at::Tensor> all(F&& function, int64_t rows) const {
    auto given = (*this)(std::forward<F>(function), rows);
    if (!given) fail(place_.text() + ": returned LEVIN_STOP, which only 'next' may");
    return std::move(*given);
  }

 private:
  static constexpr uint32_t capacity = 64;

  std::vector<at::Tensor> take(levin_managed* const* tensors, uint32_t n, int64_t rows) const;
  void discard(levin_managed* const* tensors, uint32_t n) const;  // gives unused tensors back to the plugin
  void check(levin_managed* const* tensors, uint32_t n, int64_t rows) const;
  [[noreturn]] void fail(const std::string& what) const {
    throw place_.error(ErrorCode::plugin_answer_invalid, name_, what);
  }

  LoaderPlace place_;
  const char* name_;
  std::shared_ptr<HeldTensors> held_;
};

}  // namespace levin::core
