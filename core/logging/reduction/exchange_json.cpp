#include "core/logging/reduction/exchange_json.hpp"

#include <cstdint>
#include <string>

#include "core/distributed/watch/collective_log.hpp"

namespace levin::core {

std::vector<nlohmann::json> exchange_json(ProcessGroup& group, const nlohmann::json& mine) {
  const CollectiveLabel purpose("logged values");
  const std::vector<uint8_t> bytes = nlohmann::json::to_msgpack(mine);
  std::vector<nlohmann::json> all;
  for (const std::string& theirs : group.all_gather_bytes(std::string(bytes.begin(), bytes.end())))
    all.push_back(nlohmann::json::from_msgpack(theirs));
  return all;
}

}  // namespace levin::core
