#include "core/checkpoint/state/rank_states.hpp"

#include <ATen/ops/empty.h>

#include <algorithm>
#include <cstring>
#include <set>

#include "core/checkpoint/state/component_states.hpp"
#include "core/checkpoint/state/loop_states.hpp"
#include "core/checkpoint/state/model_tensors.hpp"
#include "core/distributed/watch/purpose.hpp"

namespace levin::core {
namespace {

using nlohmann::json;

// A line of JSON with the manifest and the tensors' keys, types and shapes; then their bytes.
std::string pack(const CheckpointWriter& writer) {
  json tensors = json::array();
  std::string bytes;
  writer.visit([&](const std::string& key, const at::Tensor& given) {
    const at::Tensor tensor = given.cpu().contiguous();
    tensors.push_back({key, static_cast<int>(tensor.scalar_type()), tensor.sizes().vec()});
    bytes.append(static_cast<const char*>(tensor.data_ptr()), tensor.nbytes());
  });
  return json{{"manifest", writer.manifest()}, {"tensors", std::move(tensors)}}.dump() + "\n" + bytes;
}

struct Unpacked {
  json manifest;
  std::vector<std::pair<std::string, at::Tensor>> tensors;
};

Unpacked unpack(const std::string& packed) {
  const size_t newline = packed.find('\n');
  const json head = json::parse(packed.substr(0, newline));
  Unpacked out{head.at("manifest"), {}};
  size_t at = newline + 1;
  for (const json& t : head.at("tensors")) {
    const at::Tensor tensor = at::empty(t.at(2).get<std::vector<int64_t>>(),
                                        at::TensorOptions(static_cast<at::ScalarType>(t.at(1).get<int>())));
    std::memcpy(tensor.data_ptr(), packed.data() + at, tensor.nbytes());
    at += tensor.nbytes();
    out.tensors.emplace_back(t.at(0).get<std::string>(), tensor);
  }
  return out;
}

bool of_optimizer(const std::string& key) { return key.rfind("optimizer_states.", 0) == 0; }

// Only the process that owns a parameter counts its steps.
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

std::vector<std::string> gather_rank_states(const StateParts& parts) {
  if (!parts.processes || parts.processes->size() == 1 || !parts.all_processes_live()) return {};
  parts.log.note_states();
  CheckpointWriter own;
  if (parts.processes->rank() != 0) {
    own.manifest()["loops"] = loops_state(parts);
    if (parts.progress.window_open) put_gradients(own, parts.model);
    if (parts.train_outputs) put_train_outputs(own, *parts.train_outputs);
    if (parts.data) save_component(own, "data", *parts.data);
    save_rank(parts, own);
    if (parts.shards_optimizers) save_optimizers(parts, own);
  }
  const PurposeScope purpose("a checkpoint");
  return parts.processes->all_gather_bytes(pack(own));
}

void put_rank_states(CheckpointWriter& out, const std::vector<std::string>& states) {
  if (states.empty()) return;
  json& ranks = out.manifest()["ranks"] = json::array({json::object()});
  std::set<std::string> there;
  out.visit([&](const std::string& key, const at::Tensor&) { there.insert(key); });
  for (size_t rank = 1; rank < states.size(); ++rank) {
    Unpacked state = unpack(states[rank]);
    for (const auto& [key, tensor] : state.tensors) {
      if (!of_optimizer(key))
        out.put_copy("ranks." + std::to_string(rank) + "." + key, tensor);
      else if (there.insert(key).second)
        out.put_copy(key, tensor);
    }
    if (state.manifest.contains("optimizer_states")) {
      merge_steps(out.manifest()["optimizer_states"], state.manifest["optimizer_states"]);
      state.manifest.erase("optimizer_states");
    }
    ranks.push_back(std::move(state.manifest));
  }
}

}  // namespace levin::core
