// GPT: a language model that predicts the next token ("Language models are unsupervised multitask learners", 2019),
// with the names of nanoGPT. For whole texts a layer `score`, as in the library transformers, scores the last token.
#include <ATen/ops/arange.h>
#include <ATen/ops/dropout.h>
#include <ATen/ops/gelu.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/softmax.h>
#include <torch/nn/init.h>
#include <torch/nn/modules/embedding.h>
#include <torch/nn/modules/normalization.h>
#include <torch/version.h>

#include <cmath>
#include <limits>
#include <string>
#if TORCH_VERSION_MAJOR >= 2
#include <ATen/ops/scaled_dot_product_attention.h>
#endif

#include "layers.hpp"
#include "table.hpp"
#include "tokens.hpp"

namespace networks {
namespace {

using levin::watch;

// Attention in which each position sees the positions before it.
class CausalAttentionImpl : public torch::nn::Module {
 public:
  CausalAttentionImpl(int64_t size, int64_t heads, double dropout) : heads_(heads), dropout_(dropout) {
    c_attn_ = register_module("c_attn", torch::nn::Linear(size, 3 * size));
    c_proj_ = register_module("c_proj", torch::nn::Linear(size, size));
  }
  torch::Tensor forward(torch::Tensor x) {
    const int64_t length = x.size(1), size = x.size(2);
    const auto parts = watch(c_attn_, x).split(size, 2);
    const auto by_head = [&](const torch::Tensor& part) {
      return part.view({-1, length, heads_, size / heads_}).transpose(1, 2);
    };
    const torch::Tensor y = attended(by_head(parts[0]), by_head(parts[1]), by_head(parts[2]));
    x = watch(c_proj_, y.transpose(1, 2).contiguous().view({-1, length, size}));
    return at::dropout(x, dropout_, is_training());
  }

 private:
  torch::Tensor attended(const torch::Tensor& q, const torch::Tensor& k, const torch::Tensor& v) {
#if TORCH_VERSION_MAJOR >= 2
    return at::scaled_dot_product_attention(q, k, v, {}, is_training() ? dropout_ : 0, /*is_causal=*/true);
#else
    const int64_t length = q.size(2);
    torch::Tensor weights = q.matmul(k.transpose(-2, -1)) * (1 / std::sqrt(static_cast<double>(k.size(-1))));
    const torch::Tensor later = at::ones({length, length}, q.options().dtype(at::kBool)).triu(1);
    weights = weights.masked_fill(later, -std::numeric_limits<double>::infinity()).softmax(-1);
    return at::dropout(weights, dropout_, is_training()).matmul(v);
#endif
  }

  int64_t heads_;
  double dropout_;
  torch::nn::Linear c_attn_{nullptr}, c_proj_{nullptr};
};
TORCH_MODULE(CausalAttention);

struct GptMlpImpl : torch::nn::Module {
  GptMlpImpl(int64_t size, double dropout) : dropout_(dropout) {
    c_fc_ = register_module("c_fc", torch::nn::Linear(size, 4 * size));
    c_proj_ = register_module("c_proj", torch::nn::Linear(4 * size, size));
  }
  torch::Tensor forward(torch::Tensor x) {
    return at::dropout(watch(c_proj_, at::gelu(watch(c_fc_, x))), dropout_, is_training());
  }

