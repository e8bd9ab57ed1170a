// A model, and a callback that counts what the steps of a fit take beside the model's own work: allocations of the
// training thread and page faults of the process. Afterwards it trains the same network by a loop written by hand.
#include <dlfcn.h>
#include <sys/resource.h>
#include <torch/nn/functional/loss.h>
#include <torch/nn/modules/linear.h>
#include <torch/optim/sgd.h>

#include <fstream>
#include <levin/levin.hpp>
#include <levin/torch.hpp>

namespace {

constexpr int64_t first_step = 2000, last_step = 3000, width = 8;  // the heap has stopped growing by then
constexpr double lr = 0.01;

struct Count {
  int64_t allocations = 0, page_faults = 0;
  static Count now() {
    using Allocations = int64_t (*)();
    static const auto allocations = reinterpret_cast<Allocations>(::dlsym(RTLD_DEFAULT, "levin_test_allocations"));
    rusage usage{};
    ::getrusage(RUSAGE_SELF, &usage);
    return {allocations ? allocations() : -1, usage.ru_minflt};
  }
};

torch::Tensor loss_of(torch::nn::Linear& layer, const torch::Tensor& x, const torch::Tensor& y) {
  return torch::mse_loss(layer(x).squeeze(1), y);
}

struct Steady : levin::Model {
  static constexpr levin_option options[] = {levin::flag("logs", "false", "log the loss in every step")};
  torch::nn::Linear layer = register_module("layer", torch::nn::Linear(width, 1));
  const bool logs;
  explicit Steady(const levin::Args& o) : logs(o.flag("logs")) {}
  torch::Tensor training_step(const levin::Batch& batch) {
    const torch::Tensor loss = loss_of(layer, batch[0], batch[1]);
    if (logs) log("train_loss", loss);
    return loss;
  }
  void configure_optimizers(levin::OptimPlan& plan) { plan.optimizer("sgd", {{"lr", lr}}); }
};

struct Ones : levin::DataModule {
  std::vector<levin::Field> fields() {
    return {levin::input("x", levin::float32, {width}),
            levin::Field{"y", levin::float32, {}, LEVIN_ROLE_TARGET, 0, {}}};
  }
  int64_t rows(levin::Split split) { return split == levin::Split::train ? 4 * 2 * last_step : 0; }
  void fill(const levin::Fill& in, const levin_view* out) {
    std::fill_n(static_cast<float*>(out[0].data), in.n * width, 1.0F);
    std::fill_n(static_cast<float*>(out[1].data), in.n, 1.0F);
  }
};

struct Counter : levin::Callback {
  static constexpr levin_option options[] = {levin::text("file", "\"\"", "file for the counts")};
  const std::string file;
  Count begin;
  explicit Counter(const levin::Args& o) : file(o.text("file")) {}

  levin::Status on_train_batch_end(const levin::Event& event) {
    if (event.batch_idx() == first_step) begin = Count::now();
    if (event.batch_idx() != last_step) return LEVIN_OK;
    std::ofstream out(file);
    write(out, begin);
    by_hand(out);
    return LEVIN_STOP;
  }

 private:
  static void write(std::ostream& out, const Count& from) {
    const Count now = Count::now();
    out << static_cast<double>(now.allocations - from.allocations) / (last_step - first_step) << " "
        << now.page_faults - from.page_faults << "\n";
  }
  static void by_hand(std::ostream& out) {
    torch::nn::Linear layer(width, 1);
    torch::optim::SGD sgd(layer->parameters(), torch::optim::SGDOptions(lr));
    Count from;
    for (int64_t step = 0; step < last_step; ++step) {
      if (step == first_step) from = Count::now();
      const torch::Tensor x = torch::ones({4, width}), y = torch::ones({4});
      const torch::Tensor loss = loss_of(layer, x, y);
      sgd.zero_grad();
      loss.backward();
      sgd.step();
    }
    write(out, from);
  }
};

}  // namespace

LEVIN_PLUGIN("test.steady", "1.0.0", "MIT", levin::model<Steady>("steady", "A layer"),
             levin::data_module<Ones>("ones", "Rows of ones"), levin::callback<Counter>("counter", "Counts"))
