// Logs how long the slowest training batch of an epoch took, and says when one is slower than a limit.
#include <levin/callback.hpp>

#include <algorithm>
#include <chrono>
#include <string>

namespace {

class MyPlugin : public levin::Callback {
 public:
  static constexpr levin_option options[] = {
      levin::number("limit", "1.0", "seconds after which a batch is slow", 0, 1e9)};
  explicit MyPlugin(const levin::Args& args) : limit_(args.number("limit")) {}

  // A hook is called where a class declares it; docs/hooks.md lists them.
  void on_train_epoch_start() { slowest_ = 0; }
  void on_train_batch_start() { begin_ = Clock::now(); }
  void on_train_batch_end(const levin::Event& event) {
    const double seconds = std::chrono::duration<double>(Clock::now() - begin_).count();
    slowest_ = std::max(slowest_, seconds);
    if (seconds > limit_)
      warn("batch " + std::to_string(event.batch_idx()) + " took " + std::to_string(seconds) + " s");
  }
  void on_train_epoch_end(const levin::Event& event) { event.run().log("slowest_batch", slowest_); }

 private:
  using Clock = std::chrono::steady_clock;
  double limit_;
  double slowest_ = 0;
  Clock::time_point begin_;
};

}  // namespace

LEVIN_PLUGIN("com.example.my_plugin", "1.0.0", "Apache-2.0",
             levin::callback<MyPlugin>("my_plugin", "Logs the slowest training batch of each epoch"))
