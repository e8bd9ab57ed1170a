// Tries rules in a process of their own. If that crashes, hangs or is killed, the rule that ran has failed, and another
// process goes on with the next one.
#pragma once
#include <functional>
#include <vector>

#include "host/engine/check/common/call_page.hpp"
#include "host/engine/check/common/report.hpp"

namespace levin::core {

struct CheckProcess {
  // Runs in the process. The recorder knows which calls were made there.
  std::function<void(Report&, const CallRecorder&)> rules;
  Report::Tell told;                              // called with each verdict, as soon as it is known
  std::function<void(const std::string&)> noise;  // called with what a process that crashed wrote to stderr
  double seconds = 60;  // a process in which no call of a plugin begins or ends for so long is ended

  void run() const;
};

}  // namespace levin::core
