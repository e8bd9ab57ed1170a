#include "host/engine/tasks.hpp"

#include <cstdio>
#include <nlohmann/json.hpp>

#include "core/base/text.hpp"
#include "core/inference/torchscript.hpp"

namespace levin::core {

int export_torchscript(const nlohmann::json& request) {
  const std::string checkpoint = request.at("checkpoint"), output = request.at("output");
  const auto warn = [](const std::string& line) {
    std::fprintf(stderr, "host: warning: %s\n", printable(line).c_str());
  };
  LoadedModel model({checkpoint, request.at("plugin"), request.at("trust")}, warn);
  const std::string note = write_torchscript(model, output);
  if (!note.empty()) warn(note);
  const std::string line = output + ": model " + model.model().schema().id + " as TorchScript, of " + checkpoint;
  std::printf("%s\n", printable(line).c_str());
  return 0;
}

}  // namespace levin::core
