// The host's side of the benchmarks: a model and data as a user would write them, and callbacks that measure. The
// callback `rival` also runs the hand-written loops between the host's epochs, so that both sides see the same state of
// the machine.
#include <unistd.h>

#include <chrono>
#include <fstream>
#include <thread>

#include "bench/hand_loop.hpp"
#include "bench/turns.hpp"
#include "levin/levin.hpp"
#include "levin/torch.hpp"

namespace levin_bench {
namespace {

class Model : public levin::Model {
 public:
  static constexpr levin_option options[] = {levin::text("workload", "\"mlp8\"", "one of bench/workload.cpp"),
                                             levin::flag("logs", "false", "log the loss in every step")};

  explicit Model(const levin::Args& o) : workload_(find_workload(o.text("workload"))), logs_(o.flag("logs")) {
    net_ = register_module("net", workload_.make_net());
    last = net_;
  }
  torch::Tensor training_step(const levin::Batch& batch) {
    torch::Tensor loss = net_->loss(batch[0], batch[1]);
    if (logs_) log("train_loss", loss);
    return loss;
  }
  void configure_optimizers(levin::OptimPlan& plan) {
    std::vector<levin::Setting> settings = {{"lr", workload_.lr}};
    if (workload_.momentum > 0) settings.push_back({"momentum", workload_.momentum});
    plan.optimizer(workload_.optimizer, settings);
  }
  static inline std::shared_ptr<Net> last;  // the network that the host trains, for the callback `rival`

 private:
  const Workload& workload_;
  bool logs_;
  std::shared_ptr<Net> net_;
};

class Data : public levin::DataModule {
 public:
  static constexpr levin_option options[] = {levin::text("workload", "\"mlp8\"", "one of bench/workload.cpp"),
                                             levin::integer("rows", "1000", "rows of an epoch", 1, 1e8)};

  explicit Data(const levin::Args& o)
      : workload_(find_workload(o.text("workload"))), rows_(rows_of(workload_, o.integer("rows"))) {}
  std::vector<levin::Field> fields() {
    const levin::Field number{"y", levin::float32, {}, LEVIN_ROLE_TARGET, 0, {}};
    const bool characters = workload_.input == Input::characters;
    return {levin::input("x", characters ? levin::int64 : levin::float32, workload_.shape),
            workload_.classes > 0 ? levin::target("y", workload_.classes) : number};
  }
  int64_t rows(levin::Split split) { return split == levin::Split::train ? rows_->size() : 0; }
  void fill(const levin::Fill& in, const levin_view* out) { rows_->gather(in.indices, in.n, out[0].data, out[1].data); }

 private:
  const Workload& workload_;
  std::shared_ptr<const Rows> rows_;
};

// Measures the epochs of the host and of the hand-written loops. The order is host, torch, same in even epochs, and
// same, torch, host in odd epochs.
class Rival : public levin::Callback {
 public:
  static constexpr levin_option options[] = {levin::text("workload", "\"mlp8\"", "one of bench/workload.cpp"),
                                             levin::integer("rows", "1000", "rows of an epoch", 1, 1e8),
                                             levin::integer("batch", "1", "rows of a batch", 1, 1e8),
                                             levin::text("out", "\"\"", "file for the result")};

