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
  int64_t add(const std::string& key, int64_t n);  // returns the sum
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

// serve: this process is the one that serves a store of TCP. `listen` is the IPv4 address on which it does. Waits for
// the store for so long. Throws Error{processes}.
std::unique_ptr<Store> open_store(const MeetingPlace& place, bool serve, const std::string& listen,
                                  std::chrono::milliseconds timeout);

}  // namespace levin::core
