// The order in which a run keeps its callbacks, the defaults among them.
#include "conformance/harness/names.hpp"
#include "conformance/harness/scripted_run.hpp"
#include "conformance/registry.hpp"

namespace conformance {
namespace {

bool is_user_class(const std::string& name) { return name.size() == 2 && name[0] == 'U'; }

std::string class_name(const std::string& instance, const std::string& component) {
  if (component == "scripted_callback") return instance;
  std::string out;
  bool up = true;
  for (char ch : component) {
    if (ch != '_') out += up ? static_cast<char>(std::toupper(static_cast<unsigned char>(ch))) : ch;
    up = ch == '_';
  }
  return out;
}

Outcome run_order(const Case& c) {
  ScriptedRun request;
  request.defaults = true;
  request.trainer = c.inputs.at("trainer");
  request.trainer["logger"] = false;
  request.trainer["fast_dev_run"] = false;
  request.calls.clear();  // the run is made, and nothing is called
  // What the host adds of its own is switched off, as Lightning has none of it.
  request.callbacks = {{"early_stopping", "", {}}, {"results_table", "", {}}};
  for (const json& item : c.inputs.at("callbacks")) {
    const std::string name = item.is_string() ? item.get<std::string>() : item.at("name").get<std::string>();
    if (name == "EarlyStopping") request.callbacks.erase(request.callbacks.begin());
    if (is_user_class(name))
      request.callbacks.push_back({name, "scripted_callback", json::object()});
    else
      request.add_callbacks(json::array({item.is_string() ? json{{"name", name}} : item}), "EarlyStopping");
  }
  json order = json::array();
  request.inspect = [&](levin::core::Trainer& trainer) {
    for (const auto& callback : trainer.assembly().hooks->callbacks())
      order.push_back(class_name(callback->instance(), callback->schema().id));
  };
  const Observed seen = run(request);
  return outcome_of(seen, {{"order", order}});
}

const SuiteEntry callback_order("callback_order", &run_order);

}  // namespace
}  // namespace conformance
