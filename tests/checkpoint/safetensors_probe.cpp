// Program of the interoperability test. `write FILE` writes the sample checkpoint; `read MODE FILE...` prints a line of
// JSON per file: its contents, or why it was rejected.
#include <cstdio>
#include <iostream>

#include "core/base/error.hpp"
#include "core/checkpoint/container/safetensors_reader.hpp"
#include "tests/checkpoint/sample.hpp"

using namespace levin::core;
using Json = nlohmann::json;

namespace {

std::string hex(const TensorView& view) {
  std::string text;
  for (uint64_t i = 0; i < view.bytes; ++i) {
    char digits[3];
    std::snprintf(digits, sizeof digits, "%02x", static_cast<const unsigned char*>(view.data)[i]);
    text += digits;
  }
  return text;
}

Json describe(const std::string& path, SafetensorsMode mode) try {
  const SafetensorsReader reader(path, mode);
  reader.verify();
  Json tensors = Json::object();
  for (const std::string& name : reader.names()) {
    const TensorView view = reader.tensor(name);
    tensors[name] = {{"dtype", view.dtype}, {"shape", view.shape}, {"data", hex(view)}};
  }
  return {{"ok", true}, {"tensors", tensors}, {"metadata", reader.metadata()}, {"manifest", reader.manifest()}};
} catch (const Error& e) {
  return {{"ok", false}, {"error", e.what()}};
}

}  // namespace

int main(int argc, char** argv) try {
  const std::vector<std::string> args(argv + 1, argv + argc);
  if (args.size() == 2 && args[0] == "write") {
    write_safetensors(args[1], sample_content());
    return 0;
  }
  if (args.size() < 3 || args[0] != "read" || (args[1] != "strict" && args[1] != "reference")) {
    std::cerr << "usage: safetensors_probe write FILE | read strict|reference FILE...\n";
    return 2;
  }
  const SafetensorsMode mode = args[1] == "strict" ? SafetensorsMode::strict : SafetensorsMode::reference;
  for (size_t i = 2; i < args.size(); ++i)
    std::cout << describe(args[i], mode).dump(-1, ' ', false, Json::error_handler_t::replace) << '\n';
  return 0;
} catch (const Error& e) {
  std::cerr << e.what() << '\n';
  return e.exit_code();
}
