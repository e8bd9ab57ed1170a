// A call by which a data module returns tensors.
#pragma once
#include <algorithm>
#include <optional>
#include <vector>

#include "core/data/source/row_validation.hpp"

namespace levin::core {

class TensorCall {
 public:
  TensorCall(const LoaderPlace& place, const char* name) : place_(place), name_(name), row_validation_(place, name) {}

  // Calls the plugin by function(out, capacity, n) and takes over `rows` rows; -1 = any number. Returns nullopt if the
  // plugin reports the end of the epoch.
  template <class F>
  std::optional<std::vector<at::Tensor>> operator()(F&& function, int64_t rows) const {
    std::vector<levin_managed*> out(std::max<size_t>(RowValidation::capacity, place_.info.fields.size() + 1));
    const auto capacity = static_cast<uint32_t>(out.size());
    uint32_t n = 0;
    levin_status status = LEVIN_OK;
    {
      const auto turn = place_.data.turn();
      status = place_.data.invoke(name_, [&] { return function(out.data(), capacity, &n); });
    }
    if (status == LEVIN_STOP) return row_validation_.discard(out.data(), n), std::nullopt;
    return row_validation_.take(out.data(), n, rows);
  }

 private:
  LoaderPlace place_;
  const char* name_;
  RowValidation row_validation_;
};

}  // namespace levin::core
