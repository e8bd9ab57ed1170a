#include "host/launcher/common/node_task.hpp"

namespace levin::core {

using nlohmann::json;

json to_json(const NodeTask& t) {
  return {{"engine", t.engine},
          {"run_config", t.run_config},
          {"node", t.node},
          {"nodes", t.nodes},
          {"first_rank", t.first_rank},
          {"ranks", t.ranks},
          {"world", t.world},
          {"master_address", t.master_address},
          {"meeting", t.rendezvous},
          {"restart", t.restart},
          {"threads", t.threads},
          {"folder", t.folder},
          {"passed", t.passed},
          {"quiet", t.quiet}};
}

NodeTask node_task_from_json(const json& j) {
  NodeTask t;
  j.at("engine").get_to(t.engine);
  j.at("run_config").get_to(t.run_config);
  j.at("node").get_to(t.node);
  j.at("nodes").get_to(t.nodes);
  j.at("first_rank").get_to(t.first_rank);
  j.at("ranks").get_to(t.ranks);
  j.at("world").get_to(t.world);
  j.at("master_address").get_to(t.master_address);
  j.at("meeting").get_to(t.rendezvous);
  j.at("restart").get_to(t.restart);
  j.at("threads").get_to(t.threads);
  j.at("folder").get_to(t.folder);
  j.at("passed").get_to(t.passed);
  j.at("quiet").get_to(t.quiet);
  t.shows_first_rank = false;
  return t;
}

}  // namespace levin::core
