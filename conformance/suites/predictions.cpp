// What predict returns, and what a prediction writer is given.
#include "conformance/harness/scripted_run.hpp"
#include "conformance/registry.hpp"

namespace conformance {
namespace {

// A batch of one item is a number.
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

// A writer of batches writes at each batch's end; one of epochs keeps what it was given until the epoch's end.
json writer_calls(const Observed& seen, const std::string& interval, size_t n_loaders) {
  json calls = json::array(), kept = json::array(), ids = json::array();
  for (size_t i = 0; i < n_loaders; ++i) kept.push_back(json::array()), ids.push_back(json::array());
  for (const json& h : seen.hooks("cb")) {
    if (h.at("hook") == "on_predict_batch_end") {
      const json prediction = shown(h.at("watch").at("prediction").get<std::vector<double>>());
      const size_t loader = h.at("watch").at("dataloader_idx");
      if (interval != "epoch")
        calls.push_back({"batch", prediction, h.at("watch").at("sample_ids"), h.at("batch_idx"), loader});
      kept[loader].push_back(prediction);
      ids[loader].push_back(h.at("watch").at("sample_ids"));
    }
    if (h.at("hook") == "on_predict_epoch_end" && interval != "batch")
      calls.push_back({"epoch", n_loaders == 1 ? kept[0] : kept, ids});
  }
  return calls;
}

Outcome run_predictions(const Case& c) {
  ScriptedRun request;
  request.calls = {"predict"};
  request.data = {{"predict", c.inputs.at("loader_lengths")}, {"batch_size", c.inputs.at("batch_size")}};
  request.observer().options["script"] = {{"watch",
                                           {{"on_predict_batch_end", {"prediction", "sample_ids", "dataloader_idx"}},
                                            {"on_predict_epoch_end", json::array()}}}};
  request.return_predictions = c.inputs.at("return_predictions") != false;
  json list;
  request.inspect = [&](levin::core::Trainer& trainer) { list = returned(trainer); };
  const Observed seen = run(request);
  Outcome out = outcome_of(seen, {{"returned", list}});
  if (!c.inputs.at("write_interval").is_null())
    out.seen["calls"] = writer_calls(seen, c.inputs.at("write_interval"), c.inputs.at("loader_lengths").size());
  return out;
}

const SuiteEntry predictions("predictions", &run_predictions);

}  // namespace
}  // namespace conformance
