// A key-value store of texts, shared by the processes of a run beside their collectives. Built on LibTorch's store.
#pragma once
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "core/cluster/world.hpp"

namespace levin::core {

class Store {
 public:
  struct Impl;
  explicit Store(std::unique_ptr<Impl> impl);
  ~Store();
  Store(const Store&) = delete;
  Store& operator=(const Store&) = delete;

  // All throw Error{processes} if the store is gone, that is, if rank 0 has ended.
  void set(const std::string& key, const std::string& value);
  std::optional<std::string> find(const std::string& key);
  int64_t add(const std::string& key, int64_t n);                  // returns the new value
  bool claim(const std::string& key) { return add(key, 1) == 1; }  // returns true for the first caller only
  // Waits for the key. Returns nullopt if it is not set within the timeout. while_waiting is called repeatedly and may
  // throw.
  std::optional<std::string> wait_for(
      const std::string& key, std::chrono::milliseconds timeout, const std::function<void()>& while_waiting = [] {});
  // Waits for the key. while_waiting is called repeatedly and may throw. Throws Error{processes} after the timeout.
  std::string get(
      const std::string& key, std::chrono::milliseconds timeout, const std::function<void()>& while_waiting = [] {});

  // Makes all running and later calls fail, on any thread, by closing the connections to the store's server.
  void break_off();

  int port() const;  // at which this process serves the store; 0 = it does not
  Impl& impl() { return *impl_; }

 private:
  std::unique_ptr<Impl> impl_;
};

// Serves a TCP store on this IPv4 address, at the place's port, or at any free port if that is 0. Throws Error{usage}
// if another program uses the port, and Error{processes} on other failures.
std::unique_ptr<Store> serve_store(const RendezvousAddress& place, const std::string& listen,
                                   std::chrono::milliseconds timeout);
// Connects to rank 0's store. Waits until it is served if the user has named the place. Throws Error{usage} if another
// program listens there, and Error{processes} if nothing does or rank 0 does not answer.
std::unique_ptr<Store> join_store(const RendezvousAddress& place, std::chrono::milliseconds timeout);
// Returns the time within which a running store must answer.
std::chrono::milliseconds answer_time(std::chrono::milliseconds timeout);

}  // namespace levin::core
