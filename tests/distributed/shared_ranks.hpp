// The SharedMemory of a forked rank.
#pragma once
#include "core/distributed/node/shared_memory.hpp"
#include "forked_ranks.hpp"

inline levin::core::SharedMemoryOptions shared_options(int rank, int size, const FileStore& store) {
  levin::core::SharedMemoryOptions options;
  options.exchange.rank = rank;
  options.exchange.size = size;
  options.exchange.publish = [store](const std::string& key, const std::string& value) { store.publish(key, value); };
  options.exchange.fetch = [store](const std::string& key) { return store.fetch(key); };
  return options;
}
