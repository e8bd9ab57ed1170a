// All parts of one run, made in order and taken apart in reverse. Each part gets what it needs of those before it.
#pragma once
#include <optional>

#include "core/trainer/assembly/run_services.hpp"
#include "core/trainer/signals.hpp"

namespace levin::core {

class Assembly {
 public:
  // stage: LEVIN_STAGE_*, of the first part of the run.
  Assembly(RunSettings settings, uint32_t stage, Console& console);
  ~Assembly();
  Assembly(const Assembly&) = delete;
  Assembly& operator=(const Assembly&) = delete;

  RunSettings settings;
  std::optional<Signals> signals{std::in_place};
  RunDevice device;
  RunOutput output;
  RunComponents components;
  RunProgress progress;
  levin_run run;  // what components are handed, filled by `services`
  Dispatcher hooks;
  LoggerList loggers;
  RunLoops loops;
  TrainingState state;
  RunServices services;

 private:
  void end_batch();
  nlohmann::json provenance() const;
  std::function<void(const std::string&)> warning();
};

}  // namespace levin::core
