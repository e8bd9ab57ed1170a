#include "core/autograd/graph_walk.hpp"

#include <ATen/TensorOperators.h>
#include <ATen/TensorSubclassLikeUtils.h>
#include <torch/csrc/autograd/functions/accumulate_grad.h>
#include <torch/csrc/autograd/utils/grad_layout_contract.h>

#include <algorithm>
#include <cstring>
#include <typeinfo>
#include <utility>

#include "core/abi/torch_compat_autograd.hpp"

namespace levin::core {
namespace {

using torch::autograd::AccumulateGrad;
using torch::autograd::Edge;
using torch::autograd::Node;
using torch::autograd::variable_list;

// Nodes that LibTorch generates for its operators run only LibTorch's code. A custom function may ask the engine for
// its state.
bool is_plain_type(const std::type_info& type) {
  constexpr const char* generated = "N5torch8autograd9generated";
  return type == typeid(AccumulateGrad) || std::strncmp(type.name(), generated, std::strlen(generated)) == 0;
}

bool is_plain_input(const torch::autograd::InputMetadata& input) {
  const at::TensorOptions& options = input.options();
  return options.device().is_cpu() && options.layout() == at::kStrided && !input.is_tensor_subclass() &&
         c10::isFloatingType(c10::typeMetaToScalarType(options.dtype()));
}

// Gives a leaf its first gradient as AccumulateGrad does, without an operator. Returns false if that has more to do.
bool set_first_gradient(AccumulateGrad& leaf, const at::Tensor& gradient) {
  const at::Tensor& variable = leaf.variable;
  if (!gradient.defined() || gradient.use_count() != 1 || !variable.requires_grad() || variable.grad().defined() ||
      at::isTensorSubclassLike(gradient) || gradient.layout() != at::kStrided || variable.layout() != at::kStrided ||
      gradient.scalar_type() != variable.scalar_type() || gradient.sizes() != variable.sizes() ||
      !torch::autograd::utils::obeys_layout_contract(gradient, variable))
    return false;
  variable.mutable_grad() = gradient.variable_data();
  return true;
}

// An operator may return the gradient of an input that was broadcast or cast. The engine's other checks cannot fail.
void fit_to_input(const Node& from, size_t index, at::Tensor& gradient) {
  const Edge& edge = from.next_edge(index);
  if (!edge.is_valid() || !gradient.defined()) return;
  const auto& input = edge.function->input_metadata(edge.input_nr);
  if (!input.is_same_shape(gradient)) {
    TORCH_CHECK(input.is_expandable_to_shape(gradient), "Function ", from.name(), " returned an ",
                input.incompatible_shape_error_message(index, gradient).str());
    gradient = input.reduce_grad(gradient);
  }
  const auto dtype = gradient_dtype(input);
  if (dtype && *dtype != gradient.scalar_type()) gradient = gradient.to(*dtype);
}

// Releases the tensors that the node has saved as soon as it has been called.
variable_list call(Node& node, variable_list&& gradients, bool retain_graph) {
  if (!retain_graph) node.will_release_variables();
  variable_list results = node(std::move(gradients));
  TORCH_CHECK(results.size() == node.num_outputs(), "Function ", node.name(),
              " returned an invalid number of gradients - expected ", node.num_outputs(), ", but got ", results.size());
  for (size_t i = 0; i < results.size(); ++i) fit_to_input(node, i, results[i]);
  if (!retain_graph) node.release_variables();
  return results;
}

// Returns true if nothing else sees the tensor, so that a sum may be computed in its place.
bool is_spare(const at::Tensor& tensor) {
  return !at::isTensorSubclassLike(tensor) && !tensor._is_zerotensor() && !tensor.is_nested() &&
         tensor.is_non_overlapping_and_dense() && tensor.use_count() == 1 && tensor.has_storage() &&
         tensor.storage().use_count() == 1;
}

// The same operator and the same order as in the engine, because they decide about rounding and strides.
void add(at::Tensor& sum, at::Tensor gradient) {
  if (sum.is_sparse() || sum.is_sparse_csr())
    sum = is_spare(gradient) ? gradient.add_(sum) : gradient + sum;
  else if (is_spare(sum) && !at::isTensorSubclassLike(gradient))
    sum.add_(gradient);
  else
    sum = sum + gradient;
}

}  // namespace

bool GraphWalk::is_plain(Node& node) {
  const std::type_info& type = typeid(node);
  const auto known = plain_types_.find(&type);
  const bool plain = known != plain_types_.end() ? known->second : (plain_types_[&type] = is_plain_type(type));
  if (!plain || has_hooks(node)) return false;
  for (uint32_t i = 0; i < node.num_inputs(); ++i)
    if (!is_plain_input(node.input_metadata(i))) return false;
  return true;
}

uint32_t GraphWalk::find_or_add(Node& node) {
  const auto [found, is_new] = index_.emplace(&node, static_cast<uint32_t>(visits_.size()));
  if (is_new) visits_.push_back({&node, node.sequence_nr(), typeid(node) == typeid(AccumulateGrad), 0, 0, {}});
  return found->second;
}

bool GraphWalk::plan(Node& root) {
  find_or_add(root);
  // Visits are appended while their predecessors are looked at.
  for (size_t at = 0; at < visits_.size(); ++at) {
    Node& node = *visits_[at].node;
    if (!is_plain(node)) return false;
    visits_[at].first_edge = static_cast<uint32_t>(targets_.size());
    for (const Edge& edge : node.next_edges()) {
      targets_.push_back(edge.is_valid() ? find_or_add(*edge.function) : nowhere);
      if (edge.is_valid()) ++visits_[targets_.back()].missing;
    }
  }
  return true;
}

void GraphWalk::run(uint32_t output, at::Tensor gradient, bool retain_graph) {
  const auto is_later = [this](uint32_t a, uint32_t b) { return visits_[a].sequence_nr < visits_[b].sequence_nr; };
  Visit& root = visits_.front();
  root.gradients.resize(root.node->num_inputs());
  root.gradients[output] = std::move(gradient);
  ready_.push_back(0);
  while (!ready_.empty()) {
    std::pop_heap(ready_.begin(), ready_.end(), is_later);
    Visit& visit = visits_[ready_.back()];
    ready_.pop_back();
    if (visit.is_leaf && set_first_gradient(static_cast<AccumulateGrad&>(*visit.node), visit.gradients.front())) {
      visit.gradients.clear();
      continue;
    }
    variable_list gradients = call(*visit.node, std::move(visit.gradients), retain_graph);
    for (size_t i = 0; i < gradients.size(); ++i) {
      const uint32_t target = targets_[visit.first_edge + i];
      if (target == nowhere || !arrive(visits_[target], visit.node->next_edge(i).input_nr, std::move(gradients[i])))
        continue;
      ready_.push_back(target);
      std::push_heap(ready_.begin(), ready_.end(), is_later);
    }
  }
}

bool GraphWalk::arrive(Visit& visit, uint32_t input, at::Tensor gradient) {
  if (visit.gradients.empty()) visit.gradients.resize(visit.node->num_inputs());
  if (gradient.defined()) {
    at::Tensor& sum = visit.gradients[input];
    if (sum.defined())
      add(sum, std::move(gradient));
    else
      sum = std::move(gradient);
  }
  return --visit.missing == 0;
}

void GraphWalk::clear() {
  visits_.clear();
  targets_.clear();
  ready_.clear();
  index_.clear();
}

}  // namespace levin::core