 private:
  double dropout_;
  torch::nn::Linear c_fc_{nullptr}, c_proj_{nullptr};
};
TORCH_MODULE(GptMlp);

torch::nn::LayerNorm gpt_norm(int64_t size) { return torch::nn::LayerNorm(torch::nn::LayerNormOptions({size})); }

struct GptBlockImpl : torch::nn::Module {
  GptBlockImpl(int64_t size, int64_t heads, double dropout)
      : ln_1(register_module("ln_1", gpt_norm(size))),
        attn(register_module("attn", CausalAttention(size, heads, dropout))),
        ln_2(register_module("ln_2", gpt_norm(size))),
        mlp(register_module("mlp", GptMlp(size, dropout))) {}
  torch::Tensor forward(torch::Tensor x) {
    x = x + watch(attn, watch(ln_1, x));
    return x + watch(mlp, watch(ln_2, x));
  }
  torch::nn::LayerNorm ln_1;
  CausalAttention attn;
  torch::nn::LayerNorm ln_2;
  GptMlp mlp;
};
TORCH_MODULE(GptBlock);

struct TransformerImpl : torch::nn::Module {
  TransformerImpl(const Tokens& tokens, int64_t layers, int64_t heads, int64_t size, double dropout)
      : wte(register_module("wte", torch::nn::Embedding(tokens.vocabulary, size))),
        wpe(register_module("wpe", torch::nn::Embedding(tokens.length, size))),
        h(register_module("h", Layers())),
        ln_f(register_module("ln_f", gpt_norm(size))),
        dropout_(dropout) {
    for (int64_t i = 0; i < layers; ++i) h->push_back(GptBlock(size, heads, dropout));
  }
  torch::Tensor forward(torch::Tensor tokens) {
    const torch::Tensor positions = at::arange(tokens.size(1), tokens.options());
    torch::Tensor x = watch(wte, tokens) + watch(wpe, positions);
    return watch(ln_f, watch(h, at::dropout(x, dropout_, is_training())));
  }
  torch::nn::Embedding wte, wpe;
  Layers h;
  torch::nn::LayerNorm ln_f;

 private:
  double dropout_;
};
TORCH_MODULE(Transformer);

// A linear layer whose weight is that of another module.
struct TiedLinearImpl : torch::nn::Module {
  explicit TiedLinearImpl(const torch::Tensor& of) : weight(register_parameter("weight", of)) {}
  torch::Tensor forward(torch::Tensor x) { return at::linear(x, weight); }
  torch::Tensor weight;
};
TORCH_MODULE(TiedLinear);

class Gpt : public Network {
 public:
  static constexpr levin_option options[] = {
      levin::integer("layers", "6", "number of blocks", 1, 1000),
      levin::integer("heads", "6", "attention heads", 1, 1000),
      levin::integer("hidden", "384", "width of a position, a multiple of heads", 1, 1e5),
      levin::number("dropout", "0.1", "dropout of embeddings, attention and blocks", 0, 1)};

  Gpt(const levin::Args& args, const levin::DataInfo& data) {
    const int64_t layers = args.integer("layers"), heads = args.integer("heads"), hidden = args.integer("hidden");
    if (hidden % heads != 0)
      throw levin::Error(LEVIN_E_INVALID, "--model.hidden " + std::to_string(hidden) +
                                              " is not a multiple of --model.heads " + std::to_string(heads));
    const Tokens tokens = tokens_of(data, "gpt");
    if (tokens.length < 0)
      throw levin::Error(LEVIN_E_INVALID, "gpt has an embedding for each position, and the rows of field '" +
                                              data.input().name + "' differ in length: give --data.padding max_length");
    transformer_ = register_module("transformer", Transformer(tokens, layers, heads, hidden, args.number("dropout")));
    if (tokens.is_language_model())
      lm_head_ = register_module("lm_head", TiedLinear(transformer_->wte->weight));
    else
      score_ =
          register_module("score", torch::nn::Linear(torch::nn::LinearOptions(hidden, tokens.outputs).bias(false)));
    initialise(layers);
  }
  double default_lr(int64_t) const override { return 0.0005; }

 protected:
  torch::Tensor masked_scores(torch::Tensor x, const torch::Tensor& mask) override {
    x = watch(transformer_, x.to(at::kLong));
    return lm_head_ ? watch(lm_head_, x).transpose(1, 2) : watch(score_, last_position(x, mask));
  }

 private:
  void initialise(int64_t layers) {
    for (auto& parameter : named_parameters()) {
      const std::string& name = parameter.key();
      const bool is_last = name.size() > 13 && name.compare(name.size() - 13, 13, "c_proj.weight") == 0;
      if (parameter.value().dim() >= 2)
        torch::nn::init::normal_(parameter.value(), 0,
                                 is_last ? 0.02 / std::sqrt(2.0 * static_cast<double>(layers)) : 0.02);
      else if (name.size() > 5 && name.compare(name.size() - 5, 5, ".bias") == 0)
        torch::nn::init::zeros_(parameter.value());
    }
  }

  Transformer transformer_{nullptr};
  TiedLinear lm_head_{nullptr};
  torch::nn::Linear score_{nullptr};
};

}  // namespace

const Row gpt =
    row_of<Gpt>("gpt", "GPT: a transformer that predicts the next token of a sequence, or the class of a text");

}  // namespace networks
