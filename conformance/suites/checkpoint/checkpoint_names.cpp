// The names of checkpoint files.
#include <algorithm>

#include "callbacks/early_stopping/rank_message.hpp"
#include "callbacks/model_checkpoint/file_name.hpp"
#include "conformance/harness/numbers.hpp"
#include "conformance/harness/plugin_calls.hpp"
#include "conformance/harness/setting.hpp"
#include "conformance/registry.hpp"
#include "core/checkpoint/container/safetensors_writer.hpp"
#include "core/run_folder/run_folder.hpp"

namespace conformance {
namespace {

namespace core = levin::core;
using namespace levin::model_checkpoint;

std::optional<std::string> text_or_nothing(const json& value) {
  if (value.is_null()) return std::nullopt;
  return value.get<std::string>();
}

Outcome run_file_name(const Case& c) {
  const json& in = c.inputs;
  FileName file;
  file.pattern = text_or_nothing(in.at("filename")).value_or("");
  file.auto_insert_metric_name = in.value("auto_insert_metric_name", file.auto_insert_metric_name);
  file.join = in.value("join_char", file.join);
  file.equals = in.value("equals_char", file.equals);
  Candidates metrics;
  for (const auto& [name, value] : in.at("metrics").items())
    metrics[name] = Number{number_from(value), value.is_number_integer()};
  return ask([&]() -> json {
    const std::optional<std::string> prefix = text_or_nothing(in.at("prefix"));
    if (in.at("question") == "name") return {{"name", file.name(metrics, prefix)}};
    std::optional<int> version;
    if (in.contains("version") && !in["version"].is_null()) version = in["version"].get<int>();
    const std::string folder = in.contains("dirpath") ? text_or_nothing(in["dirpath"]).value_or("") : "";
    return {{"path", file.path(folder, metrics, version, prefix)}};
  });
}

// Finds ckpt_path=last in a run's folder with checkpoints of these names, removes it, and repeats until none is found.
Outcome run_find_last(const Case& c) {
  const TempDir root;
  const core::RunFolder folder = core::RunFolder::make(root.path());
  std::filesystem::create_directories(folder.checkpoints());
  for (const json& name : c.inputs.at("folder"))
    core::write_safetensors(folder.checkpoints() / name.get<std::string>(), {});
  std::vector<std::string> found;
  const auto ignored = [](const std::string&) {};
  while (const auto last = core::find_checkpoint("last", folder, root.path(), ignored)) {
    found.push_back(std::filesystem::path(*last).filename().string());
    std::filesystem::remove(*last);
  }
  std::sort(found.begin(), found.end());
  Outcome out;
  out.seen = {{"found", found}};
  out.decided = "last is the newest *.ckpt of the run that is whole; names do not decide (docs/adr/0016)";
  return out;
}

Outcome run_rank_message(const Case& c) {
  const json& in = c.inputs;
  const auto line = levin::early_stopping::rank_message(in.at("message"), in.at("global_rank"), in.at("world_size"),
                                                        in.at("log_rank_zero_only"));
  Outcome out;
  out.seen = {{"logged", line ? json(*line) : json()}};
  return out;
}

const SuiteEntry file_name_suite("checkpoint_filename", &run_file_name);
const SuiteEntry find_last("checkpoint_find_last", &run_find_last);
const SuiteEntry rank_suite("rank_message", &run_rank_message);

}  // namespace
}  // namespace conformance
