// A language model of LSTMs, with the names of PyTorch's example word_language_model.
#include <ATen/ops/dropout.h>
#include <torch/nn/init.h>
#include <torch/nn/modules/embedding.h>
#include <torch/nn/modules/rnn.h>

#include "layers.hpp"
#include "table.hpp"
#include "tokens.hpp"

namespace networks {
namespace {

class LstmLanguageModel : public Network {
 public:
  static constexpr levin_option options[] = {levin::integer("layers", "2", "number of LSTM layers", 1, 100),
                                             levin::integer("embedding", "200", "width of a token", 1, 1e5),
                                             levin::integer("hidden", "200", "width of the LSTM's state", 1, 1e5),
                                             levin::number("dropout", "0.2", "dropout between the layers", 0, 1)};

  LstmLanguageModel(const levin::Args& args, const levin::DataInfo& data) : dropout_(args.number("dropout")) {
    const int64_t vocabulary = tokens(data, "lstm").vocabulary, hidden = args.integer("hidden"),
                  layers = args.integer("layers");
    encoder_ = register_module("encoder", torch::nn::Embedding(vocabulary, args.integer("embedding")));
    rnn_ = register_module("rnn", torch::nn::LSTM(torch::nn::LSTMOptions(args.integer("embedding"), hidden)
                                                      .num_layers(layers)
                                                      .dropout(layers > 1 ? dropout_ : 0)
                                                      .batch_first(true)));
    decoder_ = register_module("decoder", torch::nn::Linear(hidden, vocabulary));
    torch::nn::init::uniform_(encoder_->weight, -0.1, 0.1);
    torch::nn::init::uniform_(decoder_->weight, -0.1, 0.1);
    torch::nn::init::zeros_(decoder_->bias);
  }

 protected:
  torch::Tensor scores(torch::Tensor x) override {
    x = at::dropout(levin::watch(encoder_, x.to(at::kLong)), dropout_, is_training());
    x = at::dropout(std::get<0>(levin::watch(rnn_, x)), dropout_, is_training());
    return levin::watch(decoder_, x).transpose(1, 2);
  }

 private:
  double dropout_;
  torch::nn::Embedding encoder_{nullptr};
  torch::nn::LSTM rnn_{nullptr};
  torch::nn::Linear decoder_{nullptr};
};

}  // namespace

const Row lstm = row_of<LstmLanguageModel>("lstm", "LSTMs that predict the next token of a sequence");

}  // namespace networks
