#include "core/logging/metrics/saved_states.hpp"

#include <map>
#include <string>
#include <utility>

#include "core/base/text.hpp"

namespace levin::core {
namespace {

// The keys of the first state have no prefix.
std::string prefix_of(size_t place) { return place == 0 ? "" : "of another process " + std::to_string(place) + "/"; }

template <class Value>
void add(std::map<std::string, Value>& to, const std::map<std::string, Value>& from, const std::string& prefix) {
  for (const auto& [key, value] : from) to[prefix + key] = value;
}

template <class Value>
void take(std::map<std::string, Value>& to, const std::map<std::string, Value>& from, size_t place) {
  const std::string prefix = prefix_of(place), other = "of another process ";
  for (const auto& [key, value] : from)
    if (place == 0 ? !starts_with(key, other) : starts_with(key, prefix)) to[key.substr(prefix.size())] = value;
}

}  // namespace

StateBag put_together(const std::vector<StateBag>& states) {
  StateBag out;
  for (size_t i = 0; i < states.size(); ++i) {
    add(out.tensors(), states[i].tensors(), prefix_of(i));
    add(out.bytes(), states[i].bytes(), prefix_of(i));
    add(out.types(), states[i].types(), prefix_of(i));
  }
  return out;
}

std::vector<StateBag> taken_apart(const StateBag& bag) {
  std::vector<StateBag> out;
  for (;;) {
    StateBag one;
    take(one.tensors(), bag.tensors(), out.size());
    take(one.bytes(), bag.bytes(), out.size());
    take(one.types(), bag.types(), out.size());
    if (one.empty()) return out;
    out.push_back(std::move(one));
  }
}

}  // namespace levin::core
