// Replicas of a model in one process: rows are split, outputs and gradients are combined.
#include "core/strategies/dp/dp.hpp"

#include <ATen/ATen.h>

#include "catch.hpp"
#include "core/abi/tensor_handle.hpp"
#include "core/base/error.hpp"
#include "core/data/source/batch.hpp"
#include "core/precision/precision.hpp"
#include "core/services/run.hpp"
#include "tests/loops/toy_net.hpp"

using namespace levin::core;

namespace {

class ToyReplicas : public Replicas {
 public:
  explicit ToyReplicas(std::vector<Model*> models) : models_(std::move(models)), begun(models_.size()) {}
  const std::vector<Model*>& models() const override { return models_; }
  levin_run* begin_step(size_t replica, StepRecord&) override {
    ++begun[replica];
    return &run_;
  }
  void end_step(size_t) override {}
  void log(LogOrigin, const levin_log&, const std::optional<double>&) override {}

 private:
  std::vector<Model*> models_;
  levin_run run_;

 public:
  std::vector<int> begun;  // steps started by each replica
};

// A batch of rows {0, 0}, {1, 1}, ...
class Rows {
 public:
  explicit Rows(int64_t rows) {
    batch_.tensors = {at::arange(rows, at::kFloat).reshape({rows, 1}).repeat({1, 2})};
    batch_.publish({"x"});
    raw_ = batch_.raw();
    in.size = sizeof in;
    in.stage = LEVIN_STAGE_FIT;
    in.batch = raw_;
    in.batches = &raw_;
    in.n_batches = 1;
    in.optimizer_idx = in.split_idx = -1;
  }
  levin_step_in in{};

 private:
  Batch batch_;
  const levin_batch* raw_;
};

}  // namespace

TEST_CASE("each replica gets its share of the rows, and the gradients add up on the first one") {
  ToyNet nets[2];
  Model first = nets[0].model(), second = nets[1].model();
  first.visit();
  second.visit();
  Processes alone;
  DpStrategy dp({}, {at::kCPU, at::kCPU}, alone);
  ToyReplicas replicas({&first, &second});
  dp.use(replicas);
  dp.place(first, at::kFloat);
  dp.begin(first);
  const auto precision = make_precision(PrecisionType::true_32, at::kCPU);

  Rows rows(4);
  StepOutputs out;
  dp.step({first, *precision, rows.in, out});
  CHECK(replicas.begun == std::vector<int>{1, 1});
  CHECK(nets[0].steps.size() == 1);
  CHECK(nets[1].steps.size() == 1);
  CHECK(out.loss.item<double>() == Approx(1.5));  // the weight 1 times the mean of 0, 1, 2 and 3

  dp.backward(out.loss, false);
  dp.after_backward();
  CHECK(nets[0].weight.grad().item<double>() == Approx(1.5));
}

TEST_CASE("replicas compute with the weights that the first one has now") {
  ToyNet nets[2];
  Model first = nets[0].model(), second = nets[1].model();
  first.visit();
  second.visit();
  Processes alone;
  DpStrategy dp({}, {at::kCPU, at::kCPU}, alone);
  ToyReplicas replicas({&first, &second});
  dp.use(replicas);
  dp.place(first, at::kFloat);
  const auto precision = make_precision(PrecisionType::true_32, at::kCPU);
  nets[0].weight.detach().fill_(3);
  Rows rows(4);
  StepOutputs out;
  dp.step({first, *precision, rows.in, out});
  CHECK(out.loss.item<double>() == Approx(4.5));
}

TEST_CASE("a batch of one row goes to the first replica alone") {
  ToyNet nets[2];
  Model first = nets[0].model(), second = nets[1].model();
  first.visit();
  second.visit();
  Processes alone;
  DpStrategy dp({}, {at::kCPU, at::kCPU}, alone);
  ToyReplicas replicas({&first, &second});
  dp.use(replicas);
  dp.place(first, at::kFloat);
  const auto precision = make_precision(PrecisionType::true_32, at::kCPU);
  Rows rows(1);
  StepOutputs out;
  dp.step({first, *precision, rows.in, out});
  CHECK(nets[0].steps.size() == 1);
  CHECK(nets[1].steps.empty());
}

TEST_CASE("a model that steps its optimizers itself is refused") {
  ToyNet net(LEVIN_F_MANUAL);
  Model model = net.model();
  Processes alone;
  DpStrategy dp({}, {at::kCPU, at::kCPU}, alone);
  CHECK_THROWS_WITH(dp.begin(model), Catch::Contains("steps its optimizers itself") && Catch::Contains("use ddp"));
}
