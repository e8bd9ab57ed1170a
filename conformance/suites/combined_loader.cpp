// Several loaders as one, alone and in the loops.
#include "core/data/combined_loader.hpp"

#include "conformance/harness/scripted_run.hpp"
#include "conformance/registry.hpp"

namespace conformance {
namespace {

namespace core = levin::core;

Outcome run_combined_loader(const Case& c) {
  const core::CombinedMode mode = core::combined_mode_from(c.inputs.at("mode"));
  const json& iterables = c.inputs.at("iterables");
  const json& limits = c.inputs.at("limits");
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

// Loaders in the order of their names; a list of lengths stands for as many loaders.
void add_loaders(const json& inputs, const std::string& split, ScriptedRun& request) {
  json lengths = json::array(), items = json::array();
  const json by_length = inputs.value("loader_lengths", json::object());
  const json by_items = inputs.value("loader_items", json::object());
  for (const auto& [name, of_name] : by_length.items())
    for (const json& n : of_name.is_array() ? of_name : json::array({of_name})) lengths.push_back(n);
  for (const auto& [name, of_name] : by_items.items()) items.push_back(of_name);
  if (!lengths.empty()) request.data[split] = lengths;
  if (!items.empty()) request.data["items"][split] = items;
  request.data["mode"] = inputs.at("mode");
}

json named(const json& batches, const json& loaders) {
  json out = json::object();
  size_t i = 0;
  for (const auto& [name, items] : loaders.items()) {
    const json& batch = batches.at(i++);
    out[name] = batch.is_null() ? json() : batch.size() == 1 ? json(batch[0]) : batch;
  }
  return out;
}

Outcome run_combined_loader_run(const Case& c) {
  const std::string fn = c.inputs.at("fn");
  const std::string split = fn == "fit" ? "train" : fn == "test" ? "test" : "val";
  ScriptedRun request;
  request.calls = {fn};
  request.script["batches"] = true;
  if (fn == "fit") request.trainer = {{"max_epochs", 1}, {"limit_val_batches", 0}};
  add_loaders(c.inputs, split, request);
  const std::string start =
      fn == "fit" ? "on_train_start" : "on_" + std::string(fn == "test" ? "test" : "validation") + "_start";
  request.callbacks[0].options["script"] = {{"watch", {{start, {"num_training_batches"}}}}};
  const Observed seen = run(request);
  json batches = json::array(), lengths = json::array();
  for (const json& line : seen.records)
    if (line.contains("batches") && c.inputs.contains("loader_items"))
      batches.push_back(named(line.at("batches"), c.inputs.at("loader_items")));
  const json loaders = c.inputs.value("loader_items", json::object());
  for (const auto& [name, items] : loaders.items()) lengths.push_back(items.size());
  const auto starts = seen.hooks("cb", start);
  const json total = starts.empty() ? json() : starts[0].at("watch").at("num_training_batches");
  return outcome_of(seen, {{"seen", batches}, {"num_batches", lengths}, {"num_training_batches", total}});
}

const SuiteEntry combined_loader("combined_loader", &run_combined_loader);
const SuiteEntry combined_loader_run("combined_loader_run", &run_combined_loader_run);

}  // namespace
}  // namespace conformance
