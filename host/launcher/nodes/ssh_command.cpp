#include "host/launcher/nodes/ssh_command.hpp"

#include "core/base/text.hpp"

namespace levin::core {
namespace {

// BatchMode, because a question could not be answered: the terminal belongs to the launcher's process group.
const char* const usual =
    "ssh -T -o BatchMode=yes -o ConnectTimeout=15 -o ServerAliveInterval=5 -o ServerAliveCountMax=3";

}  // namespace

std::string quoted_for_shell(const std::string& word) {
  std::string out = "'";
  for (const char c : word) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

std::vector<std::string> ssh_command(const std::string& given, const std::string& host,
                                     const std::vector<std::string>& agent) {
  std::vector<std::string> out;
  for (const auto& word : split(trim(given).empty() ? usual : given, ' '))
    if (!word.empty()) out.push_back(word);
  std::string remote = "exec";
  for (const auto& word : agent) remote += " " + quoted_for_shell(word);
  out.push_back(host);
  out.push_back(remote);
  return out;
}

}  // namespace levin::core
