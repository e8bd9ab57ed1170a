#include "core/plugin/checks/symbol_scope.hpp"

#include <cxxabi.h>

#include <cstdlib>
#include <memory>

namespace levin::core {

// The name in the Itanium C++ ABI: _Z, GV or GR for guards and temporaries, Z for names local to a function, N and
// qualifiers for nested names, then St for std, or a length and a name.
std::string outermost_scope(const std::string& mangled) {
  if (mangled.compare(0, 2, "_Z") != 0) return {};
  size_t at = 2;
  if (mangled.compare(at, 2, "GV") == 0 || mangled.compare(at, 2, "GR") == 0) at += 2;
  while (at < mangled.size() && mangled[at] == 'Z') ++at;
  if (at < mangled.size() && mangled[at] == 'N') at = mangled.find_first_not_of("rVKRO", at + 1);
  if (at >= mangled.size()) return {};
  if (mangled.compare(at, 2, "St") == 0) return "std";
  size_t length = 0;
  for (; at < mangled.size() && mangled[at] >= '0' && mangled[at] <= '9' && length < mangled.size(); ++at)
    length = length * 10 + static_cast<size_t>(mangled[at] - '0');
  return at < mangled.size() && length <= mangled.size() - at ? mangled.substr(at, length) : std::string();
}

std::string demangled(const std::string& mangled) {
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> text(abi::__cxa_demangle(mangled.c_str(), nullptr, nullptr, &status),
                                                    std::free);
  return status == 0 && text ? std::string(text.get()) : mangled;
}

}  // namespace levin::core
