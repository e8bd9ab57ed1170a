// Replaces bind() for LibTorch, whose store would listen on all addresses of the machine. If the thread has set
// listen_address, a socket that would be bound to any address is bound to that one.
#include <dlfcn.h>
#include <sys/socket.h>

#include <cstring>

#include "core/distributed/store/own_address.hpp"

namespace {

using Bind = int (*)(int, const sockaddr*, socklen_t);

Bind next_bind() {
  static const Bind next = reinterpret_cast<Bind>(dlsym(RTLD_NEXT, "bind"));
  return next;
}

bool is_any(const sockaddr* address, socklen_t size) {
  if (address->sa_family == AF_INET && size >= sizeof(sockaddr_in))
    return reinterpret_cast<const sockaddr_in*>(address)->sin_addr.s_addr == htonl(INADDR_ANY);
  if (address->sa_family == AF_INET6 && size >= sizeof(sockaddr_in6))
    return std::memcmp(&reinterpret_cast<const sockaddr_in6*>(address)->sin6_addr, &in6addr_any, sizeof in6addr_any) ==
           0;
  return false;
}

int bind_to(const in_addr& chosen, int socket, const sockaddr* address, socklen_t size) {
  if (address->sa_family == AF_INET) {
    sockaddr_in one = *reinterpret_cast<const sockaddr_in*>(address);
    one.sin_addr = chosen;
    return next_bind()(socket, reinterpret_cast<const sockaddr*>(&one), size);
  }
  // An IPv4 address in IPv6 form: ::ffff:127.0.0.1.
  sockaddr_in6 one = *reinterpret_cast<const sockaddr_in6*>(address);
  std::memset(&one.sin6_addr, 0, sizeof one.sin6_addr);
  one.sin6_addr.s6_addr[10] = one.sin6_addr.s6_addr[11] = 0xff;
  std::memcpy(&one.sin6_addr.s6_addr[12], &chosen, sizeof chosen);
  return next_bind()(socket, reinterpret_cast<const sockaddr*>(&one), size);
}

}  // namespace

#pragma GCC visibility push(default)
extern "C" int bind(int socket, const sockaddr* address, socklen_t size) noexcept {
  const in_addr* chosen = levin::core::listen_address;
  if (!chosen || !address || !is_any(address, size)) return next_bind()(socket, address, size);
  return bind_to(*chosen, socket, address, size);
}
#pragma GCC visibility pop
