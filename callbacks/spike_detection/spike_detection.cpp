// Ends a fit when the loss of a batch leaps, and writes down the batches to leave out.
#include <filesystem>
#include <fstream>

#include "levin/callback.hpp"
#include "spike_rule.hpp"

namespace levin::spike_detection {
namespace {

constexpr const char* modes[] = {"min", "max", nullptr};

class SpikeDetection : public Callback {
 public:
  static constexpr levin_option options[] = {
      choice("mode", "\"min\"", "whether less or more is better", modes),
      integer("window", "10", "losses of the running mean", 1, 1e9),
      integer("warmup", "1", "batches before the first decision", 0, 1e15),
      with(number("atol", "null", "a spike is at least so far from the running mean", 0, 1e300), LEVIN_OPT_NULLABLE),
      with(number("rtol", "2.0", "and at least so many running means away from it", 0, 1e300), LEVIN_OPT_NULLABLE),
      with(path("exclude_batches_path", "null", "file or folder of skip_batches.json; null: the run's folder"),
           LEVIN_OPT_NULLABLE),
      flag("finite_only", "true", "a loss that is not finite is a spike"),
  };
  explicit SpikeDetection(const Args& args) : rule_(rule_options(args)), path_(args.text("exclude_batches_path")) {}

  void on_train_batch_end(const Event& event) {
    if (!event.loss()) return;
    const int64_t batch = event.batch_idx();
    if (!rule_.add(batch, event.item(event.loss()))) return;
    const std::string file = write(event.run(), batch);
    throw Error(LEVIN_E_STATE,
                "the loss leaped in batch " + std::to_string(batch) + "; batches to leave out are in " + file);
  }

 private:
  static SpikeOptions rule_options(const Args& args) {
    SpikeOptions o;
    o.maximize = args.text("mode") == "max";
    o.window = static_cast<size_t>(args.integer("window"));
    o.warmup = args.integer("warmup");
    o.finite_only = args.flag("finite_only");
    if (!args.is_null("atol")) o.atol = args.number("atol");
    o.rtol.reset();
    if (!args.is_null("rtol")) o.rtol = args.number("rtol");
    return o;
  }

  // The batch before may have spoilt the weights, so both are named.
  std::string write(const Run& run, int64_t batch) const {
    std::filesystem::path file = path_.empty() ? run.text("run_dir") : path_;
    if (file.extension() != ".json") file /= "skip_batches.json";
    if (!file.parent_path().empty()) std::filesystem::create_directories(file.parent_path());
    std::ofstream(file) << "[" << batch - 1 << ", " << batch << "]\n";
    return file.string();
  }

  SpikeRule rule_;
  std::string path_;
};

}  // namespace
}  // namespace levin::spike_detection

LEVIN_PLUGIN("levin.spike_detection", "0.1.0", "Apache-2.0",
             levin::callback<levin::spike_detection::SpikeDetection>("spike_detection",
                                                                     "Ends a fit when the loss leaps"))
