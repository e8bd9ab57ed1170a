#include "core/abi/handle_table.hpp"

#include <algorithm>
#include <iterator>
#include <sstream>

namespace levin::core {
namespace {

std::string description(const c10::TensorImpl& tensor) {
  std::ostringstream out;
  out << c10::toString(c10::typeMetaToScalarType(tensor.dtype())) << ' ' << tensor.sizes();
  return out.str();
}

}  // namespace

HandleTable::Entry& HandleTable::entry(levin_tensor* handle) {
  const auto known = entries_.find(handle);
  if (known != entries_.end()) return known->second;
  if (entries_.size() >= most_) forget_old();
  auto* tensor = reinterpret_cast<c10::TensorImpl*>(handle);
  return entries_
      .emplace(handle, Entry{WeakTensor(TensorPointer::reclaim_copy(tensor)), description(*tensor), next_number_++})
      .first->second;
}

// Drops the entries of freed tensors, except the newest entries.
void HandleTable::forget_old() {
  constexpr uint64_t kept = 1 << 14;
  for (auto it = entries_.begin(); it != entries_.end();)
    it = it->second.tensor.expired() && it->second.number + kept < next_number_ ? entries_.erase(it) : std::next(it);
  most_ = std::max<size_t>(1 << 16, 2 * entries_.size());
}

void HandleTable::lend(levin_tensor* handle) { entry(handle); }

void HandleTable::hand_over(levin_tensor* handle, const std::string& plugin) { ++entry(handle).references[plugin]; }

std::string HandleTable::gone(const Entry& e) const {
  return "the tensor (" + e.what + ") is gone" +
         (e.gone.empty() ? ": it was lent for an earlier call" : ": its last reference was released in " + e.gone);
}

std::string HandleTable::use(levin_tensor* handle, bool strict) const {
  if (!handle) return "the handle is NULL";
  const auto known = entries_.find(handle);
  if (known == entries_.end()) return strict ? "the host did not give it this handle" : "";
  return known->second.tensor.expired() ? gone(known->second) : "";
}

std::string HandleTable::hand_back(levin_tensor* handle, const std::string& plugin, const std::string& who,
                                   bool strict) {
  std::string problem = use(handle, strict);
  if (!problem.empty() || !entries_.count(handle)) return problem;
  Entry& e = entries_.at(handle);
  int64_t& references = e.references[plugin];
  if (references == 0 && strict)
    return e.gone.empty()
               ? "the tensor (" + e.what + ") is borrowed; retain it first"
               : "it holds no reference to the tensor (" + e.what + ") any more: it released its last one in " + e.gone;
  if (references > 0) --references;
  if (references == 0) e.gone = who;
  return "";
}

std::map<std::string, int64_t> HandleTable::held_by(const std::string& plugin) const {
  std::map<std::string, int64_t> out;
  for (const auto& [handle, e] : entries_) {
    const auto held = e.references.find(plugin);
    if (held != e.references.end() && held->second > 0 && !e.tensor.expired()) ++out[e.what];
  }
  return out;
}

}  // namespace levin::core
