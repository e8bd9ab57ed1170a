#include "core/distributed/watch/monitor.hpp"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <vector>

#include "core/base/machine.hpp"
#include "core/base/text.hpp"

namespace levin::core {
namespace {

// Differs between machines of the same name, and between containers with their own process namespace.
std::string machine_of_processes() {
  std::error_code none;
  const std::string processes = std::filesystem::read_symlink("/proc/self/ns/pid", none).string();
  std::string boot;
  std::ifstream("/proc/sys/kernel/random/boot_id") >> boot;
  return boot + processes;
}

}  // namespace

Peer own_peer(int world_size) { return {host_name(), ::getpid(), std::to_string(world_size), machine_of_processes()}; }

std::string peer_key(int rank) { return "here/" + std::to_string(rank); }

std::string text_of(const Peer& peer) {
  return peer.host + " " + std::to_string(peer.process) + " " + peer.world_size + " " + peer.machine;
}

Peer peer_of(const std::string& text) {
  std::vector<std::string> words = split(text, ' ');
  words.resize(4);
  return {words[0], std::atol(words[1].c_str()), words[2], words[3].empty() ? words[0] : words[3]};
}

}  // namespace levin::core
