#include "core/distributed/store.hpp"

#include <arpa/inet.h>

#include <thread>

#include "core/abi/failure.hpp"
#include "core/base/error.hpp"
#include "core/distributed/connections.hpp"
#include "core/distributed/listen_address.hpp"
#include "core/distributed/store_impl.hpp"

namespace levin::core {
namespace {

using std::chrono::milliseconds;

// What LibTorch throws, as one line of ours.
template <class Call>
auto told(const std::string& what, const Call& call) -> decltype(call()) {
  try {
    return call();
  } catch (const Error&) {
    throw;
  } catch (const std::exception& e) {
    throw Error(ErrorKind::processes, what + ": " + brief(e));
  }
}

std::string lost(const char* call) {
  return std::string("the store of the run does not answer any more (") + call +
         "): the process that served it is gone";
}

// Another program may have the port, and say nothing.
constexpr milliseconds answer_time{1000};

c10::intrusive_ptr<c10d::TCPStore> tcp_store(const MeetingPlace& place, bool serve, const std::string& listen,
                                             milliseconds timeout) {
  c10d::TCPStoreOptions options;
  options.port = static_cast<uint16_t>(place.port);
  options.isServer = serve;
  options.waitWorkers = false;
  options.timeout = timeout;
  use_plain_sockets(options);
  in_addr address{};
  if (!serve || ::inet_pton(AF_INET, listen.c_str(), &address) != 1) {
    const ConnectionDeadline deadline(place.port, timeout + answer_time);
    auto store = c10::make_intrusive<c10d::TCPStore>(place.address, options);
    store->check({"answers"});
    return store;
  }
  const ListenAddressScope scope(address);
  // This process reaches its own store by the address on which it listens.
  return c10::make_intrusive<c10d::TCPStore>(listen, options);
}

}  // namespace

Store::Store(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Store::~Store() = default;

void Store::set(const std::string& key, const std::string& value) {
  told(lost("set"), [&] { impl_->store->set(key, std::vector<uint8_t>(value.begin(), value.end())); });
}

// One question and one answer, where check and get are three of each: a comparison with what no key has gives the
// value.
std::optional<std::string> Store::find(const std::string& key) {
  return told(lost("get"), [&]() -> std::optional<std::string> {
    static const std::vector<uint8_t> nothing = {0xff, 'n', 'o', 'n', 'e'};
    const bool is_file = impl_->place_port == 0;
    if (is_file && !impl_->store->check({key})) return std::nullopt;
    const auto bytes = is_file ? impl_->store->get(key) : impl_->store->compareSet(key, nothing, nothing);
    if (bytes == nothing) return std::nullopt;
    return std::string(bytes.begin(), bytes.end());
  });
}

int64_t Store::add(const std::string& key, int64_t n) {
  return told(lost("add"), [&] { return impl_->store->add(key, n); });
}

std::string Store::get(const std::string& key, milliseconds timeout, const std::function<void()>& while_waiting) {
  const auto end = std::chrono::steady_clock::now() + timeout;
  for (milliseconds pause{1};; pause = std::min(pause * 2, milliseconds(20))) {
    if (auto value = find(key)) return *value;
    if (std::chrono::steady_clock::now() > end)
      throw Error(ErrorKind::processes,
                  "nobody said '" + key + "' within " + std::to_string(timeout.count() / 1000) + " seconds");
    while_waiting();
    std::this_thread::sleep_for(pause);
  }
}

void Store::break_off() {
  if (impl_->place_port > 0) end_connections(impl_->place_port);
}

int Store::port() const { return impl_->port; }

std::unique_ptr<Store> open_store(const MeetingPlace& place, bool serve, const std::string& listen,
                                  milliseconds timeout) {
  auto impl = std::make_unique<Store::Impl>();
  if (!place.file.empty()) {
    told("the processes meet in the file " + place.file, [&] {
      auto store = c10::make_intrusive<c10d::FileStore>(place.file, /*numWorkers=*/-1);
      store->setTimeout(timeout);
      impl->store = std::move(store);
    });
  } else {
    const std::string where = place.address + ":" + std::to_string(place.port);
    told(serve ? "the run's store cannot listen on " + listen + ":" + std::to_string(place.port) +
                     " (MASTER_PORT, or trainer.init_method)"
               : "the run's store at " + where + " cannot be reached within " + std::to_string(timeout.count() / 1000) +
                     " s (trainer.process_group_timeout): rank 0 did not come, is elsewhere, or another program has "
                     "that port",
         [&] {
           auto store = tcp_store(place, serve, listen, timeout);
           impl->place_port = store->getPort();
           if (serve) impl->port = impl->place_port;
           impl->store = std::move(store);
         });
  }
  return std::make_unique<Store>(std::move(impl));
}

}  // namespace levin::core
