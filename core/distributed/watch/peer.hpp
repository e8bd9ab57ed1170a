// What a process writes about itself to the store when it arrives at the rendezvous.
#pragma once
#include <string>

namespace levin::core {

struct Peer {
  std::string host;
  long process = 0;        // 0 = not arrived
  std::string world_size;  // as given by its launcher
  std::string machine;     // equal for processes that see each other's process ids
};

// Returns the entry of this process.
Peer own_peer(int world_size);

// Conversion to and from the text that the store keeps at peer_key().
std::string peer_key(int rank);
std::string text_of(const Peer& peer);
Peer peer_of(const std::string& text);

}  // namespace levin::core
