// A Trainer that is built from flags alone, on top of the default configuration of the host. For suites that inspect a
// Trainer without running it.
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
  // the Trainer refuses the flags.
  explicit BuiltTrainer(const json& flags, const std::map<std::string, std::string>& environment = {});

  levin::core::Assembly& parts() { return trainer_->assembly(); }
  // Lightning's class names of the callbacks in their order, and of the loggers. Of the defaults they contain only
  // those that Lightning has too: callbacks that serve a trainer flag, and one logger.
  json callbacks() const;
  json loggers() const;

 private:
  TempDir root_;
  levin::core::Console console_{[](int32_t, const std::string&) {}};
  levin::core::Composition composition_;
  std::unique_ptr<levin::core::Trainer> trainer_;
};

// Lets each class name in expected["must_name"] stand for the id of the component too.
json with_component_ids(json expected);

}  // namespace conformance
