#include "core/distributed/store/store.hpp"

#include <arpa/inet.h>

#include <algorithm>
#include <cerrno>
#include <thread>

#include "core/abi/failure.hpp"
#include "core/base/environment.hpp"
#include "core/base/error.hpp"
#include "core/base/value_scope.hpp"
#include "core/distributed/store/c10d.hpp"
#include "core/distributed/store/own_address.hpp"
#include "core/distributed/store/tcp_port.hpp"
#include "core/distributed/store/time_limit.hpp"

namespace levin::core {
namespace {

using std::chrono::milliseconds;

// Converts exceptions of LibTorch to an Error{processes} of one line.
template <class Call>
auto told(const std::string& what, const Call& call) -> decltype(call()) {
  try {
    return call();
  } catch (const Error&) {
    throw;
  } catch (const std::exception& e) {
    throw Error(ErrorCode::collective_failed, what + ": " + brief(e));
  }
}

std::string lost(const char* call) {
  return std::string("lost rank 0: the run's store no longer answers (") + call + ")";
}

std::string address_text(const RendezvousAddress& place) { return place.address + ":" + std::to_string(place.port); }

std::string other_port(const RendezvousAddress& place) {
  return "; take another port, the same for all ranks (" + place.named_by + ")";
}

std::string user_text(const PortUser& user) { return user.name + " (process " + std::to_string(user.process) + ")"; }

void check_free(const RendezvousAddress& place, const std::string& listen) {
  const int error = place.port == 0 ? 0 : why_not_free(listen, place.port);
  const std::string cannot = "rank 0 cannot listen on " + listen + ":" + std::to_string(place.port) + ": ";
  if (error == EADDRINUSE) {
    const auto user = user_of_port(place.port);
    throw Error(ErrorCode::port_unusable,
                cannot + (user ? user_text(*user) : "another program") + " uses that port" + other_port(place));
  }
  if (error == EACCES)
    throw Error(ErrorCode::port_unusable, cannot + "this user may not use a port below 1024" + other_port(place));
}

[[noreturn]] void no_listener(const RendezvousAddress& place, milliseconds timeout) {
  if (place.named_by.empty())
    throw Error(ErrorCode::rank_lost, "lost rank 0: nothing listens at " + address_text(place) + " any more");
  throw Error(ErrorCode::rank_missing,
              "nothing listens at " + address_text(place) + " (" + place.named_by + ") after " + in_seconds(timeout) +
                  " (trainer.process_group_timeout): rank 0 has not started, or it runs elsewhere");
}

// Throws the error for a port at which a process listens but does not answer as a store.
[[noreturn]] void no_store(const RendezvousAddress& place, milliseconds timeout) {
  if (place.named_by.empty())
    throw Error(ErrorCode::rank_lost, "rank 0 gave no answer at " + address_text(place) + " for " +
                                          in_seconds(timeout) + ": it is stopped, or its machine is not reached");
  const auto user = is_own_address(place.address) ? user_of_port(place.port) : std::nullopt;
  if (user && user->is_host)
    throw Error(ErrorCode::rank_lost, "rank 0 (pid " + std::to_string(user->process) + ") gave no answer at " +
                                          address_text(place) + " for " + in_seconds(timeout) + ": it is stopped");
  throw Error(ErrorCode::port_unusable,
              "the program that listens at " + address_text(place) +
                  " does not answer like rank 0: " + (user ? user_text(*user) : "another program") + " uses that port" +
                  (user ? "" : ", or rank 0 is stopped") + other_port(place));
}

// LibTorch counts this timeout in whole seconds, and fails at once if it is 0.
constexpr milliseconds least_time_to_connect{2000};

c10::intrusive_ptr<c10d::TCPStore> tcp_store(const std::string& address, int port, bool serve, milliseconds timeout) {
  c10d::TCPStoreOptions options;
  options.port = static_cast<uint16_t>(port);
  options.isServer = serve;
  options.waitWorkers = false;
  options.timeout = std::max(timeout, least_time_to_connect);
  use_plain_sockets(options);
  return c10::make_intrusive<c10d::TCPStore>(address, options);
}

std::unique_ptr<Store> as_store(c10::intrusive_ptr<c10d::TCPStore> store, bool serve, milliseconds timeout) {
  auto impl = std::make_unique<Store::Impl>();
  impl->place_port = store->getPort();
  if (serve) impl->port = impl->place_port;
  store->setTimeout(timeout);
  impl->store = std::move(store);
  return std::make_unique<Store>(std::move(impl));
}

}  // namespace

Store::Store(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Store::~Store() = default;

void Store::set(const std::string& key, const std::string& value) {
  told(lost("set"), [&] { impl_->store->set(key, std::vector<uint8_t>(value.begin(), value.end())); });
}

// compareSet with a value that no key has returns the current value in one round trip; check and get take three round
// trips.
std::optional<std::string> Store::find(const std::string& key) {
  return told(lost("get"), [&]() -> std::optional<std::string> {
    static const std::vector<uint8_t> nothing = {0xff, 'n', 'o', 'n', 'e'};
    const auto bytes = impl_->store->compareSet(key, nothing, nothing);
    if (bytes == nothing) return std::nullopt;
    return std::string(bytes.begin(), bytes.end());
  });
}

int64_t Store::add(const std::string& key, int64_t n) {
  return told(lost("add"), [&] { return impl_->store->add(key, n); });
}

std::optional<std::string> Store::wait_for(const std::string& key, milliseconds timeout,
                                           const std::function<void()>& while_waiting) {
  const auto end = std::chrono::steady_clock::now() + timeout;
  for (milliseconds pause{1};; pause = std::min(pause * 2, milliseconds(20))) {
    if (auto value = find(key)) return value;
    if (std::chrono::steady_clock::now() > end) return std::nullopt;
    while_waiting();
    std::this_thread::sleep_for(pause);
  }
}

std::string Store::get(const std::string& key, milliseconds timeout, const std::function<void()>& while_waiting) {
  if (auto value = wait_for(key, timeout, while_waiting)) return *value;
  throw Error(ErrorCode::rank_missing, "the run's store got no value for '" + key + "' within " +
                                           std::to_string(timeout.count() / 1000) + " seconds");
}

void Store::break_off() { end_connections(impl_->place_port); }

int Store::port() const { return impl_->port; }

milliseconds answer_time(milliseconds timeout) { return std::min(timeout, heartbeat_timeout()); }

// This process connects to its own store at the address on which it listens.
std::unique_ptr<Store> serve_store(const RendezvousAddress& place, const std::string& listen, milliseconds timeout) {
  check_free(place, listen);
  return told("the run's store cannot listen on " + listen + ":" + std::to_string(place.port), [&] {
    in_addr address{};
    ::inet_pton(AF_INET, listen.c_str(), &address);
    const ValueScope<const in_addr*> scope(listen_address, &address);
    return as_store(tcp_store(listen, place.port, true, timeout), true, timeout);
  });
}

std::unique_ptr<Store> join_store(const RendezvousAddress& place, milliseconds timeout) {
  const milliseconds refused_for = place.named_by.empty() ? milliseconds(0) : timeout;
  if (wait_for_listener(place.address, place.port, timeout, refused_for) != Listener::is_there)
    no_listener(place, timeout);
  const milliseconds answers_within = answer_time(timeout);
  try {
    const ConnectionDeadline deadline(place.port, answers_within);
    auto store = tcp_store(place.address, place.port, false, answers_within);
    store->check({"answers"});
    return as_store(std::move(store), false, timeout);
  } catch (const std::exception&) {
    no_store(place, answers_within);
  }
}

}  // namespace levin::core
