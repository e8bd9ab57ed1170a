#include "core/checkpoint/state/loop_states.hpp"

#include <ATen/ops/empty.h>
#include <ATen/ops/from_blob.h>

#include <algorithm>
#include <string>
#include <utility>

#include "core/checkpoint/state/component_states.hpp"
#include "core/checkpoint/state/model_tensors.hpp"
#include "core/distributed/watch/collective_log.hpp"

namespace levin::core {
namespace {

using nlohmann::json;

// The state without its tensors' values.
json about(const CheckpointWriter& writer) {
  json tensors = json::array();
  writer.visit([&](const std::string& key, const at::Tensor& t) {
    tensors.push_back({key, static_cast<int>(t.scalar_type()), t.sizes().vec()});
  });
  return {{"manifest", writer.manifest()}, {"tensors", std::move(tensors)}};
}

// The tensor's memory as bytes, for any type and any number of dimensions. Keeps the tensor alive.
at::Tensor bytes_of(const at::Tensor& tensor) {
  return at::from_blob(
      tensor.data_ptr(), {static_cast<int64_t>(tensor.nbytes())}, [tensor](void*) {}, at::kByte);
}

void send_tensors(const CheckpointWriter& writer, ProcessGroup& group) {
  writer.visit([&](const std::string&, const at::Tensor& given) {
    const at::Tensor tensor = given.cpu().contiguous();
    if (tensor.numel() > 0) group.send(bytes_of(tensor), 0, 0)->wait();
  });
}

RankState receive_state(json head, ProcessGroup& group, int rank) {
  RankState state{std::move(head.at("manifest")), {}};
  for (const json& t : head.at("tensors")) {
    const at::Tensor tensor = at::empty(t.at(2).get<std::vector<int64_t>>(),
                                        at::TensorOptions(static_cast<at::ScalarType>(t.at(1).get<int>())));
    if (tensor.numel() > 0) group.receive(bytes_of(tensor), rank, 0)->wait();
    state.tensors.push_back({t.at(0).get<std::string>(), tensor});
  }
  return state;
}

bool of_optimizer(const std::string& key) { return key.rfind("optimizer_states.", 0) == 0; }

// Only the process that owns a parameter counts the parameter's steps.
void merge_steps(json& whole, const json& part) {
  for (size_t i = 0; i < whole.size() && i < part.size(); ++i) {
    json& groups = whole[i]["values"]["groups"];
    const json& others = part[i].at("values").at("groups");
    for (size_t g = 0; g < groups.size() && g < others.size(); ++g) {
      if (!groups[g].contains("steps")) continue;
      json& steps = groups[g]["steps"];
      for (size_t p = 0; p < steps.size(); ++p) steps[p] = std::max(steps[p], others[g].at("steps")[p]);
    }
  }
}

}  // namespace

std::vector<RankState> gather_rank_states(const SavedRun& run) {
  if (run.processes.world().size == 1 || !run.processes.whole()) return {};
  run.context.log.note_states();
  CheckpointWriter own;
  if (!run.processes.world().is_first()) {
    own.manifest()["loops"] = loops_state(run);
    if (run.context.accumulation.is_open()) put_gradients(own, run.context.model);
    put_train_outputs(own, run.fit.outputs().steps());
    save_component(own, "data", run.data);
    save_rank(run, own);
    if (run.context.strategy.shards_optimizers()) save_optimizers(run, own);
  }
  const CollectiveLabel label("a checkpoint");
  ProcessGroup& group = run.processes.control();
  const std::vector<std::string> heads = group.all_gather_bytes(about(own).dump());
  std::vector<RankState> states;
  if (group.rank() != 0) send_tensors(own, group);
  for (int rank = 1; group.rank() == 0 && rank < group.size(); ++rank)
    states.push_back(receive_state(json::parse(heads[static_cast<size_t>(rank)]), group, rank));
  return states;
}

void put_rank_states(CheckpointWriter& out, const std::vector<RankState>& states) {
  if (states.empty()) return;
  json& ranks = out.manifest()["ranks"] = json::array({json::object()});
  for (const RankState& state : states) {
    const std::string prefix = "ranks." + std::to_string(ranks.size()) + ".";
    for (const auto& [key, tensor] : state.tensors) out.put_copy(of_optimizer(key) ? key : prefix + key, tensor);
    json manifest = state.manifest;
    if (manifest.contains("optimizer_states")) {
      merge_steps(out.manifest()["optimizer_states"], manifest["optimizer_states"]);
      manifest.erase("optimizer_states");
    }
    ranks.push_back(std::move(manifest));
  }
}

}  // namespace levin::core
