#include "core/services/dist/call.hpp"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/empty_like.h>
#include <torch/csrc/autograd/custom_function.h>

#include <utility>

#include "core/base/error.hpp"

namespace levin::core {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::tensor_list;

// Keeps the group alive in a node of the graph.
struct GroupHolder : torch::CustomClassHolder {
  explicit GroupHolder(std::shared_ptr<PluginGroup> value) : group(std::move(value)) {}
  std::shared_ptr<PluginGroup> group;
};

struct AllGather : torch::autograd::Function<AllGather> {
  static tensor_list forward(AutogradContext* context, const at::Tensor& tensor,
                             const c10::intrusive_ptr<GroupHolder>& holder) {
    context->saved_data["group"] = c10::IValue::make_capsule(holder);
    return holder->group->processes->all_gather(tensor);
  }
  static tensor_list backward(AutogradContext* context, const tensor_list& gradients) {
    const auto holder = c10::static_intrusive_pointer_cast<GroupHolder>(context->saved_data["group"].toCapsule());
    const PluginGroup& group = *holder->group;
    if (!group.processes) throw Error(ErrorCode::call_invalid, "all_gather: a backward pass after the run has ended");
    if (at::GradMode::is_enabled())
      throw Error(ErrorCode::call_invalid,
                  "all_gather: LEVIN_SYNC_GRADS has no gradients of gradients; do not use create_graph");
    at::Tensor mine = at::empty_like(gradients.at(static_cast<size_t>(group.rank)));
    group.processes->reduce_scatter(mine, gradients, ReduceOp::sum);
    return {mine, at::Tensor()};
  }
};

}  // namespace

std::vector<at::Tensor> all_gather_with_grads(const at::Tensor& tensor, const std::shared_ptr<PluginGroup>& group) {
  return AllGather::apply(tensor, c10::make_intrusive<GroupHolder>(group));
}

}  // namespace levin::core
