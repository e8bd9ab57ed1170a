// The machines of a run from --hosts and --hostfile.
#pragma once
#include <optional>
#include <string>
#include <vector>

namespace levin::core {

struct HostEntry {
  std::string name;          // may be USER@HOST
  std::optional<int> slots;  // number of processes; nullopt = not given
};

// Parses "a:4,b:4". Throws Error{usage}.
std::vector<HostEntry> hosts_from_list(const std::string& list);
// Reads a file with one host a line: "a", "a 4" or "a slots=4"; # begins a comment. Throws Error{usage} with the file
// and the line.
std::vector<HostEntry> hosts_from_file(const std::string& path);

}  // namespace levin::core
