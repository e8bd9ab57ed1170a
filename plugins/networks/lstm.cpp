// A language model of LSTMs, with the names of PyTorch's example word_language_model. For whole texts the decoder
// scores what the last layer knows after the last token.
#include <ATen/ops/dropout.h>
#include <torch/nn/init.h>
#include <torch/nn/modules/embedding.h>
#include <torch/nn/modules/rnn.h>

#include "layers.hpp"
#include "table.hpp"
#include "tokens.hpp"

namespace networks {
namespace {

class Lstm : public Network {
 public:
  static constexpr levin_option options[] = {levin::integer("layers", "2", "number of LSTM layers", 1, 100),
                                             levin::integer("embedding", "200", "width of a token", 1, 1e5),
                                             levin::integer("hidden", "200", "width of the LSTM's state", 1, 1e5),
                                             levin::number("dropout", "0.2", "dropout between the layers", 0, 1)};

  Lstm(const levin::Args& args, const levin::DataInfo& data) : dropout_(args.number("dropout")) {
    const Tokens tokens = tokens_of(data, "lstm");
    const int64_t hidden = args.integer("hidden"), layers = args.integer("layers");
    is_language_model_ = tokens.is_language_model();
    encoder_ = register_module("encoder", torch::nn::Embedding(tokens.vocabulary, args.integer("embedding")));
    rnn_ = register_module("rnn", torch::nn::LSTM(torch::nn::LSTMOptions(args.integer("embedding"), hidden)
                                                      .num_layers(layers)
                                                      .dropout(layers > 1 ? dropout_ : 0)
                                                      .batch_first(true)));
    decoder_ =
        register_module("decoder", torch::nn::Linear(hidden, is_language_model_ ? tokens.vocabulary : tokens.outputs));
    torch::nn::init::uniform_(encoder_->weight, -0.1, 0.1);
    torch::nn::init::uniform_(decoder_->weight, -0.1, 0.1);
    torch::nn::init::zeros_(decoder_->bias);
  }

 protected:
  torch::Tensor masked_scores(torch::Tensor x, const torch::Tensor& mask) override {
    x = at::dropout(levin::watch(encoder_, x.to(at::kLong)), dropout_, is_training());
    x = std::get<0>(levin::watch(rnn_, x));
    if (!is_language_model_) x = last_position(x, mask);
    x = levin::watch(decoder_, at::dropout(x, dropout_, is_training()));
    return is_language_model_ ? x.transpose(1, 2) : x;
  }

 private:
  double dropout_;
  bool is_language_model_ = true;
  torch::nn::Embedding encoder_{nullptr};
  torch::nn::LSTM rnn_{nullptr};
  torch::nn::Linear decoder_{nullptr};
};

}  // namespace

const Row lstm = row_of<Lstm>("lstm", "LSTMs that predict the next token of a sequence, or the class of a text");

}  // namespace networks
