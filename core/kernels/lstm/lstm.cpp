#include "core/kernels/lstm/lstm.hpp"

#include <ATen/ops/cat.h>
#include <ATen/ops/dropout.h>
#include <ATen/ops/lstm_compositeimplicitautograd_dispatch.h>
#include <ATen/ops/stack.h>
#include <ATen/record_function.h>
#include <c10/core/impl/LocalDispatchKeySet.h>
#include <torch/csrc/autograd/autograd.h>
#include <torch/csrc/autograd/custom_function.h>

#include <tuple>
#include <vector>

#include "core/kernels/common/plain_tensor.hpp"
#include "core/kernels/lstm/lstm_layer.hpp"
#include "core/kernels/vectors/vector_loops.hpp"

namespace levin::core {
namespace {

using at::Tensor;
using torch::autograd::AutogradContext;
using torch::autograd::variable_list;
using Three = std::tuple<Tensor, Tensor, Tensor>;

constexpr size_t n_parts = 7;         // input, hidden, cell, two weights, two biases
constexpr int64_t widest_lstm = 512;  // wider ones gain little

bool is_autocast() { return !c10::impl::tls_is_dispatch_key_excluded(c10::DispatchKey::AutocastCPU); }

LstmLayer lstm_layer_of(const variable_list& parts, bool reverse) {
  const Tensor& input = parts[0];
  return {input.stride(2) == 1 ? input : input.contiguous(),
          parts[1].contiguous(),
          parts[2].contiguous(),
          parts[3].contiguous(),
          parts[4].contiguous(),
          parts[5].contiguous(),
          parts[6].contiguous(),
          reverse};
}

// The same gradients from LibTorch's operators, which can be differentiated again.
variable_list composed_gradients(const variable_list& inputs_of_layer, bool reverse, const variable_list& given) {
  // Views of their own: one input may depend on another, or be the same tensor, and the graph behind the inputs is not
  // part of this backward.
  variable_list parts;
  for (const Tensor& input : inputs_of_layer) parts.push_back(input.view_as(input));
  const Tensor in = reverse ? parts[0].flip(0) : parts[0];
  const auto out = at::compositeimplicitautograd::lstm(
      in, std::vector<Tensor>{parts[1].unsqueeze(0), parts[2].unsqueeze(0)},
      std::vector<Tensor>{parts[3], parts[4], parts[5], parts[6]}, true, 1, 0, true, false, false);
  const Tensor output = reverse ? std::get<0>(out).flip(0) : std::get<0>(out);
  variable_list outputs, gradients, inputs;
  const variable_list all = {output, std::get<1>(out).squeeze(0), std::get<2>(out).squeeze(0)};
  for (size_t i = 0; i < all.size(); ++i)
    if (given[i].defined()) {
      outputs.push_back(all[i]);
      gradients.push_back(given[i]);
    }
  for (const Tensor& part : parts)
    if (part.requires_grad()) inputs.push_back(part);
  variable_list found = torch::autograd::grad(outputs, inputs, gradients, true, true, true), result;
  size_t next = 0;
  for (const Tensor& part : parts) result.push_back(part.requires_grad() ? found[next++] : Tensor());
  return result;
}

// Returns which inputs the backward reads. A change in place of the others is allowed before it, as with LibTorch's
// LSTM.
std::array<bool, n_parts> inputs_to_keep(const variable_list& parts) {
  std::array<bool, n_parts> wants{};
  for (size_t i = 0; i < n_parts; ++i) wants[i] = parts[i].requires_grad();
  const bool any_gate = wants[0] || wants[1] || wants[3] || wants[4] || wants[5] || wants[6];
  const bool several_steps = parts[0].size(0) > 1;
  return {wants[3], wants[4], any_gate, wants[0], wants[1] || several_steps, false, false};
}

int64_t version_of(const Tensor& tensor) { return tensor.is_inference() ? 0 : static_cast<int64_t>(tensor._version()); }

class LstmFunction : public torch::autograd::Function<LstmFunction> {
 public:
  static variable_list forward(AutogradContext* context, const Tensor& input, const Tensor& hidden, const Tensor& cell,
                               const Tensor& input_weight, const Tensor& hidden_weight, const Tensor& input_bias,
                               const Tensor& hidden_bias, bool reverse) {
    const at::AutoDispatchBelowADInplaceOrView below;
    const variable_list parts = {input, hidden, cell, input_weight, hidden_weight, input_bias, hidden_bias};
    const LstmOutput out = lstm_forward(lstm_layer_of(parts, reverse), true);
    const std::array<bool, n_parts> kept = inputs_to_keep(parts);
    variable_list saved(n_parts);
    std::vector<Tensor> others(n_parts);
    std::vector<int64_t> versions(n_parts);
    for (size_t i = 0; i < n_parts; ++i) {
      (kept[i] ? saved[i] : others[i]) = parts[i];
      versions[i] = version_of(parts[i]);
    }
    context->saved_data["others"] = others;
    context->saved_data["versions"] = versions;
    saved.insert(saved.end(), {out.saved.gates, out.saved.cells, out.saved.cell_tanhs});
    context->save_for_backward(saved);
    context->saved_data["reverse"] = reverse;
    context->set_materialize_grads(false);
    return {out.output, out.hidden, out.cell};
  }

