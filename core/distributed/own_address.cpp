#include "core/distributed/own_address.hpp"

#include <arpa/inet.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netdb.h>
#include <sys/socket.h>
#include <unistd.h>

#include <memory>
#include <vector>

#include "core/base/error.hpp"
#include "core/base/text.hpp"

namespace levin::core {
namespace {

std::string text_of(const in_addr& address) {
  char text[INET_ADDRSTRLEN] = {};
  ::inet_ntop(AF_INET, &address, text, sizeof text);
  return text;
}

std::string address_of_interface(const std::string& name) {
  ifaddrs* list = nullptr;
  std::vector<std::string> names;
  if (::getifaddrs(&list) != 0) list = nullptr;
  const std::unique_ptr<ifaddrs, void (*)(ifaddrs*)> owner(list, [](ifaddrs* l) {
    if (l) ::freeifaddrs(l);
  });
  for (const ifaddrs* i = list; i; i = i->ifa_next) {
    if (!i->ifa_addr || i->ifa_addr->sa_family != AF_INET) continue;
    if (name == i->ifa_name) return text_of(reinterpret_cast<const sockaddr_in*>(i->ifa_addr)->sin_addr);
    names.emplace_back(i->ifa_name);
  }
  throw Error(ErrorKind::usage, "trainer.interface=" + name +
                                    ": there is no such network interface with an IPv4 "
                                    "address; there are: " +
                                    join(names, ", "));
}

in_addr resolved(const std::string& name) {
  addrinfo hints{}, *found = nullptr;
  hints.ai_family = AF_INET;
  hints.ai_socktype = SOCK_DGRAM;
  if (const int failed = ::getaddrinfo(name.c_str(), nullptr, &hints, &found); failed != 0 || !found)
    throw Error(ErrorKind::processes, "the name '" + name +
                                          "', where the processes of the run meet, cannot be resolved: " +
                                          ::gai_strerror(failed) + "; set MASTER_ADDR to an address");
  const in_addr address = reinterpret_cast<const sockaddr_in*>(found->ai_addr)->sin_addr;
  ::freeaddrinfo(found);
  return address;
}

}  // namespace

std::string own_address(const std::string& other, const std::string& interface) {
  if (!interface.empty()) return address_of_interface(interface);
  sockaddr_in to{};
  to.sin_family = AF_INET;
  to.sin_port = htons(9);
  to.sin_addr = resolved(other);
  const int socket = ::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);  // nothing is sent
  sockaddr_in mine{};
  socklen_t size = sizeof mine;
  const bool known = socket >= 0 && ::connect(socket, reinterpret_cast<const sockaddr*>(&to), sizeof to) == 0 &&
                     ::getsockname(socket, reinterpret_cast<sockaddr*>(&mine), &size) == 0;
  if (socket >= 0) ::close(socket);
  if (!known)
    throw Error(ErrorKind::processes, "there is no way to " + other +
                                          ", where the processes of the run meet; name a "
                                          "network interface with --trainer.interface");
  return text_of(mine.sin_addr);
}

}  // namespace levin::core
