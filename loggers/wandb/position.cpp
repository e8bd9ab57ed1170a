#include "position.hpp"

#include "levin/error.hpp"

namespace levin::wandb {

std::string to_json(const Position& p) {
  return json_text({{"folder", p.folder},
                    {"id", p.id},
                    {"start_time", p.start_time},
                    {"bytes", p.bytes},
                    {"records", p.records},
                    {"rows", p.rows},
                    {"summary", p.summary}});
}

std::optional<Position> position_of(const std::string& text) {
  if (text.empty()) return std::nullopt;
  try {
    const Json json = Json::parse(text);
    const Position out = {json.at("folder"),  json.at("id"),   json.at("start_time"), json.at("bytes"),
                          json.at("records"), json.at("rows"), json.at("summary")};
    const bool names = out.folder.rfind("offline-run-", 0) == 0 && !out.id.empty() &&
                       (out.folder + out.id).find('/') == std::string::npos;
    if (names) return out;
  } catch (const Json::exception&) {
  }
  throw Error(LEVIN_E_STATE, "log does not say where the log of the run was");
}

}  // namespace levin::wandb
