#include "lightning/lightning_source.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "core/base/error.hpp"
#include "core/base/json.hpp"
#include "core/base/text.hpp"
#include "core/loops/optimization/accumulation.hpp"
#include "core/trainer/resume/init_weights.hpp"
#include "lightning/file/lightning_checkpoint.hpp"
#include "lightning/file/state_conversions.hpp"
#include "lightning/optimizer_of_python.hpp"

namespace levin::core {
namespace {

using nlohmann::json;

constexpr const char* scaler = "MixedPrecision";
constexpr const char* way_on = "; --model.init_from FILE starts a fit from its weights alone";
constexpr size_t most_named = 8;

// Keys of Lightning itself. All others belong to data modules and hooks.
constexpr const char* known_keys[] = {"epoch",
                                      "global_step",
                                      "pytorch-lightning_version",
                                      "state_dict",
                                      "loops",
                                      "callbacks",
                                      "optimizer_states",
                                      "lr_schedulers",
                                      "hparams_name",
                                      "hparams_type",
                                      "hyper_parameters",
                                      scaler,
                                      "datamodule_hparams_name",
                                      "datamodule_hyper_parameters",
                                      "datamodule_hparams_type"};

NamesOfFile names_of_file(const LightningCheckpoint& file, const Model& model, const json& map) {
  std::set<std::string> parameters;
  for (const NamedTensor& p : model.parameters()) parameters.insert(p.name);
  NamesOfFile out{{}, NameMap(map, "model.init_map")};
  for (const std::string& name : file.weight_names())
    if (const auto ours = out.map(name); ours && parameters.erase(*ours) != 0) out.parameters.push_back(*ours);
  return out;
}

// A Lightning checkpoint has no gradients, so those of an open accumulation window are missing in the next step.
void warn_of_lost_gradients(const RunPlan& plan, const RunProgress& progress, const FoundPosition& found,
                            Console& console) {
  const int64_t window = window_at(plan.optimization.accumulate_grad_batches, progress.current_epoch()).value_or(1);
  const int64_t batches = progress.of(Counted::batch).current.processed % window;
  if (!found.within_epoch() || progress.is_last_batch() || batches == 0) return;
  console.warn("the checkpoint was saved within an accumulation window, and Lightning saves no gradients: those of " +
               std::to_string(batches) + (batches == 1 ? " batch" : " batches") +
               " are missing in the next optimizer step (trainer.accumulate_grad_batches " + std::to_string(window) +
               ")");
}

// All methods throw Error{checkpoint} with the place in the file if something does not fit.
class LightningSource : public ResumeSource {
 public:
  LightningSource(const ResumeParts& parts, const std::string& path)
      : parts_(parts), file_(path), weights_(init_weights_from(parts.settings.config.weights)) {
    weights_.from = path;
    if (parts_.settings.config.resume)
      throw Error(ErrorCode::run_not_resumable,
                  path +
                      " is a checkpoint of Lightning, and a run resumes in its folder from its own "
                      "checkpoints only; host fit --ckpt_path FILE resumes from it in a new run");
  }
  std::string path() const override { return file_.path(); }
  void load_model() override { init_weights(parts_.model, "--ckpt_path", weights_, parts_.console); }
  // Options of schedules keep their current values.
  std::vector<std::string> optimizer_changes() const override;
  FoundPosition load_training() override;
  void load_gradients() override {
    warn_of_lost_gradients(parts_.settings.plan, parts_.progress, found_, parts_.console);
  }
  std::string remainder() const override;

 private:
  template <class F>
  void within(const std::string& place, F&& body) const;
  void load_optimizers() const;
  void load_schedules() const;
  void load_precision() const;
  json loops() const;

