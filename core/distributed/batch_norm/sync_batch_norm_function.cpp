// Each rank computes mean and squared deviations of its own rows with LibTorch's kernels. One collective gathers those
// of all ranks. They are combined in double by the method of Chan, Golub and LeVeque, which avoids squares of large
// means that would cancel. The backward pass needs a second collective.
#include "core/distributed/batch_norm/sync_batch_norm.hpp"

#include <ATen/TensorOperators.h>
#include <ATen/ops/addcmul.h>
#include <ATen/ops/batch_norm_update_stats.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/native_batch_norm.h>
#include <ATen/ops/native_batch_norm_backward.h>
#include <ATen/ops/zeros.h>
#include <torch/csrc/autograd/custom_function.h>

#include <tuple>
#include <utility>
#include <vector>

namespace levin::core {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::tensor_list;
using MaybeTensor = c10::optional<at::Tensor>;

// Statistics over all ranks, in double, one value for each channel.
struct Statistics {
  at::Tensor count;  // no dimension
  at::Tensor mean;
  at::Tensor var;  // biased
};

// Lets a node of the autograd graph own the ranks.
struct RanksHolder : torch::CustomClassHolder {
  explicit RanksHolder(std::shared_ptr<const BatchNormRanks> value) : ranks(std::move(value)) {}
  std::shared_ptr<const BatchNormRanks> ranks;
};

at::ScalarType computed_type(const at::Tensor& input) {
  return input.scalar_type() == at::kDouble ? at::kDouble : at::kFloat;
}

// Returns the tensor in the type of the computation, dense in a memory format that LibTorch has fast kernels for.
at::Tensor prepared(const at::Tensor& tensor, const at::Tensor& like) {
  return tensor.to(computed_type(like)).contiguous(like.suggest_memory_format());
}

at::Tensor converted(const at::Tensor& tensor, at::ScalarType type) {
  return tensor.defined() ? tensor.to(type) : tensor;
}

// Returns a view that broadcasts one value for each channel along the channels of the input.
at::Tensor along_channels(const at::Tensor& values, const at::Tensor& input) {
  std::vector<int64_t> shape(static_cast<size_t>(input.dim()), 1);
  shape[1] = -1;
  return values.to(input.scalar_type()).view(shape);
}

int64_t values_per_channel(const at::Tensor& input) { return input.size(1) == 0 ? 0 : input.numel() / input.size(1); }

// Returns a row for each rank: number of values, means, sums of squared deviations. Each rank adds its row to zeros.
at::Tensor gathered_rows(const at::Tensor& input, const BatchNormRanks& ranks) {
  const int64_t channels = input.size(1), count = values_per_channel(input);
  at::Tensor rows = at::zeros({ranks.size, 1 + 2 * channels}, input.options().dtype(at::kDouble));
  if (count > 0) {
    const auto [mean, var] = at::batch_norm_update_stats(input, {}, {}, 0.0);
    const at::Tensor row = rows.select(0, ranks.rank);
    row.narrow(0, 0, 1).fill_(count);
    row.narrow(0, 1, channels).copy_(mean);
    row.narrow(0, 1 + channels, channels).copy_(var).mul_(count);
  }
  ranks.sum(rows);
  return rows;
}

Statistics combined(const at::Tensor& rows) {
  const int64_t channels = (rows.size(1) - 1) / 2;
  const at::Tensor counts = rows.narrow(1, 0, 1), means = rows.narrow(1, 1, channels);
  const at::Tensor squares = rows.narrow(1, 1 + channels, channels);
  Statistics all;
  all.count = counts.sum();
  all.mean = (means * counts).sum(0) / all.count;
  all.var = (squares + (means - all.mean).square() * counts).sum(0) / all.count;
  return all;
}

// Checks on the CPU only: reading the count from a GPU would synchronize in every call. There a single value gives an
// infinite variance.
void check_count(const Statistics& all, const at::Tensor& input) {
  if (!all.count.device().is_cpu()) return;
  TORCH_CHECK(all.count.item<double>() > 1, "Expected more than 1 value per channel over all ranks when training, got ",
              all.count.item<double>(), " (input size ", input.sizes(), " on this one)");
}

void update_running(const at::Tensor& running, const at::Tensor& current, double momentum) {
  if (running.defined()) running.copy_(running.to(at::kDouble).mul_(1 - momentum).add_(current, momentum));
}

class SyncBatchNorm : public torch::autograd::Function<SyncBatchNorm> {
 public:
  // Function does not accept undefined tensors as arguments, but accepts empty optionals.
  static at::Tensor forward(AutogradContext* context, const at::Tensor& input, const MaybeTensor& maybe_weight,
                            const MaybeTensor& maybe_bias, const BatchNormCall& call) {
    const at::Tensor weight = maybe_weight.value_or(at::Tensor()), bias = maybe_bias.value_or(at::Tensor());
    const at::Tensor x = prepared(input, input);
    const Statistics all = combined(gathered_rows(x, *call.ranks));
    check_count(all, input);
    update_running(call.running_mean, all.mean, call.momentum);
    update_running(call.running_var, all.var * (all.count / (all.count - 1)), call.momentum);

    const at::ScalarType type = x.scalar_type();
    const at::Tensor mean = all.mean.to(type), var = all.var.to(type);
    context->save_for_backward({input, weight, mean, var, all.count});
    context->saved_data["eps"] = call.eps;
    context->saved_data["has_bias"] = bias.defined();
    context->saved_data["ranks"] = c10::IValue::make_capsule(c10::make_intrusive<RanksHolder>(call.ranks));
    if (x.numel() == 0) return at::empty_like(input);
    return std::get<0>(at::native_batch_norm(x, converted(weight, type), converted(bias, type), mean, var, false, 0.0,
                                             call.eps))
        .to(input.scalar_type());
  }

