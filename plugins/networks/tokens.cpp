#include "tokens.hpp"

#include <ATen/ops/arange.h>

#include <string>

namespace networks {

Tokens tokens_of(const levin::DataInfo& data, const char* network) {
  const levin::Field &input = data.input(), &target = data.target();
  if (input.shape.size() == 1 && input.shape[0] != 0) {
    if (target.classes > 0 && target.shape == input.shape && input.shape[0] > 0)
      return {input.shape[0], target.classes, 0};
    if (input.classes > 0 && target.shape.size() <= 1 && target.shape != input.shape)
      return {input.shape[0], input.classes, levin::outputs_of(data)};
  }
  throw levin::Error(LEVIN_E_INVALID,
                     std::string(network) +
                         " needs sequences of tokens, and as target the next token of each position or a class of the "
                         "row; field '" +
                         input.name + "' of the data has the shape " + levin::shape_text(input.shape) +
                         (input.classes > 0 ? "" : " without classes") + ", and '" + target.name + "' " +
                         levin::shape_text(target.shape) + (target.classes > 0 ? "" : " without classes"));
}

torch::Tensor last_position(const torch::Tensor& x, const torch::Tensor& mask) {
  if (!mask.defined()) return x.select(1, x.size(1) - 1);
  const torch::Tensor positions = at::arange(1, x.size(1) + 1, mask.options().dtype(at::kLong)),
                      last = mask.ne(0).mul(positions).amax(1).sub(1).clamp_min(0);
  return x.gather(1, last.view({-1, 1, 1}).expand({-1, 1, x.size(2)})).squeeze(1);
}

}  // namespace networks
