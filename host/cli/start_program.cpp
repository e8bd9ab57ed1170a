#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "core/base/error.hpp"
#include "core/base/file.hpp"
#include "core/base/paths.hpp"
#include "host/cli/commands.hpp"

namespace levin::core {

int start_program(const HostCommand& command, const std::vector<std::string>& arguments) {
  const std::string name = std::string("host-") + command.name;
  const std::string path = (libexec_dir() / name).string();
  if (!is_file(path))
    throw Error(ErrorCode::program_missing,
                std::string("host ") + command.name + " is not in this installation (" + path + "): " + command.needs);
  std::vector<std::string> words = {name};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  ::execv(path.c_str(), pointers.data());
  throw Error(ErrorCode::program_missing, path + " cannot be started: " + std::strerror(errno));
}

}  // namespace levin::core
