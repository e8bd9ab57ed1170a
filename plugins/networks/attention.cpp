#include "attention.hpp"

#include <ATen/ops/bmm.h>
#include <ATen/ops/dropout.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/zeros.h>
#include <torch/nn/init.h>
#include <torch/version.h>

#include <cmath>
#if TORCH_VERSION_MAJOR >= 2
#include <ATen/ops/scaled_dot_product_attention.h>
#endif

namespace networks {

SelfAttentionImpl::SelfAttentionImpl(int64_t size, int64_t heads, double dropout) : heads_(heads), dropout_(dropout) {
  in_proj_weight_ = register_parameter("in_proj_weight", torch::nn::init::xavier_uniform_(at::empty({3 * size, size})));
  in_proj_bias_ = register_parameter("in_proj_bias", at::zeros({3 * size}));
  out_proj_ = register_module("out_proj", torch::nn::Linear(size, size));
  torch::nn::init::zeros_(out_proj_->bias);
}

// The operators are those of Python's multi_head_attention_forward, in the same order and with the same layouts.
torch::Tensor SelfAttentionImpl::forward(torch::Tensor x) {
  const int64_t length = x.size(1), size = x.size(2), head = size / heads_;
  const auto parts = at::linear(x.transpose(0, 1), in_proj_weight_, in_proj_bias_).chunk(3, -1);
  const auto by_head = [&](const torch::Tensor& part) {
    return part.contiguous().view({length, -1, head}).transpose(0, 1);
  };
  const torch::Tensor y = attended(by_head(parts[0]), by_head(parts[1]), by_head(parts[2]));
  const torch::Tensor joined = y.transpose(0, 1).contiguous().view({-1, size});
  return at::linear(joined, out_proj_->weight, out_proj_->bias).view({length, -1, size}).transpose(1, 0);
}

torch::Tensor SelfAttentionImpl::attended(const torch::Tensor& q, const torch::Tensor& k, const torch::Tensor& v) {
  const double dropout = is_training() ? dropout_ : 0;
#if TORCH_VERSION_MAJOR >= 2
  const auto split = [&](const torch::Tensor& x) { return x.view({-1, heads_, x.size(1), x.size(2)}); };
  return at::scaled_dot_product_attention(split(q), split(k), split(v), {}, dropout).flatten(0, 1);
#else
  const torch::Tensor scaled = q / std::sqrt(static_cast<double>(q.size(2)));
  torch::Tensor weights = at::bmm(scaled, k.transpose(-2, -1)).softmax(-1);
  if (dropout > 0) weights = at::dropout(weights, dropout, /*train=*/true);
  return at::bmm(weights, v);
#endif
}

}  // namespace networks
