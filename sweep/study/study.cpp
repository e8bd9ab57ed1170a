#include "sweep/study/study.hpp"

#include <algorithm>

#include "core/base/error.hpp"
#include "core/base/text.hpp"

namespace levin::core::sweep {
namespace {

using nlohmann::json;

// Optuna's optuna/storages/_journal/storage.py.
enum Operation { create_study = 0, create_trial_op = 4, param = 5, state_values = 6, intermediate = 7, user_attr = 8 };

json shown_value(double value, const json& distribution) {
  const json parsed = json::parse(distribution.get<std::string>());
  const std::string name = parsed.at("name");
  if (name == "CategoricalDistribution") return parsed.at("attributes").at("choices").at(static_cast<size_t>(value));
  if (name == "IntDistribution") return static_cast<int64_t>(value);
  return value;
}

TrialState state_of(int number) {
  if (number < 0 || number >= static_cast<int>(enum_names<TrialState>.size()))
    throw Error(ErrorCode::record_damaged, "no state of a trial: " + std::to_string(number));
  return static_cast<TrialState>(number);
}

std::string text_of(const json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_string() ? found->get<std::string>() : "";
}

}  // namespace

std::string Trial::run() const {
  const std::string name = text_of(attributes, "run"), prefix = "trial_";
  const bool is_folder = starts_with(name, prefix) && name.size() > prefix.size() &&
                         name.find_first_not_of("0123456789", prefix.size()) == std::string::npos;
  return is_folder ? name : "";
}

std::string Trial::error() const { return text_of(attributes, "error"); }

int64_t Trial::count(const char* attribute, int64_t otherwise) const {
  const auto found = attributes.find(attribute);
  const bool is_count = found != attributes.end() && found->is_number_integer() && *found >= 0 && *found <= 1000000000;
  return is_count ? found->get<int64_t>() : otherwise;
}

const Trial* Study::best() const {
  const Trial* out = nullptr;
  for (const Trial& trial : trials)
    if (trial.state == TrialState::complete && trial.value && (!out || loss(*trial.value) < loss(*out->value)))
      out = &trial;
  return out;
}

size_t Study::count(TrialState state) const {
  return static_cast<size_t>(
      std::count_if(trials.begin(), trials.end(), [state](const Trial& trial) { return trial.state == state; }));
}

Trial* Replay::open_trial(const json& operation) {
  const auto found = number_of_.find(operation.at("trial_id").get<int64_t>());
  if (found == number_of_.end()) return nullptr;
  Trial& trial = study_.trials[found->second];
  return trial.is_over() ? nullptr : &trial;
}

void Replay::create_trial(const json& operation) {
  const int64_t id = next_id_++;
  if (operation.at("study_id") != 0) return;
  Trial trial;
  trial.id = id;
  trial.number = static_cast<int64_t>(study_.trials.size());
  trial.state = state_of(operation.value("state", 0));
  const json values = operation.value("params", json::object());
  for (const auto& [name, value] : values.items()) {
    trial.values[name] = value.get<double>();
    trial.shown[name] = shown_value(value.get<double>(), operation.at("distributions").at(name));
  }
  trial.attributes = operation.value("user_attrs", json::object());
  trial.started = text_of(operation, "datetime_start");
  trial.ended = text_of(operation, "datetime_complete");
  if (const auto value = operation.find("value"); value != operation.end() && value->is_number()) trial.value = *value;
  number_of_[id] = study_.trials.size();
  study_.trials.push_back(std::move(trial));
}

void Replay::apply(const json& operation) {
  const int op = operation.at("op_code");
  if (op == create_study && !begun_) {
    study_.name = operation.at("study_name");
    study_.maximizes = operation.at("directions").at(0) == 2;
    begun_ = true;
  } else if (op == create_trial_op) {
    create_trial(operation);
  } else if (op == param || op == state_values || op == intermediate || op == user_attr) {
    Trial* const trial = open_trial(operation);
    if (!trial) return;
    if (op == param) {
      const double value = operation.at("param_value_internal");
      const std::string name = operation.at("param_name");
      trial->values[name] = value;
      trial->shown[name] = shown_value(value, operation.at("distribution"));
    } else if (op == state_values) {
      trial->state = state_of(operation.at("state"));
      if (operation.at("values").is_array()) trial->value = operation.at("values").at(0).get<double>();
      trial->ended = text_of(operation, "datetime_complete");
    } else if (op == intermediate) {
      trial->at_epoch[operation.at("step").get<int64_t>()] = operation.at("intermediate_value").get<double>();
    } else {
      trial->attributes.update(operation.at("user_attr"));
    }
  }
}

}  // namespace levin::core::sweep
