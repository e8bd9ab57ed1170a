// The cost of saves during training: a large model, and a callback that measures the time of saves.
#include <chrono>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>

#include "bench/cost.hpp"
#include "levin/levin.hpp"
#include "levin/torch.hpp"

namespace levin_bench {
namespace {

constexpr int64_t tensors = 120;

class Ballast : public levin::Model {
 public:
  static constexpr levin_option options[] = {
      levin::number("mb", "140", "what is saved of weights and Adam, in 10^6 bytes", 1, 1e5)};
  explicit Ballast(const levin::Args& o) {
    const auto elements = static_cast<int64_t>(o.number("mb") * 1e6 / 3 / sizeof(float)) / tensors;
    for (int64_t i = 0; i < tensors; ++i)
      weights_.push_back(register_parameter("w" + std::to_string(i), torch::rand({elements})));
    bytes = 3 * tensors * elements * static_cast<int64_t>(sizeof(float));
  }
  torch::Tensor training_step(const levin::Batch& batch) {
    torch::Tensor loss = batch[0].mean();
    for (const torch::Tensor& w : weights_) loss = loss + w.mean();
    return loss;
  }
  void configure_optimizers(levin::OptimPlan& plan) { plan.optimizer("adam", {{"lr", 1e-6}}); }
  static inline int64_t bytes = 0;

 private:
  std::vector<torch::Tensor> weights_;
};

// Saves after each batch: asynchronously, as a hard link to that file, and synchronously.
class Stall : public levin::Callback {
 public:
  static constexpr levin_option options[] = {levin::text("out", "\"\"", "file for the result")};
  explicit Stall(const levin::Args& o) : out_(o.text("out")) {}
  void on_train_batch_end(const levin::Event& event) {
    const levin::Run run = event.run();
    folder_ = run.run_dir() + "/checkpoints/";
    if (before_mib_ == 0) before_mib_ = peak_mebibytes();
    add("stall", [&] { save(run, "a.ckpt", LEVIN_SAVE_ASYNC); });
    add("until_durable", [&] { run.wait_for_checkpoints(); });
    if (async_mib_ == 0) async_mib_ = peak_mebibytes();
    add("hard_link", [&] { save(run, "b.ckpt", LEVIN_SAVE_SAME); });
    add("at_once", [&] { save(run, "c.ckpt", 0); });
    add("plain_copy", [&] { copy(); });
  }
  void on_train_end() {
    result_["peak_mib"] = {before_mib_, async_mib_};
    result_["bytes"] = Ballast::bytes;
    std::ofstream(out_) << result_;
  }

 private:
  template <class F>
  void add(const char* what, F&& body) {
    const auto begin = std::chrono::steady_clock::now();
    body();
    const std::chrono::duration<double, std::milli> ms = std::chrono::steady_clock::now() - begin;
    result_[what].push_back(ms.count());
  }
  void save(const levin::Run& run, const char* name, uint32_t flags) const {
    levin::Saved what;
    what.path = folder_ + name;
    run.save_checkpoint(what, flags);
  }
  // Copies as many bytes as the model has, because a single tensor would stay in the cache.
  void copy() {
    if (copy_.empty()) copy_.assign(static_cast<size_t>(Ballast::bytes), '\0'), from_ = copy_;
    std::memcpy(copy_.data(), from_.data(), copy_.size());
  }
  std::string out_, folder_;
  double before_mib_ = 0, async_mib_ = 0;
  std::vector<char> copy_, from_;
  nlohmann::json result_;
};

}  // namespace
}  // namespace levin_bench

LEVIN_PLUGIN("levin.bench_saves", "0.1.0", "Apache-2.0",
             levin::model<levin_bench::Ballast>("ballast", "A model of many bytes"),
             levin::callback<levin_bench::Stall>("stall", "Measures what a save costs"))
