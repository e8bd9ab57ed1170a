// The base of the networks in this plugin, and what makes each of them a component.
#pragma once
#include <torch/nn/module.h>

#include <cstddef>
#include <iterator>
#include <memory>
#include <utility>

#include "levin/torch.hpp"

namespace networks {

class Network : public torch::nn::Module {
 public:
  static constexpr levin::TaskDefaults task_defaults = [] {
    levin::TaskDefaults d;
    d.lr = "null";
    return d;
  }();
  static constexpr double loss_weights[] = {1, 0.4};

  // Returns the network of the component that is being created.
  static std::shared_ptr<Network> made(const levin::Args& args, const levin::DataInfo& data);

  // Returns the scores and, in training, the scores of an auxiliary head if there is one. mask: [B, length], not 0
  // where a padded row has a token; undefined = everywhere.
  std::pair<torch::Tensor, torch::Tensor> forward(torch::Tensor x, torch::Tensor mask = {}) {
    auxiliary_ = torch::Tensor();
    torch::Tensor y = masked_scores(std::move(x), mask);
    return {y, std::exchange(auxiliary_, torch::Tensor())};
  }
  // The learning rate of AdamW for --model.lr null.
  virtual double default_lr(int64_t /*batch_size*/) const { return 0.001; }

 protected:
  // A network of rows that are not padded defines the first one.
  virtual torch::Tensor scores(torch::Tensor x) { return x; }
  virtual torch::Tensor masked_scores(torch::Tensor x, const torch::Tensor& /*mask*/) { return scores(std::move(x)); }
  torch::Tensor auxiliary_;
};

// A component of the plugin, defined in the network's file by row_of.
struct Row {
  const char *id, *summary;
  std::shared_ptr<Network> (*make)(const levin::Args&, const levin::DataInfo&);
  const levin_option* options;
  size_t n_options;
};

// Net is constructed from (const levin::Args&, const levin::DataInfo&) and has an array `options`.
template <class Net>
constexpr Row row_of(const char* id, const char* summary) {
  return {id, summary,
          [](const levin::Args& args, const levin::DataInfo& data) -> std::shared_ptr<Network> {
            return std::make_shared<Net>(args, data);
          },
          Net::options, std::size(Net::options)};
}

}  // namespace networks