  const ResumeParts parts_;
  LightningCheckpoint file_;
  InitWeights weights_;
  FoundPosition found_;
};

// Runs the body and adds the place in the file to the message of its error.
template <class F>
void LightningSource::within(const std::string& place, F&& body) const {
  std::string what;
  try {
    return body();
  } catch (const Error& e) {
    if (e.kind() != ErrorKind::checkpoint) throw;
    what = e.what();
  } catch (const std::exception& e) {
    what = e.what();
  }
  const bool whole = starts_with(what, file_.path());
  throw Error(ErrorCode::lightning_checkpoint_unsupported,
              (whole ? what : file_.path() + ": " + place + ": " + what) + way_on);
}

std::vector<std::string> LightningSource::optimizer_changes() const {
  std::vector<std::string> out;
  const json saved = file_.part("lr_schedulers").values;
  const auto& schedules = parts_.optimizers.schedules();
  for (size_t i = 0; i < schedules.size() && i < saved.size(); ++i)
    for (const std::string& change : changed_options(schedules[i].scheduler->options(), saved[i]))
      out.push_back("schedule '" + schedules[i].scheduler->id() + "': " + change);
  return out;
}

FoundPosition LightningSource::load_training() {
  within("loops", [&] { found_ = parts_.fit.load_state_dict(loops()); });
  load_optimizers();
  load_schedules();
  load_precision();
  parts_.optimizers.scale_loaded_optimizers(1);
  parts_.optimizers.scale_loaded_schedules(1);
  return found_;
}

json LightningSource::loops() const {
  const json all = file_.part("loops").values;
  const json fit = all.is_object() ? all.value("fit_loop", json()) : json();
  if (fit.is_object() && fit.contains("epoch_loop.batch_loop.state_dict"))
    throw Error(ErrorCode::lightning_checkpoint_unsupported,
                "the file is of Lightning " + file_.version() +
                    "; python -m lightning.pytorch.utilities.upgrade_checkpoint FILE makes it one "
                    "of Lightning 2");
  return loops_of_lightning(fit);
}

void LightningSource::load_optimizers() const {
  std::vector<PythonOptimizerState> saved;
  within("optimizer_states", [&] { saved = optimizer_states(file_); });
  const auto& all = parts_.optimizers.optimizers();
  if (saved.size() != all.size())
    file_.fail("it has the states of " + std::to_string(saved.size()) + " optimizers, and the run has " +
               std::to_string(all.size()) + way_on);
  const NamesOfFile names = names_of_file(file_, parts_.model, weights_.map);
  for (size_t i = 0; i < all.size(); ++i)
    within("optimizer_states/" + std::to_string(i),
           [&] { all[i]->load_state_dict(optimizer_of_python(*all[i], saved[i], names)); });
}

void LightningSource::load_schedules() const {
  const json saved = file_.part("lr_schedulers").values;
  json state = parts_.optimizers.schedules_state();
  if (saved.size() != state.size())
    file_.fail("it has " + std::to_string(saved.size()) + " learning-rate schedules, and the run has " +
               std::to_string(state.size()) + way_on);
  for (size_t i = 0; i < state.size(); ++i)
    within("lr_schedulers/" + std::to_string(i), [&] { state[i] = schedule_of_python(state[i], saved[i]); });
  within("lr_schedulers", [&] { parts_.optimizers.load_schedules_state(state); });
}

void LightningSource::load_precision() const {
  const std::vector<std::string> keys = file_.keys();
  if (!parts_.precision.state_dict().contains("scale") || std::find(keys.begin(), keys.end(), scaler) == keys.end())
    return;
  within(scaler, [&] {
    const TorchTree tree = file_.part(scaler);
    const double scale = file_.number(tree, "scale"), tracker = file_.number(tree, "_growth_tracker");
    if (!(scale > 0) || !std::isfinite(scale) || !(tracker >= 0 && tracker < 1e9))
      throw Error(ErrorCode::lightning_checkpoint_unsupported,
                  "its scale or _growth_tracker is no number that a scale can have");
    parts_.precision.load_state_dict({{"scale", scale}, {"_growth_tracker", static_cast<int64_t>(tracker)}});
  });
}

std::string LightningSource::remainder() const {
  std::vector<std::string> others = file_.callback_names(), options;
  for (const std::string& key : file_.keys())
    if (!is_one_of(key, known_keys)) others.push_back(printable(key));
  const json given = file_.hyper_parameters();
  for (const auto& [name, value] : given.items()) options.push_back(printable(name) + " " + show(value));
  std::string out = "; a file of Lightning " + file_.version() + " has no state of random numbers";
  if (!others.empty()) out += "; not taken: " + join_some(others, most_named);
  if (!options.empty()) out += "; its hyper_parameters, which change nothing here: " + join_some(options, most_named);
  return out;
}

}  // namespace

std::unique_ptr<ResumeSource> lightning_source(const ResumeParts& parts, const std::string& path) {
  return std::make_unique<LightningSource>(parts, path);
}

}  // namespace levin::core
