// What the processes of a run tell each other beside collectives: texts by key, in LibTorch's store.
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

  // Throw Error{processes} if the store is gone, which is where its process is.
  void set(const std::string& key, const std::string& value);
  std::optional<std::string> find(const std::string& key);
  int64_t add(const std::string& key, int64_t n);                  // returns the sum
  bool claim(const std::string& key) { return add(key, 1) == 1; }  // false: another process has before
  // Waits for the key; nullopt: nobody has set it in that time.
  std::optional<std::string> wait_for(
      const std::string& key, std::chrono::milliseconds timeout, const std::function<void()>& while_waiting = [] {});
  // Waits for the key. while_waiting is called again and again and may throw. Throws Error{processes} after the
  // timeout.
  std::string get(
      const std::string& key, std::chrono::milliseconds timeout, const std::function<void()>& while_waiting = [] {});

  // Ends the calls that wait for the process that serves the store, on any thread, and all later ones, with an error.
  void break_off();

  int port() const;  // at which this process serves it; 0 if it does not
  Impl& impl() { return *impl_; }

 private:
  std::unique_ptr<Impl> impl_;
};

// Serves a store of TCP on this IPv4 address, at the place's port, or at any free one if that is 0. Throws
// Error{usage} if another program has the port, and Error{processes}.
std::unique_ptr<Store> serve_store(const RendezvousAddress& place, const std::string& listen,
                                   std::chrono::milliseconds timeout);
// Waits for rank 0's store to be served, if the place is one that the user has named. Throws Error{usage} if what
// listens there is another program, and Error{processes} if nothing does, or rank 0 gives no sign of life.
std::unique_ptr<Store> join_store(const RendezvousAddress& place, std::chrono::milliseconds timeout);
// How long a store that is served may take for an answer.
std::chrono::milliseconds answer_time(std::chrono::milliseconds timeout);

}  // namespace levin::core
