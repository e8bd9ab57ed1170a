#include "tasks/driver/job_report.hpp"

#include <cstdio>

#include "tasks/driver/driver.hpp"

namespace levin::core::tasks {

JobReport::JobReport(const JobFiles& files)
    : settings(Driver::settings_of(files)),
      ledger(files.ledger(), true),
      place(files.ledger().string()),
      state(ledger.get("state")) {
  if (files.ledger() == files.ledger_url()) {
    const LedgerPlace there = read_ledger_place(files.ledger());
    place = there.url + " " + there.schema;
  }
  counts = ledger.counts();
  runs = Driver::runs(files);
  const bool ended = state == job_running && counts.failed > 0 && counts.done + counts.failed == counts.all;
  if (!runs && state != job_done) state = ended ? "failed" : "stopped while " + state;
}

std::string number(double value) {
  char text[64];
  std::snprintf(text, sizeof text, "%.*f", value > 0 && value < 0.01 ? 6 : value < 10 ? 3 : 1, value);
  return text;
}

const char* name_of(TaskState state) {
  constexpr const char* names[] = {"waiting", "done", "failed"};
  return names[static_cast<int>(state)];
}

}  // namespace levin::core::tasks
