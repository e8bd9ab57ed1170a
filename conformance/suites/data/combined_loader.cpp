// Several loaders combined into one: CombinedLoader alone, and in the loops.
#include "core/data/combined_loader.hpp"

#include <algorithm>

#include "conformance/harness/scripted_run.hpp"
#include "conformance/registry.hpp"
#include "core/base/error.hpp"
#include "core/data/limits.hpp"

namespace conformance {
namespace {

namespace core = levin::core;

Outcome run_combined_loader(const Case& c) {
  const core::CombinedMode mode = core::combined_mode_from(c.inputs.at("mode"));
  const json& iterables = c.inputs.at("iterables");
  const json& limits = c.inputs.at("limits");
  if (limits.is_array() && limits.size() != iterables.size())
    throw core::Error(core::ErrorCode::call_invalid, "limits are for " + std::to_string(limits.size()) +
                                                         " loaders, and there are " + std::to_string(iterables.size()));
  std::vector<size_t> at(iterables.size(), 0);
  std::vector<core::CombinedLoader::Source> sources;
  std::vector<std::optional<int64_t>> lengths;
  for (size_t i = 0; i < iterables.size(); ++i) {
    const auto size = static_cast<int64_t>(iterables[i].size());
    std::optional<int64_t> limit;
    if (!limits.is_null() && limits[i].is_number()) limit = limits[i].get<int64_t>();
    sources.push_back({[&, i] { return at[i]++ < iterables[i].size(); }, [&, i] { at[i] = 0; }, limit});
    lengths.push_back(limit ? std::min(*limit, size) : size);
  }
  core::CombinedLoader loader(mode, sources);
  core::CombinedLoader::Step step;
  json items = json::array();
  while (loader.next(step)) {
    json batch = json::array();
    for (size_t i = 0; i < iterables.size(); ++i) batch.push_back(step.present[i] ? iterables[i][at[i] - 1] : json());
    if (mode == core::CombinedMode::sequential) batch = json(batch[static_cast<size_t>(step.dataloader_idx)]);
    items.push_back({batch, step.batch_idx, step.dataloader_idx});
  }
  Outcome out;
  out.seen = {{"items", items}, {"len", core::combined_length(mode, lengths).value()}};
  return out;
}

// The loaders of the case, in its order: the items of each, or their lengths. A list of lengths stands for several
// loaders.
struct Named {
  explicit Named(const ordered_json& inputs) : items(inputs.contains("loader_items")) {
    loaders = items ? inputs.at("loader_items") : inputs.value("loader_lengths", ordered_json::object());
  }
  bool is_several(const ordered_json& of_name) const { return !items && of_name.is_array(); }
  bool items;
  ordered_json loaders;
};

void add_loaders(const Named& named, const std::string& split, ScriptedRun& request) {
  json& lengths = request.data[split] = json::array();
  json items = json::array();
  for (const auto& [name, of_name] : named.loaders.items()) {
    if (named.items) {
      items.push_back(json(of_name));
      continue;
    }
    for (const ordered_json& n : of_name.is_array() ? of_name : ordered_json::array({of_name}))
      lengths.push_back(n.get<int64_t>());
  }
  if (named.items) request.data["items"][split] = items;
}

// Returns the number for a batch of one item.
json item_of(const json& batch) { return batch.is_array() && batch.size() == 1 ? json(batch[0]) : batch; }

// Returns the batches of a step by the names of their loaders, or, for sequential loaders, the batch of the current
// one.
json given(const json& batches, const Named& named, bool one_after_another) {
  if (one_after_another) {
    const auto own = std::find_if(batches.begin(), batches.end(), [](const json& b) { return !b.is_null(); });
    return own == batches.end() ? json() : item_of(*own);
  }
  json out = json::object();
  size_t i = 0;
  for (const auto& [name, of_name] : named.loaders.items()) {
    if (!named.is_several(of_name)) {
      out[name] = item_of(batches.at(i++));
      continue;
    }
    out[name] = json::array();
    for (size_t n = of_name.size(); n > 0; --n) out[name].push_back(item_of(batches.at(i++)));
  }
  return out;
}

json resolved_batches(core::Trainer& trainer, uint32_t split) {
  json out = json::array();
  for (const int64_t n : trainer.assembly().loops.loaders.limits(split))
    out.push_back(n == core::unlimited ? json("Infinity") : json(n));
  return out;
}

Outcome run_combined_loader_run(const Case& c) {
  const std::string fn = c.inputs.at("fn");
  const bool fits = fn == "fit";
  const std::string split = fits ? "train" : fn == "test" ? "test" : "val";
  const Named named(c.written);
  ScriptedRun request;
  request.calls = {fn};
  request.script["batches"] = true;
  request.data["mode"] = c.inputs.at("mode");
  add_loaders(named, split, request);
  json lengths, total;
  if (fits) {
    request.trainer = {{"max_epochs", 1}, {"limit_val_batches", 0}};
    request.callbacks[0].options["script"] = {{"watch", {{"on_train_start", {"num_training_batches"}}}}};
  } else {
    request.inspect = [&](core::Trainer& trainer) {
      lengths = resolved_batches(trainer, fn == "test" ? LEVIN_TEST : LEVIN_VAL);
    };
  }
  const Observed seen = run(request);
  const bool sequential = c.inputs.at("mode") == "sequential";
  json batches = json::array();
  for (const json& line : seen.records)
    if (line.contains("batches")) batches.push_back(given(line.at("batches"), named, sequential));
  for (const json& start : seen.hooks("cb", "on_train_start")) total = start.at("watch").at("num_training_batches");
  Outcome out = outcome_of(seen, {{"seen", batches}, {"num_batches", lengths}, {"num_training_batches", total}});
  if (fits && sequential) out.decided = "ADR 13: train loaders may come one after another";
  return out;
}

const SuiteEntry combined_loader("combined_loader", &run_combined_loader);
const SuiteEntry combined_loader_run("combined_loader_run", &run_combined_loader_run);

}  // namespace
}  // namespace conformance
