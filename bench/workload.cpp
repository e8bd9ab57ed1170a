#include "bench/workload.hpp"

#include <torch/nn/modules/linear.h>

#include <cstring>
#include <map>
#include <random>
#include <stdexcept>

#include "plugins/cnn/cnn.hpp"

namespace levin_bench {
namespace {

struct Mlp : Net {
  explicit Mlp(const Workload& w)
      : in(register_module("in", torch::nn::Linear(w.shape[0], w.hidden))),
        out(register_module("out", torch::nn::Linear(w.hidden, w.classes > 0 ? w.classes : 1))),
        classify(w.classes > 0) {}
  torch::Tensor loss(const torch::Tensor& x, const torch::Tensor& y) override {
    const torch::Tensor answer = out(in(x).relu());
    return classify ? at::cross_entropy_loss(answer, y) : at::mse_loss(answer, y.view_as(answer));
  }
  torch::nn::Linear in, out;
  bool classify;
};

struct Cnn : Net {
  explicit Cnn(const Workload& w)
      : net(register_module("net", std::make_shared<cnn::Net>(w.shape[0], w.shape[1], w.shape[2], w.classes))) {}
  torch::Tensor loss(const torch::Tensor& x, const torch::Tensor& y) override {
    return at::nll_loss(net->forward(x), y);
  }
  std::shared_ptr<cnn::Net> net;
};

}  // namespace

const Workload& find_workload(const std::string& name) {
  static const Workload all[] = {
      {"mlp8", {8}, 8, 0, 0.01, 0}, {"mlp64", {64}, 64, 10, 0.01, 0}, {"cnn", {1, 28, 28}, 0, 10, 0.01, 0.5}};
  for (const Workload& w : all)
    if (name == w.name) return w;
  throw std::invalid_argument("there is no workload '" + name + "'; there are mlp8, mlp64 and cnn");
}

std::shared_ptr<Net> make_net(const Workload& workload) {
  if (workload.shape.size() == 1) return std::make_shared<Mlp>(workload);
  return std::make_shared<Cnn>(workload);
}

Rows::Rows(const Workload& workload, int64_t n) : size_(n) {
  for (int64_t d : workload.shape) width_ *= static_cast<size_t>(d);
  std::mt19937 random(1);
  std::uniform_real_distribution<float> number(-1, 1);
  inputs_.resize(static_cast<size_t>(n) * width_);
  for (float& value : inputs_) value = number(random);
  for (int64_t i = 0; i < n; ++i) {
    if (workload.classes > 0)
      label_.push_back(static_cast<int64_t>(random() % static_cast<uint64_t>(workload.classes)));
    else
      number_.push_back(number(random));
  }
}

void Rows::gather(const int64_t* indices, int64_t n, float* x, void* y) const {
  for (int64_t i = 0; i < n; ++i) {
    const auto row = static_cast<size_t>(indices[i]);
    std::memcpy(x + static_cast<size_t>(i) * width_, inputs_.data() + row * width_, width_ * sizeof(float));
    if (label_.empty())
      static_cast<float*>(y)[i] = number_[row];
    else
      static_cast<int64_t*>(y)[i] = label_[row];
  }
}

std::shared_ptr<const Rows> rows_of(const Workload& workload, int64_t n) {
  static std::map<std::pair<std::string, int64_t>, std::shared_ptr<const Rows>> made;
  auto& rows = made[{workload.name, n}];
  if (!rows) rows = std::make_shared<Rows>(workload, n);
  return rows;
}

}  // namespace levin_bench
