#include "core/distributed/store/own_address.hpp"

#include <arpa/inet.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netdb.h>
#include <sys/socket.h>
#include <unistd.h>

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

struct Interface {
  std::string name, address;
  bool loopback = false;
  bool connected = false;  // false = its cable is out, or it is a bridge without containers
};

// Returns the network interfaces that have an IPv4 address.
std::vector<Interface> interfaces() {
  ifaddrs* list = nullptr;
  std::vector<Interface> all;
  if (::getifaddrs(&list) != 0) return all;
  for (const ifaddrs* i = list; i; i = i->ifa_next)
    if (i->ifa_addr && i->ifa_addr->sa_family == AF_INET)
      all.push_back({i->ifa_name, text_of(reinterpret_cast<const sockaddr_in*>(i->ifa_addr)->sin_addr),
                     (i->ifa_flags & IFF_LOOPBACK) != 0, (i->ifa_flags & IFF_RUNNING) != 0});
  ::freeifaddrs(list);
  return all;
}

std::string names_of(const std::vector<Interface>& all) {
  std::vector<std::string> names;
  for (const Interface& i : all) names.push_back(i.name);
  return join(names, ", ");
}

std::string address_of_interface(const std::string& name) {
  const auto all = interfaces();
  for (const Interface& i : all)
    if (i.name == name) return i.address;
  throw Error(
      ErrorCode::option_value_invalid,
      "trainer.interface=" + name + ": no network interface of this name has an IPv4 address; valid: " + names_of(all));
}

// Returns the address of the only connected non-loopback interface. Many systems resolve their own host name to a
// loopback address, which other machines cannot reach.
std::string outer_address(const std::string& name) {
  const auto all = interfaces();
  std::vector<Interface> outer;
  for (const Interface& i : all)
    if (!i.loopback && i.connected) outer.push_back(i);
  if (outer.size() == 1) return outer.front().address;
  throw Error(ErrorCode::environment_invalid,
              "the name '" + name +
                  "' of the rendezvous is a loopback address on this machine, "
                  "and other machines do not reach it there; set MASTER_ADDR to an address, or name "
                  "a network interface with --trainer.interface; there are: " +
                  names_of(all));
}

in_addr resolved(const std::string& name) {
  addrinfo hints{}, *found = nullptr;
  hints.ai_family = AF_INET;
  hints.ai_socktype = SOCK_DGRAM;
  if (const int failed = ::getaddrinfo(name.c_str(), nullptr, &hints, &found); failed != 0 || !found)
    throw Error(ErrorCode::rendezvous_unreachable, "the name '" + name + "' of the rendezvous cannot be resolved: " +
                                                       ::gai_strerror(failed) + "; set MASTER_ADDR to an address");
  const in_addr address = reinterpret_cast<const sockaddr_in*>(found->ai_addr)->sin_addr;
  ::freeaddrinfo(found);
  return address;
}

bool is_loopback(const in_addr& address) { return (ntohl(address.s_addr) >> 24) == 127; }

// Returns the address of this machine from which it reaches the other one.
std::string address_towards(const in_addr& other, const std::string& name) {
  sockaddr_in to{};
  to.sin_family = AF_INET;
  to.sin_port = htons(9);
  to.sin_addr = other;
  const int socket = ::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);  // nothing is sent
  sockaddr_in mine{};
  socklen_t size = sizeof mine;
  const bool known = socket >= 0 && ::connect(socket, reinterpret_cast<const sockaddr*>(&to), sizeof to) == 0 &&
                     ::getsockname(socket, reinterpret_cast<sockaddr*>(&mine), &size) == 0;
  if (socket >= 0) ::close(socket);
  if (known) return text_of(mine.sin_addr);
  throw Error(ErrorCode::rendezvous_unreachable, "there is no way to " + name +
                                                     ", the address of the rendezvous; name a network interface with "
                                                     "--trainer.interface");
}

}  // namespace

Addresses addresses_of(const World& world, const std::string& first, const std::string& interface) {
  const std::string chosen = interface.empty() ? "" : address_of_interface(interface);
  if (world.nodes == 1 && world.machines_known) {
    const std::string own = chosen.empty() ? "127.0.0.1" : chosen;
    return {own, own};
  }
  const in_addr there = resolved(first);
  if (is_loopback(there)) {  // so it is this machine
    const bool meant = world.nodes == 1 || first == "localhost" || text_of(there) == first;
    const std::string own = !chosen.empty() ? chosen : meant ? "127.0.0.1" : outer_address(first);
    return {own, own};
  }
  return {chosen.empty() ? address_towards(there, first) : chosen, text_of(there)};
}

bool is_own_address(const std::string& address) {
  for (const Interface& i : interfaces())
    if (i.address == address) return true;
  return false;
}

}  // namespace levin::core