  explicit Rival(const levin::Args& o) : out_(o.text("out")), rows_(o.integer("rows")), batch_(o.integer("batch")) {
    const Workload& workload = find_workload(o.text("workload"));
    torch_ = make_hand_loop(workload, rows_, batch_, "torch");
    same_ = make_hand_loop(workload, rows_, batch_, "host");
  }
  void on_train_start() {
    copy_state(*torch_->net(), *Model::last);
    copy_state(*same_->net(), *Model::last);
  }
  void on_train_epoch_start() {
    round_ = nlohmann::json::object();
    if (odd_) measure(*same_, "same"), measure(*torch_, "torch");
    begin_ = Cost::now();
  }
  void on_train_epoch_end() {
    round_["host"] = Cost::now().since(begin_).json();
    if (!odd_) measure(*torch_, "torch"), measure(*same_, "same");
    // The difference is computed after the first epoch, because rounding errors in the last bit grow later.
    if (rounds_.empty()) difference_torch_ = largest_difference(*Model::last, *torch_->net());
    odd_ = !odd_;
    rounds_.push_back(round_);
  }
  void on_train_end() {
    std::ofstream(out_) << nlohmann::json{{"steps", rows_ / batch_},
                                          {"rounds", rounds_},
                                          {"difference_torch", difference_torch_},
                                          {"difference_same", largest_difference(*Model::last, *same_->net())}};
  }

 private:
  void measure(HandLoop& loop, const char* name) {
    const Cost begin = Cost::now();
    loop.epoch();
    round_[name] = Cost::now().since(begin).json();
  }
  std::string out_;
  int64_t rows_, batch_;
  bool odd_ = false;
  std::unique_ptr<HandLoop> torch_, same_;
  Cost begin_{};
  double difference_torch_ = 0;  // difference after the first round
  nlohmann::json round_, rounds_ = nlohmann::json::array();
};

// Runs an epoch when it is told; works with any model and data.
class TakeTurns : public levin::Callback {
 public:
  static constexpr levin_option options[] = {levin::text("folder", "\"\"", "folder of the FIFOs go and done")};
  explicit TakeTurns(const levin::Args& o) : turns_(o.text("folder")) {}
  void on_train_epoch_start() { turns_.wait(); }
  void on_train_epoch_end() { turns_.done(); }

 private:
  Turns turns_;
};

// Uses no hook that runs in every step.
class Idle : public levin::Callback {
 public:
  void on_fit_start() {}
};

class Watch : public levin::Callback {
 public:
  void on_train_batch_end(const levin::Event& event) { last_ = event.batch_idx(); }

 private:
  int64_t last_ = 0;
};

// A logger with slow calls.
class Slow : public levin::Logger {
 public:
  static constexpr bool off_thread = true;
  static constexpr levin_option options[] = {levin::integer("ms", "50", "milliseconds of each call", 0, 1e6)};
  explicit Slow(const levin::Args& o) : ms_(o.integer("ms")) {}
  void metrics(int64_t, const levin::Metrics&) { std::this_thread::sleep_for(std::chrono::milliseconds(ms_)); }

 private:
  int64_t ms_;
};

// Writes the time and cost at the end of the first batch, and stops the fit.
class FirstStep : public levin::Callback {
 public:
  static constexpr levin_option options[] = {levin::text("out", "\"\"", "file for the result")};
  explicit FirstStep(const levin::Args& o) : out_(o.text("out")) {}
  levin::Status on_train_batch_end() {
    nlohmann::json result = Cost::now().json();
    result["peak_mib"] = peak_mebibytes();
    std::ofstream(out_) << result;
    return LEVIN_STOP;
  }

 private:
  std::string out_;
};

}  // namespace
}  // namespace levin_bench

LEVIN_PLUGIN("levin.bench", "0.1.0", "Apache-2.0",
             levin::model<levin_bench::Model>("bench_model", "The networks of the benchmarks"),
             levin::data_module<levin_bench::Data>("bench_data", "Their rows"),
             levin::callback<levin_bench::Rival>("rival", "Measures the host against loops written by hand"),
             levin::callback<levin_bench::TakeTurns>("take_turns", "Runs an epoch when it is told"),
             levin::callback<levin_bench::Idle>("idle", "Wants no hook of a step"),
             levin::callback<levin_bench::Watch>("watch", "Wants the end of every batch"),
             levin::logger<levin_bench::Slow>("slow", "Takes its time for each row"),
             levin::callback<levin_bench::FirstStep>("first_step", "Ends the fit after one step"))
