// Self-attention with the parameters of torch.nn.MultiheadAttention.
#pragma once
#include <torch/nn/modules/linear.h>

#include "layers.hpp"

namespace networks {

class SelfAttentionImpl : public torch::nn::Module {
 public:
  SelfAttentionImpl(int64_t size, int64_t heads, double dropout);
  torch::Tensor forward(torch::Tensor x);  // [B, T, size] -> [B, T, size]

 private:
  torch::Tensor attended(const torch::Tensor& q, const torch::Tensor& k, const torch::Tensor& v);

  int64_t heads_;
  double dropout_;
  torch::Tensor in_proj_weight_, in_proj_bias_;
  torch::nn::Linear out_proj_{nullptr};
};
TORCH_MODULE(SelfAttention);

}  // namespace networks
