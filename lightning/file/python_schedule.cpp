#include <algorithm>
#include <cmath>
#include <cstdint>
#include <set>
#include <stdexcept>

#include "core/base/json.hpp"
#include "core/base/text.hpp"
#include "lightning/file/state_conversions.hpp"

namespace levin::core {
namespace {

using nlohmann::json;
using Keys = std::set<std::string>;

// A saved state does not name its class, so the class is recognized by these keys.
struct PythonKind {
  const char* id;  // this program's id
  Keys keys;       // keys of Python's state
};
// Key that names the schedule in exported states, which have no options. Python ignores it.
constexpr const char* own_mark = "levin_scheduler";

const std::vector<PythonKind>& python_kinds() {
  static const std::vector<PythonKind> all = {
      {"step", {"step_size", "gamma"}},
      {"multi_step", {"milestones", "gamma"}},
      {"exponential", {"gamma"}},
      {"polynomial", {"total_iters", "power"}},
      {"constant", {"factor", "total_iters"}},
      {"linear", {"start_factor", "end_factor", "total_iters"}},
      {"cosine_annealing", {"T_max", "eta_min"}},
      {"cosine_annealing_warm_restarts", {"T_0", "T_i", "T_mult", "eta_min", "T_cur"}},
      {"one_cycle", {"total_steps", "cycle_momentum"}},
      {"cyclic", {"max_lrs", "total_size", "step_ratio", "mode", "gamma", "cycle_momentum"}},
      {"lambda", {"lr_lambdas"}},
      {"multiplicative", {"lr_lambdas"}},
      {"reduce_on_plateau", {"factor", "patience", "cooldown", "threshold", "mode", "best", "num_bad_epochs"}},
      {"sequential", {"_schedulers", "_milestones"}},
      {"chained", {"_schedulers"}}};
  return all;
}

const PythonKind* kind_of(const std::string& id) {
  for (const PythonKind& kind : python_kinds())
    if (id == kind.id) return &kind;
  return nullptr;
}

Keys telling_keys(const json& saved) {
  Keys out;
  for (const PythonKind& kind : python_kinds())
    for (const std::string& key : kind.keys)
      if (saved.contains(key)) out.insert(key);
  return out;
}

std::string in_words(const Keys& keys) {
  return keys.empty() ? "none of the options of a schedule" : join({keys.begin(), keys.end()}, ", ");
}

const PythonKind& checked_kind(const json& own) {
  const std::string id = own.at("scheduler");
  const PythonKind* kind = kind_of(id);
  if (kind == nullptr) throw std::runtime_error("Python has no schedule like '" + id + "'");
  return *kind;
}

double finite(const json& value, const std::string& key) {
  if (value.is_number() && std::isfinite(value.get<double>())) return value;
  throw std::runtime_error(key + " is " + show(value) + ", which is not a number");
}

json finite_list(const json& values, const std::string& key, size_t n) {
  if (!values.is_array() || values.size() != n)
    throw std::runtime_error(key + " is " + show(values) + ", and there are " + std::to_string(n) +
                             " parameter groups");
  json out = json::array();
  for (const json& value : values) out.push_back(finite(value, key));
  return out;
}

json count(const json& value, const std::string& key, int64_t least) {
  if (value.is_number_integer() && value >= least && value <= (int64_t{1} << 53)) return value;
  throw std::runtime_error(key + " is " + show(value) + ", which is not a count");
}

// Returns a value that only this kind of schedule stores, under the same name as in Python.
json own_value(const std::string& key, const json& saved) {
  if (key != "best") return count(saved, key, 0);
  if (saved.is_null()) return nullptr;
  if (saved.is_number() && std::isinf(saved.get<double>())) return nullptr;
  return finite(saved, key);
}

bool is_common(const std::string& key) {
  for (const char* common : {"scheduler", "last_epoch", "base_lrs", "last_lr", "schedulers", "paused"})
    if (key == common) return true;
  return false;
}

json translate(const json& own, const json& saved, bool nested) {
  if (!saved.is_object()) throw std::runtime_error("its state is no dict");
  const PythonKind& kind = checked_kind(own);
  if (const Keys keys = telling_keys(saved); keys != kind.keys && saved.value(own_mark, json()) != kind.id)
    throw std::runtime_error("it is '" + std::string(kind.id) + "' here, whose state has " + in_words(kind.keys) +
                             "; the file's has " + in_words(keys));
  const auto value = [&saved](const char* key) { return saved.value(key, json()); };
  json out = own;
  out["last_epoch"] = count(value("last_epoch"), "last_epoch", nested ? -1 : 0);
  const size_t n = own.at("base_lrs").size();
  if (saved.contains("base_lrs") && n > 0) out["base_lrs"] = finite_list(saved["base_lrs"], "base_lrs", n);
  if (saved.contains("_last_lr")) out["last_lr"] = finite_list(saved["_last_lr"], "_last_lr", own.at("last_lr").size());
  for (const auto& [key, unused] : own.items())
    if (!is_common(key)) out[key] = own_value(key, value(key.c_str()));
  if (!own.contains("schedulers")) return out;
  const json parts = value("_schedulers");
  if (!parts.is_array() || parts.size() != own["schedulers"].size())
    throw std::runtime_error("_schedulers has other parts than the " + std::to_string(own["schedulers"].size()) +
                             " here");
  for (size_t i = 0; i < parts.size(); ++i) out["schedulers"][i] = translate(own["schedulers"][i], parts[i], true);
  return out;
}

// Converts a Counter such as {30: 1, 80: 2} to a list, [30, 80, 80].
json milestones(const json& saved) {
  if (!saved.is_object()) return saved;
  std::multiset<int64_t> out;
  for (const auto& [step, times] : saved.items())
    for (int64_t i = 0; times.is_number_integer() && i < times && i < 1000; ++i)
      out.insert(std::strtoll(step.c_str(), nullptr, 10));
  return out;
}

}  // namespace

json schedule_of_python(const json& own, const json& saved) { return translate(own, saved, /*nested=*/false); }

json schedule_for_python(const json& own) {
  json out = {{own_mark, checked_kind(own).id}};
  for (const auto& [key, value] : own.items())
    if (!is_common(key) && !value.is_null()) out[key] = value;
  const int64_t last = own.at("last_epoch");
  out["last_epoch"] = last;
  out["_step_count"] = last + 1;
  out["_last_lr"] = own.at("last_lr");
  if (!own.at("base_lrs").empty()) out["base_lrs"] = own["base_lrs"];
  if (own.contains("schedulers"))
    for (const json& part : own["schedulers"]) out["_schedulers"].push_back(schedule_for_python(part));
  return out;
}

std::vector<std::string> changed_options(const json& options, const json& saved) {
  std::vector<std::string> out;
  if (!options.is_object() || !saved.is_object()) return out;
  for (const auto& [name, is] : options.items()) {
    json was = saved.value(name, json());
    if (name == "milestones") was = milestones(was);
    json now = is;
    if (name == "milestones" && now.is_array()) std::sort(now.begin(), now.end());
    if (!was.is_null() && !now.is_null() && was != now)
      out.push_back(name + " is " + show(now) + " and was " + show(was));
  }
  return out;
}

}  // namespace levin::core
