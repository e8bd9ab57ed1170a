// A residual network for tables ("Revisiting deep learning models for tabular data", 2021), with the names of rtdl.
#include <ATen/ops/dropout.h>

#include "layers.hpp"
#include "table.hpp"

namespace networks {
namespace {

using levin::watch;

class TabularBlockImpl : public torch::nn::Module {
 public:
  TabularBlockImpl(int64_t width, int64_t hidden, double dropout) : dropout_(dropout) {
    normalization_ = register_module("normalization", torch::nn::BatchNorm1d(width));
    linear_first_ = register_module("linear_first", torch::nn::Linear(width, hidden));
    linear_second_ = register_module("linear_second", torch::nn::Linear(hidden, width));
  }
  torch::Tensor forward(torch::Tensor x) {
    const torch::Tensor y = watch(linear_first_, watch(normalization_, x)).relu();
    return x + watch(linear_second_, at::dropout(y, dropout_, is_training()));
  }

 private:
  double dropout_;
  torch::nn::BatchNorm1d normalization_{nullptr};
  torch::nn::Linear linear_first_{nullptr}, linear_second_{nullptr};
};
TORCH_MODULE(TabularBlock);

struct TabularHeadImpl : torch::nn::Module {
  TabularHeadImpl(int64_t width, int64_t outputs)
      : normalization(register_module("normalization", torch::nn::BatchNorm1d(width))),
        linear(register_module("linear", torch::nn::Linear(width, outputs))) {}
  torch::Tensor forward(torch::Tensor x) { return watch(linear, watch(normalization, x).relu()); }
  torch::nn::BatchNorm1d normalization;
  torch::nn::Linear linear;
};
TORCH_MODULE(TabularHead);

class Tabular : public Network {
 public:
  static constexpr levin_option options[] = {levin::integer("blocks", "3", "number of residual blocks", 1, 1000),
                                             levin::integer("width", "192", "width of the blocks", 1, 1e5),
                                             levin::integer("hidden", "384", "width inside a block", 1, 1e6),
                                             levin::number("dropout", "0.2", "dropout inside a block", 0, 1)};

  Tabular(const levin::Args& args, const levin::DataInfo& data) {
    const levin::Field& input = data.input();
    if (input.dtype.code != LEVIN_FLOAT)
      throw levin::Error(LEVIN_E_INVALID, "tabular needs numbers; field '" + input.name +
                                              "' of the data has integers, such as tokens or classes");
    const int64_t width = args.integer("width");
    first_layer_ = register_module("first_layer", torch::nn::Linear(data.input_size(), width));
    blocks_ = register_module("blocks", Layers());
    for (int64_t i = 0; i < args.integer("blocks"); ++i)
      blocks_->push_back(TabularBlock(width, args.integer("hidden"), args.number("dropout")));
    head_ = register_module("head", TabularHead(width, levin::outputs_of(data)));
  }

 protected:
  torch::Tensor scores(torch::Tensor x) override {
    return watch(head_, watch(blocks_, watch(first_layer_, x.reshape({x.size(0), -1}))));
  }

 private:
  torch::nn::Linear first_layer_{nullptr};
  Layers blocks_{nullptr};
  TabularHead head_{nullptr};
};

}  // namespace

const Row tabular = row_of<Tabular>("tabular", "A residual network for the columns of a table");

}  // namespace networks
