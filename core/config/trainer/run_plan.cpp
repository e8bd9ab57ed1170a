#include "core/config/trainer/run_plan.hpp"

#include <cstdlib>
#include <nlohmann/json.hpp>

#include "core/base/error.hpp"
#include "core/base/json.hpp"
#include "core/base/text.hpp"
#include "core/config/option.hpp"
#include "core/config/trainer/plan_values.hpp"
#include "core/config/trainer/trainer_options.hpp"
#include "core/config/trainer/trainer_rules.hpp"
#include "levin/util/duration.hpp"

namespace levin::core {
namespace {

using nlohmann::json;

void set_all(RunPlan& plan, const json& trainer) {
  for (const auto& option : trainer_options()) {
    if (!option.set) continue;
    const auto given = trainer.find(option.schema.name);
    const json& value = given == trainer.end() ? option.schema.deflt : *given;
    option.set(plan, value.is_null() ? option.null_means : value);
  }
}

bool is_given(const json& trainer, const char* name) {
  const auto found = trainer.find(name);
  return found != trainer.end() && !found->is_null();
}

uint64_t checked_seed(const json& given, const std::string& where) {
  const json checked = trainer_rules::seed(given);
  if (checked.is_number()) return checked.get<uint64_t>();
  throw Error(ErrorCode::option_value_invalid,
              where + " is " + show(given) + "; it has to be a number in [0, 4294967295]");
}

// 1.0 means all batches. A larger float is a count that is too large for an integer.
bool is_fraction(const json& value) { return value.is_number_float() && value.get<double>() <= 1; }

int device_number(const json& item, const json& devices) {
  const json number = item.is_string() ? scalar_from_text(trim(item.get<std::string>())) : item;
  if (number.is_number_integer()) return number.get<int>();
  throw Error(ErrorCode::option_value_invalid, "trainer.devices=" + show(devices) + ": devices are named by integers");
}

// Splits text such as "1, 3" into a list. Returns any other value unchanged.
json split_devices(const json& given) {
  if (!given.is_string() || given.get<std::string>().find(',') == std::string::npos) return given;
  json items = json::array();
  for (const auto& part : split(given.get<std::string>(), ',')) {
    if (!part.empty()) items.push_back(part);
  }
  return items;
}

}  // namespace

RunPlan::RunPlan() { set_all(*this, json::object()); }

RunPlan make_run_plan(const json& trainer, bool timed) {
  RunPlan plan;
  set_all(plan, trainer);
  const bool other_end = plan.duration.max_steps >= 0 || timed;
  plan.duration.max_epochs_by_default = !is_given(trainer, "max_epochs") && !other_end;
  if (!is_given(trainer, "max_epochs") && other_end) plan.duration.max_epochs = -1;
  if (!is_given(trainer, "min_epochs") && plan.duration.min_steps > 0) plan.duration.min_epochs = 1;
  return plan;
}

uint64_t chosen_seed(const json& given) {
  const char* environment = ::getenv("LEVIN_GLOBAL_SEED");
  if (!given.is_null()) return checked_seed(given, "the seed");
  return environment ? checked_seed(environment, "the seed of the environment, LEVIN_GLOBAL_SEED,") : 0;
}

void announce_seed(uint64_t seed) {
  ::setenv("LEVIN_GLOBAL_SEED", std::to_string(seed).c_str(), 1);
  ::setenv("LEVIN_SEED_WORKERS", "0", 1);  // data loader workers are not seeded separately
}

void assign(bool& to, const json& value) { to = value.is_boolean() && value.get<bool>(); }

void assign(int64_t& to, const json& value) {
  if (value.is_boolean()) to = value.get<bool>() ? 1 : 0;
  if (value.is_null()) to = 0;
  if (value.is_number()) to = value.get<int64_t>();
}

void assign(double& to, const json& value) { to = value.is_null() ? 0 : number_from_json(value); }

void assign(std::string& to, const json& value) {
  to = value.is_null() ? "" : value.is_string() ? value.get<std::string>() : value.dump();
}

void assign(std::vector<std::string>& to, const json& value) {
  to = value.is_null() ? std::vector<std::string>() : value.get<std::vector<std::string>>();
}

void assign(Limit& to, const json& value) { to = {value.get<double>(), is_fraction(value)}; }

void assign(ValCheckInterval& to, const json& value) {
  if (value.is_string()) {
    to = {0, false, parse_duration(value.get<std::string>())};
  } else {
    to = {value.get<double>(), is_fraction(value), {}};
  }
}

void assign(std::map<int64_t, int64_t>& to, const json& value) {
  to = {{0, 1}};
  if (!value.is_object()) to[0] = value.get<int64_t>();
  if (!value.is_object()) return;
  for (const auto& [epoch, batches] : value.items()) to[std::stoll(epoch)] = batches.get<int64_t>();
}

void assign(DeviceChoice& to, const json& value) { to = device_choice(value); }

DeviceChoice device_choice(const json& given) {
  using Kind = DeviceChoice::Kind;
  DeviceChoice out;
  out.given = show(given);
  if (given.is_null() || given == "auto") return out;
  const bool empty_list = given == json::array() || (given.is_string() && trim(given.get<std::string>()) == "[]");
  const json items = empty_list ? json::array() : split_devices(given);
  if (items.is_array()) {
    out.kind = empty_list ? Kind::none : Kind::listed;
    for (const auto& item : items) out.ids.push_back(device_number(item, given));
    return out;
  }
  out.count = device_number(items, given);
  out.kind = out.count == 0 ? Kind::none : out.count == -1 ? Kind::all : Kind::count;
  return out;
}

}  // namespace levin::core
