#include "host/engine/check/check_plugin.hpp"

#include "core/base/error.hpp"
#include "host/engine/check/common_rules.hpp"
#include "host/engine/check/data_rules.hpp"
#include "host/engine/check/invented_run.hpp"
#include "host/engine/check/model_rules.hpp"
#include "host/engine/check/optimizer_rules.hpp"

namespace levin::core {
namespace {

std::string title(const PluginSchema& schema) {
  return schema.id + " " + schema.version + ", ABI " + std::to_string(schema.abi_major) + "." +
         std::to_string(schema.abi_minor) + (schema.torch == "none" ? ", no LibTorch" : ", LibTorch " + schema.torch);
}

void check_component(Report& report, const Subject& subject) {
  report.heading(std::string(kind_name(subject.schema.kind)) + " " + subject.schema.id);
  if (subject.schema.kind == LEVIN_KIND_MODEL) return check_model(report, subject);
  if (!check_creation(report, subject)) return;
  check_state(report, subject);
  if (subject.schema.kind == LEVIN_KIND_DATA) check_data(report, subject);
  if (subject.schema.kind == LEVIN_KIND_OPTIMIZER) check_optimizer(report, subject);
}

}  // namespace

int check_plugin(const std::string& file, bool trust) {
  Console console;
  PluginSet plugins(console, trust, invented_services());
  const PluginSchema& schema = plugins.load(file).schema;
  Report report;
  report.heading(title(schema));
  report.check(1, "is found sound, loads, and describes itself as its file does", [] { return ""; });
  for (const ComponentSchema& component : schema.components)
    check_component(report, {plugins, file, component, default_options(component)});
  report.summary();
  return report.failed() == 0 ? 0 : static_cast<int>(ErrorKind::plugin);
}

}  // namespace levin::core
