#include "host/engine/check/rules/rules.hpp"

#include <filesystem>
#include <memory>
#include <set>
#include <vector>

#include "core/base/text.hpp"
#include "core/checkpoint/checkpoint_file.hpp"
#include "core/config/trainer/host_options.hpp"
#include "core/config/trainer/trainer_options.hpp"
#include "core/trainer/trainer.hpp"
#include "host/engine/check/common/call_page.hpp"
#include "host/engine/check/common/common_rules.hpp"
#include "host/engine/check/common/model_parts.hpp"
#include "host/engine/check/fake/fake_run.hpp"

namespace levin::core {
namespace {

constexpr const char* own_failure = "a failure made for this check";

nlohmann::json short_trainer(const std::string& folder, int epochs) {
  const nlohmann::json given = {{"max_epochs", epochs},    {"limit_train_batches", 3},   {"limit_val_batches", 2},
                                {"limit_test_batches", 2}, {"limit_predict_batches", 2}, {"num_sanity_val_steps", 1},
                                {"log_every_n_steps", 1},  {"default_root_dir", folder}, {"accelerator", "cpu"}};
  nlohmann::json checked = nlohmann::json::object();
  std::set<std::string> names;
  for (const auto& [name, value] : given.items()) {
    checked[name] = check_trainer_option(*find_trainer_option(name), value, name);
    names.insert(name);
  }
  return resolve_trainer(checked, names);
}

nlohmann::json small_batches() {
  nlohmann::json loader = nlohmann::json::object();
  for (const LoaderOption& option : loader_options()) loader[option.schema.name] = option.schema.deflt;
  loader["batch_size"] = loader["eval_batch_size"] = 4;
  return loader;
}

class RunRules {
 public:
  RunRules(Report& report, const Subject& subject, const std::optional<ComponentConfig>& data)
      : report_(report),
        subject_(subject),
        data_(data),
        root_(subject.scratch + "/" + kind() + "_" + subject.schema.id) {}

  std::string fit() { return attempt(config(Command::fit)); }

  void run() {
    if (is(LEVIN_KIND_MODEL) && !parts().steps[LEVIN_STAGE_FIT]) return evaluate();
    const bool fits = report_.prepare(60, "a fit of two epochs with validation and checkpoints", [&] { return fit(); });
    if (fits) {
      whole_ = found();
      report_.check(61, "the fit resumes from the checkpoint of its first epoch", [&] { return resume(); });
      report_.check(62, "its state in that checkpoint, loaded, is the same", [&] { return state(); });
    }
    evaluate();
    report_.check(64, "a fit that fails", [&] { return fail(); });
    if (fits) report_.check(65, "every hook that it declares is called in these runs", [&] { return hooks(); });
    if (fits)
      report_.check(66, "a resumed fit, for callbacks from every batch, ends like an uninterrupted one",
                    [&] { return same_end(); });
  }

 private:
  std::string kind() const { return kind_name(subject_.schema.kind); }
  bool is(uint32_t kind) const { return subject_.schema.kind == kind; }
  ComponentConfig part(uint32_t kind, const char* id, const nlohmann::json& options = nlohmann::json::object()) const {
    return fake_part(subject_.plugins, kind, id, options);
  }

  RunConfig config(Command command, int epochs = 2) const {
    const std::string& id = subject_.schema.id;
    const ComponentConfig own{id, subject_.file, id, subject_.defaults};
    RunConfig c;
    c.command = command;
    c.trust = subject_.trust;
    c.trainer = short_trainer(root_, epochs);
    c.loader = small_batches();
    c.model = part(LEVIN_KIND_MODEL, "any_batch");
    c.data = data_ ? *data_ : part(LEVIN_KIND_DATA, "any_rows");
    c.callbacks = {part(LEVIN_KIND_CALLBACK, "start_saver")};
    c.loggers = {part(LEVIN_KIND_LOGGER, "listener")};
    if (is(LEVIN_KIND_MODEL)) c.model = own;
    if (is(LEVIN_KIND_MODEL) && parts().data) c.data.reset();
    if (is(LEVIN_KIND_DATA)) c.data = own;
    if (is(LEVIN_KIND_CALLBACK)) c.callbacks.push_back(own);
    c.callbacks.push_back(part(LEVIN_KIND_CALLBACK, "saver", {{"batches", is(LEVIN_KIND_CALLBACK)}}));
    if (is(LEVIN_KIND_LOGGER)) c.loggers = {own};
    for (const ComponentSchema& other : subject_.plugins.load(subject_.file).schema.components)
      if (other.kind == LEVIN_KIND_OPTIMIZER)
        c.optimizers.push_back({other.id, subject_.file, other.id, default_options(other)});
    if (is(LEVIN_KIND_OPTIMIZER)) c.model.options["optimizer"] = id;
    if (!is(LEVIN_KIND_MODEL))
      c.model.options["pause"] = pause_;
    else if (c.data && c.data->component == "any_rows")
      c.data->options["pause"] = pause_ / 8;
    return c;
  }

