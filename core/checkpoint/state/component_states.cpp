#include "core/checkpoint/state/component_states.hpp"

#include <optional>

#include "core/base/error.hpp"
#include "core/base/version.hpp"
#include "core/checkpoint/state/read_part.hpp"

namespace levin::core {
namespace {

struct StateWriter {
  std::string id, version;  // of the component
  std::string plugin;       // the plugin's id; "" = unknown
  std::string full_name() const { return plugin.empty() ? id : plugin + ":" + id; }
};

// Returns the component that wrote a state, or nullopt if the checkpoint has no such state.
std::optional<StateWriter> writer_of(const CheckpointReader& file, const std::string& prefix) {
  const nlohmann::json known = file.manifest().value("components", nlohmann::json::object());
  if (!known.contains(prefix)) return std::nullopt;
  const nlohmann::json& writer = known[prefix];
  return StateWriter{writer.value("component", ""), writer.value("version", ""), writer.value("plugin", "")};
}

// A state that the component rejects is an error of the file.
void load_state(const CheckpointReader& file, const std::string& prefix, Component& component,
                const std::string& version) {
  const StateBag bag = file.bag(prefix);
  try {
    component.load(bag.reader(version.c_str()));
  } catch (const Error& e) {
    throw Error(ErrorCode::checkpoint_state_refused,
                file.path() + ": the state of " + prefix + " cannot be loaded: " + e.what());
  }
}

void put_component(CheckpointWriter& out, const std::string& prefix, const Component& component,
                   const StateBag& state) {
  out.put(prefix, state);
  out.manifest()["components"][prefix] = {{"component", component.schema().id},
                                          {"plugin", component.schema().plugin},
                                          {"version", component.schema().version}};
}

// Returns true if the component can load its state from the checkpoint. Warns of a state of another component or of a
// newer version. Throws Error{checkpoint} if the state is too old, unless plugin changes are allowed.
bool takes_state(const SavedRun& run, const CheckpointReader& file, const std::string& prefix,
                 const Component& component) {
  const auto writer = writer_of(file, prefix);
  if (!writer) return false;
  const ComponentSchema& schema = component.schema();
  const std::string state = file.path() + ": the state of " + prefix;
  if (!schema.answers_to(writer->full_name())) {
    run.context.warn(state + " was saved by '" + writer->full_name() + "', not by '" + schema.full_name() +
                     "': it is left out");
    return false;
  }
  if (writer->version.empty() || schema.version.empty()) return true;
  const std::string is = state + " is of " + schema.id + " " + writer->version;
  if (compare_versions(writer->version, schema.version) > 0)
    run.context.warn(is + ", which is newer than the plugin's " + schema.version);
  if (schema.state_since.empty() || compare_versions(writer->version, schema.state_since) >= 0) return true;
  const std::string old = is + ", and " + schema.version + " loads the state of " + schema.state_since + " and newer";
  if (!run.allow_plugin_changes)
    throw Error(ErrorCode::checkpoint_state_refused, old + "; --allow_plugin_changes resumes without this state");
  run.context.warn(old + ": it is left out");
  return false;
}

}  // namespace

void save_component(CheckpointWriter& out, const std::string& prefix, Component& component) {
  if (!component.has_state()) return;
  StateBag bag;
  component.save(bag.writer());
  put_component(out, prefix, component, bag);
}

void load_component(const SavedRun& run, const CheckpointReader& file, const std::string& prefix,
                    Component& component) {
  if (takes_state(run, file, prefix, component)) load_state(file, prefix, component, writer_of(file, prefix)->version);
}

void save_callbacks(const SavedRun& run, CheckpointWriter& out) {
  for (const auto& callback : run.context.hooks.callbacks())
    save_component(out, "callbacks." + callback->instance(), *callback);
}

void load_callbacks(const SavedRun& run, const CheckpointReader& file) {
  for (const auto& callback : run.context.hooks.callbacks())
    load_component(run, file, "callbacks." + callback->instance(), *callback);
}

void save_loggers(const SavedRun& run, CheckpointWriter& out) {
  for (const auto& logger : run.loggers.all()) {
    const std::string& name = logger->logger().instance();
    const StateBag state = logger->state(), calls = logger->waiting_calls();
    if (!state.empty()) put_component(out, "loggers." + name, logger->logger(), state);
    if (!calls.empty()) out.put("logger_calls." + name, calls);
  }
}

void load_loggers(const SavedRun& run, const CheckpointReader& file) {
  for (const auto& logger : run.loggers.all()) {
    const std::string& name = logger->logger().instance();
    read_part(file, "loggers." + name, [&] {
      logger->load(file.bag("loggers." + name), file.bag("logger_calls." + name),
                   [&](Component& component) { load_component(run, file, "loggers." + name, component); });
    });
  }
}

void load_before_setup(const CheckpointReader& file, DataModule& data) {
  read_part(file, "the state of the data module", [&] {
    const auto writer = writer_of(file, "data");
    const ComponentSchema& schema = data.schema();
    if (!writer || !schema.answers_to(writer->full_name())) return;
    if (!schema.state_since.empty() && !writer->version.empty() &&
        compare_versions(writer->version, schema.state_since) < 0)
      return;
    load_state(file, "data", data, writer->version);
  });
}

}  // namespace levin::core