  static variable_list backward(AutogradContext* context, const variable_list& given) {
    variable_list parts = context->get_saved_variables();
    const LstmSaved saved_layer{parts[n_parts], parts[n_parts + 1], parts[n_parts + 2]};
    parts.resize(n_parts);
    const std::vector<Tensor> others = context->saved_data["others"].toTensorVector();
    for (size_t i = 0; i < n_parts; ++i)
      if (!parts[i].defined()) parts[i] = others[i];
    const bool reverse = context->saved_data["reverse"].toBool();
    variable_list out;
    if (!given[0].defined() && !given[1].defined() && !given[2].defined()) {
      out.resize(n_parts + 1);
      return out;
    }
    if (at::GradMode::is_enabled()) {
      // Computes the layer again, from all inputs.
      const std::vector<int64_t> versions = context->saved_data["versions"].toIntVector();
      for (size_t i = 0; i < n_parts; ++i)
        TORCH_CHECK(versions[i] == version_of(parts[i]),
                    "one of the variables needed for gradient computation has been modified by an inplace operation: "
                    "input ",
                    i, " of an LSTM layer, which a backward with create_graph computes again");
      out = composed_gradients(parts, reverse, given);
    } else {
      RECORD_FUNCTION("levin::lstm_backward", std::vector<c10::IValue>());
      std::array<bool, n_parts> wanted{};
      for (size_t i = 0; i < wanted.size(); ++i) wanted[i] = parts[i].requires_grad();
      const at::AutoDispatchBelowADInplaceOrView below;
      const LstmGradients found =
          lstm_backward(lstm_layer_of(parts, reverse), saved_layer, given[0], given[1], given[2], wanted);
      out.assign(found.begin(), found.end());
    }
    out.emplace_back();  // reverse
    return out;
  }
};

bool has_plain_sizes(const Tensor& tensor, at::IntArrayRef sizes) {
  return is_cpu_float(tensor) && tensor.sizes() == sizes && tensor.numel() > 0 && !tensor._fw_grad(0).defined();
}
// Returns true for an LSTM with biases and without projections whose sizes fit each other. LibTorch reports sizes that
// do not.
bool is_lstm(const Tensor& input, int64_t batch, at::TensorList states, at::TensorList params, int64_t layers,
             int64_t directions) {
  const auto all = static_cast<size_t>(layers * directions);
  if (states.size() != 2 || params.size() != 4 * all || states[0].dim() != 3 || states[0].size(2) > widest_lstm ||
      !has_plain_sizes(input, input.sizes()))
    return false;
  const int64_t width = states[0].size(2);
  for (const Tensor& state : states)
    if (!has_plain_sizes(state, {layers * directions, batch, width})) return false;
  for (size_t i = 0; i < all; ++i) {
    const int64_t inputs = i < static_cast<size_t>(directions) ? input.size(2) : directions * width;
    const Tensor* const of = params.data() + 4 * i;
    if (!has_plain_sizes(of[0], {4 * width, inputs}) || !has_plain_sizes(of[1], {4 * width, width}) ||
        !has_plain_sizes(of[2], {4 * width}) || !has_plain_sizes(of[3], {4 * width}))
      return false;
  }
  return true;
}

variable_list lstm_layer_output(const variable_list& parts, bool reverse) {
  bool gradients = false;
  for (const Tensor& part : parts) gradients = gradients || part.requires_grad();
  if (gradients && at::GradMode::is_enabled())
    return LstmFunction::apply(parts[0], parts[1], parts[2], parts[3], parts[4], parts[5], parts[6], reverse);
  const LstmOutput out = lstm_forward(lstm_layer_of(parts, reverse), false);
  return {out.output, out.hidden, out.cell};
}

Three lstm(const Tensor& in, at::TensorList states, at::TensorList params, bool has_biases, int64_t layers,
           double dropout, bool train, bool bidirectional, bool batch_first) {
  const int64_t directions = bidirectional ? 2 : 1;
  const bool taken = has_biases && layers > 0 && in.dim() == 3 && !is_autocast() &&
                     is_lstm(in, in.size(batch_first ? 0 : 1), states, params, layers, directions);
  if (!taken)
    return at::compositeimplicitautograd::lstm(in, states, params, has_biases, layers, dropout, train, bidirectional,
                                               batch_first);
  RECORD_FUNCTION("levin::lstm", std::vector<c10::IValue>({in}));
  Tensor input = batch_first ? in.transpose(0, 1) : in;
  std::vector<Tensor> hidden, cells;
  for (int64_t i = 0; i < layers; ++i) {
    std::vector<Tensor> outputs;
    for (int64_t direction = 0; direction < directions; ++direction) {
      const int64_t index = i * directions + direction;
      const Tensor* const of = params.data() + 4 * index;
      variable_list out = lstm_layer_output(
          {input, states[0].select(0, index), states[1].select(0, index), of[0], of[1], of[2], of[3]}, direction == 1);
      outputs.push_back(out[0]);
      hidden.push_back(out[1]);
      cells.push_back(out[2]);
    }
    input = bidirectional ? at::cat(outputs, 2) : outputs[0];
    if (dropout != 0 && train && i + 1 < layers) input = at::dropout(input, dropout, true);
  }
  return {batch_first ? input.transpose(0, 1) : input, at::stack(hidden, 0), at::stack(cells, 0)};
}

}  // namespace

void add_lstm(torch::Library& library) { library.impl("lstm.input", TORCH_FN(lstm)); }

}  // namespace levin::core