  // Runs it and returns the problem. Throws Skip if a component rejects its options, which is not a fault.
  std::string attempt(const RunConfig& config) {
    const std::string plugin = std::filesystem::path(subject_.file).filename().string();
    std::string left_out;
    Console console([&](int32_t, const std::string& line) {
      if (starts_with(line, plugin) && line.find("the logger is skipped") != std::string::npos) left_out = line;
    });
    try {
      Trainer trainer(config, console);
      trainer.run();
      const auto& folder = trainer.assembly().output.folder;
      if (folder) folder_ = folder->path().string();
    } catch (const Error& e) {
      if (e.kind() == ErrorKind::usage || (e.kind() == ErrorKind::data && !starts_with(e.what(), plugin)))
        throw Skip{"with these options it refuses to run: " + std::string(e.what())};
      return e.what();
    }
    return left_out;
  }

  std::string checkpoint(const char* name) const {
    const std::string path = folder_ + "/checkpoints/" + name;
    if (!std::filesystem::exists(path)) throw Skip{"the fit has saved no " + std::string(name)};
    return path;
  }

  std::string resume(const char* from = "epoch0.ckpt") {
    RunConfig again = config(Command::fit);
    again.ckpt_path = checkpoint(from);
    again.resume = folder_;
    return attempt(again);
  }

  // Returns the results at the end of the second epoch: the logged values, one a line, and the component's state.
  std::vector<std::string> found() const {
    const std::string path = folder_ + "/checkpoints/epoch1.ckpt";
    if (is(LEVIN_KIND_LOGGER) || !std::filesystem::exists(path)) return {};
    const CheckpointReader last(path);
    std::vector<std::string> out = split(last.bag("loggers.listener").bytes()["rows"], '\n');
    if (is(LEVIN_KIND_OPTIMIZER)) return out;
    for (const auto& [key, value] : described(last.bag(state_name()))) out.push_back(key + " of its state: " + value);
    return out;
  }

  // Resumes from the later checkpoints first, because a resumed fit replaces the checkpoints of the following steps.
  std::string same_end() {
    if (is(LEVIN_KIND_LOGGER)) throw Skip{"rule 55 is the one for loggers"};
    if (whole_.empty()) throw Skip{"there is nothing to compare"};
    fit();
    const std::vector<std::string> again = found();
    if (again.size() != whole_.size()) throw Skip{"two identical fits log different numbers of values"};
    for (const char* name : {"epoch1_batch1.ckpt", "epoch1_batch0.ckpt", "epoch0.ckpt", "epoch0_batch2.ckpt",
                             "epoch0_batch1.ckpt", "epoch0_batch0.ckpt"}) {
      if (!std::filesystem::exists(folder_ + "/checkpoints/" + name)) continue;
      const std::string problem = goes_on(name, again);
      if (!problem.empty()) return "from " + std::string(name) + ": " + problem;
    }
    return "";
  }

  // A value that differs between equal fits, such as a time, is excluded. While there are differences, fits are
  // repeated, slower than the first, because a time or a share of the processor may be equal in fits of equal length.
  std::string goes_on(const char* from, const std::vector<std::string>& whole) {
    std::string problem = resume(from);
    const std::vector<std::string> resumed = found();
    std::set<std::string> measured = differing(whole_, whole);
    for (int more = 0; more < 6 && problem.empty() && !first_difference(whole, resumed, measured).empty(); ++more) {
      pause_ = 10 + 10 * more;
      problem = fit();
      pause_ = 0;
      measured.merge(differing(whole, found()));
      if (problem.empty()) problem = resume(from);
      measured.merge(differing(resumed, found()));
    }
    return problem.empty() ? first_difference(whole, resumed, measured) : problem;
  }

  // Returns the names of logged values and state entries that differ between two equal runs, such as times.
  static std::set<std::string> differing(const std::vector<std::string>& a, const std::vector<std::string>& b) {
    std::set<std::string> names;
    for (size_t i = 0; i < std::min(a.size(), b.size()); ++i)
      if (a[i] != b[i]) names.insert(name_in(a[i]));
    return names;
  }
  static std::string name_in(const std::string& line) {
    return line.substr(0, std::min(line.find(" of step "), line.find(" of its state: ")));
  }

