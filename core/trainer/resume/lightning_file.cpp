#include "core/trainer/resume/lightning_file.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "core/base/error.hpp"
#include "core/base/json.hpp"
#include "core/base/text.hpp"
#include "core/trainer/lightning/optimizer_of_python.hpp"
#include "core/trainer/resume/init_weights.hpp"
#include "core/weights/lightning/lightning_loops.hpp"
#include "core/weights/lightning/python_schedule.hpp"

namespace levin::core {
namespace {

using nlohmann::json;

constexpr const char* scaler = "MixedPrecision";
constexpr const char* way_on = "; --model.init_from FILE starts a fit from its weights alone";
constexpr size_t most_named = 8;

// Keys of Lightning itself. All others belong to data modules and hooks.
const std::set<std::string>& known_keys() {
  static const std::set<std::string> keys = {"epoch",
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
  return keys;
}

NamesOfFile names_of_file(const LightningCheckpoint& file, const Model& model, const json& map) {
  std::set<std::string> parameters;
  for (const NamedTensor& p : model.parameters()) parameters.insert(p.name);
  NamesOfFile out{{}, NameMap(map, "model.init_map")};
  for (const std::string& name : file.weight_names())
    if (const auto ours = out.map(name); ours && parameters.erase(*ours) != 0) out.parameters.push_back(*ours);
  return out;
}

}  // namespace

LightningFile::LightningFile(const std::string& path, InitWeights weights) : file_(path), weights_(std::move(weights)) {
  weights_.from = path;
}

// Runs the body and adds the place in the file to the message of its error.
template <class F>
void LightningFile::within(const std::string& place, F&& body) const {
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
  throw Error(ErrorKind::checkpoint, (whole ? what : file_.path() + ": " + place + ": " + what) + way_on);
}

void LightningFile::load_weights(Model& model, Console& console) const {
  init_weights(model, "--ckpt_path", weights_, console);
}

std::vector<std::string> LightningFile::changes(OptimizerSet& optimizers) const {
  std::vector<std::string> out;
  const json saved = file_.part("lr_schedulers").values;
  const auto& schedules = optimizers.schedules();
  for (size_t i = 0; i < schedules.size() && i < saved.size(); ++i)
    for (const std::string& change : changed_options(schedules[i].scheduler->options(), saved[i]))
      out.push_back("schedule '" + schedules[i].scheduler->id() + "': " + change);
  return out;
}

FoundPosition LightningFile::load_training(const Model& model, OptimizerSet& optimizers, Precision& precision,
                                           FitLoop& fit) const {
  FoundPosition found;
  within("loops", [&] { found = fit.load_state_dict(loops()); });
  load_optimizers(model, optimizers);
  load_schedules(optimizers);
  load_precision(precision);
  return found;
}

json LightningFile::loops() const {
  const json all = file_.part("loops").values;
  const json fit = all.is_object() ? all.value("fit_loop", json()) : json();
  if (fit.is_object() && fit.contains("epoch_loop.batch_loop.state_dict"))
    throw Error(ErrorKind::checkpoint,
                "the file is of Lightning " + file_.version() +
                    "; python -m lightning.pytorch.utilities.upgrade_checkpoint FILE makes it one "
                    "of Lightning 2");
  return loops_of_lightning(fit);
}

void LightningFile::load_optimizers(const Model& model, OptimizerSet& optimizers) const {
  std::vector<PythonOptimizerState> saved;
  within("optimizer_states", [&] { saved = optimizer_states(file_); });
  const auto& all = optimizers.optimizers();
  if (saved.size() != all.size())
    file_.fail("it has the states of " + std::to_string(saved.size()) + " optimizers, and the run has " +
               std::to_string(all.size()) + way_on);
  const NamesOfFile names = names_of_file(file_, model, weights_.map);
  for (size_t i = 0; i < all.size(); ++i)
    within("optimizer_states/" + std::to_string(i),
           [&] { all[i]->load_state_dict(optimizer_of_python(*all[i], saved[i], names)); });
}

void LightningFile::load_schedules(OptimizerSet& optimizers) const {
  const json saved = file_.part("lr_schedulers").values;
  json state = optimizers.schedules_state();
  if (saved.size() != state.size())
    file_.fail("it has " + std::to_string(saved.size()) + " learning-rate schedules, and the run has " +
               std::to_string(state.size()) + way_on);
  for (size_t i = 0; i < state.size(); ++i)
    within("lr_schedulers/" + std::to_string(i), [&] { state[i] = schedule_of_python(state[i], saved[i]); });
  within("lr_schedulers", [&] { optimizers.load_schedules_state(state); });
}

void LightningFile::load_precision(Precision& precision) const {
  const std::vector<std::string> keys = file_.keys();
  if (!precision.state_dict().contains("scale") || std::find(keys.begin(), keys.end(), scaler) == keys.end()) return;
  within(scaler, [&] {
    const TorchTree tree = file_.part(scaler);
    const double scale = file_.number(tree, "scale"), tracker = file_.number(tree, "_growth_tracker");
    if (!(scale > 0) || !std::isfinite(scale) || !(tracker >= 0 && tracker < 1e9))
      throw Error(ErrorKind::checkpoint, "its scale or _growth_tracker is no number that a scale can have");
    precision.load_state_dict({{"scale", scale}, {"_growth_tracker", static_cast<int64_t>(tracker)}});
  });
}

std::string LightningFile::remainder() const {
  std::vector<std::string> others = file_.callback_names(), options;
  for (const std::string& key : file_.keys())
    if (known_keys().count(key) == 0) others.push_back(printable(key));
  const json given = file_.hyper_parameters();
  for (const auto& [name, value] : given.items()) options.push_back(printable(name) + " " + show(value));
  std::string out = "; a file of Lightning " + file_.version() + " has no state of random numbers";
  if (!others.empty()) out += "; not taken: " + join_some(others, most_named);
  if (!options.empty()) out += "; its hyper_parameters, which change nothing here: " + join_some(options, most_named);
  return out;
}

}  // namespace levin::core
