// The return value of predict, and the arguments of a prediction writer.
#include <algorithm>
#include <cstring>
#include <filesystem>

#include "conformance/harness/scripted_run.hpp"
#include "conformance/registry.hpp"
#include "core/base/file.hpp"

namespace conformance {
namespace {

// A batch of one item is shown as a number.
json shown(const std::vector<double>& items) {
  if (items.size() == 1) return items[0];
  json out = json::array();
  for (double item : items) out.push_back({item});
  return out;
}

json shown(const at::Tensor& tensor) {
  const at::Tensor flat = tensor.reshape({-1}).to(at::kDouble).contiguous();
  return shown(std::vector<double>(flat.data_ptr<double>(), flat.data_ptr<double>() + flat.numel()));
}

json returned(levin::core::Trainer& trainer) {
  const auto& loaders = trainer.predictions();
  if (loaders.empty()) return nullptr;
  json out = json::array();
  for (const auto& batches : loaders) {
    json list = json::array();
    for (const at::Tensor& batch : batches) list.push_back(shown(batch));
    out.push_back(list);
  }
  return out.size() == 1 ? out[0] : out;
}

// Returns the numbers of a .npy file written by the prediction writer: float32 or int64.
json numbers_of(const std::filesystem::path& file) {
  const std::string bytes = levin::core::read_file(file);
  const auto length = static_cast<unsigned char>(bytes.at(8)) + 256U * static_cast<unsigned char>(bytes.at(9));
  const std::string head = bytes.substr(10, length);
  json out = json::array();
  const auto read = [&](auto value) {
    for (size_t at = 10 + length; at + sizeof value <= bytes.size(); at += sizeof value) {
      std::memcpy(&value, bytes.data() + at, sizeof value);
      out.push_back(value);
    }
  };
  head.find("'<i8'") == std::string::npos ? read(float{}) : read(int64_t{});
  return out;
}

// The predictions of a loader and the indices of its batches. Files of an epoch contain all rows, concatenated.
struct Written {
  json predictions = json::array(), indices = json::array();
};

Written written_batches(const std::filesystem::path& folder, const std::string& loader) {
  Written out;
  for (size_t i = 0;; ++i) {
    const std::string name = (folder / (loader + "_batch_" + std::to_string(i))).string();
    if (!std::filesystem::exists(name + ".prediction.npy")) return out;
    out.predictions.push_back(shown(numbers_of(name + ".prediction.npy").get<std::vector<double>>()));
    out.indices.push_back(numbers_of(name + ".sample.npy"));
  }
}

Written written_epoch(const std::filesystem::path& folder, const std::string& loader, size_t batch_size) {
  Written out;
  const auto rows = numbers_of(folder / (loader + ".prediction.npy")).get<std::vector<double>>();
  const auto indices = numbers_of(folder / (loader + ".sample.npy")).get<std::vector<int64_t>>();
  for (size_t first = 0; first < rows.size(); first += batch_size) {
    const auto from = static_cast<std::ptrdiff_t>(first),
               to = static_cast<std::ptrdiff_t>(std::min(first + batch_size, rows.size()));
    out.predictions.push_back(shown(std::vector<double>(rows.begin() + from, rows.begin() + to)));
    out.indices.push_back(std::vector<int64_t>(indices.begin() + from, indices.begin() + to));
  }
  return out;
}

// Returns the files of the prediction writer as the equivalent calls of Lightning's writer.
json calls_of(const std::filesystem::path& folder, const json& inputs) {
  const std::string interval = inputs.at("write_interval");
  const size_t n_loaders = inputs.at("loader_lengths").size();
  json calls = json::array(), predictions = json::array(), indices = json::array();
  for (size_t loader = 0; loader < n_loaders; ++loader) {
    const std::string name = "loader_" + std::to_string(loader);
    const Written batches = written_batches(folder, name);
    for (size_t i = 0; i < batches.predictions.size(); ++i)
      calls.push_back({"batch", batches.predictions[i], batches.indices[i], i, loader});
    if (interval == "batch") continue;
    const Written all = written_epoch(folder, name, inputs.at("batch_size"));
    predictions.push_back(all.predictions);
    indices.push_back(all.indices);
  }
  if (interval != "batch") calls.push_back({"epoch", n_loaders == 1 ? predictions[0] : predictions, indices});
  return calls;
}

Outcome run_predictions(const Case& c) {
  const json& interval = c.inputs.at("write_interval");
  ScriptedRun request;
  request.calls = {"predict"};
  request.data = {{"predict", c.inputs.at("loader_lengths")}, {"batch_size", c.inputs.at("batch_size")}};
  const TempDir folder;
  if (!interval.is_null())
    request.callbacks.push_back(
        {"writer", "prediction_writer", {{"write_interval", interval}, {"output_dir", folder.path().string()}}});
  request.return_predictions = c.inputs.at("return_predictions") != false;
  json list;
  request.inspect = [&](levin::core::Trainer& trainer) { list = returned(trainer); };
  const Observed seen = run(request);
  Outcome out = outcome_of(seen, {{"returned", list}});
  if (!interval.is_null() && !seen.error) out.seen["calls"] = calls_of(folder.path(), c.inputs);
  return out;
}

const SuiteEntry predictions("predictions", &run_predictions);

}  // namespace
}  // namespace conformance
