// Logs batches and samples per second over a window of the latest training batches.
#include <utility>
#include <vector>

#include "levin/callback.hpp"
#include "levin/util/clock.hpp"
#include "throughput.hpp"

namespace levin::throughput_monitor {
namespace {

class ThroughputMonitor : public Callback {
 public:
  static constexpr levin_option options[] = {
      integer("window_size", "100", "number of batches over which rates are averaged", 2, 1e9),
      text("separator", "\"/\"", "separator between the device and the name of a rate"),
      with(number("flops_per_batch", "null", "floating-point operations of one batch on one device, for flops_per_sec",
                  0, 1e300),
           LEVIN_OPT_NULLABLE),
      with(number("available_flops", "null", "peak floating-point operations per second of the device, for mfu", 1,
                  1e300),
           LEVIN_OPT_NULLABLE),
  };

  explicit ThroughputMonitor(const Args& args) {
    options_.window_size = static_cast<size_t>(args.integer("window_size"));
    options_.separator = args.text("separator");
    if (!args.is_null("available_flops")) options_.available_flops = args.number("available_flops");
    if (!args.is_null("flops_per_batch")) totals_.flops_per_batch = args.number("flops_per_batch");
  }

  void on_train_start(const Event& event) {
    const levin_dist* dist = services().dist;
    if (dist) options_.world_size = static_cast<int64_t>(dist->world_size(event.run().raw()));
    throughput_.emplace(options_);
    totals_.batches = totals_.samples = 0;
    totals_.time = 0;
    for (const Totals& t : std::exchange(before_, {})) {
      totals_ = t;
      throughput_->update(t);
    }
    began_ = steady_seconds() - totals_.time;
  }
  // Excludes the time of validations during training.
  void on_validation_start() { paused_ = steady_seconds(); }
  void on_validation_end() { began_ += steady_seconds() - paused_; }
  void on_train_batch_end(const Event& event) {
    if (!throughput_ || !event.raw().batch) return;
    event.run().synchronize();
    totals_.time = steady_seconds() - began_;
    ++totals_.batches;
    totals_.samples += event.raw().batch->rows;
    throughput_->update(totals_);
    const Run run = event.run();
    if (!run.should_update_logs()) return;
    Rates rates = throughput_->compute();
    for (auto& rate : rates) rate.first = "train" + options_.separator + rate.first;
    run.log_now(run.batches_that_stepped(), rates);
  }

  // Saves the window. Its last entry has the totals so far.
  void save(Writer writer) const {
    std::vector<double> times;
    std::vector<int64_t> counts;
    for (const Totals& t : throughput_ ? throughput_->window() : before_) {
      times.push_back(t.time);
      counts.push_back(t.batches);
      counts.push_back(t.samples);
    }
    writer.put("times", times);
    writer.put("counts", counts);
  }
  void load(Reader reader) {
    std::vector<double> times;
    std::vector<int64_t> counts;
    if (!reader.get("times", times) || !reader.get("counts", counts)) return;
    if (counts.size() != 2 * times.size()) throw Error(LEVIN_E_STATE, "times and counts differ in length");
    before_.clear();
    for (size_t i = 0; i < times.size(); ++i)
      before_.push_back({times[i], counts[2 * i], counts[2 * i + 1], std::nullopt, totals_.flops_per_batch});
  }

 private:
  ThroughputOptions options_;
  Totals totals_;
  std::optional<Throughput> throughput_;
  std::vector<Totals> before_;  // the window of a checkpoint, until training starts
  double began_ = 0, paused_ = 0;
};

}  // namespace
}  // namespace levin::throughput_monitor

LEVIN_PLUGIN("levin.throughput_monitor", "0.1.0", "Apache-2.0",
             levin::callback<levin::throughput_monitor::ThroughputMonitor>("throughput_monitor",
                                                                           "Logs batches and samples a second"))
