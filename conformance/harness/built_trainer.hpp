// A Trainer made of flags alone, on the default configuration that users get: for the suites that build one and ask it.
#pragma once
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "conformance/case_file.hpp"
#include "conformance/harness/setting.hpp"
#include "core/trainer/trainer.hpp"
#include "host/compose/run_builder.hpp"

namespace conformance {

class BuiltTrainer {
 public:
  // flags: by Lightning's names; "callbacks": [{"name": class, options...}]. Throws levin::core::Error where the
  // Trainer refuses them.
  explicit BuiltTrainer(const json& flags, const std::map<std::string, std::string>& environment = {});

  levin::core::Assembly& parts() { return trainer_->assembly(); }
  // Lightning's names of the callbacks in their order, and of the loggers. Of those that nobody named only what
  // Lightning has by default too: callbacks that a flag switches, and one logger.
  json callbacks() const;
  json loggers() const;

 private:
  TempDir root_;
  levin::core::Console console_{[](int32_t, const std::string&) {}};
  levin::core::Composition composition_;
  std::unique_ptr<levin::core::Trainer> trainer_;
};

// The names of classes in must_name mean the ids of components too.
json with_component_ids(json expected);

}  // namespace conformance
