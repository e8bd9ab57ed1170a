// What a process says of itself in the store when it has come to where the processes of a run meet.
#pragma once
#include <string>

namespace levin::core {

struct Peer {
  std::string host;
  long process = 0;        // 0: it has not come yet
  std::string world_size;  // as it was told
  std::string machine;     // the same for processes that see each other's process ids
};

// Of this process.
Peer own_peer(int world_size);

// As texts of the store, at peer_key().
std::string peer_key(int rank);
std::string text_of(const Peer& peer);
Peer peer_of(const std::string& text);

}  // namespace levin::core
