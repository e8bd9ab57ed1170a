#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include "core/base/error.hpp"
#include "core/plugin/describe.hpp"

namespace levin::core {
namespace {

int dispatch(const std::vector<std::string>& args) {
  const bool embed = args.size() == 4 && args[0] == "embed-description" && args[2] == "--objcopy";
  if (embed) return run_embed(args[1], args[3]);
  if (args.size() == 2 && args[0] == "describe") return run_describe(args[1]);
  throw Error(ErrorKind::usage, "no command is named; see host --help");
}

}  // namespace
}  // namespace levin::core

int main(int argc, char** argv) {
  try {
    return levin::core::dispatch({argv + 1, argv + argc});
  } catch (const levin::core::Error& e) {
    std::fprintf(stderr, "host: error: %s\n", e.what());
    return e.exit_code();
  } catch (const std::exception& e) {
    std::fprintf(stderr, "host: error: a defect of the host: %s\n", e.what());
    return 70;
  }
}
