// Checks rules in a child process. If the child crashes, hangs or is killed, the running rule has failed, and a new
// child continues with the next rule.
#pragma once
#include <functional>

#include "host/engine/check/common/call_page.hpp"
#include "host/engine/check/common/report.hpp"

namespace levin::core {

struct CheckProcess {
  // Runs in the child. The recorder has the plugin calls made there.
  std::function<void(Report&, const CallRecorder&)> rules;
  Report::Tell told;                              // called with each finding as soon as it is available
  std::function<void(const std::string&)> noise;  // called with the stderr output of a child that crashed
  double seconds = 60;                            // a child is killed if no plugin call begins or ends for this time

  void run() const;
};

}  // namespace levin::core
