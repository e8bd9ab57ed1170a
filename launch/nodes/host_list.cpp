#include "launch/nodes/host_list.hpp"

#include <algorithm>
#include <sstream>

#include "core/base/error.hpp"
#include "core/base/file.hpp"
#include "core/base/text.hpp"

namespace levin::core {
namespace {

[[noreturn]] void refuse_host(const std::string& where, const std::string& what) {
  throw Error(ErrorCode::host_list_invalid, where + ": " + what);
}

int slots_from(const std::string& text, const std::string& where) {
  const bool digits = !text.empty() && text.size() <= 5 && text.find_first_not_of("0123456789") == std::string::npos;
  const int slots = digits ? std::stoi(text) : 0;
  if (slots < 1) refuse_host(where, "'" + text + "' is not a number of processes; write HOST or HOST:4");
  return slots;
}

// Rejects names that begin with a dash, which ssh would take as an option.
void check_name(const std::string& name, const std::string& where) {
  const auto allowed = [](unsigned char c) {
    return std::isalnum(c) || c >= 128 || std::string("._-@:[]%").find(static_cast<char>(c)) != std::string::npos;
  };
  if (name.empty()) refuse_host(where, "a host has no name; write a:4,b:4");
  if (name[0] == '-' || !std::all_of(name.begin(), name.end(), allowed))
    refuse_host(where, "'" + name + "' is not a host name");
}

void add_host(std::vector<HostEntry>& hosts, HostEntry host, const std::string& where) {
  check_name(host.name, where);
  for (const auto& other : hosts)
    if (other.name == host.name) refuse_host(where, "host '" + host.name + "' is named twice");
  hosts.push_back(std::move(host));
}

// Parses "a:4", "[::1]:4" or "a".
HostEntry host_from(const std::string& word, const std::string& where) {
  const size_t colon = word.rfind(':');
  const size_t bracket = word.rfind(']');
  if (colon == std::string::npos || (bracket != std::string::npos && colon < bracket)) return {word, std::nullopt};
  return {word.substr(0, colon), slots_from(word.substr(colon + 1), where)};
}

}  // namespace

std::vector<HostEntry> hosts_from_list(const std::string& list) {
  const std::string where = "--hosts " + list;
  std::vector<HostEntry> hosts;
  for (const auto& word : split(list, ',')) add_host(hosts, host_from(trim(word), where), where);
  return hosts;
}

// No file of machines is longer.
constexpr size_t max_bytes = size_t{16} << 20;

std::vector<HostEntry> hosts_from_file(const std::string& path) {
  std::vector<HostEntry> hosts;
  int number = 0;
  for (const auto& line : split(read_file_or_pipe(path, max_bytes), '\n')) {
    const std::string where = path + ":" + std::to_string(++number);
    std::istringstream words(line.substr(0, line.find('#')));
    std::string name, slots, more;
    if (!(words >> name)) continue;
    HostEntry host = host_from(name, where);
    if (words >> slots) {
      if (starts_with(slots, "slots=")) slots = slots.substr(6);
      host.slots = slots_from(slots, where);
    }
    if (words >> more) refuse_host(where, "unexpected argument '" + more + "'; a line is HOST slots=N");
    add_host(hosts, std::move(host), where);
  }
  if (hosts.empty()) refuse_host(path, "the file names no host");
  return hosts;
}

}  // namespace levin::core
