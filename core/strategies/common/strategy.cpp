#include "core/strategies/common/strategy.hpp"

#include "core/precision/precision.hpp"

namespace levin::core {

void Strategy::step(const ModelStep& s) {
  if (s.precision.is_full_precision()) return s.model.step(s.in, s.out);
  s.precision.forward([&] { s.model.step(s.in, s.out); });
}

void Strategy::backward(const at::Tensor& loss, bool retain_graph) {
  loss.backward({}, retain_graph ? c10::optional<bool>(true) : c10::nullopt);
}

}  // namespace levin::core
