// Components for runs that check another component: a model for any batch, a data module of any shape, callbacks that
// save checkpoints, and a logger.
#include <torch/nn/modules/linear.h>

#include <levin/levin.hpp>
#include <levin/torch.hpp>
#include <levin/util/text.hpp>

#include <chrono>
#include <cstdlib>
#include <limits>
#include <thread>

namespace {

struct AnyBatch : levin::Model {
  static constexpr levin_option options[] = {
      levin::text("optimizer", "\"adam\"", "of the model"),
      levin::integer("fail_at", "-1", "the batch of training that fails; -1: none"),
      levin::integer("pause", "0", "milliseconds that a step waits")};
  const std::string optimizer;
  const int64_t fail_at;
  const std::chrono::milliseconds pause;
  torch::nn::Linear backbone{nullptr}, head{nullptr};
  explicit AnyBatch(const levin::Args& o)
      : optimizer(o.text("optimizer")), fail_at(o.integer("fail_at")), pause(o.integer("pause")) {
    backbone = register_module("backbone", torch::nn::Linear(1, 4));
    head = register_module("head", torch::nn::Linear(4, 1));
  }
  // Returns one number for a batch with any fields.
  torch::Tensor score(const levin::Batch& batch) {
    torch::Tensor x = torch::zeros({1, 1});
    for (size_t i = 0; i < batch.size(); ++i)
      if (batch[i].numel() > 0) x = x + batch[i].to(torch::kFloat).mean().clamp(-1, 1);
    return head(torch::tanh(backbone(x)));
  }
  torch::Tensor forward(const torch::Tensor& x) { return x.clone(); }  // for callbacks that call the network
  torch::Tensor loss(const levin::Batch& batch, const char* name) {
    std::this_thread::sleep_for(pause);
    const torch::Tensor value = (score(batch) - 0.5).pow(2).mean();
    log(name, value, levin::prog_bar);
    return value;
  }
  torch::Tensor training_step(const levin::Batch& batch, int64_t index) {
    if (index == fail_at) throw levin::Error(LEVIN_E_INTERNAL, "a failure made for this check");
    return loss(batch, "train_loss");
  }
  void validation_step(const levin::Batch& batch) {
    log("val_acc", 0.5);
    loss(batch, "val_loss");
  }
  void test_step(const levin::Batch& batch) { loss(batch, "test_loss"); }
  torch::Tensor predict_step(const levin::Batch& batch) { return score(batch); }
  void configure_optimizers(levin::OptimPlan& plan) {
    plan.optimizer(optimizer, {});
    if (optimizer == "adam") plan.scheduler("step", {{"step_size", 1}, {"gamma", 0.9}});
  }
};

struct AnyRows : levin::DataModule {
  static constexpr levin_option options[] = {levin::json("shape", "[4]", "of a row of x"),
                                             levin::integer("classes", "0", "of y; 0: y is a number", 0, 1e6),
                                             levin::integer("tokens", "0", "x has numbers below it; 0: floats", 0, 1e6),
                                             levin::json("target_shape", "[]", "of a row of y"),
                                             levin::integer("pause", "0", "milliseconds that a row takes")};
  const int64_t classes, tokens;
  const std::chrono::milliseconds pause;
  const std::vector<int64_t> shape, target_shape;
  explicit AnyRows(const levin::Args& o)
      : classes(o.integer("classes")),
        tokens(o.integer("tokens")),
        pause(o.integer("pause")),
        shape(numbers(o.text("shape"))),
        target_shape(numbers(o.text("target_shape"))) {}
  static std::vector<int64_t> numbers(const std::string& json) {
    std::vector<int64_t> out;
    for (const char* p = json.c_str(); *p;) {
      char* end;
      const int64_t n = std::strtoll(p, &end, 10);
      if (end != p) out.push_back(n);
      p = end == p ? p + 1 : end;
    }
    return out;
  }
  static int64_t product(const std::vector<int64_t>& of) {
    int64_t n = 1;
    for (const int64_t d : of) n *= d;
    return n;
  }
  std::vector<levin::Field> fields() {
    const levin::Field values{"y", levin::float32, target_shape, LEVIN_ROLE_TARGET, 0, {}};
    levin::Field labels = levin::target("y", classes);
    labels.shape = target_shape;
    return {levin::input("x", tokens > 0 ? levin::int64 : levin::float32, shape), classes > 0 ? labels : values};
  }
  int64_t rows(levin::Split) { return 16; }
  void get(levin::Split, int64_t index, levin::Row& row) {
    std::this_thread::sleep_for(pause);
    const int64_t n = product(shape), targets = product(target_shape);
    for (int64_t i = 0; i < n && tokens == 0; ++i)
      row.data<float>(0)[i] = static_cast<float>((index * 31 + i * 7) % 17) / 8 - 1;
    for (int64_t i = 0; i < n && tokens > 0; ++i) row.data<int64_t>(0)[i] = (index * 31 + i * 7) % tokens;
    for (int64_t i = 0; i < targets && classes > 0; ++i) row.data<int64_t>(1)[i] = (index + i) % classes;
    for (int64_t i = 0; i < targets && classes == 0; ++i)
      row.data<float>(1)[i] = static_cast<float>((index + i) % 5) / 4;
  }
};

// Runs after all other callbacks, so that their work in a hook is part of the checkpoint.
struct Saver : levin::Callback {
  static constexpr uint64_t flags = LEVIN_F_LAST | LEVIN_F_MONITOR;
  static constexpr levin_option options[] = {levin::flag("batches", "false", "saves after every batch, too")};
  const bool batches;
  explicit Saver(const levin::Args& o) : batches(o.flag("batches")) {}
  void on_train_batch_end(const levin::Event& e) {
    const std::string batch = std::to_string(e.epoch()) + "_batch" + std::to_string(e.batch_idx());
    if (batches) e.run().save_checkpoint("checkpoints/epoch" + batch + ".ckpt");
  }
  void on_train_epoch_end(const levin::Event& e) {
    const std::string path = "checkpoints/epoch" + std::to_string(e.epoch()) + ".ckpt";
    e.run().save_checkpoint(path);
    e.run().announce_checkpoint({path, /*best=*/false, /*last=*/true});
  }
};

// Runs before all other callbacks, so that the checkpoint has the state as loaded.
struct StartSaver : levin::Callback {
  static constexpr uint64_t flags = LEVIN_F_FIRST;
  void on_train_start(const levin::Event& e) { e.run().save_checkpoint("checkpoints/start.ckpt"); }
};

// Keeps the logged values in checkpoints, so that two runs can be compared.
struct Listener : levin::Logger {
  std::string rows;
  void metrics(int64_t step, const levin::Metrics& m) {
    for (uint32_t i = 0; i < m.size; ++i)
      rows += std::string(m.names[i]) + " of step " + std::to_string(step) + ": " + levin::shortest(m.values[i]) + "\n";
  }
  void save(levin::Writer out) const { out.put("rows", rows); }
  void load(levin::Reader in) { in.get("rows", rows); }
};

}  // namespace

LEVIN_PLUGIN("levin.check.parts", "1.0.0", "Apache-2.0", levin::model<AnyBatch>("any_batch", "Takes any batch"),
             levin::data_module<AnyRows>("any_rows", "Rows of any shape"),
             levin::callback<Saver>("saver", "Saves checkpoints after every epoch"),
             levin::callback<StartSaver>("start_saver", "Saves a checkpoint when training starts"),
             levin::logger<Listener>("listener", "Takes metrics and keeps them in checkpoints"))
