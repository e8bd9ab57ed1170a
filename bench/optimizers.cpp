// bench-optimizers: the time of an optimizer's step alone, in one thread: the host's own and torch::optim's, which take
// turns. Prints JSON: seconds of processor time, the median of the rounds.
#include <ATen/Parallel.h>
#include <torch/optim/adagrad.h>
#include <torch/optim/adam.h>
#include <torch/optim/adamw.h>
#include <torch/optim/rmsprop.h>
#include <torch/optim/sgd.h>

#include <algorithm>
#include <functional>
#include <iostream>

#include "bench/cost.hpp"
#include "bench/workload.hpp"
#include "core/optim/optimizers/optimizer.hpp"

namespace {

using Tensors = std::vector<at::Tensor>;
using Theirs = std::unique_ptr<torch::optim::Optimizer>;

struct Row {
  const char* name;
  nlohmann::json options;
  std::function<Theirs(Tensors)> theirs;
};
constexpr double lr = 1e-4;
const Row rows[] = {
    {"sgd",
     {{"lr", lr}, {"momentum", 0.9}},
     [](Tensors p) -> Theirs {
       return std::make_unique<torch::optim::SGD>(std::move(p), torch::optim::SGDOptions(lr).momentum(0.9));
     }},
    {"adam",
     {{"lr", lr}},
     [](Tensors p) -> Theirs {
       return std::make_unique<torch::optim::Adam>(std::move(p), torch::optim::AdamOptions(lr));
     }},
    {"adamw",
     {{"lr", lr}},
     [](Tensors p) -> Theirs {
       return std::make_unique<torch::optim::AdamW>(std::move(p), torch::optim::AdamWOptions(lr));
     }},
    {"rmsprop",
     {{"lr", lr}},
     [](Tensors p) -> Theirs {
       return std::make_unique<torch::optim::RMSprop>(std::move(p), torch::optim::RMSpropOptions(lr));
     }},
    {"adagrad",
     {{"lr", lr}},
     [](Tensors p) -> Theirs {
       return std::make_unique<torch::optim::Adagrad>(std::move(p), torch::optim::AdagradOptions(lr));
     }},
};

// The parameters of a network, each with a gradient.
levin::core::ParamGroup parameters_of(const char* workload) {
  levin::core::ParamGroup group;
  for (const auto& p : levin_bench::find_workload(workload).make_net()->named_parameters()) {
    p.value().mutable_grad() = at::randn_like(p.value()) * 0.01;
    group.names.push_back(p.key());
    group.params.push_back(p.value());
  }
  return group;
}

template <class F>
double seconds(int64_t calls, const F& step) {
  const double begin = levin_bench::seconds(CLOCK_PROCESS_CPUTIME_ID);
  for (int64_t i = 0; i < calls; ++i) step();
  return (levin_bench::seconds(CLOCK_PROCESS_CPUTIME_ID) - begin) / static_cast<double>(calls);
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

nlohmann::json measure(const Row& row, const char* workload, int64_t calls) {
  const levin::core::ParamGroup group = parameters_of(workload);
  const auto host = levin::core::make_optimizer(row.name, row.options, {group});
  const Theirs theirs = row.theirs(parameters_of(workload).params);
  std::vector<double> host_seconds, torch_seconds;
  for (int round = -1; round < 5; ++round) {
    const double h = seconds(calls, [&] { host->step(); }), t = seconds(calls, [&] { theirs->step(); });
    if (round < 0) continue;
    host_seconds.push_back(h);
    torch_seconds.push_back(t);
  }
  return {{"host", median(host_seconds)}, {"hand", median(torch_seconds)}};
}

}  // namespace

int main() {
  at::set_num_threads(1);
  nlohmann::json result;
  for (const Row& row : rows) {
    result["small"][row.name] = measure(row, "cnn", 100);
    result["large"][row.name] = measure(row, "resnet18-224", 2);
  }
  std::cout << result << std::endl;
}