  static std::string first_difference(const std::vector<std::string>& whole, const std::vector<std::string>& resumed,
                                      const std::set<std::string>& except = {}) {
    for (size_t i = 0; i < whole.size(); ++i) {
      const std::string found = i < resumed.size() ? resumed[i] : "nothing";
      if (whole[i] != found && except.count(name_in(whole[i])) == 0)
        return "there is '" + found + "' instead of '" + whole[i] + "': its counters must be part of its state";
    }
    return resumed.size() > whole.size() ? "there is '" + resumed[whole.size()] + "', which the other has not" : "";
  }

  std::string state_name() const {
    const bool many = is(LEVIN_KIND_CALLBACK) || is(LEVIN_KIND_LOGGER);
    return many ? kind() + "s." + subject_.schema.id : kind();
  }

  // Some states are restored only in a run, after setup; others change in a run before training starts. The rule holds
  // if either way restores the state.
  std::string state() const {
    const auto fresh = make_component(subject_.create());
    if (!fresh->has_state() || is(LEVIN_KIND_OPTIMIZER)) throw Skip{"it has no state"};
    const StateBag saved = CheckpointReader(checkpoint("epoch0.ckpt")).bag(state_name());
    if (difference(saved, CheckpointReader(checkpoint("start.ckpt")).bag(state_name())).empty()) return "";
    fresh->load(saved.reader(subject_.schema.version.c_str()));
    return difference(saved, saved_state(*fresh));
  }

  std::string fail() {
    if (is(LEVIN_KIND_MODEL)) throw Skip{"the model of the check causes the failure"};
    RunConfig failing = config(Command::fit);
    failing.model.options["fail_at"] = 0;
    const std::string text = attempt(failing);
    if (text.find(own_failure) == std::string::npos) return "the fit ended otherwise: " + text;
    return "";
  }

  void evaluate() {
    constexpr struct {
      Command command;
      uint32_t stage, split;
    } all[] = {{Command::validate, LEVIN_STAGE_VALIDATE, LEVIN_VAL},
               {Command::test, LEVIN_STAGE_TEST, LEVIN_TEST},
               {Command::predict, LEVIN_STAGE_PREDICT, LEVIN_PREDICT}};
    report_.check(63, "validate, test and predict", [&]() -> std::string {
      int n = 0;
      for (const auto& one : all) {
        if (is(LEVIN_KIND_MODEL) ? !parts().steps[one.stage] : is(LEVIN_KIND_DATA) && !has_split(one.stage, one.split))
          continue;
        ++n;
        const std::string problem = attempt(config(one.command));
        if (!problem.empty()) return std::string(name_of(one.command)) + ": " + problem;
      }
      if (n == 0) throw Skip{"it supports none of them"};
      return "";
    });
  }

  std::string hooks() const {
    const std::string plugin = std::filesystem::path(subject_.file).filename().string();
    std::string missed;
    for (uint32_t hook = 0; hook < LEVIN_HOOK_COUNT; ++hook) {
      if (!(subject_.schema.hooks[hook / 64] & LEVIN_BIT(hook)) || subject_.calls->called(plugin, hook_name(hook)))
        continue;
      missed += (missed.empty() ? "" : ", ") + std::string(hook_name(hook));
    }
    if (!missed.empty()) throw Skip{"not called: " + missed};
    return "";
  }

  const ModelParts& parts() const { return parts_ ? *parts_ : parts_.emplace(subject_); }
  bool has_split(uint32_t stage, uint32_t split) const {
    const Created made = subject_.create();
    const DataModule data(made.origin, made.table, made.self);
    data.prepare();
    data.setup(stage);
    bool any = false;
    for (uint32_t loader = 0; loader < data.loaders(split); ++loader) {
      const auto info = data.describe(split, loader);
      any = any || (info && info->rows != 0);
    }
    data.teardown(stage);
    return any;
  }

  Report& report_;
  const Subject& subject_;
  const std::optional<ComponentConfig> data_;
  const std::string root_;
  std::string folder_;              // folder of the last run
  std::vector<std::string> whole_;  // found() after the first fit
  mutable std::optional<ModelParts> parts_;
  int pause_ = 0;  // milliseconds that each step of the check's own model takes longer
};

}  // namespace

std::string try_fit(const Subject& subject, const ComponentConfig& data) {
  Report none({}, {}, {});
  try {
    return RunRules(none, subject, data).fit();
  } catch (const Skip& skip) {
    return skip.reason;
  }
}

void check_runs(Report& report, const Subject& subject, const std::optional<ComponentConfig>& data) {
  RunRules(report, subject, data).run();
}

}  // namespace levin::core
