#include "tasks/nats/refusals.hpp"

#include <cstdint>
#include <map>
#include <mutex>
#include <set>

namespace levin::core::tasks {
namespace {

constexpr size_t most_refusals = 64;  // that are kept of a connection

struct AllRefusals {
  std::mutex mutex;
  size_t last = 0;
  std::map<size_t, std::set<std::string>> texts;  // by object
};

AllRefusals& all_refusals() {
  static auto* all = new AllRefusals;  // threads of the library may outlive main
  return *all;
}

size_t new_refusals() {
  const std::lock_guard<std::mutex> lock(all_refusals().mutex);
  const size_t id = ++all_refusals().last;
  all_refusals().texts[id];
  return id;
}

}  // namespace

Refusals::Refusals() : id_(new_refusals()) {}

Refusals::~Refusals() {
  const std::lock_guard<std::mutex> lock(all_refusals().mutex);
  all_refusals().texts.erase(id_);
}

std::string Refusals::of(const std::string& subject) const {
  const std::lock_guard<std::mutex> lock(all_refusals().mutex);
  for (const std::string& text : all_refusals().texts[id_])
    if (text.find('"' + subject + '"') != std::string::npos) return text;
  return "";
}

void* Refusals::closure() const { return reinterpret_cast<void*>(id_); }  // NOLINT(performance-no-int-to-ptr)

void Refusals::add(void* closure, const std::string& text) {
  AllRefusals& all = all_refusals();
  const std::lock_guard<std::mutex> lock(all.mutex);
  const auto found = all.texts.find(reinterpret_cast<uintptr_t>(closure));
  if (found != all.texts.end() && found->second.size() < most_refusals) found->second.insert(text);
}

}  // namespace levin::core::tasks
