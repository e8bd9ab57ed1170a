// The address on which listening sockets of this thread accept connections. LibTorch's store listens on all addresses
// and has no option for it, so host-engine replaces bind() (host/engine/interposed_bind.cpp), which reads
// listen_address.
#pragma once
#include <netinet/in.h>

namespace levin::core {

inline thread_local const in_addr* listen_address = nullptr;  // nullptr = the address passed to bind()

class ListenAddressScope {
 public:
  explicit ListenAddressScope(const in_addr& address) : address_(address), before_(listen_address) {
    listen_address = &address_;
  }
  ~ListenAddressScope() { listen_address = before_; }
  ListenAddressScope(const ListenAddressScope&) = delete;
  ListenAddressScope& operator=(const ListenAddressScope&) = delete;

 private:
  in_addr address_;
  const in_addr* before_;
};

}  // namespace levin::core
