// Tries batch sizes before a fit with steps that are undone, and trains with the largest size that fits into memory.
#include <filesystem>
#include <fstream>
#include <string>

#include "levin/callback.hpp"
#include "search.hpp"

namespace levin::batch_size_finder {
namespace {

class BatchSizeFinder : public Callback {
 public:
  static constexpr levin_option options[] = {
      text("mode", "\"power\"", "power = double until it does not fit, binsearch = then bisect"),
      integer("steps_per_trial", "3", "optimizer steps for each batch size", 1, 1e6),
      integer("init_val", "2", "initial batch size", 1, 1e9),
      integer("max_trials", "25", "maximum number of batch sizes to try", 1, 1e6),
      number("margin", "0.05", "binsearch: fraction by which the result is reduced, for safety", 0, 0.99),
      integer("max_val", "8192", "maximum batch size to try", 1, 1e9),
      text("batch_arg_name", "\"batch_size\"", "option to set; only data.batch_size is supported"),
  };
  static constexpr levin_flag claims[] = {
      {"auto_scale_batch_size", "mode",
       "search for the largest batch size before the fit: power (or true) or binsearch"}};
  static constexpr uint64_t flags = LEVIN_F_FIRST | LEVIN_F_OFF_IN_FAST_DEV_RUN | LEVIN_F_ONE_ONLY;

  explicit BatchSizeFinder(const Args& args) : steps_(args.integer("steps_per_trial")) {
    const std::string mode = args.text("mode");
    off_ = mode == "false";
    if (mode != "power" && mode != "binsearch" && mode != "true" && !off_)
      throw Error(LEVIN_E_INVALID, "mode is '" + mode + "'; valid: power, binsearch");
    if (args.text("batch_arg_name") != "batch_size")
      throw Error(LEVIN_E_INVALID, "batch_arg_name is '" + args.text("batch_arg_name") +
                                       "'; valid: batch_size, the one option of data that says how large a batch is");
    options_.binary = mode == "binsearch";
    options_.init_val = args.integer("init_val");
    options_.max_trials = args.integer("max_trials");
    options_.margin = args.number("margin");
    options_.max_val = args.integer("max_val");
  }

  void setup(const Event& event) {
    if (off_ || found_ || event.stage() == Stage::fit) return;
    warn("looks for the batch size of a fit only; give --data.eval_batch_size for what is not trained on");
  }

  void on_fit_start(const Event& event) {
    if (off_) return;
    const Run run = event.run();
    if (found_) return use(run);  // found before the resume
    found_ = true;
    const int64_t before = run.batch_size();
    size_ = find(run);
    if (size_ == 0) throw Error(LEVIN_E_MEMORY, "not even the smallest batch fits into memory; use a smaller model");
    use(run);
    run.set_option("data.batch_size", std::to_string(size_));
    report(run, before);
  }

  void save(Writer writer) const {
    writer.put("found", static_cast<int32_t>(found_));
    writer.put("batch_size", size_);
  }
  void load(Reader reader) {
    int32_t found = 0;
    if (reader.get("found", found)) found_ = found != 0;
    reader.get("batch_size", size_);
  }

 private:
  void use(const Run& run) const {
    if (size_ > 0) detail::check(run.trial().set_batch_size(run.raw(), size_), "set_batch_size");
  }

  void report(const Run& run, int64_t before) const {
    if (!is_first_process(run)) return;
    const std::string size = std::to_string(size_);
    run.print("batch size: " + size);
    if (size_ != before && run.has_schedule_by_step())
      warn("a learning rate schedule by step was made for the steps of batches of " + std::to_string(before) +
           ", and with " + size + " there are others: start again with --data.batch_size " + size);
    const std::filesystem::path dir = run.run_dir();
    if (dir.empty()) return;
    std::ofstream(dir / "batch_size.json") << "{\"batch_size\": " << size << ", \"tried\": [" << tried_ << "]}\n";
  }

  int64_t find(const Run& run) {
    SearchOptions limits = options_;
    limits.rows = run.train_rows();
    Search search(limits);
    const levin_trial& trial = run.trial();
    detail::check(trial.begin(run.raw()), "begin");
    try {
      while (!search.done()) attempt(run, search);
    } catch (...) {
      trial.end(run.raw());
      throw;
    }
    detail::check(trial.end(run.raw()), "end");
    return search.result();
  }

  void attempt(const Run& run, Search& search) {
    const levin_trial& trial = run.trial();
    detail::check(trial.set_batch_size(run.raw(), search.size()), "set_batch_size");
    tried_ += (tried_.empty() ? "" : ", ") + std::to_string(search.size());
    double loss = 0;
    const levin_status status = trial.step(run.raw(), steps_, &loss);
    if (status == LEVIN_E_MEMORY) return search.does_not_fit();
    detail::check(status, "a step with another batch size");
    search.fits();
  }

  SearchOptions options_;
  int64_t steps_;
  std::string tried_;
  bool off_ = false, found_ = false;
  int64_t size_ = 0;  // 0 = not known
};

}  // namespace
}  // namespace levin::batch_size_finder

LEVIN_PLUGIN("levin.batch_size_finder", "0.1.0", "Apache-2.0",
             levin::callback<levin::batch_size_finder::BatchSizeFinder>(
                 "batch_size_finder", "Finds the largest batch that fits into memory"))
