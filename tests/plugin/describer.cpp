// The commands of the host that describe plugins: describe FILE [--trust], embed-description FILE OBJCOPY [SOURCES].
#include <string>

#include "core/plugin/describe.hpp"

int main(int argc, char** argv) {
  const std::string command = argc > 1 ? argv[1] : "";
  if (command == "describe" && argc == 3) return levin::core::run_describe(argv[2], false);
  if (command == "describe" && argc == 4) return levin::core::run_describe(argv[2], true);
  if (command == "embed-description" && argc == 4) return levin::core::run_embed(argv[2], argv[3]);
  if (command == "embed-description" && argc == 5) return levin::core::run_embed(argv[2], argv[3], argv[4]);
  return 2;
}
