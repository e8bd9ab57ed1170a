// Predicts the next character. --trainer.truncated_bptt_steps cuts long rows in time: the trainer calls training_step
// for each piece with the detached state that the previous piece returned, and steps the optimizer after each.
#include <ATen/ops/cross_entropy_loss.h>
#include <torch/nn/modules/embedding.h>
#include <torch/nn/modules/linear.h>
#include <torch/nn/modules/rnn.h>
#include <levin/torch.hpp>

#include <cmath>
#include <optional>

namespace {

class CharacterLstm : public levin::Model {
 public:
  static constexpr levin_option options[] = {levin::integer("embedding", "64", "numbers for a character", 1, 65536),
                                             levin::integer("hidden", "256", "width of the state", 1, 65536),
                                             levin::number("lr", "0.003", "learning rate of Adam", 1e-8, 1)};

  explicit CharacterLstm(const levin::Args& o) : lr_(o.number("lr")) {
    const int64_t embedding = o.integer("embedding"), hidden = o.integer("hidden");
    embedding_ = register_module("embedding", torch::nn::Embedding(data().classes(), embedding));
    lstm_ = register_module("lstm", torch::nn::LSTM(torch::nn::LSTMOptions(embedding, hidden).batch_first(true)));
    out_ = register_module("out", torch::nn::Linear(hidden, data().classes()));
  }

  levin::Outputs training_step(const levin::Batch& batch, const levin::StepInfo& info) {
    State state;
    if (info.hiddens.size() == 2) state = std::make_tuple(info.hiddens[0], info.hiddens[1]);
    const torch::Tensor loss = loss_of(batch, state);
    log("train_loss", loss, levin::prog_bar);
    return {loss, {}, {std::get<0>(*state), std::get<1>(*state)}};
  }

  void on_validation_epoch_start() { sum_ = rows_ = 0; }
  void validation_step(const levin::Batch& batch) {
    State state;
    const torch::Tensor loss = loss_of(batch, state);
    log("val_loss", loss, levin::prog_bar);
    sum_ += loss.item<double>() * static_cast<double>(batch.rows());
    rows_ += static_cast<double>(batch.rows());
  }
  // The perplexity, e to the mean loss, is the number of equally likely characters that would be as hard to guess.
  void on_validation_epoch_end() {
    if (rows_ > 0) log("val_perplexity", std::exp(sum_ / rows_), levin::prog_bar);
  }

  void configure_optimizers(levin::OptimPlan& plan) { plan.optimizer("adam", {{"lr", lr_}}); }

 private:
  using State = std::optional<std::tuple<torch::Tensor, torch::Tensor>>;  // h and c [1, rows, hidden]; zeros if not set

  torch::Tensor loss_of(const levin::Batch& batch, State& state) {
    const torch::Tensor x = embedding_(batch.input());
    const auto [y, after] = state ? lstm_->forward(x, *state) : lstm_->forward(x);
    state = after;
    return at::cross_entropy_loss(out_(y).flatten(0, 1), batch.target().flatten());
  }

  double lr_, sum_ = 0, rows_ = 0;
  torch::nn::Embedding embedding_{nullptr};
  torch::nn::LSTM lstm_{nullptr};
  torch::nn::Linear out_{nullptr};
};

}  // namespace

LEVIN_PLUGIN("levin.examples.character_lstm", "1.0.0", "Apache-2.0",
             levin::model<CharacterLstm>("character_lstm", "An LSTM that predicts the next character"));
