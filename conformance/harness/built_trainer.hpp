// A Trainer built from flags alone, on top of the host's default configuration. For suites that inspect a Trainer
// without running it.
#pragma once
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "conformance/harness/case_file.hpp"
#include "conformance/harness/setting.hpp"
#include "core/trainer/trainer.hpp"
#include "host/compose/run_builder.hpp"

namespace conformance {

class BuiltTrainer {
 public:
  // flags: by Lightning's names; "callbacks": [{"name": class, options...}]. Throws levin::core::Error if the host or
  // the Trainer rejects the flags.
  explicit BuiltTrainer(const json& flags, const std::map<std::string, std::string>& environment = {});

  levin::core::Assembly& parts() { return trainer_->assembly(); }
  // Return Lightning's class names of the callbacks, in their order, and of the loggers. Of the host's defaults only
  // those that Lightning has too are included: callbacks that serve a trainer flag, and one logger.
  json callbacks() const;
  json loggers() const;

 private:
  TempDir root_;
  levin::core::Console console_{[](int32_t, const std::string&) {}};
  levin::core::Composition composition_;
  std::unique_ptr<levin::core::Trainer> trainer_;
};

// Returns `expected` with component ids accepted as alternatives to the class names in expected["must_name"].
json with_component_ids(json expected);

}  // namespace conformance
