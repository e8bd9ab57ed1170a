#include <ATen/ops/empty.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "core/distributed/watch/collective_log.hpp"
#include "core/logging/reduction/metric_share.hpp"

namespace levin::core {
namespace {

using nlohmann::json;
using Part = MetricAccumulator::Part;

json number_json(const std::optional<double>& number) { return number ? json(*number) : json(); }
std::optional<double> number_in(const json& given) {
  return given.is_null() ? std::nullopt : std::optional<double>(given.get<double>());
}

json bag_json(const StateBag& bag) {
  json out = json::array();
  for (const auto& [name, tensor] : bag.tensors()) {  // on the CPU, contiguous
    const auto* bytes = static_cast<const uint8_t*>(tensor.data_ptr());
    out.push_back({{"name", name},
                   {"dtype", static_cast<int>(tensor.scalar_type())},
                   {"shape", tensor.sizes().vec()},
                   {"bytes", json::binary(std::vector<uint8_t>(bytes, bytes + tensor.nbytes()))}});
  }
  return out;
}

StateBag bag_in(const json& given) {
  StateBag bag;
  for (const json& part : given) {
    const auto type = static_cast<at::ScalarType>(part.at("dtype").get<int>());
    const at::Tensor tensor = at::empty(part.at("shape").get<std::vector<int64_t>>(), type);
    const auto& bytes = part.at("bytes").get_binary();
    if (!bytes.empty()) std::memcpy(tensor.data_ptr(), bytes.data(), std::min(bytes.size(), tensor.nbytes()));
    bag.tensors()[part.at("name").get<std::string>()] = tensor;
  }
  return bag;
}

struct Encoder {
  json operator()(const Part& part) const {
    return {{"total", part.total}, {"weight", part.weight}, {"wide", part.wide}};
  }
  json operator()(const KnownValue& known) const { return {{"value", number_json(known.value)}}; }
  json operator()(const MetricState& state) const {
    return {
        {"state", bag_json(state.state)}, {"has_metric", state.has_metric}, {"restored", number_json(state.restored)}};
  }
};

ShareContent content_in(const json& given) {
  if (given.contains("state"))
    return MetricState{bag_in(given.at("state")), given.at("has_metric").get<bool>(), number_in(given.at("restored"))};
  if (given.contains("value")) return KnownValue{number_in(given.at("value"))};
  return Part{given.at("total").get<double>(), given.at("weight").get<int64_t>(), given.at("wide").get<bool>()};
}

}  // namespace

json encode(const std::vector<MetricShare>& shares) {
  json out = json::array();
  for (const MetricShare& share : shares)
    out.push_back({{"meta", share.meta.state_dict()}, {"content", std::visit(Encoder(), share.content)}});
  return out;
}

std::vector<MetricShare> decode(const json& shares) {
  std::vector<MetricShare> out;
  for (const json& share : shares)
    out.push_back({MetricMeta::from_state(share.at("meta")), content_in(share.at("content"))});
  return out;
}

std::vector<nlohmann::json> exchange_json(ProcessGroup& group, const nlohmann::json& mine) {
  const CollectiveLabel label("logged values");
  const std::vector<uint8_t> bytes = nlohmann::json::to_msgpack(mine);
  std::vector<nlohmann::json> all;
  for (const std::string& theirs : group.all_gather_bytes(std::string(bytes.begin(), bytes.end())))
    all.push_back(nlohmann::json::from_msgpack(theirs));
  return all;
}

}  // namespace levin::core
