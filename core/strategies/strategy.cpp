#include "core/strategies/strategy.hpp"

namespace levin::core {

void Strategy::backward(const at::Tensor& loss, bool retain_graph) {
  loss.backward({}, retain_graph ? c10::optional<bool>(true) : c10::nullopt);
}

}  // namespace levin::core