  static tensor_list backward(AutogradContext* context, const tensor_list& gradients) {
    TORCH_CHECK(!at::GradMode::is_enabled(),
                "sync_batchnorm has no gradients of gradients: switch it off, or do not use create_graph");
    const tensor_list saved = context->get_saved_variables();
    const at::Tensor &input = saved[0], &weight = saved[1], &mean = saved[2], &var = saved[3], &count = saved[4];
    const double eps = context->saved_data["eps"].toDouble();
    const auto holder = c10::static_intrusive_pointer_cast<RanksHolder>(context->saved_data["ranks"].toCapsule());
    const at::Tensor x = prepared(input, input), dy = prepared(gradients[0], x);
    const auto [grad_weight, grad_bias] = own_sums(x, dy, mean, var, eps);

    tensor_list result(4);
    if (context->needs_input_grad(0)) {
      const at::Tensor inv_std = (var.to(at::kDouble) + eps).rsqrt();
      const at::Tensor sums = at::cat({grad_bias, grad_weight}).to(at::kDouble);
      holder->ranks->sum(sums);
      const at::Tensor mean_dy = sums.narrow(0, 0, x.size(1)) / count;
      const at::Tensor mean_dy_xhat = sums.narrow(0, x.size(1), x.size(1)) / count;
      // dx = of_dy * (dy - mean_dy - xhat * mean_dy_xhat), where xhat = (x - mean) * inv_std, as a sum of three.
      const at::Tensor of_dy = weight.defined() ? inv_std * weight.to(at::kDouble) : inv_std;
      const at::Tensor of_x = -(of_dy * inv_std * mean_dy_xhat);
      const at::Tensor rest = -(of_dy * mean_dy) - of_x * mean.to(at::kDouble);
      const at::Tensor dx = at::addcmul(along_channels(rest, x), x, along_channels(of_x, x));
      result[0] = dx.addcmul_(dy, along_channels(of_dy, x)).to(input.scalar_type());
    }
    if (weight.defined()) result[1] = grad_weight;
    if (context->saved_data["has_bias"].toBool()) result[2] = grad_bias;
    return result;
  }

 private:
  // Returns the sums of dy * xhat and of dy over the rank's own rows.
  static std::pair<at::Tensor, at::Tensor> own_sums(const at::Tensor& x, const at::Tensor& dy, const at::Tensor& mean,
                                                    const at::Tensor& var, double eps) {
    if (x.numel() == 0) return {at::zeros({x.size(1)}, x.options()), at::zeros({x.size(1)}, x.options())};
    auto [none, weight, bias] =
        at::native_batch_norm_backward(dy, x, {}, mean, var, {}, {}, false, eps, {false, true, true});
    return {weight, bias};
  }
};

}  // namespace

at::Tensor sync_batch_norm(const at::Tensor& input, const MaybeTensor& weight, const MaybeTensor& bias,
                           const BatchNormCall& call) {
  return SyncBatchNorm::apply(input, weight, bias, call);
}

}  // namespace levin::core
