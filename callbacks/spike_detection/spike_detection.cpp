// Stops a fit when the loss of a batch is a spike, and writes the batches to leave out into a file.
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <vector>

#include "levin/callback.hpp"
#include "levin/processes.hpp"
#include "spike_rule.hpp"

namespace levin::spike_detection {
namespace {

constexpr const char* modes[] = {"min", "max", nullptr};

class SpikeDetection : public Callback {
 public:
  static constexpr levin_option options[] = {
      choice("mode", "\"min\"", "min = lower is better, max = higher is better", modes),
      integer("window", "10", "number of losses in the running mean", 1, 1e9),
      integer("warmup", "1", "number of batches before the first check", 0, 1e15),
      with(number("atol", "null", "minimum absolute distance of a spike from the running mean", 0, 1e300),
           LEVIN_OPT_NULLABLE),
      with(number("rtol", "2.0", "minimum distance of a spike relative to the running mean", 0, 1e300),
           LEVIN_OPT_NULLABLE),
      with(path("exclude_batches_path", "null", "file or folder of skip_batches.json; null = run folder"),
           LEVIN_OPT_NULLABLE),
      flag("finite_only", "true", "count a NaN or infinite loss as a spike"),
  };
  explicit SpikeDetection(const Args& args) : rule_(rule_options(args)), path_(args.text("exclude_batches_path")) {}

  void on_train_batch_end(const Event& event) {
    const std::optional<double> loss = loss_of_all(event);
    const int64_t batch = event.batch_idx();
    if (!loss || !rule_.add(batch, *loss)) return;
    for (const int64_t bad : SpikeRule::bad_batches(batch))
      if (bad >= 0) bad_batches_.insert(bad);
    const std::string file = write(event.run());
    throw Error(LEVIN_E_STATE, "the loss leaped in batch " + std::to_string(batch) +
                                   (file.empty() ? "" : "; batches to leave out are in " + file));
  }

  void save(Writer writer) const {
    const SpikeState state = rule_.state();
    writer.put("window", state.window);
    writer.put("last", state.last);
    writer.put("bad_batches", std::vector<int64_t>(bad_batches_.begin(), bad_batches_.end()));
  }
  void load(Reader reader) {
    SpikeState state;
    reader.get("window", state.window);
    reader.get("last", state.last);
    rule_.restore(state);
    std::vector<int64_t> bad;
    reader.get("bad_batches", bad);
    bad_batches_.insert(bad.begin(), bad.end());
  }

 private:
  // Returns the mean over the processes that have a loss, so that all processes decide alike.
  static std::optional<double> loss_of_all(const Event& event) {
    std::optional<double> own;
    if (event.loss()) own = event.item(event.loss());
    if (event.run().world_size() == 1) return own;
    const auto all = numbers_over_processes(event.run(), {own.value_or(0), own ? 1. : 0.}, LEVIN_REDUCE_SUM);
    return all.at(1) > 0 ? std::optional<double>(all.at(0) / all.at(1)) : std::nullopt;
  }

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

  // Writes all known batches, including the ones already in the file. Returns the file; "" = the run writes no files.
  std::string write(const Run& run) {
    const std::string run_dir = run.run_dir();
    if (run_dir.empty()) return "";
    std::filesystem::path file = path_.empty() ? run_dir : path_;
    if (file.extension() != ".json") file /= "skip_batches.json";
    if (run.rank() != 0) return file.string();  // rank 0 writes it
    if (!file.parent_path().empty()) std::filesystem::create_directories(file.parent_path());
    for (const int64_t batch : listed_in(file)) bad_batches_.insert(batch);
    std::ofstream out(file);
    out << nlohmann::json(bad_batches_).dump() << "\n";
    if (!out.flush()) throw Error(LEVIN_E_IO, file.string() + " cannot be written");
    return file.string();
  }

  static std::vector<int64_t> listed_in(const std::filesystem::path& file) {
    if (!std::filesystem::exists(file)) return {};
    try {
      std::ifstream in(file);
      return nlohmann::json::parse(in).get<std::vector<int64_t>>();
    } catch (const nlohmann::json::exception&) {
      throw Error(LEVIN_E_INVALID, "the loss leaped, but " + file.string() +
                                       " is no list of batches to add to: give another exclude_batches_path");
    }
  }

  SpikeRule rule_;
  std::string path_;
  std::set<int64_t> bad_batches_;
};

}  // namespace
}  // namespace levin::spike_detection

LEVIN_PLUGIN("levin.spike_detection", "0.1.0", "Apache-2.0",
             levin::callback<levin::spike_detection::SpikeDetection>("spike_detection",
                                                                     "Ends a fit when the loss spikes"))
