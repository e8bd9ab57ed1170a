#include "host/compose/switches.hpp"

#include "core/base/error.hpp"
#include "core/base/json.hpp"
#include "core/config/trainer/trainer_options.hpp"
#include "host/compose/component_options.hpp"

namespace levin::core {
namespace {

// Switches off every component that has a trainer switch.
void switch_off_for_barebones(Composition& composition, const Claims& claims,
                              const std::set<std::string>& true_by_user) {
  for (const auto& [name, list] : claims) {
    if (!list.front().option.empty()) continue;
    if (true_by_user.count(name)) refuse_in_barebones(name, true);
    const Setting off{"trainer." + name, false, "trainer.barebones=true", rank_command_line};
    apply_switch(composition, list, off, false);
  }
}

}  // namespace

void apply_trainer_switches(Composition& composition, const Claims& claims, const nlohmann::json& trainer,
                            const std::set<std::string>& true_by_user) {
  const bool barebones = truthy(trainer.at("barebones"));
  const Setting* logger = last_setting(composition.settings, "trainer.logger");
  if (barebones) switch_off_for_barebones(composition, claims, true_by_user);
  for (auto& chosen : composition.components) {
    if (!chosen.off.empty()) continue;
    // A logger that the user names in a source of higher rank overrides logger=false.
    const bool asked_for_later = !barebones && chosen.by_user && logger != nullptr && chosen.named > logger->rank;
    const bool no_logger = chosen.group == "logger" && trainer.at("logger") == false && !asked_for_later;
    if (no_logger) chosen.off = "trainer.logger=false";
    const bool trial = truthy(trainer.at("fast_dev_run")) && (chosen.schema().flags & LEVIN_F_OFF_IN_FAST_DEV_RUN);
    if (trial) chosen.off = off_in_fast_dev_run;
  }
}

void refuse_second_instances(const Composition& composition) {
  for (const auto& a : composition.components) {
    if (!a.off.empty() || (a.schema().flags & LEVIN_F_ONE_ONLY) == 0) continue;
    for (const auto& b : composition.components) {
      if (&a == &b || !b.off.empty() || !same_component(a.found, b.found)) continue;
      throw Error(ErrorKind::usage, b.origin + ": a run has one " + a.schema().id +
                                        " at most, and these are two: " + a.key() + ", " + b.key());
    }
  }
}

}  // namespace levin::core
